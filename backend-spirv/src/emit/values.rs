//! Arithmetic that takes more than one SPIR-V instruction, conversions and vectors.

use rtc_ir::{Inst, Opcode, Scalar, Type, Value, ValueDef};
use rtc_passes::finite::Finite;
use rtc_passes::ranges::Ranges;
use spirv::{GlslStd450Op as GLOp, Op};

use super::FuncEmitter;
use super::forms::Form;
use crate::words::{Id, TypeId};

impl FuncEmitter<'_, '_> {
    /// The scalar constant repeated to the shape of `t`.
    fn splat(&mut self, t: Type, bits: u64) -> Id {
        self.e.splat_constant(t, bits)
    }

    /// The bits of the number `x` in the float scalar of `t`.
    pub(crate) fn float_bits(&self, t: Type, x: f64) -> u64 {
        match self.m.types.elem(t) {
            Scalar::F16 => rtc_base::half::from_f64(x) as u64,
            Scalar::F64 => x.to_bits(),
            _ => (x as f32).to_bits() as u64,
        }
    }

    pub(crate) fn value_inst(&mut self, i: Inst) {
        let result = self.f.result(i);
        let rty = self.f.ty(result);
        let ty = self.e.ty(rty);
        let args = self.f.operands(i);
        let t0 = self.f.ty(args[0]);
        let op = self.f.op(i);
        let a = self.vals(&args);
        let id = match op {
            Opcode::fmad => self.product_and_sum(i, ty, &a),
            Opcode::imad => {
                let product = self.op(Op::IMul, ty, &a[..2]);
                self.op(Op::IAdd, ty, &[product, a[2]])
            }
            Opcode::saturate => {
                let zero = self.splat(t0, 0);
                let one = self.splat(t0, self.float_bits(t0, 1.0));
                // `FClamp` is a modifier of other instructions on some GPUs, but may give anything for what is not a number.
                let clamp = if self.is_finite(args[0]) { GLOp::FClamp } else { GLOp::NClamp };
                self.glsl(clamp, ty, &[a[0], zero, one])
            }
            Opcode::isfinite => {
                let (nan, inf) = (self.op(Op::IsNan, ty, &a), self.op(Op::IsInf, ty, &a));
                let either = self.op(Op::LogicalOr, ty, &[nan, inf]);
                self.op(Op::LogicalNot, ty, &[either])
            }
            Opcode::isnormal => self.is_normal(ty, t0, &a),
            Opcode::shl | Opcode::ashr | Opcode::lshr => self.shift(op, ty, &args, &a),
            Opcode::srem => self.signed_remainder(i, ty, &args, &a),
            Opcode::ubfe | Opcode::sbfe => {
                let o = if op == Opcode::ubfe { Op::BitFieldUExtract } else { Op::BitFieldSExtract };
                self.bit_field(o, rty, &args, &a)
            }
            Opcode::select => self.select(ty, rty, t0, &a),
            Opcode::sext | Opcode::zext if self.m.types.elem(t0) == Scalar::Bool => {
                let bits = self.m.types.elem(rty).bits();
                let one = if op == Opcode::zext { 1 } else { u64::MAX >> (64 - bits) };
                let (yes, no) = (self.splat(rty, one), self.splat(rty, 0));
                self.op(Op::Select, ty, &[a[0], yes, no])
            }
            Opcode::sext => self.op(Op::SConvert, ty, &a),
            Opcode::zext => self.op(Op::UConvert, ty, &a),
            Opcode::bitcast => {
                if rty == t0 {
                    a[0]
                } else {
                    self.op(Op::Bitcast, ty, &a)
                }
            }
            Opcode::f32tof16 => self.per_component(rty, t0, a[0], Type::I32, |this, x| {
                let f32 = this.e.w.f32_ty();
                let v2 = this.e.w.vector_ty(f32, 2);
                let zero = this.e.constant(Type::F32, 0);
                let pair = this.composite(v2, &[x, zero]);
                let u32 = this.e.w.u32_ty();
                this.glsl(GLOp::PackHalf2x16, u32, &[pair])
            }),
            Opcode::f16tof32 => self.per_component(rty, t0, a[0], Type::F32, |this, x| {
                let f32 = this.e.w.f32_ty();
                let v2 = this.e.w.vector_ty(f32, 2);
                let pair = this.glsl(GLOp::UnpackHalf2x16, v2, &[x]);
                this.extract(f32, pair, &[0])
            }),
            Opcode::make_double => {
                let u32 = self.e.w.u32_ty();
                let v2 = self.e.w.vector_ty(u32, 2);
                let pair = self.composite(v2, &a);
                self.op(Op::Bitcast, ty, &[pair])
            }
            Opcode::split_double => self.op(Op::Bitcast, ty, &a),
            Opcode::extract_dyn => self.chosen(t0, a[0], a[1]),
            Opcode::insert_dyn => self.with_chosen(rty, &a),
            Opcode::dot2add | Opcode::dot4add_i8 | Opcode::dot4add_u8 => self.dot_add(op, &a),
            Opcode::status_ok => {
                let b = self.e.scalar(Scalar::Bool, false);
                self.op(Op::ImageSparseTexelsResident, b, &a)
            }
            _ => {
                self.error(format!("`{op}` has no SPIR-V form"));
                self.e.w.undef(ty)
            }
        };
        self.set(result, id);
    }

    /// A product of floats and a sum, each exact if the instruction is.
    fn product_and_sum(&mut self, i: Inst, ty: TypeId, a: &[Id]) -> Id {
        let product = self.op(Op::FMul, ty, &a[..2]);
        let sum = self.op(Op::FAdd, ty, &[product, a[2]]);
        if self.f.is_precise(i) {
            self.e.w.decorate(product, spirv::Decoration::NoContraction, &[]);
            self.e.w.decorate(sum, spirv::Decoration::NoContraction, &[]);
        }
        sum
    }

    /// Normal: not smaller in magnitude than the smallest normal number, and finite.
    fn is_normal(&mut self, ty: TypeId, t: Type, a: &[Id]) -> Id {
        let (smallest, largest) = match self.m.types.elem(t) {
            Scalar::F16 => (0x0400, 0x7bff),
            Scalar::F64 => (f64::MIN_POSITIVE.to_bits(), f64::MAX.to_bits()),
            _ => (f32::MIN_POSITIVE.to_bits() as u64, f32::MAX.to_bits() as u64),
        };
        let fty = self.e.ty(t);
        let magnitude = self.glsl(GLOp::FAbs, fty, a);
        let (lo, hi) = (self.splat(t, smallest), self.splat(t, largest));
        let above = self.op(Op::FOrdGreaterThanEqual, ty, &[magnitude, lo]);
        let below = self.op(Op::FOrdLessThanEqual, ty, &[magnitude, hi]);
        self.op(Op::LogicalAnd, ty, &[above, below])
    }

    /// A shift.
    fn shift(&mut self, op: Opcode, ty: TypeId, args: &[Value], a: &[Id]) -> Id {
        let t0 = self.f.ty(args[0]);
        let bits = u64::from(self.m.types.elem(t0).bits());
        // Amounts are modulo the width in HLSL, undefined beyond it in SPIR-V.
        let amount = match self.f.values[args[1]].def {
            ValueDef::Const(n) if n < bits => a[1],
            _ if self.known_below(a[1], bits as u32) => a[1],
            _ => {
                let mask = self.splat(t0, bits - 1);
                self.op(Op::BitwiseAnd, ty, &[a[1], mask])
            }
        };
        let o = match op {
            Opcode::shl => Op::ShiftLeftLogical,
            Opcode::ashr => Op::ShiftRightArithmetic,
            _ => Op::ShiftRightLogical,
        };
        self.op(o, ty, &[a[0], amount])
    }

    /// A selection; SPIR-V before 1.4 has no scalar condition for vectors.
    fn select(&mut self, ty: TypeId, rty: Type, t0: Type, a: &[Id]) -> Id {
        let lanes = self.m.types.lanes(rty);
        let mut cond = a[0];
        if lanes > 1 && self.m.types.lanes(t0) == 1 {
            let b = self.e.scalar(Scalar::Bool, false);
            let bty = self.e.w.vector_ty(b, lanes);
            cond = self.composite(bty, &vec![cond; lanes as usize]);
        }
        self.op(Op::Select, ty, &[cond, a[1], a[2]])
    }

    /// Whether a value is a finite number in each component.
    fn is_finite(&mut self, v: Value) -> bool {
        let (types, f) = (&self.m.types, self.f);
        self.finite.get_or_insert_with(|| Finite::of(types, f)).is_finite(v)
    }

    /// `a % b` with the sign of `a`. Vulkan leaves `OpSRem` open where an operand is negative, but not `OpSDiv`.
    fn signed_remainder(&mut self, i: Inst, ty: TypeId, args: &[Value], a: &[Id]) -> Id {
        let (types, f) = (&self.m.types, self.f);
        let ranges = self.ranges.get_or_insert_with(|| Ranges::of(types, f));
        let negative = |&v: &Value| match (f.values[v].def, f.ty(v)) {
            (ValueDef::Const(n), t) => n >> (types.elem(t).bits() - 1) & 1 == 1,
            (_, Type::I32) => ranges.at(v, i).smin < 0,
            _ => true,
        };
        if !args.iter().any(negative) {
            return self.op(Op::SRem, ty, a);
        }
        if let Some(&Form::LowBits(mask)) = self.forms.get(&i) {
            return self.remainder_of_power(ty, self.f.ty(args[0]), a[0], mask);
        }
        let quotient = self.op(Op::SDiv, ty, a);
        let product = self.op(Op::IMul, ty, &[quotient, a[1]]);
        self.op(Op::ISub, ty, &[a[0], product])
    }

    /// `a` modulo the power of two after `mask`, with the sign of `a`: what is left after the multiple next to zero. That of a negative number is found
    /// from the number plus `mask`.
    fn remainder_of_power(&mut self, ty: TypeId, t: Type, a: Id, mask: u64) -> Id {
        let bits = self.m.types.elem(t).bits();
        let (all, last) = (u64::MAX >> (64 - bits), self.splat(t, u64::from(bits - 1)));
        let (low, high) = (self.splat(t, mask), self.splat(t, !mask & all));
        let sign = self.op(Op::ShiftRightArithmetic, ty, &[a, last]);
        let more = self.op(Op::BitwiseAnd, ty, &[sign, low]);
        let up = self.op(Op::IAdd, ty, &[a, more]);
        let multiple = self.op(Op::BitwiseAnd, ty, &[up, high]);
        self.op(Op::ISub, ty, &[a, multiple])
    }

    /// `value >> offset`, `width` bits wide; SPIR-V requires scalar offset and width.
    fn bit_field(&mut self, o: Op, rty: Type, args: &[Value], a: &[Id]) -> Id {
        let ty = self.e.ty(rty);
        let (s, lanes) = self.m.types.numeric(rty).expect("an integer");
        if lanes == 1 {
            return self.bit_field_scalar(o, ty, s, a);
        }
        let sty = self.e.scalar(s, false);
        let parts: Vec<Id> = (0..lanes)
            .map(|n| {
                let one: Vec<Id> = a.iter().map(|&v| self.component(v, sty, n, lanes)).collect();
                self.bit_field_scalar(o, sty, s, &one)
            })
            .collect();
        debug_assert_eq!(args.len(), 3);
        self.composite(ty, &parts)
    }

    fn bit_field_scalar(&mut self, o: Op, ty: TypeId, s: Scalar, a: &[Id]) -> Id {
        // HLSL takes width and offset modulo 32 and stops at the top bit; SPIR-V leaves that undefined.
        if let (32, Some(width), Some(offset)) = (s.bits(), self.e.w.as_u32(a[0]), self.e.w.as_u32(a[1])) {
            let offset = offset % 32;
            let width = (width % 32).min(32 - offset);
            // Few devices have an instruction for fields, and fields at an end need one of two.
            let (op, by) = match (o, offset) {
                _ if width == 0 => (o, None),
                (Op::BitFieldUExtract, 0) => (Op::BitwiseAnd, Some(u32::MAX >> (32 - width))),
                (Op::BitFieldUExtract, _) if offset + width == 32 => (Op::ShiftRightLogical, Some(offset)),
                (Op::BitFieldSExtract, _) if offset + width == 32 => (Op::ShiftRightArithmetic, Some(offset)),
                _ => (o, None),
            };
            if let Some(by) = by {
                let by = self.e.w.u32(by);
                return self.op(op, ty, &[a[2], by]);
            }
            let (width, offset) = (self.e.w.u32(width), self.e.w.u32(offset));
            return self.op(o, ty, &[a[2], offset, width]);
        }
        let scalar = self.m.types.scalar(s);
        let mask = self.e.constant(scalar, u64::from(s.bits() - 1));
        let width = self.op(Op::BitwiseAnd, ty, &[a[0], mask]);
        let offset = self.op(Op::BitwiseAnd, ty, &[a[1], mask]);
        let bits = self.e.constant(scalar, u64::from(s.bits()));
        let room = self.op(Op::ISub, ty, &[bits, offset]);
        let width = self.glsl(GLOp::UMin, ty, &[width, room]);
        self.op(o, ty, &[a[2], offset, width])
    }

    /// A component whose number is only known at run time, by selections: a driver may put the vector into memory for `OpVectorExtractDynamic`, which takes 1.1
    /// times as long on an H200, and 1.3 times where a component is written.
    fn chosen(&mut self, t: Type, v: Id, number: Id) -> Id {
        let (s, lanes) = self.m.types.numeric(t).expect("a vector");
        let (scalar, bool_ty) = (self.e.scalar(s, false), self.e.scalar(Scalar::Bool, false));
        let mut id = self.component(v, scalar, lanes - 1, lanes);
        for n in (0..lanes - 1).rev() {
            let (this, at) = (self.component(v, scalar, n, lanes), self.e.w.u32(n));
            let is = self.op(Op::IEqual, bool_ty, &[number, at]);
            id = self.op(Op::Select, scalar, &[is, this, id]);
        }
        id
    }

    /// A vector (`a[0]`) with such a component (`a[1]`) replaced (by `a[2]`).
    fn with_chosen(&mut self, t: Type, a: &[Id]) -> Id {
        let (ty, lanes) = (self.e.ty(t), self.m.types.lanes(t));
        let (word, bool_ty) = (self.e.w.u32_ty(), self.e.scalar(Scalar::Bool, false));
        let (numbers_ty, which_ty) = (self.e.w.vector_ty(word, lanes), self.e.w.vector_ty(bool_ty, lanes));
        let numbers: Vec<Id> = (0..lanes).map(|n| self.e.w.u32(n)).collect();
        let numbers = self.e.w.composite(numbers_ty, &numbers);
        let splat = |id: Id| vec![id; lanes as usize];
        let number = self.composite(numbers_ty, &splat(a[1]));
        let x = self.composite(ty, &splat(a[2]));
        let which = self.op(Op::IEqual, which_ty, &[number, numbers]);
        self.op(Op::Select, ty, &[which, x, a[0]])
    }

    /// A component of a vector: of one that was put together of scalars one of these.
    fn component(&mut self, v: Id, sty: TypeId, n: u32, lanes: u32) -> Id {
        match self.parts.get(&v).filter(|p| p.len() == lanes as usize) {
            Some(parts) => parts[n as usize],
            None => self.extract(sty, v, &[n]),
        }
    }

    /// Whether all components of a vector are constants below a bound.
    fn known_below(&self, v: Id, bound: u32) -> bool {
        self.parts.get(&v).is_some_and(|p| !p.is_empty() && p.iter().all(|&c| self.e.w.as_u32(c).is_some_and(|n| n < bound)))
    }

    fn per_component(&mut self, rty: Type, aty: Type, a: Id, out: Type, mut f: impl FnMut(&mut Self, Id) -> Id) -> Id {
        let lanes = self.m.types.lanes(rty);
        if lanes == 1 {
            return f(self, a);
        }
        let s = self.m.types.elem(aty);
        let sty = self.e.scalar(s, false);
        debug_assert_eq!(self.m.types.elem(rty), self.m.types.elem(out));
        let parts: Vec<Id> = (0..lanes)
            .map(|n| {
                let x = self.extract(sty, a, &[n]);
                f(self, x)
            })
            .collect();
        let ty = self.e.ty(rty);
        self.composite(ty, &parts)
    }

    pub(crate) fn vector_inst(&mut self, i: Inst, op: Opcode, imm: u32, args: &[Value]) {
        let result = self.f.result(i);
        let ty = self.ty_of(result);
        let id = match op {
            Opcode::extract => {
                let v = self.val(args[0]);
                let lanes = self.m.types.lanes(self.f.ty(args[0])) as usize;
                // A component of a vector that was put together of scalars is one of these.
                match self.parts.get(&v).filter(|p| p.len() == lanes) {
                    Some(parts) => parts[imm as usize],
                    None => self.extract(ty, v, &[imm]),
                }
            }
            Opcode::insert => {
                let (v, x) = (self.val(args[0]), self.val(args[1]));
                self.insert(ty, x, v, imm)
            }
            _ => self.construct(i, ty, args),
        };
        self.set(result, id);
    }

    fn construct(&mut self, i: Inst, ty: TypeId, args: &[Value]) -> Id {
        if args.iter().all(|&v| self.f.as_const(v).is_some()) {
            let ids = self.vals(args);
            return self.e.w.composite(ty, &ids);
        }
        if let Some(Form::Swizzle(v, lanes)) = self.forms.get(&i).cloned() {
            let id = self.val(v);
            let identity = lanes.iter().enumerate().all(|(n, &l)| n as u32 == l);
            if identity && self.m.types.lanes(self.f.ty(v)) as usize == lanes.len() {
                return id;
            }
            return self.shuffle(ty, [id, id], &lanes);
        }
        let ids = self.vals(args);
        self.composite(ty, &ids)
    }
}
