//! Sizes of a module's types in memory, under its data layout.
//!
//! DXIL has two data layouts; what differs is how 8-bit and 16-bit types are aligned. A vector is as aligned as its
//! components, pointers have 32 bits.

use rustc_hash::FxHashMap;

use crate::module::{Module, Type, TypeKind};

/// No type nests deeper than this, lest a cyclic one be followed for ever.
const DEPTH: u32 = 64;

/// Bytes that an element of this type takes in an array (LLVM's *allocation size*). Saturates.
pub fn size_of(m: &Module, ty: Type) -> u64 {
    let mut sizes = Sizes { m, native: m.data_layout.contains("i16:16"), known: FxHashMap::default() };
    sizes.of(ty, 0).0
}

/// The multiple of bytes that a type begins at.
pub fn align_of(m: &Module, ty: Type) -> u64 {
    let mut sizes = Sizes { m, native: m.data_layout.contains("i16:16"), known: FxHashMap::default() };
    sizes.of(ty, 0).1
}

struct Sizes<'m> {
    m: &'m Module,
    native: bool,
    known: FxHashMap<Type, (u64, u64)>,
}

/// `size`, up to a multiple of `align`.
fn padded(size: u64, align: u64) -> u64 {
    size.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

impl Sizes<'_> {
    fn of(&mut self, ty: Type, depth: u32) -> (u64, u64) {
        if let Some(&known) = self.known.get(&ty) {
            return known;
        }
        let out = if depth > DEPTH { (0, 1) } else { self.measure(ty, depth + 1) };
        self.known.insert(ty, out);
        out
    }

    fn scalar(&self, bits: u64) -> (u64, u64) {
        let size = bits.div_ceil(8).max(1);
        let align = match bits {
            1 => 4,
            2..=16 if !self.native => 4,
            2..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            _ => 8,
        };
        (padded(size, align), align)
    }

    fn measure(&mut self, ty: Type, depth: u32) -> (u64, u64) {
        let m = self.m;
        match &m.types[ty] {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. } => (0, 1),
            TypeKind::Half => self.scalar(16),
            TypeKind::Float => self.scalar(32),
            TypeKind::Double => self.scalar(64),
            TypeKind::Int(bits) => self.scalar((*bits).into()),
            TypeKind::Pointer { .. } => (4, 4),
            TypeKind::Array { elem, len } => {
                let (size, align) = self.of(*elem, depth);
                (size.saturating_mul(*len), align)
            }
            TypeKind::Vector { elem, len } => {
                let (size, align) = self.of(*elem, depth);
                (padded(size.saturating_mul((*len).into()), align), align)
            }
            TypeKind::Struct(_) | TypeKind::Named { .. } => {
                let Some(fields) = m.types.fields(ty) else { return (0, 1) };
                let (mut at, mut most) = (0u64, 1);
                for &f in &fields.types {
                    let (size, align) = self.of(f, depth);
                    let align = if fields.packed { 1 } else { align };
                    at = padded(at, align).saturating_add(size);
                    most = most.max(align);
                }
                (padded(at, most), most)
            }
        }
    }
}
