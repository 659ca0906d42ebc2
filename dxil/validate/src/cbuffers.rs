//! Rules about the layout of constant buffers, as type annotations declare it.

use super::Cx;
use rtc_dxil_container::metadata::{Field, Layout, annotations};
use rtc_dxil_container::{ComponentType, ResourceClass};
use rtc_dxil_module::{LAYOUT_NATIVE_16BIT, Module, Type, TypeKind};
use rtc_tables::validation::{Rule, rule};
use rustc_hash::FxHashMap;

/// More than any real structure nests.
const MAX_DEPTH: u32 = 32;
/// More pieces than a constant buffer can hold without overlap, with room to find one that overlaps.
const MAX_SPANS: usize = rtc_tables::limits::CONSTANT_BUFFER_BYTES as usize;

/// Fields lie inside of their constant buffer, apart from each other, and arrays begin at a row.
pub(super) fn layouts(cx: &mut Cx<'_>) {
    let (m, info) = (cx.m, cx.info);
    if m.meta.named("dx.typeAnnotations").is_empty() || !info.resources.iter().any(|r| r.class == ResourceClass::Cbv) {
        return;
    }
    let notes = annotations(m);
    for r in info.resources.iter().filter(|r| r.class == ResourceClass::Cbv) {
        let Some(ty) = r.element(m) else { continue };
        let Some(layout) = notes.get(&ty) else { continue };
        let native = &*m.data_layout == LAYOUT_NATIVE_16BIT;
        let mut walk = Walk { m, notes: &notes, native, spans: Vec::new(), found: Vec::new(), visited: 0 };
        walk.structure(ty, layout, 0, 0);
        walk.spans.sort_unstable();
        if let Some(pair) = walk.spans.windows(2).find(|p| p[1].0 < p[0].1) {
            walk.found.push((rule::SM_CBUFFER_OVERLAP, format!("two fields have byte {} in common", pair[1].0)));
        }
        for (rule, text) in walk.found {
            cx.module(rule, format!("constant buffer `{}`: {text}", r.name));
        }
    }
}

struct Walk<'m> {
    m: &'m Module,
    notes: &'m FxHashMap<Type, Layout>,
    native: bool,
    /// Where each piece begins and ends.
    spans: Vec<(u64, u64)>,
    found: Vec<(&'static Rule, String)>,
    /// How many structures were looked at: hostile sizes may ask for any number of empty ones.
    visited: usize,
}

impl Walk<'_> {
    fn structure(&mut self, ty: Type, layout: &Layout, base: u64, depth: u32) {
        self.visited += 1;
        let types = self.m.types.fields(ty).map_or(&[][..], |f| &f.types);
        for (&ty, note) in types.iter().zip(&layout.fields) {
            if self.spans.len() > MAX_SPANS || self.visited > MAX_SPANS || depth > MAX_DEPTH {
                return;
            }
            let (mut elem, mut count) = (ty, 1u64);
            while let TypeKind::Array { elem: inner, len } = self.m.types[elem] {
                (elem, count) = (inner, count.saturating_mul(len));
            }
            let is_array = elem != ty;
            let offset = u64::from(note.offset);
            if is_array && offset % 16 != 0 {
                self.found.push((
                    rule::SM_CBUFFER_ARRAY_ALIGNMENT,
                    format!("array `{}` begins at byte {offset}, which begins no row", note.name),
                ));
                continue;
            }
            let size = self.size(elem, note);
            let stride = size.next_multiple_of(16);
            let all = if is_array { stride.saturating_mul(count.saturating_sub(1)).saturating_add(size) } else { size };
            if offset.saturating_add(all) > u64::from(layout.size) {
                let text = format!("`{}` ends at byte {}, the structure at {}", note.name, offset + all, layout.size);
                self.found.push((rule::SM_CBUFFER_OVERFLOW, text));
                continue;
            }
            let start = base + offset;
            match self.notes.get(&elem) {
                Some(inner) if size > 0 => {
                    for n in 0..count {
                        if self.spans.len() > MAX_SPANS || self.visited > MAX_SPANS {
                            return;
                        }
                        self.structure(elem, inner, start + n * stride, depth + 1);
                    }
                }
                _ if all > 0 => self.spans.push((start, start + all)),
                _ => {}
            }
        }
    }

    /// Bytes of a field, of one element of an array.
    fn size(&self, ty: Type, note: &Field) -> u64 {
        use ComponentType as C;
        let component = match note.component {
            Some(C::I64 | C::U64 | C::F64 | C::SNormF64 | C::UNormF64) => 8,
            Some(C::I16 | C::U16 | C::F16 | C::SNormF16 | C::UNormF16) if self.native => 2,
            _ => 4,
        };
        match self.m.types[ty] {
            TypeKind::Vector { len, .. } => component * u64::from(len),
            TypeKind::Struct(_) | TypeKind::Named { .. } => match (self.notes.get(&ty), note.matrix) {
                (Some(layout), _) => layout.size.into(),
                (None, Some([rows, columns, order])) => {
                    let (rows, columns) = if order == 2 { (columns, rows) } else { (rows, columns) };
                    (rows.clamp(1, 4) as u64 - 1) * 16 + columns.clamp(1, 4) as u64 * 4
                }
                _ => 0,
            },
            _ => component,
        }
    }
}
