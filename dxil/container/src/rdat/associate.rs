//! Subobject associations: which subobjects apply to which export of one library.
//!
//! An *explicit* association names exports. A subobject that no explicit association names, or that
//! an association with an empty list names, is a *default*: it goes to every export that has none of
//! its kind. A hit group hands what is associated with it to its shaders, and takes what its shaders
//! agree on.

use rustc_hash::FxHashMap;

use super::{Rdat, SubobjectValue};

/// Kinds of subobjects that exports are associated with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// `StateObjectConfig`.
    StateObjectConfig,
    /// `GlobalRootSignature`.
    GlobalRootSignature,
    /// `LocalRootSignature`.
    LocalRootSignature,
    /// `RaytracingShaderConfig`.
    ShaderConfig,
    /// `RaytracingPipelineConfig` and `RaytracingPipelineConfig1`.
    PipelineConfig,
}

impl Slot {
    const COUNT: usize = 5;

    /// The slot that a subobject fills; none for hit groups and associations.
    pub fn of(value: &SubobjectValue) -> Option<Slot> {
        Some(match value {
            SubobjectValue::StateObjectConfig { .. } => Slot::StateObjectConfig,
            SubobjectValue::GlobalRootSignature { .. } => Slot::GlobalRootSignature,
            SubobjectValue::LocalRootSignature { .. } => Slot::LocalRootSignature,
            SubobjectValue::ShaderConfig { .. } => Slot::ShaderConfig,
            SubobjectValue::PipelineConfig { .. } | SubobjectValue::PipelineConfig1 { .. } => Slot::PipelineConfig,
            SubobjectValue::Association { .. } | SubobjectValue::HitGroup { .. } => return None,
        })
    }
}

/// An export and the subobjects in force for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// Unmangled name of the function, or name of the hit group.
    pub name: String,
    /// Whether it is a hit group.
    pub is_hit_group: bool,
    slots: [Option<usize>; Slot::COUNT],
}

impl Export {
    /// Index in [`Rdat::subobjects`] of the one in force.
    pub fn get(&self, slot: Slot) -> Option<usize> {
        self.slots[slot as usize]
    }
}

/// What does not fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The export or subobject concerned.
    pub name: String,
    /// What, without a full stop.
    pub message: String,
    /// Whether another library could still supply what is missing; a contradiction otherwise.
    pub unresolved: bool,
}

/// The result: every ray-tracing entry point and hit group, in the order of RDAT.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Associations {
    /// Functions first, then hit groups.
    pub exports: Vec<Export>,
    /// What does not fit together.
    pub problems: Vec<Problem>,
}

impl Associations {
    /// The export of this name.
    pub fn export(&self, name: &str) -> Option<&Export> {
        self.exports.iter().find(|e| e.name == name)
    }
}

/// Resolves all associations of a library by themselves.
pub fn resolve(rdat: &Rdat) -> Associations {
    let mut r = Resolver { rdat, out: Associations::default(), by_name: FxHashMap::default() };
    r.collect_exports();
    let mut defaults = r.explicit();
    r.declared_defaults(&mut defaults);
    r.hit_groups();
    r.apply_defaults(&defaults);
    r.agree_in_hit_groups();
    r.out
}

/// A default and whether an empty association made it one.
type Defaults = [Vec<usize>; Slot::COUNT];

struct Resolver<'a> {
    rdat: &'a Rdat,
    out: Associations,
    /// Exports by unmangled and by mangled name.
    by_name: FxHashMap<&'a str, usize>,
}

impl<'a> Resolver<'a> {
    fn problem(&mut self, name: &str, unresolved: bool, message: String) {
        self.out.problems.push(Problem { name: name.to_owned(), message, unresolved });
    }

    fn collect_exports(&mut self) {
        let rdat = self.rdat;
        for f in rdat.functions.iter().filter(|f| f.kind.is_raytracing()) {
            let index = self.out.exports.len();
            self.by_name.insert(&f.name, index);
            self.by_name.insert(&f.unmangled, index);
            self.push_export(&f.unmangled, false);
        }
        for g in rdat.hit_groups() {
            if self.by_name.insert(&g.name, self.out.exports.len()).is_some() {
                self.problem(&g.name, false, format!("'{}' names two exports", g.name));
            }
            self.push_export(&g.name, true);
        }
    }

    fn push_export(&mut self, name: &str, is_hit_group: bool) {
        let slots = [None; Slot::COUNT];
        self.out.exports.push(Export { name: name.to_owned(), is_hit_group, slots });
    }

    /// Associations as written; returns the defaults that empty lists make.
    fn explicit(&mut self) -> Defaults {
        let rdat = self.rdat;
        let mut defaults = Defaults::default();
        for s in &rdat.subobjects {
            let SubobjectValue::Association { subobject, exports } = &s.value else {
                continue;
            };
            let Some(target) = rdat.subobjects.iter().position(|t| t.name == *subobject) else {
                self.problem(&s.name, true, format!("there is no subobject '{subobject}'"));
                continue;
            };
            let Some(slot) = Slot::of(&rdat.subobjects[target].value) else {
                let kind = rdat.subobjects[target].value.kind();
                self.problem(&s.name, false, format!("'{subobject}' is a {kind}, exports cannot be associated with it"));
                continue;
            };
            if exports.is_empty() {
                defaults[slot as usize].push(target);
            }
            for export in exports {
                match self.by_name.get(export.as_str()) {
                    Some(&e) => self.assign(e, slot, target),
                    None if rdat.functions.iter().any(|f| f.unmangled == *export || f.name == *export) => {}
                    None => self.problem(&s.name, true, format!("there is no export '{export}'")),
                }
            }
        }
        defaults
    }

    fn same(&self, a: usize, b: usize) -> bool {
        a == b || self.rdat.subobjects[a].value == self.rdat.subobjects[b].value
    }

    fn assign(&mut self, export: usize, slot: Slot, target: usize) {
        match self.out.exports[export].slots[slot as usize] {
            None => self.out.exports[export].slots[slot as usize] = Some(target),
            Some(before) if self.same(before, target) => {}
            Some(before) => {
                let name = self.out.exports[export].name.clone();
                let names = |i: usize| &self.rdat.subobjects[i].name;
                let why = format!("'{}' and '{}' are both associated with '{name}'", names(before), names(target));
                self.problem(&name, false, why);
            }
        }
    }

    fn declared_defaults(&self, defaults: &mut Defaults) {
        let named: Vec<&str> = self
            .rdat
            .subobjects
            .iter()
            .filter_map(|s| match &s.value {
                SubobjectValue::Association { subobject, exports } if !exports.is_empty() => Some(subobject.as_str()),
                _ => None,
            })
            .collect();
        for (i, s) in self.rdat.subobjects.iter().enumerate() {
            if let Some(slot) = Slot::of(&s.value)
                && !named.contains(&s.name.as_str())
                && !defaults[slot as usize].contains(&i)
            {
                defaults[slot as usize].push(i);
            }
        }
    }

    /// Exports of a hit group: itself and its shaders.
    fn groups(&self) -> Vec<(usize, Vec<usize>)> {
        let mut out = Vec::new();
        for g in self.rdat.hit_groups() {
            let SubobjectValue::HitGroup { any_hit, closest_hit, intersection, .. } = &g.value else {
                continue;
            };
            let Some(&group) = self.by_name.get(g.name.as_str()) else {
                continue;
            };
            let shaders = [any_hit, closest_hit, intersection];
            let found = shaders.iter().filter_map(|n| self.by_name.get(n.as_str()).copied());
            out.push((group, found.collect()));
        }
        out
    }

    /// From group to shader, and from shader to group. Two iterations: a shader may belong to several
    /// groups, and what it got from one the others take.
    fn hit_groups(&mut self) {
        let groups = self.groups();
        for (group, shaders) in &groups {
            for slot in ALL_SLOTS {
                if let Some(target) = self.out.exports[*group].get(slot) {
                    for &s in shaders {
                        self.assign(s, slot, target);
                    }
                }
            }
        }
        for (group, shaders) in &groups {
            for slot in ALL_SLOTS {
                let first = shaders.iter().find_map(|&s| self.out.exports[s].get(slot));
                if self.out.exports[*group].get(slot).is_none() {
                    self.out.exports[*group].slots[slot as usize] = first;
                }
            }
        }
    }

    fn apply_defaults(&mut self, defaults: &Defaults) {
        for slot in ALL_SLOTS {
            let list = &defaults[slot as usize];
            let Some(&first) = list.first() else { continue };
            let open = self.out.exports.iter().any(|e| e.get(slot).is_none());
            if let Some(&other) = list.iter().find(|&&d| !self.same(first, d))
                && open
            {
                let names = |i: usize| self.rdat.subobjects[i].name.clone();
                let why = format!("'{}' and '{}' are both defaults", names(first), names(other));
                self.problem(&names(other), false, why);
            }
            for e in &mut self.out.exports {
                e.slots[slot as usize].get_or_insert(first);
            }
        }
    }

    fn agree_in_hit_groups(&mut self) {
        for (group, shaders) in self.groups() {
            for slot in ALL_SLOTS {
                let Some(of_group) = self.out.exports[group].get(slot) else {
                    continue;
                };
                let differs = shaders.iter().find(|&&s| self.out.exports[s].get(slot).is_some_and(|t| !self.same(t, of_group)));
                if let Some(&s) = differs {
                    let group = self.out.exports[group].name.clone();
                    let shader = &self.out.exports[s].name;
                    let why = format!("hit group '{group}' and its shader '{shader}' are associated with different subobjects of one kind");
                    if !self.out.problems.iter().any(|p| p.name == *shader || p.name == group) {
                        self.problem(&group, false, why);
                    }
                }
            }
        }
    }
}

const ALL_SLOTS: [Slot; Slot::COUNT] =
    [Slot::StateObjectConfig, Slot::GlobalRootSignature, Slot::LocalRootSignature, Slot::ShaderConfig, Slot::PipelineConfig];
