//! How many bytes types take in memory, by LLVM's rules and DXIL's data layouts.

use crate::module::{Module, Type, TypeKind};
use rtc_base::entity::EntityRef as _;

/// Types inside types beyond this have no size here.
const DEPTH: u32 = 64;

/// Sizes that were asked for.
#[derive(Default)]
pub(super) struct Sizes(Vec<Option<Option<(u64, u64)>>>);

impl Sizes {
    /// Bytes of a value in an array of such; none if it has no size.
    pub(super) fn of(&mut self, m: &Module, ty: Type) -> Option<u64> {
        self.layout(m, ty, DEPTH).map(|(size, _)| size)
    }

    /// Where field `n` of a structure begins.
    pub(super) fn field(&mut self, m: &Module, ty: Type, n: usize) -> Option<u64> {
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
        if let Some(&Some(known)) = self.0.get(ty.index()) {
            return known;
        }
        if self.0.len() <= ty.index() {
            self.0.resize(m.types.len(), None);
        }
        // A type inside itself has no size.
        self.0[ty.index()] = Some(None);
        let found = self.compute(m, ty, depth);
        self.0[ty.index()] = Some(found);
        found
    }

    fn compute(&mut self, m: &Module, ty: Type, depth: u32) -> Option<(u64, u64)> {
        let small = if &*m.data_layout == crate::module::LAYOUT_NATIVE_16BIT { (1, 2) } else { (4, 4) };
        Some(match m.types[ty] {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Function { .. } => return None,
            TypeKind::Half => (small.1, small.1),
            TypeKind::Float | TypeKind::Pointer { .. } => (4, 4),
            TypeKind::Double => (8, 8),
            TypeKind::Int(1) | TypeKind::Int(17..=32) => (4, 4),
            TypeKind::Int(2..=8) => (small.0, small.0),
            TypeKind::Int(9..=16) => (small.1, small.1),
            TypeKind::Int(bits) => (u64::from(bits).div_ceil(64) * 8, 8),
            TypeKind::Array { elem, len } => {
                let (size, align) = self.layout(m, elem, depth)?;
                (size.checked_mul(len)?, align)
            }
            // DXIL aligns vectors as their components.
            TypeKind::Vector { elem, len } => {
                let (size, align) = self.layout(m, elem, depth)?;
                (size.checked_mul(len.into())?, align)
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

/// Bits of a scalar in a register.
pub(super) fn bits(m: &Module, ty: Type) -> Option<u32> {
    Some(match m.types[ty] {
        TypeKind::Half => 16,
        TypeKind::Float => 32,
        TypeKind::Double => 64,
        TypeKind::Int(bits) => bits,
        TypeKind::Pointer { .. } => 32,
        _ => return None,
    })
}
