//! The templates and their instances.

use std::ops::{Index, IndexMut};

use rtc_base::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::{FuncId, RecordId, Ty};
use crate::sema::instance::{ArgValue, Instance, InstanceOf, Template};
use crate::sema::scope::TemplateId;

/// A template with its arguments.
pub type InstanceKey = (TemplateId, Vec<ArgValue>);

/// Templates.
#[derive(Clone, Default)]
pub struct Templates {
    all: PrimaryMap<TemplateId, Template>,
    /// Their instances.
    instances: FxHashMap<InstanceKey, Instance>,
    /// What each record is an instance of.
    args: FxHashMap<RecordId, InstanceOf>,
    /// Instances of class templates that are declared and not defined yet.
    declared: FxHashSet<RecordId>,
}

impl Index<TemplateId> for Templates {
    type Output = Template;

    fn index(&self, t: TemplateId) -> &Template {
        &self.all[t]
    }
}

impl IndexMut<TemplateId> for Templates {
    fn index_mut(&mut self, t: TemplateId) -> &mut Template {
        &mut self.all[t]
    }
}

impl Templates {
    /// Adds a template.
    pub fn push(&mut self, t: Template) -> TemplateId {
        self.all.push(t)
    }

    /// How many templates there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    // Instances ---------------------------------------------------------------------------------

    /// The instance for these arguments.
    pub fn instance(&self, key: &InstanceKey) -> Option<Instance> {
        self.instances.get(key).copied()
    }

    /// Remembers the instance for these arguments.
    pub fn set_instance(&mut self, key: InstanceKey, instance: Instance) {
        self.instances.insert(key, instance);
    }

    /// The functions that are instances of `t`, in the order in which they were made, with their arguments.
    pub fn functions_of(&self, t: TemplateId) -> Vec<(FuncId, Vec<ArgValue>)> {
        let functions = self.instances.iter().filter_map(|((of, values), i)| match *i {
            Instance::Func(g) if *of == t => Some((g, values.clone())),
            _ => None,
        });
        let mut functions: Vec<_> = functions.collect();
        functions.sort_by_key(|f| f.0);
        functions
    }

    // Classes that are instances ----------------------------------------------------------------

    /// What a class is an instance of.
    pub fn instance_of(&self, r: RecordId) -> Option<&InstanceOf> {
        self.args.get(&r)
    }

    /// Whether a class is an instance.
    pub fn is_instance(&self, r: RecordId) -> bool {
        self.args.contains_key(&r)
    }

    /// The type of a class that is an instance.
    pub fn type_of(&self, r: RecordId) -> Option<Ty> {
        let i = self.args.get(&r)?;
        match self.instance(&(i.template, i.values.clone())) {
            Some(Instance::Type(ty)) => Some(ty),
            _ => None,
        }
    }

    /// The classes that are instances of `t`.
    pub fn classes_of(&self, t: TemplateId) -> impl Iterator<Item = (RecordId, &InstanceOf)> {
        self.args.iter().filter(move |(_, i)| i.template == t).map(|(r, i)| (*r, i))
    }

    /// Remembers what a class is an instance of.
    pub fn set_instance_of(&mut self, r: RecordId, of: InstanceOf) {
        self.args.insert(r, of);
    }

    /// Adds a class that is an instance, of type `ty`, and not defined yet.
    pub fn declare_class(&mut self, r: RecordId, of: InstanceOf, ty: Ty) {
        self.set_instance((of.template, of.values.clone()), Instance::Type(ty));
        self.args.insert(r, of);
        self.declared.insert(r);
    }

    /// A class that is an instance is defined.
    pub fn define_class(&mut self, r: RecordId) {
        self.declared.remove(&r);
    }

    /// The instances of `t` that are declared and not defined, in the order in which they were made, with their arguments.
    pub fn undefined_classes_of(&self, t: TemplateId) -> Vec<(RecordId, Vec<ArgValue>)> {
        let classes = self.declared.iter().filter_map(|r| Some((*r, self.args.get(r)?)));
        let mut open: Vec<_> = classes.filter(|c| c.1.template == t).map(|(r, i)| (r, i.values.clone())).collect();
        open.sort_by_key(|o| o.0);
        open
    }
}
