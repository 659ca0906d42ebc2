//! Payload access qualifiers of a module's payload types: field offsets, sizes and stage masks.

use super::layout;
use crate::cpu::program::{Field, Fields};
use rtc_dxil_container::metadata::payload_annotations;
use rtc_dxil_module::{Module, Type, TypeKind};
use rtc_tables::payload_access::{ALL_STAGES, Paq};
use rustc_hash::FxHashMap;

/// Payload types with access qualifiers; nested structures are flattened.
#[derive(Default)]
pub struct Payloads(FxHashMap<Type, Fields>);

impl Payloads {
    /// Reads those of a module.
    pub fn read(m: &Module) -> Payloads {
        let mut masks: FxHashMap<Type, Vec<Paq>> = FxHashMap::default();
        for annotation in payload_annotations(m).structs {
            // What a malformed record says nothing about no stage is kept from.
            let all = Paq { read: ALL_STAGES, write: ALL_STAGES };
            let paq = |mask: Option<i64>| mask.map_or(all, |mask| Paq::from_dxil(mask as u32));
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

/// Arrays of more payload structures have no qualifiers.
const MAX_ELEMENTS: u64 = 4096;

/// What is not an array in arrays of arrays of it.
fn elements(m: &Module, mut ty: Type) -> Type {
    while let TypeKind::Array { elem, .. } = m.types[ty] {
        ty = elem;
    }
    ty
}

fn collect(m: &Module, masks: &FxHashMap<Type, Vec<Paq>>, ty: Type, base: u64, out: &mut Vec<Field>) {
    let (Some(masks_here), Some(fields)) = (masks.get(&ty), m.types.fields(ty)) else { return };
    let mut at = base;
    for (&field, &paq) in fields.types.iter().zip(masks_here) {
        let (size, align) = layout::of(m, field);
        at = at.next_multiple_of(align.max(1));
        // The qualifiers of a payload structure are in its own annotation, and where it is the element of an array, unless the array has some.
        let elem = elements(m, field);
        let nested = masks.contains_key(&field) || paq == Paq::default() && masks.contains_key(&elem);
        let stride = layout::size(m, elem);
        match nested.then(|| size.checked_div(stride)).flatten() {
            Some(count) if count <= MAX_ELEMENTS => (0..count).for_each(|n| collect(m, masks, elem, at + n * stride, out)),
            Some(_) => {}
            None => out.push(Field { offset: at, size, paq }),
        }
        at += size;
    }
}
