//! Merges the annotations of functions, structures and payloads of the libraries.

use rustc_hash::FxHashMap;

use super::import::Importer;
use super::library::Library;
use super::merged::FunctionMetadata;
use rtc_dxil_container::metadata::payload_annotations;
use rtc_dxil_module::{Func, Meta, MetaNode, Module, Type, Value};

/// Takes over how functions pass parameters, and the annotations of structures.
pub fn annotations(
    import: &mut Importer,
    out: &mut Module,
    about: &mut FxHashMap<Func, FunctionMetadata>,
    structs: &mut Vec<(Type, Meta)>,
) {
    let m = import.src;
    for &node in m.meta.named("dx.typeAnnotations") {
        let elems = m.meta.elems(node).to_vec();
        let kind = elems.first().copied().flatten().and_then(|k| m.meta_int(k));
        for pair in elems.get(1..).unwrap_or_default().chunks_exact(2) {
            let (Some(what), Some(note)) = (pair[0], pair[1]) else { continue };
            let MetaNode::Value(value) = m.meta[what] else { continue };
            match (kind, value) {
                (Some(1), Value::Func(f)) => {
                    if let Some(&there) = import.funcs.get(&f)
                        && out.funcs[there].body.is_some()
                        && let Some(note) = import.meta(out, note)
                    {
                        about.entry(there).or_default().annotation.get_or_insert(note);
                    }
                }
                (Some(0), Value::Const(c)) => {
                    let ty = import.ty(out, m.consts[c].ty);
                    if let Some(note) = import.meta(out, note)
                        && !structs.iter().any(|s| s.0 == ty)
                    {
                        structs.push((ty, note));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Payloads with access qualifiers, of all libraries.
#[derive(Default)]
pub struct Payloads {
    /// Types and their annotations.
    pub all: Vec<(Type, Meta)>,
    from: FxHashMap<Type, (usize, Meta)>,
}

impl Payloads {
    /// Adds those of library `n`. Reports contradictions with another library's in `wrong`.
    pub fn add(&mut self, import: &mut Importer, out: &mut Module, n: usize, libraries: &[Library], wrong: &mut Vec<String>) {
        for annotation in payload_annotations(import.src).structs {
            let ty = import.ty(out, annotation.ty);
            let Some(note) = annotation.node.and_then(|node| import.meta(out, node)) else { continue };
            match self.from.get(&ty) {
                None => {
                    self.from.insert(ty, (n, note));
                    self.all.push((ty, note));
                }
                Some(&(_, there)) if there == note => {}
                Some(&(other, _)) => {
                    let name = out.types.struct_name(ty).unwrap_or_default().trim_start_matches("struct.");
                    wrong.push(format!(
                        "payload `{name}` has other access qualifiers in `{}` than in `{}`",
                        libraries[n].name, libraries[other].name
                    ));
                }
            }
        }
    }
}
