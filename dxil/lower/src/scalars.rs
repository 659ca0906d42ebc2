//! Peephole simplification of single components: constants among the components of a vector that is not constant as a whole, which
//! earlier passes do not fold.
//!
//! Only 32-bit numbers and booleans are simplified: with others, the code could lose features that RDAT states of the same library in a
//! package, where it is computed from the IR.

use rtc_ir::{Inst, Opcode, Scalar, eval};
use smallvec::SmallVec;

use super::func::Writer;
use rtc_dxil_module::{BinOp, CastOp, Const, ConstKind, Op, Type, TypeKind, Value};

impl Writer<'_, '_> {
    /// What a component of instruction `i` is without computing it, or a simpler way to compute it.
    pub(super) fn simpler(&mut self, i: Inst, from: Scalar, to: Scalar, to_ty: Type, args: &[Value]) -> Option<Value> {
        let fits = |s| matches!(s, Scalar::Bool | Scalar::I32 | Scalar::F32);
        if !fits(from) || !fits(to) || !args.iter().any(|a| matches!(a, Value::Const(_))) {
            return None;
        }
        let op = self.f.op(i);
        let bits: SmallVec<[Option<u64>; 3]> = args.iter().map(|&a| self.bits(a, from)).collect();
        let all: Option<SmallVec<[u64; 3]>> = bits.iter().copied().collect();
        if let Some(all) = all {
            let bits = eval::in_module(self.m, op, from, to, &all)?;
            return Some(self.constant_of(to, to_ty, bits));
        }
        if self.e.is_exact() || eval::is_flushed(self.m, op, to) {
            return None;
        }
        match from {
            Scalar::F32 => self.simpler_float(op, args, &bits),
            _ => simpler_int(op, args, &bits).or_else(|| self.divided_by_power(op, args, &bits)),
        }
    }

    fn simpler_float(&mut self, op: Opcode, args: &[Value], bits: &[Option<u64>]) -> Option<Value> {
        use Opcode as O;
        let is = |n: usize, x: f32| bits.get(n).copied().flatten() == Some(x.to_bits().into());
        let zero = |n| is(n, 0.0) || is(n, -0.0);
        let fast = rtc_dxil_module::flags::FAST;
        match op {
            O::fadd | O::fsub if zero(1) => Some(args[0]),
            O::fadd if zero(0) => Some(args[1]),
            O::fmul | O::fdiv if is(1, 1.0) => Some(args[0]),
            O::fmul if is(0, 1.0) => Some(args[1]),
            O::fdiv => {
                let c = f32::from_bits(bits[1]? as u32);
                let factor = eval::reciprocal_of_power(c)?.to_bits();
                let ty = self.e.b().type_of(args[1]);
                let factor = self.constant_of(Scalar::F32, ty, factor.into());
                Some(self.e.b().binary(BinOp::Mul, args[0], factor, fast))
            }
            O::fmad if is(0, 1.0) || is(1, 1.0) => {
                let other = if is(0, 1.0) { args[1] } else { args[0] };
                Some(if zero(2) { other } else { self.e.b().binary(BinOp::Add, other, args[2], fast) })
            }
            O::fmad if is(0, -1.0) || is(1, -1.0) => {
                let other = if is(0, -1.0) { args[1] } else { args[0] };
                Some(self.e.b().binary(BinOp::Sub, args[2], other, fast))
            }
            O::fmad if zero(2) => Some(self.e.b().binary(BinOp::Mul, args[0], args[1], fast)),
            _ => None,
        }
    }

    /// An unsigned division by a power of two, or what remains.
    fn divided_by_power(&mut self, op: Opcode, args: &[Value], bits: &[Option<u64>]) -> Option<Value> {
        let c = bits.get(1).copied().flatten().filter(|c| c.is_power_of_two())?;
        let (op, n) = match op {
            Opcode::udiv => (BinOp::LShr, c.trailing_zeros().into()),
            Opcode::urem => (BinOp::And, c - 1),
            _ => return None,
        };
        let ty = self.e.b().type_of(args[1]);
        let n = self.constant_of(Scalar::I32, ty, n);
        Some(self.e.b().binary(op, args[0], n, 0))
    }

    /// A number of type `a` with its bits as one of type `b`, which `ty` is.
    pub(super) fn bits_as(&mut self, v: Value, a: Scalar, b: Scalar, ty: Type) -> Value {
        if let (32, Some(bits)) = (a.bits(), self.bits(v, a)) {
            return self.constant_of(b, ty, bits);
        }
        let mut v = v;
        if let Value::Inst(i) = v
            && let Op::Cast { op: CastOp::BitCast, value } = self.e.b().body().insts[i].op
        {
            v = value;
        }
        self.e.b().cast(CastOp::BitCast, v, ty)
    }

    /// The most that an unsigned number can be, as far as the last `depth` instructions say.
    pub(super) fn most(&mut self, v: Value, depth: u32) -> Option<u64> {
        let Value::Inst(i) = v else {
            return self.e.int_const(v).and_then(|n| u64::try_from(n).ok());
        };
        let depth = depth.checked_sub(1)?;
        match self.e.b().body().insts[i].op {
            Op::Binary { op: BinOp::And, lhs, rhs, .. } => {
                let (a, b) = (self.most(lhs, depth), self.most(rhs, depth));
                a.into_iter().chain(b).min()
            }
            Op::Binary { op: BinOp::LShr, lhs, rhs, .. } => {
                let by = self.e.int_const(rhs)?;
                let ty = self.e.b().type_of(lhs);
                let TypeKind::Int(bits) = self.e.out.types[ty] else { return None };
                let all = u64::MAX >> (64 - bits.clamp(1, 64));
                all.checked_shr(u32::try_from(by).ok()?)
            }
            Op::Binary { op: BinOp::URem, rhs, .. } => self.e.int_const(rhs).and_then(|n| u64::try_from(n).ok()?.checked_sub(1)),
            // Nothing that is small enough to matter wraps.
            Op::Binary { op: BinOp::Add, lhs, rhs, .. } => {
                let sum = self.most(lhs, depth)?.checked_add(self.most(rhs, depth)?)?;
                (sum <= 1 << 15).then_some(sum)
            }
            Op::Select { then, other, .. } => Some(self.most(then, depth)?.max(self.most(other, depth)?)),
            Op::Cast { op: CastOp::ZExt, value } => match self.most(value, depth) {
                Some(most) => Some(most),
                None => {
                    let ty = self.e.b().type_of(value);
                    matches!(self.e.out.types[ty], TypeKind::Int(1)).then_some(1)
                }
            },
            _ => None,
        }
    }

    /// The bits of a constant of a scalar type.
    fn bits(&self, v: Value, s: Scalar) -> Option<u64> {
        let Value::Const(c) = v else { return None };
        match self.e.out.consts[c].kind {
            ConstKind::Int(n) => Some(n as u64 & (u64::MAX >> (64 - s.bits()))),
            ConstKind::Float(bits) => Some(bits),
            _ => None,
        }
    }

    fn constant_of(&mut self, s: Scalar, ty: Type, bits: u64) -> Value {
        let out = &mut *self.e.out;
        let c: Const = match s {
            Scalar::F32 => out.consts.float_bits(ty, bits),
            _ => out.consts.int(&out.types, ty, eval::to_i64(s, bits)),
        };
        Value::Const(c)
    }
}

fn simpler_int(op: Opcode, args: &[Value], bits: &[Option<u64>]) -> Option<Value> {
    use Opcode as O;
    let is = |n: usize, x: u64| bits.get(n).copied().flatten() == Some(x);
    match op {
        O::iadd | O::isub | O::or | O::xor | O::shl | O::lshr | O::ashr if is(1, 0) => Some(args[0]),
        O::iadd | O::or | O::xor if is(0, 0) => Some(args[1]),
        O::imul | O::udiv | O::sdiv if is(1, 1) => Some(args[0]),
        O::imul if is(0, 1) => Some(args[1]),
        _ => None,
    }
}
