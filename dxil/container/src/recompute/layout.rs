//! Sizes of a module's types in memory, under its data layout.
//!
//! DXIL has two data layouts; what differs is how 8-bit and 16-bit types are aligned. A vector is as aligned as its
//! components, pointers have 32 bits.

use rustc_hash::FxHashMap;

use rtc_dxil_module::{Module, Type, TypeKind};

/// Types inside types beyond this have no size here, lest a cyclic one be followed for ever.
const DEPTH: u32 = 64;

/// Bytes that an element of this type takes in an array (LLVM's *allocation size*); `u64::MAX` if it has no size or one that is
/// too large.
pub fn size_of(m: &Module, ty: Type) -> u64 {
    Sizes::default().of(m, ty).unwrap_or(u64::MAX)
}

/// The multiple of bytes that a type begins at; 1 if it has no size.
pub fn align_of(m: &Module, ty: Type) -> u64 {
    Sizes::default().layout(m, ty, DEPTH).map_or(1, |(_, align)| align)
}

/// Cache of the sizes of a module's types.
#[derive(Default)]
pub struct Sizes(FxHashMap<Type, Option<(u64, u64)>>);

impl Sizes {
    /// Bytes of a value in an array of such; none if it has no size.
    pub fn of(&mut self, m: &Module, ty: Type) -> Option<u64> {
        self.layout(m, ty, DEPTH).map(|(size, _)| size)
    }

    /// Where field `n` of a structure begins.
    pub fn field(&mut self, m: &Module, ty: Type, n: usize) -> Option<u64> {
        let fields = m.types.fields(ty)?;
        let mut at = 0u64;
        for (i, &f) in fields.types.iter().enumerate() {
            let (size, align) = self.layout(m, f, DEPTH)?;
            if !fields.packed {
                at = at.checked_next_multiple_of(align)?;
            }
            if i == n {
                return Some(at);
            }
            at = at.checked_add(size)?;
        }
        None
    }

    /// Size and alignment.
    fn layout(&mut self, m: &Module, ty: Type, depth: u32) -> Option<(u64, u64)> {
        let depth = depth.checked_sub(1)?;
        if let Some(&known) = self.0.get(&ty) {
            return known;
        }
        // A type inside itself has no size.
        self.0.insert(ty, None);
        let found = self.measure(m, ty, depth);
        self.0.insert(ty, found);
        found
    }

    fn measure(&mut self, m: &Module, ty: Type, depth: u32) -> Option<(u64, u64)> {
        let (byte, short) = if m.data_layout.contains("i16:16") { (1, 2) } else { (4, 4) };
        Some(match &m.types[ty] {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. } => return None,
            TypeKind::Half => (short, short),
            TypeKind::Float | TypeKind::Pointer { .. } => (4, 4),
            TypeKind::Double => (8, 8),
            TypeKind::Int(1) | TypeKind::Int(17..=32) => (4, 4),
            TypeKind::Int(2..=8) => (byte, byte),
            TypeKind::Int(9..=16) => (short, short),
            TypeKind::Int(bits) => (u64::from(*bits).div_ceil(64) * 8, 8),
            TypeKind::Array { elem, len } => {
                let (size, align) = self.layout(m, *elem, depth)?;
                (size.checked_mul(*len)?, align)
            }
            TypeKind::Vector { elem, len } => {
                let (size, align) = self.layout(m, *elem, depth)?;
                (size.checked_mul((*len).into())?, align)
            }
            TypeKind::Struct(_) | TypeKind::Named { .. } => {
                let fields = m.types.fields(ty)?;
                let (mut at, mut most) = (0u64, 1);
                for &f in &fields.types {
                    let (size, align) = self.layout(m, f, depth)?;
                    let align = if fields.packed { 1 } else { align };
                    at = at.checked_next_multiple_of(align)?.checked_add(size)?;
                    most = most.max(align);
                }
                (at.checked_next_multiple_of(most)?, most)
            }
        })
    }
}
