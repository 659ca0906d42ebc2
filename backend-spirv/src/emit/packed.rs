//! Packed bytes and 16-bit floats, and bit counts of integers that are not 32 bits wide.
//!
//! Vulkan counts and reverses bits of 32-bit integers only. Narrower ones are extended, wider ones are split into
//! words.

use rtc_ir::{Opcode, Scalar, Type, Value};
use spirv::{Capability, GlslStd450Op as GLOp, Op};

use super::FuncEmitter;
use crate::words::{Id, TypeId, operands};

impl FuncEmitter<'_, '_> {
    /// A dot product of packed operands plus a number.
    pub(crate) fn dot_add(&mut self, op: Opcode, a: &[Id]) -> Id {
        if op == Opcode::dot2add {
            let f32 = self.e.w.f32_ty();
            let pair = self.e.w.vector_ty(f32, 2);
            let (x, y) = (self.op(Op::FConvert, pair, &a[..1]), self.op(Op::FConvert, pair, &a[1..2]));
            let dot = self.op(Op::Dot, f32, &[x, y]);
            return self.op(Op::FAdd, f32, &[dot, a[2]]);
        }
        let why = self.reason("a dot product of packed bytes");
        self.e.w.capability(Capability::DotProduct, || why.clone());
        self.e.w.capability(Capability::DotProductInput4x8BitPacked, || why.clone());
        self.e.w.extension("SPV_KHR_integer_dot_product", || why);
        let o = if op == Opcode::dot4add_i8 { Op::SDot } else { Op::UDot };
        let u32 = self.e.w.u32_ty();
        let format = spirv::PackedVectorFormat::PackedVectorFormat4x8Bit;
        let dot = self.op(o, u32, &operands![a[0], a[1], format]);
        self.op(Op::IAdd, u32, &[dot, a[2]])
    }

    /// Four components to bytes. By masks and shifts: not every GPU has an instruction that inserts bits.
    pub(crate) fn pack(&mut self, mode: u32, v: Value) -> Id {
        let (s, _) = self.m.types.numeric(self.f.ty(v)).expect("four components");
        let id = self.val(v);
        let (from, u32, byte) = (self.e.scalar(s, false), self.e.w.u32_ty(), self.e.w.u32(0xff));
        let bytes = (0..4).map(|n| {
            let mut x = self.extract(from, id, &[n]);
            if s == Scalar::I16 {
                x = self.op(Op::SConvert, u32, &[x]);
            }
            let (low, high) = if mode == 1 { (0, 255) } else { (-128i32, 127) };
            if mode != 0 {
                let (low, high) = (self.e.w.u32(low as u32), self.e.w.u32(high));
                x = self.glsl(GLOp::SClamp, u32, &[x, low, high]);
            }
            // The last byte loses what is above it by the shift, and an unsigned clamp leaves nothing there.
            if n < 3 && mode != 1 {
                x = self.op(Op::BitwiseAnd, u32, &[x, byte]);
            }
            if n == 0 {
                return x;
            }
            let at = self.e.w.u32(8 * n);
            self.op(Op::ShiftLeftLogical, u32, &[x, at])
        });
        let bytes: Vec<Id> = bytes.collect();
        bytes[1..].iter().fold(bytes[0], |all, &x| self.op(Op::BitwiseOr, u32, &[all, x]))
    }

    /// Bytes to four components of type `ty`.
    pub(crate) fn unpack(&mut self, signed: bool, v: Value, ty: Type) -> Id {
        let (s, _) = self.m.types.numeric(ty).expect("four components");
        let id = self.val(v);
        let (to, u32) = (self.e.scalar(s, false), self.e.w.u32_ty());
        let eight = self.e.w.u32(8);
        let o = if signed { Op::BitFieldSExtract } else { Op::BitFieldUExtract };
        let parts: Vec<Id> = (0..4)
            .map(|n| {
                let at = self.e.w.u32(8 * n);
                let x = self.op(o, u32, &[id, at, eight]);
                if s == Scalar::I16 { self.op(Op::UConvert, to, &[x]) } else { x }
            })
            .collect();
        let ty = self.e.ty(ty);
        self.composite(ty, &parts)
    }

    /// Whether `op` counts or reverses bits, which Vulkan does on 32 bits only.
    pub(crate) fn is_bit_count(op: Opcode) -> bool {
        use Opcode as O;
        matches!(op, O::bfrev | O::countbits | O::firstbit_lo | O::firstbit_hi | O::firstbit_shi)
    }

    /// Counts or reverses the bits of `x`, of type `t` whose components have 16 or 64 bits.
    pub(crate) fn bits_of(&mut self, op: Opcode, x: Id, t: Type) -> Id {
        let (s, lanes) = self.m.types.numeric(t).expect("an integer");
        let scalar = self.e.scalar(s, false);
        let parts: Vec<Id> = (0..lanes)
            .map(|n| {
                let x = if lanes == 1 { x } else { self.extract(scalar, x, &[n]) };
                if s == Scalar::I16 { self.bits_of_half(op, x) } else { self.bits_of_pair(op, x) }
            })
            .collect();
        if lanes == 1 {
            return parts[0];
        }
        let elem = if op == Opcode::bfrev { scalar } else { self.e.w.u32_ty() };
        let ty = self.e.w.vector_ty(elem, lanes);
        self.composite(ty, &parts)
    }

    /// Of a word.
    fn bits_of_word(&mut self, op: Opcode, x: Id) -> Id {
        let u32 = self.e.w.u32_ty();
        match op {
            Opcode::bfrev => self.op(Op::BitReverse, u32, &[x]),
            Opcode::countbits => self.op(Op::BitCount, u32, &[x]),
            Opcode::firstbit_lo => self.glsl(GLOp::FindILsb, u32, &[x]),
            Opcode::firstbit_hi => self.glsl(GLOp::FindUMsb, u32, &[x]),
            _ => self.glsl(GLOp::FindSMsb, u32, &[x]),
        }
    }

    /// The first bit of `x`, of type `t` whose components have 32 bits, that differs from the sign. `FindSMsb` is one too high in Mesa
    /// where the number is a power of two, negative, and converted from a float.
    pub(crate) fn first_bit_signed(&mut self, x: Id, t: Type) -> Id {
        let (ty, last) = (self.e.ty(t), self.e.splat_constant(t, 31));
        let x = self.complement_negative(x, ty, last);
        self.glsl(GLOp::FindUMsb, ty, &[x])
    }

    /// `x`, or its complement if it is negative. Its first one bit is the first bit of `x` that differs from the sign. `last` is the
    /// number of the sign's bit.
    fn complement_negative(&mut self, x: Id, ty: TypeId, last: Id) -> Id {
        let sign = self.op(Op::ShiftRightArithmetic, ty, &[x, last]);
        self.op(Op::BitwiseXor, ty, &[x, sign])
    }

    fn bits_of_half(&mut self, op: Opcode, x: Id) -> Id {
        let u32 = self.e.w.u32_ty();
        let extend = if op == Opcode::firstbit_shi { Op::SConvert } else { Op::UConvert };
        let wide = self.op(extend, u32, &[x]);
        let out = self.bits_of_word(op, wide);
        if op != Opcode::bfrev {
            return out;
        }
        let half = self.e.w.u32(16);
        let down = self.op(Op::ShiftRightLogical, u32, &[out, half]);
        let i16 = self.e.scalar(Scalar::I16, false);
        self.op(Op::UConvert, i16, &[down])
    }

    fn bits_of_pair(&mut self, op: Opcode, x: Id) -> Id {
        let u32 = self.e.w.u32_ty();
        let i64 = self.e.scalar(Scalar::I64, false);
        let mut x = x;
        if op == Opcode::firstbit_shi {
            let last = self.e.w.u32(63);
            x = self.complement_negative(x, i64, last);
        }
        let pair = self.e.w.vector_ty(u32, 2);
        let words = self.op(Op::Bitcast, pair, &[x]);
        let (low, high) = (self.extract(u32, words, &[0]), self.extract(u32, words, &[1]));
        let word_op = if op == Opcode::firstbit_shi { Opcode::firstbit_hi } else { op };
        let (low, high) = (self.bits_of_word(word_op, low), self.bits_of_word(word_op, high));
        match op {
            Opcode::bfrev => {
                let turned = self.composite(pair, &[high, low]);
                self.op(Op::Bitcast, i64, &[turned])
            }
            Opcode::countbits => self.op(Op::IAdd, u32, &[low, high]),
            _ => {
                let bool_ty = self.e.scalar(Scalar::Bool, false);
                let (none, word) = (self.e.w.u32(u32::MAX), self.e.w.u32(32));
                let up = self.op(Op::IAdd, u32, &[high, word]);
                let no_high = self.op(Op::IEqual, bool_ty, &[high, none]);
                if op == Opcode::firstbit_lo {
                    let high = self.op(Op::Select, u32, &[no_high, none, up]);
                    let no_low = self.op(Op::IEqual, bool_ty, &[low, none]);
                    self.op(Op::Select, u32, &[no_low, high, low])
                } else {
                    self.op(Op::Select, u32, &[no_high, low, up])
                }
            }
        }
    }
}
