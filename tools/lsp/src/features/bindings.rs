//! Where the resources of a source are bound: registers by class and space, Vulkan bindings by set, and which are free.

use rtc_frontend::hir::{Binding, Global, GlobalKind};
use rtc_tables::resources::ResourceClass;

use crate::snapshot::Snapshot;

/// Registers or bindings that a variable takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first.
    pub first: u32,
    /// How many; `None`: all that follow.
    pub count: Option<u32>,
    /// The name of the variable.
    pub name: String,
}

impl Range {
    /// Whether a number is in it.
    pub fn has(&self, n: u32) -> bool {
        n >= self.first && self.count.is_none_or(|c| n - self.first < c)
    }

    /// The numbers as text, each with this prefix.
    pub fn show(&self, prefix: &str) -> String {
        let first = self.first;
        match self.count {
            Some(0 | 1) => format!("{prefix}{first}"),
            Some(n) => format!("{prefix}{first} to {prefix}{}", first.saturating_add(n - 1)),
            None => format!("{prefix}{first} and all that follow"),
        }
    }
}

/// The binding of a resource.
pub fn binding(g: &Global) -> Option<&Binding> {
    match &g.kind {
        GlobalKind::Resource(b) => Some(b),
        _ => None,
    }
}

/// The register class of a variable that is a resource, or an array of them.
pub fn class_of(s: &Snapshot, g: &Global) -> Option<ResourceClass> {
    let types = &s.analysis.module.types;
    types.as_resource(types.strip_arrays(g.ty).0).map(|r| r.class)
}

/// How many registers a variable takes; `None`: no bound.
pub fn count_of(s: &Snapshot, g: &Global) -> Option<u32> {
    match binding(g).and_then(|b| b.element) {
        Some(_) => Some(1),
        None => s.analysis.module.types.strip_arrays(g.ty).1,
    }
}

/// The registers of a class and space that are written, in their order.
pub fn registers(s: &Snapshot, class: ResourceClass, space: u32) -> Vec<Range> {
    let mut out = Vec::new();
    for g in s.analysis.module.globals.values() {
        let Some(b) = binding(g).filter(|b| b.space == space) else { continue };
        if let (Some(first), true) = (b.register, class_of(s, g) == Some(class)) {
            out.push(Range { first, count: count_of(s, g), name: s.analysis.names.str(g.name).to_owned() });
        }
    }
    out.sort_by(|a, b| (a.first, &a.name).cmp(&(b.first, &b.name)));
    out
}

/// The spaces that resources are in, in their order.
pub fn spaces(s: &Snapshot) -> Vec<u32> {
    let bound = s.analysis.module.globals.values().filter_map(binding).filter(|b| b.register.is_some() || b.space_written);
    let mut out: Vec<u32> = bound.map(|b| b.space).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Set and binding of a resource in Vulkan: as the attribute says, or else those of its space and register.
pub fn descriptor(g: &Global) -> Option<(u32, u32)> {
    let b = binding(g)?;
    if b.push_constant || b.shader_record {
        return None;
    }
    b.vk.map(|(binding, set)| (set, binding)).or_else(|| Some((b.space, b.register?)))
}

/// The Vulkan bindings that are written, each with its set. Counters have some too.
pub fn descriptors(s: &Snapshot) -> Vec<(u32, Range)> {
    let mut out = Vec::new();
    for g in s.analysis.module.globals.values() {
        let name = s.analysis.names.str(g.name);
        let Some((set, first)) = descriptor(g) else { continue };
        // An array is one binding.
        out.push((set, Range { first, count: Some(1), name: name.to_owned() }));
        if let Some(counter) = binding(g).and_then(|b| b.counter) {
            out.push((set, Range { first: counter, count: Some(1), name: format!("the counter of {name}") }));
        }
    }
    out.sort_by_key(|d| (d.0, d.1.first));
    out
}

/// The first number from which `count` are free; without a bound, all that follow.
pub fn first_free(used: &[Range], count: Option<u32>) -> Option<u32> {
    let mut sorted: Vec<&Range> = used.iter().collect();
    sorted.sort_by_key(|r| r.first);
    let mut at = 0_u32;
    for r in sorted {
        if count.is_some_and(|n| r.first >= at && r.first - at >= n.max(1)) {
            return Some(at);
        }
        let end = r.first.checked_add(r.count?)?;
        at = at.max(end);
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_numbers() {
        let range = |first, count| Range { first, count, name: String::new() };
        assert_eq!(first_free(&[], Some(1)), Some(0));
        assert_eq!(first_free(&[range(0, Some(2)), range(3, Some(1))], Some(1)), Some(2));
        assert_eq!(first_free(&[range(3, Some(1)), range(0, Some(2))], Some(2)), Some(4));
        assert_eq!(first_free(&[range(2, Some(1))], None), Some(3));
        assert_eq!(first_free(&[range(2, None)], Some(2)), Some(0));
        assert_eq!(first_free(&[range(2, None)], Some(3)), None);
        assert_eq!(first_free(&[range(u32::MAX, Some(1))], Some(1)), Some(0));
        assert_eq!(first_free(&[range(0, Some(u32::MAX)), range(u32::MAX, Some(1))], Some(1)), None);
        assert_eq!(range(1, Some(3)).show("t"), "t1 to t3");
        assert!(range(5, None).has(9) && !range(5, Some(2)).has(7));
    }
}
