//! Numbers of component types as instructions: from bits and to bits, in the arithmetic of 32 or 64 bits that products are computed in.

use rtc_ir::{Opcode, Scalar, Type, Value};
use rtc_tables::linalg::numbers::{Encoding, FloatFormat};

use super::code::{Arithmetic, Code, Number};

/// How a number of an IR type is encoded; none of booleans.
pub fn of_scalar(s: Scalar, signed: bool) -> Option<Encoding> {
    use rtc_tables::linalg::numbers::encoding_of;
    encoding_of(match (s, signed) {
        (Scalar::I16, true) => 2,
        (Scalar::I16, false) => 3,
        (Scalar::I32, true) => 4,
        (Scalar::I32, false) => 5,
        (Scalar::F16, _) => 8,
        (Scalar::F32, _) => 9,
        (Scalar::I64, true) => 6,
        (Scalar::I64, false) => 7,
        (Scalar::F64, _) => 10,
        _ => return None,
    })
}

impl Code<'_> {
    /// A number as a register of an arithmetic. An integer of another sign has the same bits.
    pub fn to(&mut self, n: Number, arithmetic: Arithmetic) -> Value {
        let (v, ty) = (n.value(), arithmetic.ty());
        match (n, arithmetic) {
            (Number::Int(_, signed), a) if a.is_float() => {
                let op = if signed { Opcode::stof } else { Opcode::utof };
                self.b().convert(op, v, ty)
            }
            (Number::Float(_), Arithmetic::Int(signed)) => self.rounded(v, signed, 32),
            (Number::Float(_), Arithmetic::Long(signed)) => self.rounded(v, signed, 64),
            _ if self.f.ty(v) == ty => v,
            (Number::Float(_), _) => self.b().convert(Opcode::fconv, v, ty),
            (Number::Int(_, signed), Arithmetic::Long(_)) => self.b().convert(if signed { Opcode::sext } else { Opcode::zext }, v, ty),
            (Number::Int(..), _) => self.b().convert(Opcode::itrunc, v, ty),
        }
    }

    /// A constant of the type of `like`, a float.
    fn float_like(&mut self, x: f64, like: Value) -> Value {
        let wide = self.f.ty(like) == Type::F64;
        if wide { self.f.const_bits(Type::F64, x.to_bits()) } else { self.f.const_f32(x as f32) }
    }

    /// A float as an integer of so many bits: rounded to the nearest one, saturated, 0 of a NaN.
    fn rounded(&mut self, x: Value, signed: bool, bits: u32) -> Value {
        let nearest = self.b().unary(Opcode::round_ne, x);
        let ty = if bits > 32 { Type::I64 } else { Type::I32 };
        // The largest integer may be no float: what is not below the next power of two is the largest one.
        let (low, end) = if signed { (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1)) } else { (0.0, 2f64.powi(bits as i32)) };
        let (least, most) = if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let (low, end) = (self.float_like(low, x), self.float_like(end, x));
        let mut constant = |n: i128| self.f.const_bits(ty, if bits > 32 { n as u64 } else { u64::from(n as u32) });
        let (least, most, zero) = (constant(least), constant(most), constant(0));
        let (below, above) = (self.op(Opcode::fle, nearest, low), self.op(Opcode::fge, nearest, end));
        let nan = self.b().unary(Opcode::isnan, x);
        // What is out of range is not converted: its result would be undefined.
        let outside = self.op(Opcode::or, below, above);
        let outside = self.op(Opcode::or, outside, nan);
        let none = self.float_like(0.0, x);
        let inside = self.b().select(outside, none, nearest);
        let op = if signed { Opcode::ftos } else { Opcode::ftou };
        let converted = self.b().convert(op, inside, ty);
        let n = self.b().select(below, least, converted);
        let n = self.b().select(above, most, n);
        self.b().select(nan, zero, n)
    }

    /// The number that a word holds in its lowest bits; others do not count.
    pub fn decode(&mut self, e: Encoding, word: Value) -> Number {
        match e {
            Encoding::Signed(32 | 64) => Number::Int(word, true),
            Encoding::Unsigned(32 | 64) => Number::Int(word, false),
            Encoding::Signed(n) => {
                let by = self.f.const_u32(32 - n);
                let high = self.op(Opcode::shl, word, by);
                Number::Int(self.op(Opcode::ashr, high, by), true)
            }
            Encoding::Unsigned(n) => Number::Int(self.and(word, (1 << n) - 1), false),
            Encoding::Float(f) if f.fraction == 23 => Number::Float(self.b().convert(Opcode::bitcast, word, Type::F32)),
            Encoding::Float(f) if f.fraction == 52 => Number::Float(self.b().convert(Opcode::bitcast, word, Type::F64)),
            Encoding::Float(f) => Number::Float(self.decode_small(f, word)),
        }
    }

    fn decode_small(&mut self, f: FloatFormat, word: Value) -> Value {
        let sign_at = f.exponent + f.fraction;
        let up = 23 - f.fraction;
        let magnitude = self.and(word, (1 << sign_at) - 1);
        let sign = self.and(word, 1 << sign_at);
        let sign = self.shl(sign, 31 - sign_at);
        let moved = self.shl(magnitude, up);
        if f.exponent == 8 {
            // The exponents are those of a float.
            let bits = self.op(Opcode::or, moved, sign);
            return self.b().convert(Opcode::bitcast, bits, Type::F32);
        }
        let normal = self.add(moved, ((127 - f.bias()) as u32) << 23);
        // A number without hidden bit is so many times the least one, which is a normal float.
        let steps = self.b().convert(Opcode::utof, magnitude, Type::F32);
        let unit = self.f.const_f32(2f32.powi(1 - f.bias() - f.fraction as i32));
        let small = self.op(Opcode::fmul, steps, unit);
        let small = self.b().convert(Opcode::bitcast, small, Type::I32);
        let least = self.f.const_u32(1 << f.fraction);
        let is_small = self.op(Opcode::ult, magnitude, least);
        let finite = self.b().select(is_small, small, normal);
        let all = self.f.const_u32(0x7f80_0000);
        let special = if f.infinite { self.op(Opcode::or, moved, all) } else { self.f.const_u32(0x7fc0_0000) };
        let first = self.f.const_u32(if f.infinite { f.overflow() as u32 } else { f.nan() as u32 });
        let is_special = self.op(Opcode::uge, magnitude, first);
        let bits = self.b().select(is_special, special, finite);
        let bits = self.op(Opcode::or, bits, sign);
        self.b().convert(Opcode::bitcast, bits, Type::F32)
    }

    /// The bits of a number, converted: in the lowest bits of a word, the others are 0. The word has 64 bits if the numbers have.
    pub fn encode(&mut self, e: Encoding, n: Number) -> Value {
        match (e, n) {
            (Encoding::Float(f), n) if f.fraction == 52 => {
                let x = self.to(n, Arithmetic::Double);
                self.b().convert(Opcode::bitcast, x, Type::I64)
            }
            (Encoding::Float(f), n) => {
                let x = match n {
                    Number::Float(x) if f.fraction < 23 && self.f.ty(x) == Type::F64 => self.rounded_to_odd(x),
                    n => self.to(n, Arithmetic::Float),
                };
                match f.fraction {
                    23 => self.b().convert(Opcode::bitcast, x, Type::I32),
                    _ => self.encode_small(f, x),
                }
            }
            (_, Number::Float(x)) => {
                let n = self.rounded(x, e.is_signed(), e.bits());
                self.low(n, e.bits())
            }
            (_, Number::Int(v, signed)) => {
                let n = self.saturated(v, signed, e);
                self.low(n, e.bits())
            }
        }
    }

    /// A double as a float that further rounding rounds as it would the double: what is in between becomes the neighbour whose last bit is set.
    fn rounded_to_odd(&mut self, x: Value) -> Value {
        let near = self.b().convert(Opcode::fconv, x, Type::F32);
        let back = self.b().convert(Opcode::fconv, near, Type::F64);
        let bits = self.b().convert(Opcode::bitcast, near, Type::I32);
        let (size, of_back) = (self.b().unary(Opcode::fabs, x), self.b().unary(Opcode::fabs, back));
        let (less, more) = (self.op(Opcode::flt, of_back, size), self.op(Opcode::fgt, of_back, size));
        let other = self.op(Opcode::or, less, more);
        let (one, minus) = (self.word(1), self.word(u32::MAX));
        let by = self.b().select(more, minus, one);
        let next = self.op(Opcode::iadd, bits, by);
        let even = self.and(bits, 1);
        let zero = self.word(0);
        let even = self.op(Opcode::ieq, even, zero);
        let moves = self.op(Opcode::and, other, even);
        let bits = self.b().select(moves, next, bits);
        self.b().convert(Opcode::bitcast, bits, Type::F32)
    }

    fn low(&mut self, n: Value, bits: u32) -> Value {
        if bits < 32 { self.and(n, (1 << bits) - 1) } else { n }
    }

    /// An integer as one of a type with so many bits, in a register of 64 bits if that has 64.
    fn saturated(&mut self, v: Value, signed: bool, e: Encoding) -> Value {
        let (bits, own) = (e.bits(), if self.f.ty(v) == Type::I64 { 64 } else { 32 });
        let mut v = v;
        if signed {
            let low = if e.is_signed() { -(1i128 << (bits - 1)) } else { 0 };
            if low > -(1i128 << (own - 1)) {
                let low = self.word_like(low as u64, v);
                v = self.op(Opcode::smax, v, low);
            }
        }
        let most = bits - u32::from(e.is_signed());
        if most < own - u32::from(signed) {
            let high = self.word_like(((1u128 << most) - 1) as u64, v);
            v = self.op(if signed { Opcode::smin } else { Opcode::umin }, v, high);
        }
        match (own, bits > 32) {
            (32, true) => self.b().convert(if signed { Opcode::sext } else { Opcode::zext }, v, Type::I64),
            (64, false) => self.b().convert(Opcode::itrunc, v, Type::I32),
            _ => v,
        }
    }

    /// To the nearest number, ties to even; too large is infinite, or the largest one of a format without infinity.
    fn encode_small(&mut self, f: FloatFormat, x: Value) -> Value {
        let down = 23 - f.fraction;
        let bits = self.b().convert(Opcode::bitcast, x, Type::I32);
        let magnitude = self.and(bits, 0x7fff_ffff);
        let sign = self.shr(bits, 31);
        let sign = self.shl(sign, f.exponent + f.fraction);
        // Half of a step is added, less one unless the last bit that stays is set.
        let odd = self.shr(magnitude, down);
        let odd = self.and(odd, 1);
        let moved = self.add(magnitude, ((1 << (down - 1)) - 1u32).wrapping_sub(((127 - f.bias()) as u32) << 23));
        let moved = self.op(Opcode::iadd, moved, odd);
        let mut result = self.shr(moved, down);
        if f.exponent < 8 {
            // Below the least normal number it is how many steps of the least number, of which there are few.
            let x = self.b().unary(Opcode::fabs, x);
            let steps = self.f.const_f32(2f32.powi(f.bias() - 1 + f.fraction as i32));
            let least = self.f.const_u32(((128 - f.bias()) as u32) << 23);
            let is_small = self.op(Opcode::ult, magnitude, least);
            let zero = self.f.const_f32(0.0);
            let x = self.b().select(is_small, x, zero);
            let x = self.op(Opcode::fmul, x, steps);
            let x = self.b().unary(Opcode::round_ne, x);
            let small = self.b().convert(Opcode::ftou, x, Type::I32);
            result = self.b().select(is_small, small, result);
        }
        let most = self.f.const_u32(f.overflow() as u32);
        let result = self.op(Opcode::umin, result, most);
        let infinite = self.f.const_u32(0x7f80_0000);
        let is_nan = self.op(Opcode::ugt, magnitude, infinite);
        let nan = self.f.const_u32(f.nan() as u32);
        let result = self.b().select(is_nan, nan, result);
        self.op(Opcode::or, result, sign)
    }

    /// A number as one that a component type has, in a register of its own arithmetic.
    pub fn fitted(&mut self, e: Encoding, n: Number) -> Number {
        let wide = matches!(self.f.ty(n.value()), Type::F64 | Type::I64);
        match (e, n) {
            (Encoding::Float(f), Number::Float(_)) if f.fraction == if wide { 52 } else { 23 } => n,
            (Encoding::Signed(b), Number::Int(_, true)) | (Encoding::Unsigned(b), Number::Int(_, false))
                if b == if wide { 64 } else { 32 } =>
            {
                n
            }
            _ => {
                let bits = self.encode(e, n);
                self.decode(e, bits)
            }
        }
    }

    /// The bits of a number of an IR type, in a word of at least 32 bits.
    pub fn word_of(&mut self, v: Value) -> Value {
        let scalar = self.types.elem(self.f.ty(v));
        let v = match scalar {
            Scalar::F16 => self.b().convert(Opcode::bitcast, v, Type::I16),
            Scalar::F32 => self.b().convert(Opcode::bitcast, v, Type::I32),
            Scalar::F64 => self.b().convert(Opcode::bitcast, v, Type::I64),
            _ => v,
        };
        if scalar.bits() == 16 { self.b().convert(Opcode::zext, v, Type::I32) } else { v }
    }

    /// The number of an IR type with these bits.
    pub fn value_of(&mut self, scalar: Scalar, word: Value) -> Value {
        let v = if scalar.bits() == 16 { self.b().convert(Opcode::itrunc, word, Type::I16) } else { word };
        match scalar {
            Scalar::F16 => self.b().convert(Opcode::bitcast, v, Type::F16),
            Scalar::F32 => self.b().convert(Opcode::bitcast, v, Type::F32),
            Scalar::F64 => self.b().convert(Opcode::bitcast, v, Type::F64),
            _ => v,
        }
    }

    /// A product.
    pub fn product(&mut self, arithmetic: Arithmetic, a: Value, b: Value) -> Value {
        self.op(if arithmetic.is_float() { Opcode::fmul } else { Opcode::imul }, a, b)
    }
    /// A sum.
    pub fn sum(&mut self, arithmetic: Arithmetic, a: Value, b: Value) -> Value {
        self.op(if arithmetic.is_float() { Opcode::fadd } else { Opcode::iadd }, a, b)
    }
    /// What changes nothing when something is added to it.
    pub fn nothing(&mut self, arithmetic: Arithmetic) -> Value {
        match arithmetic {
            Arithmetic::Float => self.f.const_f32(-0.0),
            Arithmetic::Double => self.f.const_bits(Type::F64, (-0f64).to_bits()),
            Arithmetic::Int(_) | Arithmetic::Long(_) => self.f.const_bits(arithmetic.ty(), 0),
        }
    }
}
