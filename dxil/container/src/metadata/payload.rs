//! Payload access qualifiers of a module: `dx.dxrPayloadAnnotations`, decoded for the validator, the linker and the CPU device.

use super::{int, tuple, value};
use rtc_dxil_module::{Meta, Module, Type};
use rtc_tables::payload_access::{ACCESS_TAG, METADATA, STRUCTS_TAG};

/// The annotation of one structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayloadAnnotation {
    /// The structure type.
    pub ty: Type,
    /// The node with the field records.
    pub node: Option<Meta>,
    /// The mask of each field (see [`rtc_tables::payload_access::Paq::from_dxil`]), `None` where a record is malformed. Empty if there is not one record
    /// for each field.
    pub masks: Vec<Option<i64>>,
}

/// The annotations of a module, and what is malformed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PayloadAnnotations {
    /// The annotated structures, in order.
    pub structs: Vec<PayloadAnnotation>,
    /// Errors outside of annotations of structures.
    pub malformed: Vec<&'static str>,
}

/// Reads the annotations of a module.
pub fn payload_annotations(m: &Module) -> PayloadAnnotations {
    let mut out = PayloadAnnotations::default();
    for &node in m.meta.named(METADATA) {
        let [tag, pairs @ ..] = m.meta.elems(node) else {
            out.malformed.push("has an empty node");
            continue;
        };
        if int(m, *tag) != Some(STRUCTS_TAG.into()) || !pairs.len().is_multiple_of(2) {
            out.malformed.push("has a node that is not a tag followed by pairs");
            continue;
        }
        for pair in pairs.chunks_exact(2) {
            let ty = value(m, pair[0]).and_then(|v| m.value_type(None, v));
            let fields = ty.and_then(|ty| Some((ty, m.types.fields(ty)?.types.len())));
            let Some((ty, count)) = fields else {
                out.malformed.push("annotates something that is not a structure");
                continue;
            };
            let records = tuple(m, pair[1]).filter(|records| records.len() == count).unwrap_or_default();
            let masks = records.iter().map(|&record| mask(m, record)).collect();
            out.structs.push(PayloadAnnotation { ty, node: pair[1], masks });
        }
    }
    out
}

/// The mask of a field record.
fn mask(m: &Module, record: Option<Meta>) -> Option<i64> {
    match tuple(m, record) {
        Some(&[tag, mask]) if int(m, tag) == Some(ACCESS_TAG.into()) => int(m, mask),
        _ => None,
    }
}
