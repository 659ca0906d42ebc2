//! Halves that were made of wider numbers are rounded where they become wide again.
//!
//! Drivers drop the pair of conversions in `(float)(half)x`, whatever execution modes and decorations say, and see through moves, selections, payloads and
//! `packHalf2x16`, and through buffers and groupshared memory of the same shader. What they do not see through is integer arithmetic on the bits, so where such a half is widened, that does it. Where the number goes on as
//! a half, and where the half comes from other memory or from arithmetic on two halves, the plain conversion stays.

use rtc_base::EntitySet;
use rtc_ir::analysis::forward_slice;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, Scalar, Type, Value, effects};
use spirv::Op;

use super::FuncEmitter;

/// The values of `f` that a driver may know as wider than they are: halves, and integers with the bits of one.
pub(crate) fn unrounded(m: &Module, f: &Function) -> EntitySet<Value> {
    let elem = |v: Value| m.types.numeric(f.ty(v)).map(|n| n.0);
    let first = |i: Inst| f.results(i).first().and_then(|&v| elem(v));
    let begins = |i: Inst| match f.insts[i] {
        InstData::Unary { op: Opcode::fconv | Opcode::stof | Opcode::utof, .. } => m.native_16bit && first(i) == Some(Scalar::F16),
        InstData::Unary { op: Opcode::f32tof16, .. } => true,
        // Another shader may have stored there what it did not round.
        InstData::Access { op: Opcode::load, place, .. } => {
            m.native_16bit && first(i) == Some(Scalar::F16) && matches!(f.places[place].root, Root::Slot(_))
        }
        _ => false,
    };
    let through = |i: Inst| {
        let half = first(i) == Some(Scalar::F16);
        let bits = first(i).is_some_and(|s| !s.is_float() && s != Scalar::Bool);
        let from_half = f.operands(i).first().is_some_and(|&v| elem(v) == Some(Scalar::F16));
        let effects = f.op(i).effects();
        match f.op(i) {
            _ if effects.contains(Effects::READS_PLACEMENT) && !effects.contains(Effects::READS_HELPERS) => false,
            // A number computed from two unknown ones is rounded.
            Opcode::fadd | Opcode::fsub | Opcode::fmul | Opcode::fdiv | Opcode::frem => {
                half && f.operands(i).iter().any(|&v| f.as_const(v).is_some() || is_constant_vector(f, v))
            }
            Opcode::fmad | Opcode::dot => false,
            op if half && op.may_round() => matches!(op, Opcode::fmin | Opcode::fmax | Opcode::saturate),
            Opcode::ftos | Opcode::ftou => false,
            _ => half || bits && !from_half || f.op(i) == Opcode::bitcast,
        }
    };
    let mut values = forward_slice(f, begins, through);
    // What this shader stores to a buffer, it may get back as it was.
    let mut stores = false;
    f.for_each_inst(f.body, |_, i| {
        if !f.owns_regions(i) && effects::of_inst(m, f, i).contains(Effects::WRITES_MEM) {
            f.for_each_operand(i, |v| stores |= values.contains(v));
        }
    });
    if stores {
        values = forward_slice(f, |i| begins(i) || effects::of_inst(m, f, i).contains(Effects::READS_MEM), through);
    }
    values.iter().filter(|&v| elem(v).is_some_and(|s| s == Scalar::F16 || !s.is_float())).collect()
}

/// Whether a vector consists of constants.
fn is_constant_vector(f: &Function, v: Value) -> bool {
    f.def_inst(v).is_some_and(|i| f.op(i) == Opcode::construct && f.operands(i).iter().all(|&x| f.as_const(x).is_some()))
}

impl FuncEmitter<'_, '_> {
    /// Widens the half `arg`, or the half whose bits `arg` has, by integer arithmetic. Whether it is one.
    pub(crate) fn widen_half(&mut self, i: Inst, arg: Value) -> bool {
        let from = self.f.ty(arg);
        let result = self.f.result(i);
        let to = self.f.ty(result);
        let (Some((from_elem, lanes)), Some((to_elem, _))) = (self.m.types.numeric(from), self.m.types.numeric(to)) else { return false };
        let half = from_elem == Scalar::F16;
        if to_elem == Scalar::F16 || half == (self.f.op(i) == Opcode::f16tof32) {
            return false;
        }
        let x = self.val(arg);
        let (scalar, wide) = (self.e.scalar(from_elem, false), self.e.scalar(to_elem, false));
        let f32 = self.e.w.f32_ty();
        let parts: Vec<u32> = (0..lanes)
            .map(|n| {
                let x = if lanes == 1 { x } else { self.op(Op::CompositeExtract, scalar, &[x, n]) };
                let bits = if half { self.half_bits(x) } else { self.masked(x, 0xffff) };
                let x = self.widened(bits);
                if wide == f32 { x } else { self.op(Op::FConvert, wide, &[x]) }
            })
            .collect();
        let ty = self.e.ty(to);
        let id = if lanes == 1 { parts[0] } else { self.op(Op::CompositeConstruct, ty, &parts) };
        self.set(result, id);
        true
    }

    /// The bits of a half in a word whose other bits are 0, without integers of 16 bits.
    fn half_bits(&mut self, x: u32) -> u32 {
        let half = self.e.scalar(Scalar::F16, false);
        let pair = self.e.w.vector_ty(half, 2);
        let zero = self.e.constant(Type::F16, 0);
        let both = self.op(Op::CompositeConstruct, pair, &[x, zero]);
        let u32 = self.e.w.u32_ty();
        self.op(Op::Bitcast, u32, &[both])
    }

    fn masked(&mut self, x: u32, mask: u32) -> u32 {
        let u32 = self.e.w.u32_ty();
        let mask = self.e.w.u32(mask);
        self.op(Op::BitwiseAnd, u32, &[x, mask])
    }

    /// The number of 32 bits that is the half with these bits.
    fn widened(&mut self, bits: u32) -> u32 {
        let (u32, f32) = (self.e.w.u32_ty(), self.e.w.f32_ty());
        let bool = self.e.scalar(Scalar::Bool, false);
        let (magnitude, sign) = (self.masked(bits, 0x7fff), self.masked(bits, 0x8000));
        let word = |this: &mut Self, n: u32| this.e.w.u32(n);
        let (fraction, top) = (word(self, 13), word(self, 16));
        let sign = self.op(Op::ShiftLeftLogical, u32, &[sign, top]);
        let shifted = self.op(Op::ShiftLeftLogical, u32, &[magnitude, fraction]);
        // The exponents are biased by 15 and by 127; that of infinity is 31 and 255.
        let (normal, special) = (word(self, 112 << 23), word(self, 224 << 23));
        let normal = self.op(Op::IAdd, u32, &[shifted, normal]);
        let special = self.op(Op::IAdd, u32, &[shifted, special]);
        let whole = self.op(Op::ConvertUToF, f32, &[magnitude]);
        let unit = self.e.constant(Type::F32, (2f32.powi(-24)).to_bits().into());
        let small = self.op(Op::FMul, f32, &[whole, unit]);
        let small = self.op(Op::Bitcast, u32, &[small]);
        let (least, infinite) = (word(self, 0x400), word(self, 0x7c00));
        let is_special = self.op(Op::UGreaterThanEqual, bool, &[magnitude, infinite]);
        let is_small = self.op(Op::ULessThan, bool, &[magnitude, least]);
        let large = self.op(Op::Select, u32, &[is_special, special, normal]);
        let all = self.op(Op::Select, u32, &[is_small, small, large]);
        let all = self.op(Op::BitwiseOr, u32, &[all, sign]);
        self.op(Op::Bitcast, f32, &[all])
    }
}
