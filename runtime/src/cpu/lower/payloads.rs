//! Payload access qualifiers of a module's payload types: field offsets, sizes and stage masks.

use super::layout;
use crate::cpu::program::{Field, Fields};
use rtc_dxil_container::metadata::payload_annotations;
use rtc_dxil_module::{Module, Type};
use rtc_tables::payload_access::Paq;
use rustc_hash::FxHashMap;

/// Payload types with access qualifiers; nested structures are flattened.
#[derive(Default)]
pub struct Payloads(FxHashMap<Type, Fields>);

impl Payloads {
    /// Reads those of a module.
    pub fn read(m: &Module) -> Payloads {
        let mut masks: FxHashMap<Type, Vec<Paq>> = FxHashMap::default();
        for annotation in payload_annotations(m).structs {
            let paq = |mask: Option<i64>| Paq::from_dxil(mask.unwrap_or(0) as u32);
            masks.insert(annotation.ty, annotation.masks.into_iter().map(paq).collect());
        }
        let fields = |&ty: &Type| {
            let mut out = Vec::new();
            collect(m, &masks, ty, 0, &mut out);
            (ty, out.into())
        };
        Payloads(masks.keys().map(fields).collect())
    }

    /// The fields of a type, if it has access qualifiers.
    pub fn of(&self, ty: Type) -> Option<Fields> {
        self.0.get(&ty).cloned()
    }
}

fn collect(m: &Module, masks: &FxHashMap<Type, Vec<Paq>>, ty: Type, base: u64, out: &mut Vec<Field>) {
    let (Some(masks_here), Some(fields)) = (masks.get(&ty), m.types.fields(ty)) else { return };
    let mut at = base;
    for (&field, &paq) in fields.types.iter().zip(masks_here) {
        let (size, align) = layout::of(m, field);
        at = at.next_multiple_of(align.max(1));
        match masks.contains_key(&field) {
            true => collect(m, masks, field, at, out),
            false => out.push(Field { offset: at, size, paq }),
        }
        at += size;
    }
}
