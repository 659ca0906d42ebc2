//! Attributes as words: what a record of a hit holds of attributes whose type it does not know.

use rtc_ir::{Builder, Module, Opcode, Root, Scalar, Step, Type, Value};

/// A scalar or vector in attributes: the way to it, its type, its first word.
pub(super) type Leaf = (Vec<Step>, Type, u32);

/// The scalars and vectors of a type and how many words they are in all.
pub(super) fn leaves(m: &Module, t: Type) -> (Vec<Leaf>, u32) {
    let (mut all, mut at) = (Vec::new(), 0u32);
    m.leaves(t, &mut |path, ty| {
        let Some((s, lanes)) = m.types.numeric(ty) else { return };
        all.push((path.iter().map(|&n| Step::At(n)).collect(), ty, at));
        at = at.saturating_add(lanes.saturating_mul(words_of(s)));
    });
    (all, at)
}

/// The words of attributes of this type.
pub(super) fn words(m: &Module, t: Type) -> u32 {
    leaves(m, t).1
}

fn words_of(s: Scalar) -> u32 {
    if s.bits() == 64 { 2 } else { 1 }
}

/// Reads attributes from a variable and gives their words.
pub(super) fn pack(b: &mut Builder, leaves: &[Leaf], root: Root) -> Vec<Value> {
    let mut out = Vec::new();
    for (path, ty, _) in leaves {
        let whole = b.load(root, path, &[], *ty);
        let (s, lanes) = b.types.numeric(*ty).expect("leaves of attributes are numbers");
        for n in 0..lanes {
            let x = b.extract(whole, n);
            pack_scalar(b, s, x, &mut out);
        }
    }
    out
}

fn pack_scalar(b: &mut Builder, s: Scalar, x: Value, out: &mut Vec<Value>) {
    match s {
        Scalar::I32 => out.push(x),
        Scalar::F32 => out.push(b.convert(Opcode::bitcast, x, Type::I32)),
        Scalar::Bool | Scalar::I16 => out.push(b.convert(Opcode::zext, x, Type::I32)),
        Scalar::F16 => {
            let bits = b.convert(Opcode::bitcast, x, Type::I16);
            out.push(b.convert(Opcode::zext, bits, Type::I32));
        }
        Scalar::I64 => {
            let half = b.func.const_bits(Type::I64, 32);
            let high = b.binary(Opcode::lshr, x, half);
            out.push(b.convert(Opcode::itrunc, x, Type::I32));
            out.push(b.convert(Opcode::itrunc, high, Type::I32));
        }
        Scalar::F64 => {
            let both = b.convert(Opcode::split_double, x, Type::I32X2);
            out.extend([b.extract(both, 0), b.extract(both, 1)]);
        }
    }
}

/// Writes attributes to a variable from their words, which `word` gives by number.
pub(super) fn unpack(b: &mut Builder, leaves: &[Leaf], root: Root, mut word: impl FnMut(&mut Builder, u32) -> Value) {
    for (path, ty, first) in leaves {
        let (s, lanes) = b.types.numeric(*ty).expect("leaves of attributes are numbers");
        let mut components = Vec::new();
        for n in 0..lanes {
            let at = first + n * words_of(s);
            let low = word(b, at);
            let high = (words_of(s) == 2).then(|| word(b, at + 1));
            components.push(unpack_scalar(b, s, low, high));
        }
        let whole = b.construct(&components);
        b.store(root, path, &[], whole);
    }
}

fn unpack_scalar(b: &mut Builder, s: Scalar, low: Value, high: Option<Value>) -> Value {
    match (s, high) {
        (Scalar::F32, _) => b.convert(Opcode::bitcast, low, Type::F32),
        (Scalar::Bool, _) => {
            let zero = b.func.const_i32(0);
            b.binary(Opcode::ine, low, zero)
        }
        (Scalar::I16, _) => b.convert(Opcode::itrunc, low, Type::I16),
        (Scalar::F16, _) => {
            let bits = b.convert(Opcode::itrunc, low, Type::I16);
            b.convert(Opcode::bitcast, bits, Type::F16)
        }
        (Scalar::I64, Some(high)) => join_words(b, low, high),
        (Scalar::F64, Some(high)) => b.binary(Opcode::make_double, low, high),
        _ => low,
    }
}

/// The 64-bit integer of two words.
pub(super) fn join_words(b: &mut Builder, low: Value, high: Value) -> Value {
    let (low, high) = (b.convert(Opcode::zext, low, Type::I64), b.convert(Opcode::zext, high, Type::I64));
    let half = b.func.const_bits(Type::I64, 32);
    let high = b.binary(Opcode::shl, high, half);
    b.binary(Opcode::or, low, high)
}
