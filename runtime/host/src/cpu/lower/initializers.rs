//! Initialisers of variables as bytes in the layout of [`super::layout`].

use super::{Refusal, layout};
use rtc_dxil_module::{ConstKind, Global, Linkage, Module, Type, TypeKind, Value};

/// Maximum size of an initialiser.
const MAX: u64 = 1 << 26;

/// A byte-array constant with the value of `init`; `name` is for listings.
///
/// # Errors
/// An unsupported constant expression.
pub fn constant(m: &mut Module, name: &str, ty: Type, init: Value) -> Result<Global, Refusal> {
    let size = layout::size(m, ty);
    if size > MAX {
        return Err(format!("`{name}` is a constant of {size} bytes, which exceeds the maximum of {MAX}").into());
    }
    let byte = m.types.i8();
    let all = m.types.array(byte, size.max(1));
    let contents = match is_zero(m, init) {
        true => m.null(all),
        false => {
            let mut bytes = vec![0; size.max(1) as usize];
            fill(m, init, ty, &mut bytes, 0)?;
            let bytes = bytes.into_iter().map(u64::from).collect();
            Value::Const(m.consts.data(all, bytes, 8))
        }
    };
    let global = m.add_global(&format!("rtc.contents.{}", m.globals.len()), all, true);
    let var = &mut m.globals[global];
    (var.init, var.linkage, var.align) = (Some(contents), Linkage::Internal, 16);
    Ok(global)
}

/// Whether an initialiser is zero, as far as its kind tells.
pub fn is_zero(m: &Module, value: Value) -> bool {
    matches!(value, Value::Const(c) if matches!(m.consts[c].kind, ConstKind::Null | ConstKind::Undef))
}

/// Writes a constant at its offset.
fn fill(m: &Module, value: Value, ty: Type, out: &mut [u8], at: u64) -> Result<(), Refusal> {
    let unusual = || -> Refusal { "unsupported constant expression in an initialiser".into() };
    let Value::Const(c) = value else { return Err(unusual()) };
    let mut number = |bits: u64, bytes: u64, at: u64| {
        let to = out.get_mut(at as usize..(at + bytes) as usize)?;
        to.copy_from_slice(&bits.to_le_bytes()[..bytes as usize]);
        Some(())
    };
    let width = |ty| match m.types[ty] {
        // A boolean is a 32-bit number in memory.
        TypeKind::Int(1) => Some(4),
        TypeKind::Int(bits) if bits <= 64 => Some(u64::from(bits.div_ceil(8))),
        TypeKind::Half => Some(2),
        TypeKind::Float => Some(4),
        TypeKind::Double => Some(8),
        _ => None,
    };
    let place = |n: u64| match m.types[ty] {
        TypeKind::Vector { elem, .. } | TypeKind::Array { elem, .. } => Some(at + n * layout::size(m, elem)),
        _ => layout::field(m, ty, n as usize).map(|f| at + f),
    };
    let one = matches!(m.types[ty], TypeKind::Int(1));
    match &m.consts[c].kind {
        ConstKind::Null | ConstKind::Undef => Ok(()),
        ConstKind::Int(n) => number(if one { *n as u64 & 1 } else { *n as u64 }, width(ty).ok_or_else(unusual)?, at).ok_or_else(unusual),
        ConstKind::Float(bits) => number(*bits, width(ty).ok_or_else(unusual)?, at).ok_or_else(unusual),
        ConstKind::Data(all) => {
            let elem = m.types.element(ty, 0).ok_or_else(unusual)?;
            let bytes = width(elem).ok_or_else(unusual)?;
            for (n, &bits) in (0..).zip(all) {
                number(bits, bytes, place(n).ok_or_else(unusual)?).ok_or_else(unusual)?;
            }
            Ok(())
        }
        ConstKind::Aggregate(parts) => {
            for (n, &part) in (0..).zip(parts) {
                let part_ty = m.types.element(ty, n).ok_or_else(unusual)?;
                fill(m, part, part_ty, out, place(n).ok_or_else(unusual)?)?;
            }
            Ok(())
        }
        _ => Err(unusual()),
    }
}
