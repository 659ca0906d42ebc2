//! Numbers as words: how one that is kept in memory without a type, in a payload or in the saved state of a ray, becomes words and a number again.

use rtc_ir::{Builder, Opcode, Scalar, Type, Value};

/// Bits of a number among words. Minimum precision has 32, because its precision is up to the device.
pub(crate) fn scalar_bits(native_16bit: bool, s: Scalar) -> u32 {
    match s {
        Scalar::Bool => 1,
        Scalar::I16 | Scalar::F16 if native_16bit => 16,
        Scalar::I64 | Scalar::F64 => 64,
        _ => 32,
    }
}

/// A number as words, the low one first. Bits above those of the number are zero.
pub(crate) fn to_words(b: &mut Builder, v: Value, native_16bit: bool) -> Vec<Value> {
    let s = b.types.elem(b.func.ty(v));
    vec![match s {
        Scalar::I32 => v,
        Scalar::F32 => b.convert(Opcode::bitcast, v, Type::I32),
        Scalar::Bool => b.convert(Opcode::zext, v, Type::I32),
        Scalar::I16 if native_16bit => b.convert(Opcode::zext, v, Type::I32),
        Scalar::I16 => b.convert(Opcode::sext, v, Type::I32),
        Scalar::F16 if native_16bit => {
            let v = b.convert(Opcode::bitcast, v, Type::I16);
            b.convert(Opcode::zext, v, Type::I32)
        }
        Scalar::F16 => {
            let v = b.convert(Opcode::fconv, v, Type::F32);
            b.convert(Opcode::bitcast, v, Type::I32)
        }
        Scalar::I64 => {
            let by = b.func.const_bits(Type::I64, 32);
            let high = b.binary(Opcode::lshr, v, by);
            return vec![b.convert(Opcode::itrunc, v, Type::I32), b.convert(Opcode::itrunc, high, Type::I32)];
        }
        Scalar::F64 => {
            let both = b.convert(Opcode::split_double, v, Type::I32X2);
            return vec![b.extract(both, 0), b.extract(both, 1)];
        }
    }]
}

/// The number of kind `s` that the low bits of the first of `words` are, or both words.
pub(crate) fn of_words(b: &mut Builder, words: &[Value], s: Scalar, native_16bit: bool) -> Value {
    let low = words[0];
    match s {
        Scalar::I32 => low,
        Scalar::F32 => b.convert(Opcode::bitcast, low, Type::F32),
        Scalar::Bool => {
            let (one, zero) = (b.func.const_u32(1), b.func.const_u32(0));
            let bit = b.binary(Opcode::and, low, one);
            b.binary(Opcode::ine, bit, zero)
        }
        Scalar::I16 => b.convert(Opcode::itrunc, low, Type::I16),
        Scalar::F16 if native_16bit => {
            let v = b.convert(Opcode::itrunc, low, Type::I16);
            b.convert(Opcode::bitcast, v, Type::F16)
        }
        Scalar::F16 => {
            let v = b.convert(Opcode::bitcast, low, Type::F32);
            b.convert(Opcode::fconv, v, Type::F16)
        }
        Scalar::I64 => {
            let (low, high) = (b.convert(Opcode::zext, words[0], Type::I64), b.convert(Opcode::zext, words[1], Type::I64));
            let by = b.func.const_bits(Type::I64, 32);
            let high = b.binary(Opcode::shl, high, by);
            b.binary(Opcode::or, low, high)
        }
        Scalar::F64 => b.binary(Opcode::make_double, words[0], words[1]),
    }
}
