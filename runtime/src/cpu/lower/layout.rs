//! How large things are in the memory of this processor.

use rtc_dxil::module::{Func, Module, Op, Type, TypeKind};

/// Size and alignment of a type in bytes, as LLVM lays it out under [`super::DATA_LAYOUT`]; zero for what has none.
pub fn of(m: &Module, ty: Type) -> (u64, u64) {
    match &m.types[ty] {
        TypeKind::Half => (2, 2),
        TypeKind::Float => (4, 4),
        TypeKind::Double | TypeKind::Pointer { .. } => (8, 8),
        TypeKind::Int(bits) => {
            let bytes = u64::from(bits.div_ceil(8)).max(1).next_power_of_two();
            (bytes, bytes.min(16))
        }
        TypeKind::Array { elem, len } => {
            let (size, align) = of(m, *elem);
            (size.saturating_mul(*len), align)
        }
        TypeKind::Vector { elem, len } => {
            let bits = match m.types[*elem] {
                TypeKind::Int(bits) => u64::from(bits),
                _ => of(m, *elem).0 * 8,
            };
            let size = (bits * u64::from(*len)).div_ceil(8).max(1).next_power_of_two();
            (size, size)
        }
        TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
            let (mut size, mut align) = (0u64, 1);
            for &field in &fields.types {
                let (s, a) = of(m, field);
                let a = if fields.packed { 1 } else { a };
                size = size.next_multiple_of(a.max(1)).saturating_add(s);
                align = align.max(a);
            }
            (size.next_multiple_of(align), align)
        }
        _ => (0, 1),
    }
}

/// Bytes of a type.
pub fn size(m: &Module, ty: Type) -> u64 {
    of(m, ty).0
}

/// Bytes of stack that a function may take: its variables, and room for two values of each instruction.
pub fn frame(m: &Module, func: Func) -> usize {
    let Some(body) = &m.funcs[func].body else { return 0 };
    let mut total = 256u64;
    for &i in body.blocks.values().flatten() {
        let bytes = match body.insts[i].op {
            Op::Alloca { allocated, count, .. } => {
                let n = m.int_of(count).map_or(1, |n| n.max(0) as u64);
                size(m, allocated).saturating_mul(n).saturating_add(64)
            }
            _ => 16,
        };
        total = total.saturating_add(bytes);
    }
    usize::try_from(total).unwrap_or(usize::MAX)
}
