//! Names of variables for reports and debug information, where they are asked for ([`super::Options::names`]).

use rtc_ir::debug::{Named, VarData};
use rtc_ir::{Root, Slot, Step};

use super::func::{Binding, FnCx};
use super::place::{Base, Place, Var};
use crate::hir::LocalId;

impl FnCx<'_, '_> {
    /// Says where variable or parameter `l` of the tree is.
    pub fn bind(&mut self, l: LocalId, b: Binding) {
        if self.func.debug.is_some() {
            self.note(l, &b);
        }
        self.locals[l] = Some(b);
    }

    #[cold]
    fn note(&mut self, l: LocalId, b: &Binding) {
        let data = &self.body.locals[l];
        let name = self.l.names.str(data.name);
        if name.is_empty() {
            return;
        }
        let (ty, value, root) = match b {
            Binding::Value(v) => (self.func.ty(*v), Some(*v), None),
            Binding::Place(Place::Var(var)) if var.steps.is_empty() => match var.base {
                Base::Root(root @ Root::Local(l)) => (self.func.locals[l].ty, None, Some(root)),
                Base::Root(root @ Root::Slot(s)) => (self.func.slots[s].ty, None, Some(root)),
                _ => return,
            },
            Binding::Place(_) => return,
        };
        let hlsl = crate::sema::show_type(&self.l.hir.types, self.l.names, data.ty);
        let var = VarData { name: name.into(), hlsl, ty, span: data.span, site: None.into() };
        let Some(d) = &mut self.func.debug else { return };
        let known = match root {
            Some(Root::Local(l)) => d.locals[l].is_some(),
            Some(Root::Slot(s)) => d.slots[s].is_some(),
            _ => false,
        };
        if known {
            return;
        }
        let named = Named { var: d.vars.push(var), path: Default::default() };
        match (root, value) {
            (Some(Root::Local(l)), _) => d.locals[l] = Some(named),
            (Some(Root::Slot(s)), _) => d.slots[s] = Some(named),
            (_, Some(v)) => self.func.name_value(v, &named),
            _ => {}
        }
    }

    /// Slot `s` is filled from the variable at `p`.
    pub fn note_slot(&mut self, s: Slot, p: &Place) {
        let Some(d) = &mut self.func.debug else { return };
        let Place::Var(Var { base: Base::Root(root), steps, .. }) = p else { return };
        let from = match *root {
            Root::Local(l) => d.locals[l].clone(),
            Root::Slot(s) => d.slots[s].clone(),
            Root::Global(_) => None,
        };
        d.slots[s] = from.map(|mut n| {
            n.path.extend(steps.iter().map(|s| match *s {
                Step::At(n) => n,
                Step::Dyn => rtc_ir::debug::ANY_ELEMENT,
            }));
            n
        });
    }
}
