//! Memory layout of IR types under DXIL's data layout: payloads, attributes, variables.
//!
//! A vector has the alignment of its components; `bool` is 32 bits; 16-bit types take 32 bits unless they
//! are native. Buffers have layouts of their own, which the frontend computes.

use rtc_ir::{Module, Scalar, Type, TypeKind};

/// Bytes of a scalar in memory, which is also its alignment.
pub fn scalar_bytes(m: &Module, s: Scalar) -> u32 {
    match s {
        Scalar::I16 | Scalar::F16 if !m.native_16bit => 4,
        s => s.bytes(),
    }
}

/// Bytes that an element of type `t` takes in an array (LLVM's *allocation size*), and its alignment.
/// Handles and hit objects, which are never in memory, count nothing.
pub fn size_align(m: &Module, t: Type) -> (u64, u64) {
    match m.types.kind(t) {
        TypeKind::Scalar(s) => {
            let n = u64::from(scalar_bytes(m, s));
            (n, n)
        }
        TypeKind::Vector(s, lanes) => {
            let n = u64::from(scalar_bytes(m, s));
            (n * u64::from(lanes), n)
        }
        TypeKind::Array(e, len) => {
            let (size, align) = size_align(m, e);
            (size.saturating_mul(len.into()), align)
        }
        TypeKind::Struct(s) => {
            let (mut at, mut most) = (0u64, 1);
            for f in &m.structs[s].fields {
                let (size, align) = size_align(m, f.ty);
                at = at.next_multiple_of(align).saturating_add(size);
                most = most.max(align);
            }
            (at.next_multiple_of(most), most)
        }
        TypeKind::Resource(_) | TypeKind::HitObject | TypeKind::RayQuery(..) | TypeKind::Spirv(_) | TypeKind::Linalg(_) => (0, 1),
    }
}

/// The alignment of a type in memory.
pub fn align(m: &Module, t: Type) -> u32 {
    size_align(m, t).1 as u32
}

/// The allocation size of a payload, parameter or attribute structure.
pub fn slot_bytes(m: &Module, t: Type) -> u32 {
    u32::try_from(size_align(m, t).0).unwrap_or(u32::MAX)
}

/// Bytes of a groupshared variable, whose structures are split into variables of their fields: nothing is lost to alignment.
pub fn leaf_bytes(m: &Module, t: Type) -> u32 {
    match m.types.kind(t) {
        TypeKind::Array(e, len) => leaf_bytes(m, e).saturating_mul(len),
        TypeKind::Struct(s) => {
            let fields = m.structs[s].fields.iter().map(|f| leaf_bytes(m, f.ty));
            fields.fold(0, u32::saturating_add)
        }
        _ => slot_bytes(m, t),
    }
}
