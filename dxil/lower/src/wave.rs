//! Lowering of wave and quad operations, one component at a time.

use rtc_ir::{self as ir, Family, Inst, InstData, Opcode, Scalar};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::resources::WaveOp;
use smallvec::SmallVec;

use super::emitter::EmitResult;
use super::func::Writer;
use super::live::has_lane;
use super::select::{Lowering, lowering};
use super::values::Components;
use rtc_dxil_module::{BinOp, CastOp, Value};

/// The operation and sign operands of a DXIL operation that combines lanes.
fn immediates(dxil: DxOp, how: WaveOp) -> (i8, Option<i8>) {
    use WaveOp as W;
    let unsigned = i8::from(how.is_integer());
    if dxil == op::WAVE_MULTI_PREFIX_OP {
        let n = match how {
            W::Sum | W::USum => 0,
            W::And => 1,
            W::Or => 2,
            W::Xor => 3,
            _ => 4,
        };
        // The sign is that of sums and products; of bits it is always the signed one.
        let sign = if n == 0 || n == 4 { unsigned } else { 0 };
        return (n, Some(sign));
    }
    match how {
        W::And | W::Or | W::Xor => (how as i8 - W::And as i8, None),
        _ => (how as i8 % 4, Some(unsigned)),
    }
}

impl Writer<'_, '_> {
    /// A wave or quad instruction that no row describes.
    pub(super) fn wave(&mut self, i: Inst, dxil: DxOp) -> EmitResult {
        let f = self.f;
        let op = f.op(i);
        let result = f.result(i);
        let operands: SmallVec<[ir::Value; 8]> = f.operands(i);
        match f.insts[i] {
            InstData::Nullary { .. } => {
                let v = self.e.dx(dxil, None, &[])?;
                self.set(result, &[v]);
                Ok(())
            }
            InstData::Many { imm, .. } if op == Opcode::quad_op => self.each(result, operands[0], |cx, s, v| cx.quad_op(imm as i8, s, v)),
            InstData::Many { imm, .. } => {
                let how = WaveOp::from_number(imm).ok_or("unknown wave operation")?;
                let (kind, sign) = immediates(dxil, how);
                let mask = operands.get(1).map(|&m| self.defined(m)).unwrap_or_default();
                self.each(result, operands[0], |cx, s, v| {
                    let mut args: SmallVec<[Value; 8]> = SmallVec::from_slice(&[v]);
                    args.extend_from_slice(&mask);
                    args.push(cx.e.out.i8(kind));
                    args.extend(sign.map(|s| cx.e.out.i8(s)));
                    let ty = cx.e.scalar(s);
                    cx.e.dx(dxil, Some(ty), &args)
                })
            }
            _ => match op {
                Opcode::wave_ballot => {
                    let cond = self.one(operands[0]);
                    let four = self.e.dx(dxil, None, &[cond])?;
                    self.four(result, &[four])
                }
                Opcode::wave_match => self.wave_match(result, operands[0]),
                Opcode::wave_multi_prefix_bit_count => {
                    let mut args = self.defined(operands[0]);
                    args.extend(self.defined(operands[1]));
                    let v = self.e.dx(dxil, None, &args)?;
                    self.set(result, &[v]);
                    Ok(())
                }
                Opcode::quad_any | Opcode::quad_all => self.quad_vote(result, op, dxil, operands[0]),
                _ => Err("this instruction has no DXIL form".into()),
            },
        }
    }

    /// Sets the result of `write` for each component of `value` that is used.
    fn each(
        &mut self,
        result: ir::Value,
        value: ir::Value,
        mut write: impl FnMut(&mut Self, Scalar, Value) -> EmitResult<Value>,
    ) -> EmitResult {
        let s = self.elem(value)?;
        let parts = self.defined(value);
        let used = self.facts.live.lanes(result);
        let mut out = Components::new();
        for (c, v) in parts.into_iter().enumerate() {
            if !has_lane(used, c) {
                let ty = self.e.scalar(s);
                let undef = self.e.out.undef(ty);
                out.push(undef);
            } else {
                out.push(write(self, s, v)?);
            }
        }
        self.set(result, &out);
        Ok(())
    }

    /// The components of lists of four words, combined with `and`.
    fn four(&mut self, result: ir::Value, lists: &[Value]) -> EmitResult {
        let used = self.facts.live.lanes(result);
        let undef = self.e.undef_i32();
        let mut out = Components::new();
        for c in 0..4 {
            let mut all: Option<Value> = None;
            for &list in lists.iter().filter(|_| has_lane(used, c as usize)) {
                let one = self.e.b().extract_value(list, c);
                all = Some(match all {
                    Some(a) => self.e.b().binary(BinOp::And, a, one, 0),
                    None => one,
                });
            }
            out.push(all.unwrap_or(undef));
        }
        self.set(result, &out);
        Ok(())
    }

    /// The operation does not know booleans; lanes match where all components do.
    fn wave_match(&mut self, result: ir::Value, value: ir::Value) -> EmitResult {
        let kind = self.elem(value)?;
        let mut lists = Components::new();
        for v in self.defined(value) {
            let mut s = kind;
            let v = self.bool_to_word(&mut s, v);
            let ty = self.e.scalar(s);
            lists.push(self.e.dx(op::WAVE_MATCH, Some(ty), &[v])?);
        }
        self.four(result, &lists)
    }

    /// A boolean as a word, for operations that do not know booleans.
    fn bool_to_word(&mut self, s: &mut Scalar, v: Value) -> Value {
        if *s != Scalar::Bool {
            return v;
        }
        *s = Scalar::I32;
        let word = self.e.scalar(*s);
        self.e.b().cast(CastOp::ZExt, v, word)
    }

    fn quad_op(&mut self, way: i8, s: Scalar, v: Value) -> EmitResult<Value> {
        let mut kind = s;
        let word = self.bool_to_word(&mut kind, v);
        let ty = self.e.scalar(kind);
        let way = self.e.out.i8(way);
        let other = self.e.dx(op::QUAD_OP, Some(ty), &[word, way])?;
        if s == Scalar::Bool {
            let zero = self.e.out.i32(0);
            return Ok(self.e.b().cmp(rtc_dxil_module::CmpPred::INe, other, zero, 0));
        }
        Ok(other)
    }

    /// Shader models before 6.7 have no vote: the other three lanes are read.
    fn quad_vote(&mut self, result: ir::Value, op: Opcode, dxil: DxOp, cond: ir::Value) -> EmitResult {
        let cond = self.one(cond);
        let any = op == Opcode::quad_any;
        let v = if dxil == op::QUAD_VOTE {
            let kind = self.e.out.i8(i8::from(!any));
            let ty = self.e.scalar(Scalar::Bool);
            self.e.dx(op::QUAD_VOTE, Some(ty), &[cond, kind])?
        } else {
            let how = if any { BinOp::Or } else { BinOp::And };
            let mut all = cond;
            for way in 0..3 {
                let other = self.quad_op(way, Scalar::Bool, cond)?;
                all = self.e.b().binary(how, all, other, 0);
            }
            all
        };
        self.set(result, &[v]);
        Ok(())
    }

    /// Whether [`Self::wave`] writes `op`.
    pub(super) fn is_wave(op: Opcode) -> bool {
        op == Opcode::debugging_enabled || op.family() == Family::Wave && !matches!(lowering(op), Some(Lowering::Dx(_)))
    }
}
