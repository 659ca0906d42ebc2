//! Resources of several libraries: one for each name, checked against each other, numbered and bound.

use rustc_hash::FxHashMap;

use super::import::{self, Importer};
use super::library::Library;
use super::orientation::{self, Orientations};
use rtc_dxil_container::ResourceClass;
use rtc_dxil_container::metadata;
use rtc_dxil_module::{Global, Meta, Module, Type, TypeKind};

/// A resource of the result.
pub struct Resource {
    /// Its record; variable and type are those of the result.
    pub record: metadata::Resource,
    /// What its record adds, tag and value in turn.
    pub tags: Option<Meta>,
    /// The library that has it first.
    pub library: usize,
}

/// Takes the resources over that `functions` (of library `n`) name, into `out`.
pub struct Merger<'a> {
    libraries: &'a [Library],
    orientations: &'a [Orientations],
    /// All resources so far.
    pub all: Vec<Resource>,
    /// By name: rows, with the record of the library that has it first.
    by_name: FxHashMap<&'a str, Vec<(usize, &'a metadata::Resource)>>,
    /// What is wrong.
    pub wrong: Vec<String>,
}

impl<'a> Merger<'a> {
    /// Nothing yet.
    pub fn new(libraries: &'a [Library], orientations: &'a [Orientations]) -> Self {
        Merger { libraries, orientations, all: Vec::new(), by_name: FxHashMap::default(), wrong: Vec::new() }
    }

    /// Adds those of library `n` whose variables `used` holds for. `import` learns which variables they are in the result.
    pub fn add(&mut self, out: &mut Module, import: &mut Importer<'a>, n: usize, used: impl Fn(Global) -> bool) {
        let libraries: &'a [Library] = self.libraries;
        let library = &libraries[n];
        for r in &library.known.resources {
            let Some(global) = r.global.filter(|&g| used(g)) else { continue };
            let rows = self.by_name.entry(&r.name).or_default();
            // Two of one name in one library are two; in two libraries they are one.
            if let Some(&(row, first)) = rows.iter().find(|(row, _)| self.all[*row].library != n) {
                let other = &libraries[self.all[row].library];
                if let Some(what) = difference(&other.module, first, &library.module, r) {
                    self.wrong
                        .push(format!("resource `{}` is {} in `{}` and {} in `{}`", r.name, what.0, other.name, what.1, library.name));
                } else if let (Some(x), Some(y)) = (first.ty, r.ty) {
                    let theirs = (other, &self.orientations[self.all[row].library], x);
                    self.wrong.extend(orientation::of_resource(&r.name, theirs, (library, &self.orientations[n], y)));
                }
                if let Some(there) = self.all[row].record.global {
                    import.globals.insert(global, there);
                }
                if r.atomic64 && !self.all[row].record.atomic64 {
                    // What its record adds says so.
                    self.all[row].tags = tags(import, out, r);
                }
                let mine = &mut self.all[row].record;
                mine.atomic64 |= r.atomic64;
                mine.counter |= r.counter;
                continue;
            }
            rows.push((self.all.len(), r));
            let mut record = r.clone();
            record.global = Some(import.global(out, global));
            record.ty = r.ty.map(|t| import.ty(out, t));
            let tags = tags(import, out, r);
            self.all.push(Resource { record, tags, library: n });
        }
    }
}

/// What a record adds, tag and value in turn.
fn tags(import: &mut Importer, out: &mut Module, r: &metadata::Resource) -> Option<Meta> {
    let m = import.src;
    let elems = r.node.map_or(&[][..], |node| m.meta.elems(node));
    let tags = elems.last().copied().flatten().filter(|_| elems.len() > 6);
    let tags = tags.filter(|&t| matches!(m.meta[t], rtc_dxil_module::MetaNode::Node { .. }));
    import.meta(out, tags?)
}

/// How the name of a structure in memory begins if the same structure as a value has other members, or is in the library at all.
const HOST: &str = "hostlayout.";

/// Where two declarations of one resource differ: how each has it.
fn difference(m: &Module, a: &metadata::Resource, n: &Module, b: &metadata::Resource) -> Option<(String, String)> {
    let both = |f: &dyn Fn(&metadata::Resource) -> String| Some((f(a), f(b)));
    if a.class != b.class || a.kind != b.kind {
        return both(&|r| format!("a {}", r.kind.title()));
    }
    if (a.lower, a.space) != (b.lower, b.space) {
        return both(&place);
    }
    if a.count != b.count {
        return both(&|r| if r.count == u32::MAX { "an array without bound".into() } else { format!("an array of {}", r.count) });
    }
    if let (Some(x), Some(y)) = (a.ty, b.ty)
        && import::difference(m, x, n, y, |name| name.strip_prefix(HOST).unwrap_or(name)).is_some()
        && !same_with_matrices(m, x, n, y)
    {
        let name = |m: &Module, t| m.types.struct_name(t).unwrap_or("an array").to_owned();
        let (p, q) = (name(m, x), name(n, y));
        let layout = if p == q { ("of one layout".to_owned(), "of another".to_owned()) } else { (format!("`{p}`"), format!("`{q}`")) };
        return Some(layout);
    }
    let flags = |r: &metadata::Resource| (r.coherent, r.rov, r.reorder_coherent, r.sampler, r.size, r.component, r.samples, r.feedback);
    if flags(a) != flags(b) {
        return Some(("of one sort".into(), "of another (coherence, element or size differ)".into()));
    }
    None
}

/// Whether two types are one resource with matrices, for which compilers have names and types of their own: `hostlayout.` and arrays,
/// or classes.
pub fn same_with_matrices(m: &Module, x: Type, n: &Module, y: Type) -> bool {
    let of = |m: &Module, mut t: Type| {
        while let TypeKind::Array { elem, .. } = m.types[t] {
            t = elem;
        }
        let name = m.types.struct_name(t).unwrap_or_default();
        let plain = name.strip_prefix(HOST).unwrap_or(name);
        (plain.to_owned(), plain.len() < name.len() || has_matrix(m, t))
    };
    let (a, b) = (of(m, x), of(n, y));
    a.0 == b.0 && !a.0.is_empty() && a.1 && b.1
}

/// Whether a structure has a matrix inside.
fn has_matrix(m: &Module, ty: Type) -> bool {
    let (mut work, mut seen) = (vec![ty], rustc_hash::FxHashSet::default());
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        if m.types.struct_name(t).is_some_and(|n| n.starts_with("class.matrix.")) {
            return true;
        }
        match &m.types[t] {
            TypeKind::Array { elem, .. } => work.push(*elem),
            TypeKind::Named { body: Some(fields), .. } => work.extend(fields.types.iter()),
            _ => {}
        }
    }
    false
}

/// A register as HLSL writes it.
fn place(r: &metadata::Resource) -> String {
    if r.lower == u32::MAX {
        return "without register".into();
    }
    format!("at {}{}, space {}", r.class.letter(), r.lower, r.space)
}

/// Gives resources without register one in `space`: the first that is free, in order, arrays without bound last. Sentences
/// about those for which there is none.
pub fn bind(all: &mut [Resource], space: u32) -> Vec<String> {
    const END: u64 = 1 << 32;
    let mut taken: FxHashMap<(ResourceClass, u32), Vec<(u64, u64)>> = FxHashMap::default();
    for r in all.iter().map(|r| &r.record).filter(|r| r.lower != u32::MAX) {
        let end = if r.count == u32::MAX { END } else { u64::from(r.lower) + u64::from(r.count) };
        taken.entry((r.class, r.space)).or_default().push((r.lower.into(), end));
    }
    taken.values_mut().for_each(|t| t.sort_unstable());
    let mut wrong = Vec::new();
    for unbounded in [false, true] {
        let open = |r: &&mut metadata::Resource| r.lower == u32::MAX && (r.count == u32::MAX) == unbounded;
        for r in all.iter_mut().map(|r| &mut r.record).filter(open) {
            if r.space == u32::MAX {
                r.space = space;
            }
            let ranges = taken.entry((r.class, r.space)).or_default();
            let mut at = 0;
            for &(start, end) in ranges.iter() {
                if !unbounded && start >= at && start - at >= u64::from(r.count) {
                    break;
                }
                at = at.max(end);
            }
            let end = if unbounded { END } else { at + u64::from(r.count) };
            if at >= END || end > END {
                wrong.push(format!("there are no registers left for resource `{}` in space {}", r.name, r.space));
                continue;
            }
            let row = ranges.partition_point(|x| x.0 < at);
            ranges.insert(row, (at, end));
            r.lower = at as u32;
        }
    }
    wrong
}

/// Puts them in the order of records and numbers them, class by class.
pub fn number(all: &mut [Resource]) {
    let rank = |c: ResourceClass| match c {
        ResourceClass::Cbv => 0,
        ResourceClass::Sampler => 1,
        ResourceClass::Srv => 2,
        ResourceClass::Uav => 3,
    };
    all.sort_by_key(|r| rank(r.record.class));
    let mut next = [0; 4];
    for r in all.iter_mut() {
        let n = &mut next[rank(r.record.class)];
        r.record.id = *n;
        *n += 1;
    }
}

/// Sentences about resources that share registers.
pub fn overlaps(all: &[Resource], libraries: &[Library]) -> Vec<String> {
    let mut bound: Vec<&Resource> = all.iter().filter(|r| r.record.lower != u32::MAX).collect();
    bound.sort_by_key(|r| (r.record.class, r.record.space, r.record.lower));
    let mut wrong = Vec::new();
    for pair in bound.windows(2) {
        let (a, b) = (&pair[0].record, &pair[1].record);
        if (a.class, a.space) == (b.class, b.space) && a.upper() >= b.lower {
            let (x, y) = (&libraries[pair[0].library].name, &libraries[pair[1].library].name);
            wrong.push(format!("resources `{}` of `{x}` and `{}` of `{y}` share a register ({})", a.name, b.name, place(b)));
        }
    }
    wrong
}
