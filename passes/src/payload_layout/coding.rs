//! How a scalar of a payload is kept in fewer bits than its type has, where all that is stored into it is known ([`Content`]).
//!
//! Every coding is exact: what is read is, bit for bit, what was stored.

use rtc_ir::{Builder, Opcode, Scalar, Type, Value};

use super::contents::{Content, Number};
use crate::ranges::Range;
use crate::words::{of_words, scalar_bits, to_words};

/// How a scalar is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coding {
    /// As its type says.
    Plain,
    /// An integer of 32 bits by so many of them, above `shift` low ones that are zero; the highest is its sign if it is `signed`.
    Bits {
        /// How many.
        bits: u32,
        /// How many low bits are zero.
        shift: u32,
        /// Whether it may be negative.
        signed: bool,
    },
    /// One of two numbers of 32 bits, given by their bits: one bit.
    Either([u32; 2]),
    /// Always the number with these bits, which each reader knows: no bits.
    Always(u64),
    /// This component of `DispatchRaysIndex()`: no bits.
    Index(u32),
    /// This component of `DispatchRaysDimensions()`: no bits.
    Dimensions(u32),
}

impl Coding {
    /// The coding with the fewest bits.
    pub fn of(scalar: Scalar, content: &Content) -> Coding {
        let numbers = match content.numbers.as_deref() {
            // Nothing is ever stored: what is read is undefined.
            Some([]) => return Coding::Always(0),
            Some(&[Number::Bits(n)]) => return Coding::Always(n),
            Some(&[Number::Index(c)]) => return Coding::Index(c),
            Some(&[Number::Dimensions(c)]) => return Coding::Dimensions(c),
            Some(&[Number::Bits(a), Number::Bits(b)]) => Some([a as u32, b as u32]),
            _ => None,
        };
        let of_range = if scalar == Scalar::I32 { Coding::of_range(content.range) } else { Coding::Plain };
        match (of_range, numbers) {
            (Coding::Bits { bits: 1, .. }, _) => of_range,
            (_, Some(numbers)) if matches!(scalar, Scalar::I32 | Scalar::F32) => Coding::Either(numbers),
            _ => of_range,
        }
    }

    fn of_range(r: Range) -> Coding {
        if r.is_empty() {
            return Coding::Plain;
        }
        let sign = |n: i32| n.leading_zeros().max(n.leading_ones());
        let signed = 33 - sign(r.smin).min(sign(r.smax));
        let shift = r.zeros.trailing_ones().min(31);
        let unsigned = r.width().saturating_sub(shift).max(1);
        match signed.min(unsigned) {
            32.. => Coding::Plain,
            bits if bits == unsigned => Coding::Bits { bits, shift, signed: false },
            bits => Coding::Bits { bits, shift: 0, signed: true },
        }
    }

    /// How many bits it takes.
    pub fn bits(self, native_16bit: bool, scalar: Scalar) -> u32 {
        match self {
            Coding::Plain => scalar_bits(native_16bit, scalar),
            Coding::Bits { bits, .. } => bits,
            Coding::Either(_) => 1,
            Coding::Always(_) | Coding::Index(_) | Coding::Dimensions(_) => 0,
        }
    }

    /// What it says about the numbers, if it is not plain.
    pub fn text(self, scalar: Scalar) -> Option<String> {
        let number = |bits: u64| match scalar {
            Scalar::Bool => (bits != 0).to_string(),
            Scalar::I32 => (bits as i32).to_string(),
            Scalar::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Scalar::F64 => format!("{:?}", f64::from_bits(bits)),
            _ => format!("{bits:#x}"),
        };
        let count = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        Some(match self {
            Coding::Plain => return None,
            Coding::Bits { bits, shift: 0, signed: false } => count(bits, "bit"),
            Coding::Bits { bits, shift, signed: false } => format!("{} from bit {shift}", count(bits, "bit")),
            Coding::Bits { bits, .. } => count(bits, "signed bit"),
            Coding::Either([a, b]) => format!("{} or {}", number(a.into()), number(b.into())),
            Coding::Always(n) => format!("always {}", number(n)),
            Coding::Index(c) => format!("always component {c} of DispatchRaysIndex"),
            Coding::Dimensions(c) => format!("always component {c} of DispatchRaysDimensions"),
        })
    }

    /// `x` as words, the low one first; bits above those that it takes are zero.
    pub(crate) fn encode(self, b: &mut Builder, x: Value, native_16bit: bool) -> Vec<Value> {
        match self {
            Coding::Plain => to_words(b, x, native_16bit),
            Coding::Always(_) | Coding::Index(_) | Coding::Dimensions(_) => Vec::new(),
            Coding::Bits { bits, shift, .. } => {
                let by = b.func.const_u32(shift);
                let x = if shift > 0 { b.binary(Opcode::lshr, x, by) } else { x };
                // What is undefined may be any number, and must not reach other fields.
                let mask = b.func.const_u32((1 << bits) - 1);
                vec![b.binary(Opcode::and, x, mask)]
            }
            Coding::Either([_, second]) => {
                let (x, second) = (to_words(b, x, native_16bit)[0], b.func.const_u32(second));
                let is = b.binary(Opcode::ieq, x, second);
                vec![b.convert(Opcode::zext, is, Type::I32)]
            }
        }
    }

    /// The number that the words are, of which those bits that it does not take are zero.
    pub(crate) fn decode(self, b: &mut Builder, words: &[Value], scalar: Scalar, native_16bit: bool) -> Value {
        let ty = b.types.scalar(scalar);
        match self {
            Coding::Plain => of_words(b, words, scalar, native_16bit),
            Coding::Always(bits) => b.func.const_bits(ty, bits),
            Coding::Index(c) => launch(b, Opcode::dispatch_rays_index, c),
            Coding::Dimensions(c) => launch(b, Opcode::dispatch_rays_dim, c),
            Coding::Bits { bits, signed: true, .. } => {
                let by = b.func.const_u32(32 - bits);
                let x = b.binary(Opcode::shl, words[0], by);
                b.binary(Opcode::ashr, x, by)
            }
            Coding::Bits { shift: 0, .. } => words[0],
            Coding::Bits { shift, .. } => {
                let by = b.func.const_u32(shift);
                b.binary(Opcode::shl, words[0], by)
            }
            Coding::Either(numbers) => {
                let zero = b.func.const_u32(0);
                let is = b.binary(Opcode::ine, words[0], zero);
                let [first, second] = numbers.map(|n| b.func.const_bits(ty, n.into()));
                b.select(is, second, first)
            }
        }
    }
}

fn launch(b: &mut Builder, op: Opcode, c: u32) -> Value {
    let all = b.nullary(op);
    b.extract(all, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_bits_hold_every_number() {
        let of = |range| Coding::of(Scalar::I32, &Content { range, numbers: None });
        let bits = |bits, shift, signed| Coding::Bits { bits, shift, signed };
        assert_eq!(of(Range::unsigned(0, 7)), bits(3, 0, false));
        assert_eq!(of(Range::signed(-1, 1)), bits(2, 0, true));
        assert_eq!(of(Range::signed(-8, 7)), bits(4, 0, true));
        assert_eq!(of(Range::bits(!0xf0, 0)), bits(4, 4, false));
        assert_eq!(of(Range::ALL), Coding::Plain);
        assert_eq!(of(Range::unsigned(0, u32::MAX / 2)), bits(31, 0, false));
        let of_numbers = |scalar, list: &[Number]| Coding::of(scalar, &Content { range: Range::ALL, numbers: Some(list.to_vec()) });
        let numbers = |scalar, list: &[u64]| of_numbers(scalar, &list.iter().map(|n| Number::Bits(*n)).collect::<Vec<_>>());
        assert_eq!(numbers(Scalar::F32, &[0, 0x8000_0000]), Coding::Either([0, 0x8000_0000]));
        assert_eq!(numbers(Scalar::F64, &[1, 2]), Coding::Plain);
        assert_eq!(numbers(Scalar::F64, &[1]), Coding::Always(1));
        assert_eq!(numbers(Scalar::I32, &[]), Coding::Always(0));
        assert_eq!(of_numbers(Scalar::I32, &[Number::Index(1)]), Coding::Index(1));
        assert_eq!(of_numbers(Scalar::I32, &[Number::Bits(0), Number::Index(1)]), Coding::Plain);
    }
}
