//! Halves that were made of wider numbers are rounded where they become wide again.
//!
//! Drivers drop the pair of conversions in `(float)(half)x`, whatever execution modes and decorations say, and see through moves, selections, payloads and
//! `packHalf2x16`, and through buffers and groupshared memory of the same shader. What they do not see through is integer arithmetic on the bits whose result they cannot know, so where such a half is
//! widened, a zero of that kind is added to its bits first. (Widening by integers alone, as was done before, took 3.9 times as long as a conversion that the driver drops, on an H200.)
//! Where the number goes on as a half, and where the half comes from other memory or from arithmetic on two halves, the plain conversion stays.

use rtc_base::EntitySet;
use rtc_ir::analysis::forward_slice;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, Scalar, Type, Value, effects};
use spirv::{GlslStd450Op as GLOp, Op};

use super::FuncEmitter;
use crate::words::Id;

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
    /// Widens the half `arg`, or the half whose bits `arg` has, after an addition to the bits that drivers do not see through. Whether it is one.
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
        let scalar = self.e.scalar(from_elem, false);
        let parts: Vec<Id> = (0..lanes).map(|n| if lanes == 1 { x } else { self.extract(scalar, x, &[n]) }).collect();
        let words = if half { self.in_pairs(&parts) } else { parts };
        let (u32, f32) = (self.e.w.u32_ty(), self.e.w.f32_ty());
        let (pair, wide) = (self.e.w.vector_ty(f32, 2), self.e.scalar(to_elem, false));
        let mut zero = self.unseen_zero(&words);
        if half && lanes > 1 {
            let both = self.e.w.u32(0x1_0001);
            zero = self.op(Op::IMul, u32, &[zero, both]);
        }
        let mut floats = Vec::with_capacity(lanes as usize);
        for word in words {
            let bits = self.op(Op::IAdd, u32, &[word, zero]);
            let two = self.glsl(GLOp::UnpackHalf2x16, pair, &[bits]);
            for n in 0..if half { 2.min(lanes as usize - floats.len()) } else { 1 } {
                let x = self.extract(f32, two, &[n as u32]);
                floats.push(if wide == f32 { x } else { self.op(Op::FConvert, wide, &[x]) });
            }
        }
        let ty = self.e.ty(to);
        let id = if lanes == 1 { floats[0] } else { self.composite(ty, &floats) };
        self.set(result, id);
        true
    }

    /// Halves, two in a word, the first one in the lower half of it.
    fn in_pairs(&mut self, f16s: &[Id]) -> Vec<Id> {
        let half = self.e.scalar(Scalar::F16, false);
        let (pair, u32) = (self.e.w.vector_ty(half, 2), self.e.w.u32_ty());
        let zero = self.e.constant(Type::F16, 0);
        let of_two = |two: &[Id]| {
            let both = self.composite(pair, &[two[0], two.get(1).copied().unwrap_or(zero)]);
            self.op(Op::Bitcast, u32, &[both])
        };
        f16s.chunks(2).map(of_two).collect()
    }

    /// The number 0, which no compiler knows as long as it does not know the words: the last bit of the product of a number and its neighbour. All words take
    /// part, since a driver may know some of them.
    fn unseen_zero(&mut self, words: &[Id]) -> Id {
        let u32 = self.e.w.u32_ty();
        let one = self.e.w.u32(1);
        let (&first, rest) = words.split_first().expect("a vector has components");
        let sum = rest.iter().fold(first, |sum, &w| self.op(Op::IAdd, u32, &[sum, w]));
        let neighbour = self.op(Op::BitwiseXor, u32, &[sum, one]);
        let product = self.op(Op::IMul, u32, &[sum, neighbour]);
        self.op(Op::BitwiseAnd, u32, &[product, one])
    }
}
