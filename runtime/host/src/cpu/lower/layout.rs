//! Data layout: sizes, alignments and field offsets of types by the rules of DXIL and the module's data layout string.
//!
//! | what | size | alignment |
//! |---|---|---|
//! | a scalar | its bytes, rounded up to its alignment | as the data layout states; without `-enable-16bit-types` that of 16-bit numbers is 4, that of `i1` always |
//! | a vector | its components without padding between them | that of a component |
//! | an array, a structure | as usual | as usual |
//!
//! CPU targets lay vectors out differently. So LLVM never sees these types in memory: see [`super::memory`].

use rtc_dxil_module::{CastOp, Func, Module, Op, Type, TypeKind};

/// Size and alignment of a type in bytes; zero for unsized types. A size is a multiple of the alignment.
pub fn of(m: &Module, ty: Type) -> (u64, u64) {
    let number = |kind, bits: u32| {
        let bytes = u64::from(bits.div_ceil(8)).max(1).next_power_of_two();
        let align = stated_alignment(&m.data_layout, kind, bits).unwrap_or(bytes.min(8)).max(1);
        (bytes.next_multiple_of(align), align)
    };
    match &m.types[ty] {
        TypeKind::Half => number('f', 16),
        TypeKind::Float => number('f', 32),
        TypeKind::Double => number('f', 64),
        TypeKind::Int(bits) => number('i', *bits),
        TypeKind::Pointer { .. } => (8, 8),
        TypeKind::Array { elem, len } => {
            let (size, align) = of(m, *elem);
            (size.saturating_mul(*len), align)
        }
        TypeKind::Vector { elem, len } => {
            let (size, align) = of(m, *elem);
            (size.saturating_mul(u64::from(*len)), align)
        }
        TypeKind::Struct(fields) | TypeKind::Named { body: Some(fields), .. } => {
            let (mut size, mut align) = (0u64, 1);
            for &field in &fields.types {
                let (s, a) = of(m, field);
                let a = if fields.packed { 1 } else { a };
                size = up(size, a).saturating_add(s);
                align = align.max(a);
            }
            (up(size, align), align)
        }
        _ => (0, 1),
    }
}

/// The offset of a structure field.
pub fn field(m: &Module, ty: Type, index: usize) -> Option<u64> {
    let fields = m.types.fields(ty)?;
    let mut at = 0u64;
    for (n, &field) in fields.types.iter().enumerate() {
        let (size, align) = of(m, field);
        at = up(at, if fields.packed { 1 } else { align });
        if n == index {
            return Some(at);
        }
        at = at.saturating_add(size);
    }
    None
}

fn up(at: u64, align: u64) -> u64 {
    at.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
}

/// The alignment in bytes that a data layout string states for a scalar kind and width.
fn stated_alignment(data_layout: &str, kind: char, bits: u32) -> Option<u64> {
    let mut specs = data_layout.split('-').filter_map(|s| s.strip_prefix(kind)?.split_once(':'));
    let (_, align) = specs.find(|(width, _)| width.parse() == Ok(bits))?;
    let align: u64 = align.split(':').next()?.parse().ok()?;
    Some((align / 8).clamp(1, 16).next_power_of_two())
}

/// Size of a type in bytes.
pub fn size(m: &Module, ty: Type) -> u64 {
    of(m, ty).0
}

/// Estimated stack size of a function in bytes: its variables, and twice the size of each instruction's result for spills.
pub fn frame(m: &Module, func: Func) -> usize {
    let Some(body) = &m.funcs[func].body else { return 0 };
    let mut total = 256u64;
    for &i in body.blocks.values().flatten() {
        let bytes = match body.insts[i].op {
            Op::Alloca { allocated, count, .. } => {
                let n = m.int_of(count).map_or(1, |n| n.max(0) as u64);
                size(m, allocated).saturating_mul(n).saturating_add(64)
            }
            // Stores, branches and bitcasts need no spill slot.
            Op::Cast { op: CastOp::BitCast, .. } => 0,
            _ => size(m, body.insts[i].ty).saturating_mul(2),
        };
        total = total.saturating_add(bytes);
    }
    usize::try_from(total).unwrap_or(usize::MAX)
}
