//! Payload access qualifiers (`dx.dxrPayloadAnnotations`): one mask for each field, without bits that have no meaning.
//!
//! A field that is itself an annotated payload has an empty mask, since its own fields have masks.

use crate::Cx;
use rtc_dxil_container::metadata::payload_annotations;
use rtc_dxil_module::{Type, TypeKind};
use rtc_tables::payload_access::{DXIL_MASK, METADATA};
use rtc_tables::validation::rule;
use rustc_hash::FxHashSet;

/// All payload types.
pub(crate) fn payloads(cx: &mut Cx<'_>) {
    let m = cx.m;
    let annotations = payload_annotations(m);
    for text in annotations.malformed {
        cx.module(rule::META_WELL_FORMED, format!("`{METADATA}` {text}"));
    }
    let payloads: FxHashSet<Type> = annotations.structs.iter().map(|s| s.ty).collect();
    for annotation in annotations.structs {
        let ty = annotation.ty;
        let Some(fields) = m.types.fields(ty) else { continue };
        let name = m.types.struct_name(ty).unwrap_or_default().escape_debug().to_string();
        if annotation.masks.len() != fields.types.len() {
            let text = format!("`{METADATA}` does not have a mask for each of the {} fields of `{name}`", fields.types.len());
            cx.module(rule::META_WELL_FORMED, text);
            continue;
        }
        for (n, (mask, &field)) in annotation.masks.into_iter().zip(&fields.types).enumerate() {
            let Some(mask) = mask else {
                cx.module(rule::META_WELL_FORMED, format!("`{METADATA}` has no mask for field {n} of `{name}`"));
                continue;
            };
            if mask & !i64::from(DXIL_MASK) != 0 {
                let text = format!("the mask {mask:#x} of field {n} of payload `{name}` has reserved bits");
                cx.module(rule::META_VALUE_RANGE, text);
            } else if mask != 0 && matches!(m.types[field], TypeKind::Named { .. }) && payloads.contains(&field) {
                let text = format!("field {n} of payload `{name}` is a payload itself and has the mask {mask:#x}");
                cx.module(rule::META_VALUE_RANGE, text);
            }
        }
    }
}
