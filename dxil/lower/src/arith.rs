//! Lowering of arithmetic, one component at a time: table-driven instructions, and the few without a row.

use rtc_ir::{self as ir, Inst, Opcode, Scalar};
use rtc_tables::dxil_ops::op;
use smallvec::SmallVec;

use super::emitter::EmitResult;
use super::func::Writer;
use super::live::has_lane;
use super::select::{Lowering, operation};
use super::values::Components;
use rtc_dxil_module::{BinOp, CastOp, CmpPred, Type, Value};

impl Writer<'_, '_> {
    /// Scalar type of the components of an operand.
    pub(super) fn elem(&self, v: ir::Value) -> EmitResult<Scalar> {
        let n = self.m.types.numeric(self.f.ty(v));
        n.map(|n| n.0).ok_or_else(|| "resources and hit objects cannot be chosen or computed at run time".into())
    }

    /// An instruction that a row describes.
    pub(super) fn by_row(&mut self, i: Inst, what: Lowering) -> EmitResult {
        let operands = self.f.operands(i);
        let first = *operands.first().ok_or("an operation without operands")?;
        let from = self.elem(first)?;
        let result = self.f.result(i);
        let to = self.elem(result)?;
        let (from_ty, to_ty) = (self.e.scalar(from), self.e.scalar(to));
        let inputs: SmallVec<[Components; 3]> = operands.iter().map(|&v| self.defined(v)).collect();
        let lanes = self.facts.live.lanes(result);
        let mut out = Components::new();
        for c in 0..inputs[0].len() {
            if !has_lane(lanes, c) {
                let undef = self.e.out.undef(to_ty);
                out.push(undef);
                continue;
            }
            let args: SmallVec<[Value; 3]> = inputs.iter().map(|p| p[c.min(p.len() - 1)]).collect();
            out.push(match self.simpler(i, from, to, to_ty, &args) {
                Some(v) => v,
                None => self.component(i, what, from, from_ty, to_ty, &args)?,
            });
        }
        self.set(result, &out);
        Ok(())
    }

    fn component(&mut self, i: Inst, what: Lowering, from: Scalar, from_ty: Type, to_ty: Type, args: &[Value]) -> EmitResult<Value> {
        let fast = self.float_flags(i);
        Ok(match what {
            Lowering::Float(op) => self.e.b().binary(op, args[0], args[1], fast),
            Lowering::Int(op) => self.e.b().binary(op, args[0], args[1], 0),
            Lowering::Shift(op) => {
                let amount = self.shift_amount(args[1], from);
                self.e.b().binary(op, args[0], amount, 0)
            }
            Lowering::Div(op) => self.divide(op, from_ty, args[0], args[1]),
            Lowering::Cmp(pred) => {
                let flags = if pred.is_float() { fast } else { 0 };
                self.e.b().cmp(pred, args[0], args[1], flags)
            }
            Lowering::Cast(op) => self.e.b().cast(op, args[0], to_ty),
            // The extension of a half that is not normal is a normal float, so its bits are tested.
            Lowering::Dx(op::IS_NORMAL) if from == Scalar::F16 && self.m.shader_model < 9 && self.m.native_16bit => {
                let int = self.e.out.types.i16();
                let (mask, least, count) =
                    (self.e.out.const_int(16, 0x7c00), self.e.out.const_int(16, -0x400), self.e.out.const_int(16, 0x7800));
                let bits = self.e.b().cast(CastOp::BitCast, args[0], int);
                let exponent = self.e.b().binary(BinOp::And, bits, mask, 0);
                let above = self.e.b().binary(BinOp::Add, exponent, least, 0);
                self.e.b().cmp(CmpPred::IUlt, above, count, 0)
            }
            Lowering::Dx(op) => {
                let mut args: SmallVec<[Value; 3]> = SmallVec::from_slice(args);
                let mut ty = from_ty;
                if matches!(op, op::IS_NAN | op::IS_INF | op::IS_FINITE | op::IS_NORMAL) && from == Scalar::F16 && self.m.shader_model < 9 {
                    ty = self.e.out.types.float();
                    args[0] = self.e.b().cast(CastOp::FpExt, args[0], ty);
                }
                let v = self.e.dx(op, Some(ty), &args)?;
                self.mark_precise(i, v);
                v
            }
            Lowering::FromTop(op) => {
                let found = self.e.dx(op, Some(from_ty), args)?;
                let last = self.e.out.i32(from.bits() as i32 - 1);
                let none = self.e.out.i32(-1);
                let up = self.e.b().binary(BinOp::Sub, last, found, 0);
                let missing = self.e.b().cmp(CmpPred::IEq, found, none, 0);
                self.e.b().select(missing, none, up)
            }
            Lowering::Custom(_) => return Err("this instruction has no DXIL form".into()),
        })
    }

    /// The amount of a shift within the width.
    fn shift_amount(&mut self, amount: Value, s: Scalar) -> Value {
        let bits = i64::from(s.bits());
        if let Some(n) = self.e.int_const(amount) {
            return self.e.out.const_int(s.bits(), n.rem_euclid(bits));
        }
        if self.most(amount, 4).is_some_and(|most| most < s.bits().into()) {
            return amount;
        }
        let mask = self.e.out.const_int(s.bits(), bits - 1);
        self.e.b().binary(BinOp::And, amount, mask, 0)
    }

    /// Division; by the constant zero it gives all bits set, as hardware does.
    fn divide(&mut self, op: BinOp, ty: Type, a: Value, b: Value) -> Value {
        if self.e.int_const(b) == Some(0) {
            let out = &mut *self.e.out;
            return Value::Const(out.consts.int(&out.types, ty, -1));
        }
        self.e.b().binary(op, a, b, 0)
    }

    /// Arithmetic without a row.
    pub(super) fn arith(&mut self, i: Inst, op: Opcode) -> EmitResult {
        let operands = self.f.operands(i);
        let first = *operands.first().ok_or("this instruction has no DXIL form")?;
        let result = self.f.result(i);
        let out = match op {
            Opcode::fneg => {
                let (s, parts) = (self.elem(first)?, self.defined(first));
                let sign = 1u64 << (s.bits() - 1);
                let ty = self.e.scalar(s);
                let zero = Value::Const(self.e.out.consts.float_bits(ty, sign));
                let fast = self.float_flags(i);
                self.used(result, &parts, |w, p| w.e.b().binary(BinOp::Sub, zero, p, fast))
            }
            Opcode::ineg | Opcode::not => {
                let (s, parts) = (self.elem(first)?, self.defined(first));
                let (op, n) = if op == Opcode::ineg { (BinOp::Sub, 0) } else { (BinOp::Xor, -1) };
                let c = self.e.out.const_int(s.bits(), n);
                let pair = |p| if op == BinOp::Sub { (c, p) } else { (p, c) };
                self.used(result, &parts, |w, p| {
                    let (a, b) = pair(p);
                    w.e.b().binary(op, a, b, 0)
                })
            }
            Opcode::select => self.select(result, &operands)?,
            Opcode::dot => SmallVec::from_slice(&[self.dot(i, first, operands[1])?]),
            Opcode::fconv => self.fconv(first, result)?,
            Opcode::bitcast => self.bitcast(first, result)?,
            Opcode::f32tof16 | Opcode::f16tof32 => {
                let n = if op == Opcode::f32tof16 { op::LEGACY_F32_TO_F16 } else { op::LEGACY_F16_TO_F32 };
                let parts = self.defined(first);
                parts.iter().map(|&p| self.e.dx(n, None, &[p])).collect::<EmitResult<Components>>()?
            }
            Opcode::make_double => {
                let (lo, hi) = (self.one(first), self.one(operands[1]));
                SmallVec::from_slice(&[self.pair_to_double(lo, hi)?])
            }
            Opcode::split_double => {
                let v = self.one(first);
                let (lo, hi) = self.split_double(v)?;
                SmallVec::from_slice(&[lo, hi])
            }
            Opcode::dot2add | Opcode::dot4add_i8 | Opcode::dot4add_u8 => {
                let v = self.dot_add(op, &operands)?;
                SmallVec::from_slice(&[v])
            }
            Opcode::status_ok => {
                // What took several accesses has the status of each.
                let i32 = self.e.out.types.i32();
                let mut all = None;
                for v in self.defined(first) {
                    let ok = self.e.dx(op::CHECK_ACCESS_FULLY_MAPPED, Some(i32), &[v])?;
                    all = Some(match all {
                        Some(all) => self.e.b().binary(BinOp::And, all, ok, 0),
                        None => ok,
                    });
                }
                SmallVec::from_slice(&[all.ok_or("nothing was accessed")?])
            }
            Opcode::extract_dyn => self.extract_dyn(first, operands[1])?,
            Opcode::insert_dyn => self.insert_dyn(first, operands[1], operands[2])?,
            _ => return Err("this instruction has no DXIL form".into()),
        };
        self.set(result, &out);
        Ok(())
    }

    fn select(&mut self, result: ir::Value, operands: &[ir::Value]) -> EmitResult<Components> {
        self.elem(result)?;
        let cond = self.defined(operands[0]);
        let (a, b) = (self.defined(operands[1]), self.defined(operands[2]));
        let lanes = self.facts.live.lanes(result);
        let mut out = Components::new();
        for c in 0..a.len() {
            let test = cond[c.min(cond.len() - 1)];
            out.push(match self.e.int_const(test) {
                _ if !has_lane(lanes, c) || a[c] == b[c] => a[c],
                Some(0) => b[c],
                Some(_) => a[c],
                None => self.e.b().select(test, a[c], b[c]),
            });
        }
        Ok(out)
    }

    fn dot(&mut self, i: Inst, a: ir::Value, b: ir::Value) -> EmitResult<Value> {
        let s = self.elem(a)?;
        let ty = self.e.scalar(s);
        let (x, y) = (self.defined(a), self.defined(b));
        let fast = self.float_flags(i);
        if let Some(product) = operation(self.m, self.f, i) {
            let args: SmallVec<[Value; 8]> = x.iter().chain(&y).copied().collect();
            let v = self.e.dx(product, Some(ty), &args)?;
            self.mark_precise(i, v);
            return Ok(v);
        }
        let mut sum = self.e.b().binary(BinOp::Mul, x[0], y[0], fast);
        for c in 1..x.len() {
            let v = self.e.dx(op::FMAD, Some(ty), &[x[c], y[c], sum])?;
            self.mark_precise(i, v);
            sum = v;
        }
        Ok(sum)
    }

    fn fconv(&mut self, from: ir::Value, result: ir::Value) -> EmitResult<Components> {
        let (a, b) = (self.elem(from)?, self.elem(result)?);
        let ty = self.e.scalar(b);
        let parts = self.defined(from);
        let op = if a.bits() < b.bits() { CastOp::FpExt } else { CastOp::FpTrunc };
        Ok(self.used(result, &parts, |w, p| if a == b { p } else { w.e.b().cast(op, p, ty) }))
    }

    /// `compute` of those components of which the result is used.
    fn used(&mut self, result: ir::Value, parts: &[Value], mut compute: impl FnMut(&mut Self, Value) -> Value) -> Components {
        let lanes = self.facts.live.lanes(result);
        let nothing = self.undef_parts(self.f.ty(result));
        let each = (0u32..).zip(parts).zip(nothing);
        each.map(|((c, &p), none)| if !has_lane(lanes, c as usize) { none } else { compute(self, p) }).collect()
    }

    fn bitcast(&mut self, from: ir::Value, result: ir::Value) -> EmitResult<Components> {
        let (a, b) = (self.elem(from)?, self.elem(result)?);
        if a != b && a.bits() == 16 && !self.m.native_16bit {
            return Err("the bits of minimum-precision numbers cannot be reinterpreted; use -enable-16bit-types".into());
        }
        let ty = self.e.scalar(b);
        let parts = self.parts(from);
        let mut out = Components::new();
        for p in parts {
            let p = self.e.define(p);
            out.push(self.bits_as(p, a, b, ty));
        }
        Ok(out)
    }

    /// A double from its words.
    pub(super) fn pair_to_double(&mut self, lo: Value, hi: Value) -> EmitResult<Value> {
        let ty = self.e.out.types.double();
        self.e.dx(op::MAKE_DOUBLE, Some(ty), &[lo, hi])
    }

    /// The words of a double.
    pub(super) fn split_double(&mut self, v: Value) -> EmitResult<(Value, Value)> {
        let ty = self.e.out.types.double();
        let both = self.e.dx(op::SPLIT_DOUBLE, Some(ty), &[v])?;
        Ok((self.e.b().extract_value(both, 0), self.e.b().extract_value(both, 1)))
    }

    fn extract_dyn(&mut self, vector: ir::Value, index: ir::Value) -> EmitResult<Components> {
        let (parts, index) = (self.defined(vector), self.one(index));
        let mut out = parts[0];
        for (c, &p) in parts.iter().enumerate().skip(1) {
            let n = self.e.out.i32(c as i32);
            let here = self.e.b().cmp(CmpPred::IEq, index, n, 0);
            out = self.e.b().select(here, p, out);
        }
        Ok(SmallVec::from_slice(&[out]))
    }

    fn insert_dyn(&mut self, vector: ir::Value, index: ir::Value, x: ir::Value) -> EmitResult<Components> {
        let (mut parts, index, x) = (self.defined(vector), self.one(index), self.one(x));
        for (c, p) in parts.iter_mut().enumerate() {
            let n = self.e.out.i32(c as i32);
            let here = self.e.b().cmp(CmpPred::IEq, index, n, 0);
            *p = self.e.b().select(here, x, *p);
        }
        Ok(parts)
    }

    /// `construct`, `extract`, `insert`: nothing is written, components change places.
    pub(super) fn rearrange(&mut self, i: Inst, op: Opcode, imm: u32, args: &[ir::Value]) -> EmitResult {
        let result = self.f.result(i);
        let mut parts = Components::new();
        match op {
            Opcode::construct => {
                for &a in args {
                    parts.extend(self.parts(a));
                }
            }
            Opcode::extract => parts.push(self.parts(args[0])[imm as usize]),
            _ => {
                parts = self.parts(args[0]);
                parts[imm as usize] = self.parts(args[1])[0];
            }
        }
        self.set(result, &parts);
        Ok(())
    }
}
