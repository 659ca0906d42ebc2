//! Annotations of types and functions (`dx.typeAnnotations`).

use crate::Cx;
use rtc_dxil_container::Version;
use rtc_dxil_container::metadata::{field_tag, int, tuple, value};
use rtc_dxil_module::{Meta, Module, TypeKind, Value};
use rtc_tables::validation::rule;

const NAME: &str = "dx.typeAnnotations";
const STRUCTS: i64 = 0;
const FUNCTIONS: i64 = 1;

/// A tag of a field that the validator which the module names does not know.
fn unknown_tag(m: &Module, v: Version, field: Option<Meta>) -> Option<i64> {
    let known =
        |tag: i64| (0..=i64::from(field_tag::VECTOR)).contains(&tag) && (v.major == 0 || v >= Version::new(1, field_tag::since(tag)));
    tuple(m, field)?.chunks(2).filter_map(|pair| int(m, pair[0])).find(|&tag| !known(tag))
}

/// Each list is a tag and pairs: of a structure and its fields, or of a function and its parameters.
pub(crate) fn types(cx: &mut Cx<'_>) {
    let (m, validator) = (cx.m, cx.info.validator);
    if m.meta.named(NAME).len() > 2 {
        cx.module(rule::META_WELL_FORMED, format!("`{NAME}` has more than a list of structures and one of functions"));
    }
    for (n, &node) in m.meta.named(NAME).iter().enumerate() {
        let mut wrong = |text: String| cx.module(rule::META_WELL_FORMED, format!("`{NAME}` list {n} {text}"));
        let [tag, pairs @ ..] = m.meta.elems(node) else {
            wrong("is no list".into());
            continue;
        };
        let tag = int(m, *tag);
        if tag != Some(STRUCTS) && tag != Some(FUNCTIONS) {
            wrong("begins with an unknown tag".into());
            continue;
        }
        if pairs.is_empty() || !pairs.len().is_multiple_of(2) {
            wrong("does not hold pairs".into());
            continue;
        }
        for pair in pairs.chunks_exact(2) {
            let what = value(m, pair[0]);
            let details = pair[1].map(|d| m.meta.elems(d));
            let Some(details) = details else {
                wrong("annotates with nothing".into());
                continue;
            };
            if tag == Some(FUNCTIONS) {
                if !matches!(what, Some(Value::Func(_))) {
                    wrong("annotates something that is no function".into());
                }
                continue;
            }
            let ty = what.and_then(|v| m.value_type(None, v));
            let Some(ty) = ty.filter(|&ty| matches!(m.types[ty], TypeKind::Struct(_) | TypeKind::Named { .. })) else {
                wrong("annotates something that is no structure".into());
                continue;
            };
            // The size of the structure, the fields, and, of templates, their arguments.
            let fields = m.types.fields(ty).map_or(0, |f| f.types.len());
            if details.len() < fields + 1 {
                let text = m.types.struct_name(ty).unwrap_or_default().escape_debug().to_string();
                wrong(format!("says less of structure `{text}` than it has fields"));
            }
            let newer = details.iter().skip(1).take(fields).find_map(|&field| unknown_tag(m, validator, field));
            if let Some(tag) = newer {
                let text = m.types.struct_name(ty).unwrap_or_default().escape_debug().to_string();
                wrong(format!("has tag {tag} in structure `{text}`, which validator version {validator} does not know"));
            }
        }
    }
}
