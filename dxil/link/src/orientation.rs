//! Orientation of matrices in memory that libraries share: a library that is compiled with `-Zpr` has the members of a structure elsewhere than one
//! without, under the same name and type.
//!
//! Orientations come from the annotations of structures and functions, in the code or in the reflection part. Matrices that are passed by value are not
//! concerned: they are passed row after row.

use rustc_hash::{FxHashMap, FxHashSet};

use super::library::Library;
use super::resolve::{Chosen, shown};
use rtc_dxil_container::metadata::{Field, Layout, annotations, parameters};
use rtc_dxil_module::{Func, Module, Type, TypeKind};

/// How the name of a structure in memory begins if the same structure as a value has other members.
const HOST: &str = "hostlayout.";

/// What to do.
const REMEDY: &str = "compile both with -Zpr or both without, or declare the matrix `row_major` or `column_major`";

/// What a library says of its matrices.
pub struct Orientations {
    /// Structures by name.
    structs: FxHashMap<String, Layout>,
    functions: FxHashMap<Func, Vec<Field>>,
}

/// A matrix that two libraries have in different orientations: its name, and that of the first library.
struct Difference {
    what: String,
    row_major: bool,
}

impl Orientations {
    /// Those of a library.
    pub fn of(library: &Library) -> Orientations {
        let mut structs = FxHashMap::default();
        for m in [&library.module].into_iter().chain(&library.reflection) {
            for (ty, layout) in annotations(m) {
                if let Some(name) = m.types.struct_name(ty) {
                    structs.entry(name.to_owned()).or_insert(layout);
                }
            }
        }
        Orientations { structs, functions: parameters(&library.module) }
    }

    fn layout(&self, m: &Module, ty: Type) -> Option<&Layout> {
        let name = m.types.struct_name(ty)?;
        self.structs.get(name).or_else(|| self.structs.get(&format!("{HOST}{name}")))
    }
}

/// Whether a matrix is row-major, if that matters: one row or column is the same in both.
fn row_major(field: &Field) -> Option<bool> {
    let [rows, columns, orientation] = field.matrix?;
    (rows > 1 && columns > 1).then_some(orientation == 1)
}

fn words(row_major: bool) -> &'static str {
    if row_major { "row-major" } else { "column-major" }
}

/// What of two types, which consist of the same, has another orientation.
fn difference(a: (&Orientations, &Module, Type), b: (&Orientations, &Module, Type)) -> Option<Difference> {
    let (mut work, mut seen) = (vec![(a.2, b.2)], FxHashSet::default());
    while let Some((x, y)) = work.pop() {
        if !seen.insert((x, y)) {
            continue;
        }
        match (&a.1.types[x], &b.1.types[y]) {
            (TypeKind::Pointer { pointee: x, .. }, TypeKind::Pointer { pointee: y, .. }) => work.push((*x, *y)),
            (TypeKind::Array { elem: x, .. }, TypeKind::Array { elem: y, .. }) => work.push((*x, *y)),
            _ => {
                if let (Some(p), Some(q)) = (a.0.layout(a.1, x), b.0.layout(b.1, y)) {
                    let differs = |(p, q): &(&Field, &Field)| row_major(p).zip(row_major(q)).is_some_and(|(p, q)| p != q);
                    if let Some((field, _)) = p.fields.iter().zip(&q.fields).find(differs) {
                        let name = a.1.types.struct_name(x).unwrap_or_default();
                        let name = name.strip_prefix(HOST).unwrap_or(name);
                        let name = name.strip_prefix("struct.").unwrap_or(name);
                        let what =
                            if field.name.is_empty() { format!("a matrix of `{name}`") } else { format!("`{}` of `{name}`", field.name) };
                        return Some(Difference { what, row_major: row_major(field).unwrap_or_default() });
                    }
                }
                if let (Some(p), Some(q)) = (a.1.types.fields(x), b.1.types.fields(y)) {
                    work.extend(p.types.iter().copied().zip(q.types.iter().copied()));
                }
            }
        }
    }
    None
}

/// Sentences about functions that pass matrices in another orientation than they are defined with.
pub fn of_functions(libraries: &[Library], known: &[Orientations], chosen: &Chosen) -> Vec<String> {
    let mut all: Vec<_> = chosen.resolved.iter().filter(|(declared, defined)| declared.0 != defined.0).collect();
    all.sort_unstable_by_key(|((n, f), _)| (*n, f.as_u32()));
    let mut wrong = Vec::new();
    for (&(n, declared), &(other, defined)) in all {
        let (a, b) = (&libraries[n].module, &libraries[other].module);
        let signature = |m: &Module, f: Func| m.types.signature(m.funcs[f].ty).map(|(_, params, _)| params.to_vec());
        let (Some(p), Some(q)) = (signature(a, declared), signature(b, defined)) else { continue };
        let notes = |n: usize, f: Func| known[n].functions.get(&f).map_or(&[][..], |l| &l[..]);
        let (given, taken) = (notes(n, declared), notes(other, defined));
        let found = p.iter().zip(&q).enumerate().find_map(|(at, (&x, &y))| {
            // A class by value is passed row after row.
            let (from, to) = (a.types.pointee(x).and(given.get(at)), b.types.pointee(y).and(taken.get(at)));
            if let (Some(p), Some(q)) = (from.and_then(row_major), to.and_then(row_major))
                && p != q
            {
                return Some(Difference { what: format!("the matrix in parameter {}", at + 1), row_major: p });
            }
            difference((&known[n], a, x), (&known[other], b, y))
        });
        if let Some(Difference { what, row_major }) = found {
            wrong.push(format!(
                "`{}` calls `{}` of `{}` with {what} {}, which is {} there: {REMEDY}",
                libraries[n].name,
                shown(&a.funcs[declared].name),
                libraries[other].name,
                words(row_major),
                words(!row_major)
            ));
        }
    }
    wrong
}

/// A sentence about a resource whose matrices two libraries have in different orientations.
pub fn of_resource(name: &str, a: (&Library, &Orientations, Type), b: (&Library, &Orientations, Type)) -> Option<String> {
    let Difference { what, row_major } = difference((a.1, &a.0.module, a.2), (b.1, &b.0.module, b.2))?;
    let (here, there) = (words(row_major), words(!row_major));
    Some(format!("resource `{name}` has {what} {here} in `{}` and {there} in `{}`: {REMEDY}", a.0.name, b.0.name))
}
