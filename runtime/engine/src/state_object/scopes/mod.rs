//! Associations over scopes: DXIL libraries in collections in a state object, and what the state object declares itself.
//!
//! For each export and kind of subobject, the first of these that there is decides:
//!
//! 1. an explicit association that the state object declares itself,
//! 2. a default that the state object declares itself,
//! 3. an explicit association of a library or collection,
//! 4. a default of the library that the export is in.
//!
//! Exports of a collection keep what the collection gave them: to them, 1 and 3 are conflicts if they differ, and 2 is for those that
//! have none. Two different associations of one rank conflict. A hit group and its shaders share what either has.

use super::exports::NO_EXPORT;
use rtc_dxil_container::rdat::associate::{self, Slot};
use rtc_dxil_container::rdat::{Rdat, Subobject, SubobjectValue};

/// A scope: an executable state object or a collection.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scope {
    /// The libraries that it includes directly: functions and subobjects.
    pub libraries: Vec<Rdat>,
    /// Subobjects that it declares itself: configurations, root signatures, hit groups, associations.
    pub subobjects: Vec<Subobject>,
    /// Collections that it includes.
    pub collections: Vec<Scope>,
}

/// The kinds that exports are associated with.
const SLOTS: [Slot; 5] =
    [Slot::StateObjectConfig, Slot::GlobalRootSignature, Slot::LocalRootSignature, Slot::ShaderConfig, Slot::PipelineConfig];

/// An export with what is in force for it.
#[derive(Clone, PartialEq, Debug)]
struct Export {
    name: String,
    mangled: String,
    /// The shaders of a hit group.
    group: Option<[String; 3]>,
    /// The library of the scope that it is in; none: declared by the scope itself, or in a collection.
    library: Option<usize>,
    /// The collection that it is in.
    collection: Option<usize>,
    slots: [Option<Subobject>; SLOTS.len()],
}

/// An explicit association that is written down.
struct Written {
    subobject: Subobject,
    slot: usize,
    exports: Vec<String>,
    /// The collection that it is in.
    collection: Option<usize>,
    /// A scope declares it itself.
    declared: bool,
}

/// What does not fit together, in words.
pub type Problems = Vec<String>;

struct Resolved {
    exports: Vec<Export>,
    /// Explicit associations, which may concern exports of other scopes.
    explicit: Vec<Written>,
    problems: Problems,
    unresolved: Problems,
}

/// The one set of subobjects in which every export has an explicit association with everything that is in force for it, with the functions of
/// all libraries.
///
/// # Errors
/// Conflicts, and for an executable state object names that nothing has.
pub fn resolve(scope: &Scope, executable: bool) -> Result<Rdat, Problems> {
    let resolved = resolve_scope(scope);
    let mut problems = resolved.problems;
    if executable {
        problems.extend(resolved.unresolved);
    }
    if !problems.is_empty() {
        problems.dedup();
        return Err(problems);
    }
    Ok(flatten(scope, &resolved.exports))
}

fn slot_index(value: &SubobjectValue) -> Option<usize> {
    let slot = Slot::of(value)?;
    SLOTS.iter().position(|s| *s == slot)
}

/// The export of a name, mangled or not.
fn find<'a>(exports: &'a mut [Export], name: &str) -> Vec<&'a mut Export> {
    exports.iter_mut().filter(|e| e.name == name || e.mangled == name).collect()
}

fn resolve_scope(scope: &Scope) -> Resolved {
    let mut out = Resolved { exports: Vec::new(), explicit: Vec::new(), problems: Vec::new(), unresolved: Vec::new() };
    let mut foreign: Vec<Written> = Vec::new();
    for (c, collection) in scope.collections.iter().enumerate() {
        let inner = resolve_scope(collection);
        out.problems.extend(inner.problems);
        out.exports.extend(inner.exports.into_iter().map(|e| Export { library: None, collection: Some(c), ..e }));
        foreign.extend(inner.explicit.into_iter().map(|w| Written { collection: Some(c), ..w }));
    }
    for (l, rdat) in scope.libraries.iter().enumerate() {
        // A library that contradicts itself is one that cannot be made.
        let own = associate::resolve(rdat).problems.into_iter().filter(|p| !p.unresolved);
        out.problems.extend(own.map(|p| p.message));
        collect(rdat, Some(l), &mut out.exports);
    }
    let declared = Rdat { subobjects: scope.subobjects.clone(), ..Rdat::default() };
    collect(&declared, None, &mut out.exports);
    for (i, e) in out.exports.iter().enumerate() {
        if out.exports[..i].iter().any(|o| o.name == e.name) {
            out.problems.push(format!("`{}` is exported twice", e.name));
        }
    }

    // Explicit associations and defaults, by where they are written.
    let (mut own, mut own_defaults) = (Vec::new(), Vec::new());
    written(scope, &scope.subobjects, &mut own, &mut own_defaults, &mut out.unresolved);
    let mut library_defaults = Vec::new();
    for rdat in &scope.libraries {
        let (mut explicit, mut defaults) = (Vec::new(), Vec::new());
        written(scope, &rdat.subobjects, &mut explicit, &mut defaults, &mut out.unresolved);
        foreign.extend(explicit);
        library_defaults.push(defaults);
    }

    for slot in 0..SLOTS.len() {
        let mut ranks = Ranks { slot, problems: &mut out.problems };
        let exports = &mut out.exports;
        // 1: for exports of collections only where they have none.
        for w in own.iter().filter(|w| w.slot == slot) {
            ranks.explicit(exports, w, |_| true);
        }
        ranks.groups(exports);
        // 2.
        let has_own: Vec<bool> = exports.iter().map(|e| e.slots[slot].is_some()).collect();
        ranks.defaults(exports, own_defaults.iter().filter(|d| slot_index(&d.value) == Some(slot)), |_| true);
        let overridden: Vec<bool> =
            exports.iter().zip(&has_own).map(|(e, has)| e.collection.is_none() && (*has || e.slots[slot].is_some())).collect();
        // 3.
        for w in foreign.iter().filter(|w| w.slot == slot) {
            // What a collection says about its own exports is settled.
            let concerns = |(e, o): &(&Export, &bool)| (!**o || w.declared) && (w.collection.is_none() || e.collection != w.collection);
            let names: Vec<String> = exports.iter().zip(&overridden).filter(concerns).map(|(e, _)| e.name.clone()).collect();
            ranks.explicit(exports, w, |e| names.contains(&e.name));
        }
        ranks.groups(exports);
        // 4.
        for (l, defaults) in library_defaults.iter().enumerate() {
            ranks.defaults(exports, defaults.iter().filter(|d| slot_index(&d.value) == Some(slot)), |e| e.library == Some(l));
        }
        ranks.groups(exports);
        ranks.agree(exports);
    }
    // Names that nothing has; a function of a library that traces no rays is something.
    let known = |name: &str, scope: &Scope| known_name(scope, name);
    for w in own.iter().chain(&foreign) {
        for name in w.exports.iter().filter(|n| *n != NO_EXPORT && !known(n, scope)) {
            out.unresolved.push(format!("`{}` is associated with `{name}`, which nothing exports", w.subobject.name));
        }
    }
    out.explicit.extend(own.into_iter().map(|w| Written { declared: true, ..w }));
    out.explicit.extend(foreign);
    out
}

fn known_name(scope: &Scope, name: &str) -> bool {
    let function = |r: &Rdat| r.functions.iter().any(|f| f.unmangled == name || f.name == name);
    let group = |all: &[Subobject]| all.iter().any(|s| s.name == name && matches!(s.value, SubobjectValue::HitGroup { .. }));
    scope.libraries.iter().any(|r| function(r) || group(&r.subobjects))
        || group(&scope.subobjects)
        || scope.collections.iter().any(|c| known_name(c, name))
}

/// Takes the ray-tracing functions and hit groups of a library, or the hit groups that a scope declares.
fn collect(rdat: &Rdat, library: Option<usize>, out: &mut Vec<Export>) {
    let export = |name: &str, mangled: &str, group| Export {
        name: name.to_string(),
        mangled: mangled.to_string(),
        group,
        library,
        collection: None,
        slots: Default::default(),
    };
    for f in rdat.functions.iter().filter(|f| f.kind.is_raytracing()) {
        out.push(export(&f.unmangled, &f.name, None));
    }
    for s in rdat.hit_groups() {
        if let SubobjectValue::HitGroup { any_hit, closest_hit, intersection, .. } = &s.value {
            out.push(export(&s.name, &s.name, Some([any_hit.clone(), closest_hit.clone(), intersection.clone()])));
        }
    }
}

/// The explicit associations and the defaults among subobjects of one place.
fn written(scope: &Scope, all: &[Subobject], explicit: &mut Vec<Written>, defaults: &mut Vec<Subobject>, unresolved: &mut Problems) {
    let mut named: Vec<&str> = Vec::new();
    for s in all {
        let SubobjectValue::Association { subobject, exports } = &s.value else { continue };
        if !exports.is_empty() {
            named.push(subobject);
        }
        let Some(found) = subobject_of(scope, all, subobject) else {
            unresolved.push(format!("there is no subobject `{subobject}`"));
            continue;
        };
        match slot_index(&found.value) {
            None => unresolved.push(format!("`{subobject}` is a {}, exports cannot be associated with it", found.value.kind())),
            Some(_) if exports.is_empty() => defaults.push(found.clone()),
            Some(slot) => {
                explicit.push(Written { subobject: found.clone(), slot, exports: exports.clone(), collection: None, declared: false })
            }
        }
    }
    let declared = all.iter().filter(|s| slot_index(&s.value).is_some() && !named.contains(&s.name.as_str()));
    for s in declared {
        if !defaults.contains(s) {
            defaults.push(s.clone());
        }
    }
}

/// A subobject by its name: of the same place, of the scope, or of anything that the scope includes.
fn subobject_of<'a>(scope: &'a Scope, place: &'a [Subobject], name: &str) -> Option<&'a Subobject> {
    let of = |all: &'a [Subobject]| all.iter().find(|s| s.name == name && !matches!(s.value, SubobjectValue::Association { .. }));
    of(place)
        .or_else(|| of(&scope.subobjects))
        .or_else(|| scope.libraries.iter().find_map(|r| of(&r.subobjects)))
        .or_else(|| scope.collections.iter().find_map(|c| subobject_of(c, &c.subobjects, name)))
}

/// Puts associations of one kind into force, rank by rank.
struct Ranks<'a> {
    slot: usize,
    problems: &'a mut Problems,
}

impl Ranks<'_> {
    fn assign(&mut self, e: &mut Export, subobject: &Subobject) {
        match &e.slots[self.slot] {
            None => e.slots[self.slot] = Some(subobject.clone()),
            Some(before) if before.value == subobject.value => {}
            Some(before) => {
                let why = format!("`{}` and `{}` are both associated with `{}`", before.name, subobject.name, e.name);
                self.problems.push(why);
            }
        }
    }

    fn explicit(&mut self, exports: &mut [Export], w: &Written, concerns: impl Fn(&Export) -> bool) {
        for name in &w.exports {
            for e in find(exports, name) {
                if concerns(e) {
                    self.assign(e, &w.subobject);
                }
            }
        }
    }

    fn defaults<'d>(&mut self, exports: &mut [Export], all: impl Iterator<Item = &'d Subobject>, candidate: impl Fn(&Export) -> bool) {
        let all: Vec<&Subobject> = all.collect();
        let Some(first) = all.first() else { return };
        let mut open = exports.iter_mut().filter(|e| e.slots[self.slot].is_none() && candidate(e)).peekable();
        if let Some(other) = all.iter().find(|d| d.value != first.value)
            && open.peek().is_some()
        {
            self.problems.push(format!("`{}` and `{}` are both defaults", first.name, other.name));
        }
        for e in open {
            e.slots[self.slot] = Some((*first).clone());
        }
    }

    /// Each hit group with the exports that are its shaders.
    fn members(exports: &[Export]) -> Vec<(usize, Vec<usize>)> {
        let of = |names: &[String; 3]| {
            let found = names.iter().filter(|n| !n.is_empty());
            found.filter_map(|n| exports.iter().position(|e| e.group.is_none() && (e.name == *n || e.mangled == *n))).collect()
        };
        exports.iter().enumerate().filter_map(|(g, e)| Some((g, of(e.group.as_ref()?)))).collect()
    }

    /// A hit group gives its shaders what it has, and takes what they have.
    fn groups(&mut self, exports: &mut [Export]) {
        let groups = Self::members(exports);
        for (group, shaders) in &groups {
            if let Some(given) = exports[*group].slots[self.slot].clone() {
                for &s in shaders {
                    if exports[s].slots[self.slot].is_none() {
                        exports[s].slots[self.slot] = Some(given.clone());
                    }
                }
            }
        }
        for (group, shaders) in &groups {
            if exports[*group].slots[self.slot].is_none() {
                exports[*group].slots[self.slot] = shaders.iter().find_map(|&s| exports[s].slots[self.slot].clone());
            }
        }
    }

    fn agree(&mut self, exports: &[Export]) {
        for (group, shaders) in Self::members(exports) {
            let of_group = exports[group].slots[self.slot].as_ref().map(|s| &s.value);
            let differs = |s: &&usize| exports[**s].slots[self.slot].as_ref().map(|s| &s.value) != of_group;
            if let Some(&s) = shaders.iter().find(differs) {
                self.problems.push(format!(
                    "hit group `{}` and its shader `{}` are associated with different subobjects of one kind",
                    exports[group].name, exports[s].name
                ));
            }
        }
    }
}

fn flatten(scope: &Scope, exports: &[Export]) -> Rdat {
    let mut out = Rdat::default();
    take(scope, &mut out);
    let mut given: Vec<(Subobject, Vec<String>)> = Vec::new();
    for e in exports {
        for s in e.slots.iter().flatten() {
            match given.iter_mut().find(|(known, _)| known.value == s.value) {
                Some((_, names)) => names.push(e.name.clone()),
                None => given.push((s.clone(), vec![e.name.clone()])),
            }
        }
    }
    for (i, (s, exports)) in given.iter().enumerate() {
        // Libraries may use one name for different things.
        let taken = given[..i].iter().any(|(o, _)| o.name == s.name) || out.subobjects.iter().any(|o| o.name == s.name);
        let name = if taken { format!("{} ({i})", s.name) } else { s.name.clone() };
        out.subobjects.push(Subobject { name: name.clone(), value: s.value.clone() });
        out.subobjects.push(Subobject {
            name: format!("{name} of its exports"),
            value: SubobjectValue::Association { subobject: name, exports: exports.clone() },
        });
    }
    out
}

/// Functions and hit groups of everything in a scope.
fn take(scope: &Scope, out: &mut Rdat) {
    let groups = |all: &[Subobject], out: &mut Rdat| {
        let found = all.iter().filter(|s| matches!(s.value, SubobjectValue::HitGroup { .. }));
        out.subobjects.extend(found.cloned());
    };
    for c in &scope.collections {
        take(c, out);
    }
    for r in &scope.libraries {
        out.functions.extend(r.functions.iter().cloned());
        groups(&r.subobjects, out);
    }
    groups(&scope.subobjects, out);
}

#[cfg(test)]
mod tests;
