//! Payload access qualifiers (`dx.dxrPayloadAnnotations`): one mask for each field, with bits that mean something.
//!
//! A mask has four bits for each of caller, closest hit, miss and any hit: bit 0 reads, bit 1 writes. A field that is itself an
//! annotated payload has none, since its own fields have them.

use crate::Cx;
use rtc_dxil_container::metadata::{int, tuple, value};
use rtc_dxil_module::{Type, TypeKind};
use rtc_tables::validation::rule;
use rustc_hash::FxHashSet;

const NAME: &str = "dx.dxrPayloadAnnotations";
const STRUCTS: i64 = 0;
const ACCESS: i64 = 0;
const MASK: i64 = 0x3333;

/// All payload types.
pub(crate) fn payloads(cx: &mut Cx<'_>) {
    let m = cx.m;
    let mut structures = Vec::new();
    for &node in m.meta.named(NAME) {
        let elems = m.meta.elems(node);
        let [tag, pairs @ ..] = elems else {
            cx.module(rule::META_WELL_FORMED, format!("`{NAME}` has a list that is none"));
            continue;
        };
        if int(m, *tag) != Some(STRUCTS) || !pairs.len().is_multiple_of(2) {
            cx.module(rule::META_WELL_FORMED, format!("`{NAME}` has a list that is no tag and pairs"));
            continue;
        }
        for pair in pairs.chunks_exact(2) {
            let ty = value(m, pair[0]).and_then(|v| m.value_type(None, v));
            match ty.filter(|&ty| m.types.fields(ty).is_some()) {
                Some(ty) => structures.push((ty, pair[1])),
                None => cx.module(rule::META_WELL_FORMED, format!("`{NAME}` annotates something that is no structure")),
            }
        }
    }
    let payloads: FxHashSet<Type> = structures.iter().map(|s| s.0).collect();
    for (ty, list) in structures {
        let Some(fields) = m.types.fields(ty) else { continue };
        let name = m.types.struct_name(ty).unwrap_or_default().escape_debug().to_string();
        let Some(list) = tuple(m, list).filter(|l| l.len() == fields.types.len()) else {
            let text = format!("`{NAME}` does not have a mask for each of the {} fields of `{name}`", fields.types.len());
            cx.module(rule::META_WELL_FORMED, text);
            continue;
        };
        for (n, (&node, &field)) in list.iter().zip(&fields.types).enumerate() {
            let mask = match tuple(m, node) {
                Some(&[tag, mask]) if int(m, tag) == Some(ACCESS) => int(m, mask),
                _ => None,
            };
            let Some(mask) = mask else {
                cx.module(rule::META_WELL_FORMED, format!("`{NAME}` has no mask for field {n} of `{name}`"));
                continue;
            };
            if mask & !MASK != 0 {
                let text = format!("the mask {mask:#x} of field {n} of payload `{name}` has bits that mean nothing");
                cx.module(rule::META_VALUE_RANGE, text);
            } else if mask != 0 && matches!(m.types[field], TypeKind::Named { .. }) && payloads.contains(&field) {
                let text = format!("field {n} of payload `{name}` is a payload itself and has the mask {mask:#x}");
                cx.module(rule::META_VALUE_RANGE, text);
            }
        }
    }
}
