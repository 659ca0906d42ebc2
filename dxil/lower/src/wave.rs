//! Waves and quads, component by component.

use rtc_ir::{self as ir, Inst, InstData, Opcode, Scalar};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::resources::WaveOp;
use smallvec::SmallVec;

use super::func::{Done, Parts, Writer};
use super::rows::{self, Do};
use rtc_dxil_module::{BinOp, CastOp, Value};

/// Which kinds of DXIL operation combine lanes in which way: their operation and sign operands.
fn numbers(op: Opcode, how: WaveOp) -> (DxOp, i8, Option<i8>) {
    use WaveOp as W;
    let unsigned = i8::from(how.is_integer());
    if op == Opcode::wave_multi_prefix_op {
        let n = match how {
            W::Sum | W::USum => 0,
            W::And => 1,
            W::Or => 2,
            W::Xor => 3,
            _ => 4,
        };
        // The sign is that of sums and products; of bits it is always the signed one.
        let sign = if n == 0 || n == 4 { unsigned } else { 0 };
        return (op::WAVE_MULTI_PREFIX_OP, n, Some(sign));
    }
    match how {
        W::And | W::Or | W::Xor => (op::WAVE_ACTIVE_BIT, how as i8 - W::And as i8, None),
        _ => {
            let dxil = if op == Opcode::wave_prefix_op { op::WAVE_PREFIX_OP } else { op::WAVE_ACTIVE_OP };
            (dxil, how as i8 % 4, Some(unsigned))
        }
    }
}

impl Writer<'_, '_> {
    /// A wave or quad instruction that no row describes.
    pub fn wave(&mut self, i: Inst) -> Done {
        let f = self.f;
        let op = f.op(i);
        let result = f.result(i);
        let operands: SmallVec<[ir::Value; 8]> = f.operands(i);
        match f.insts[i] {
            InstData::Nullary { .. } => {
                let n = rows::operation(op).ok_or("this instruction has no DXIL form")?;
                let v = self.dx(n, None, &[])?;
                self.set(result, &[v]);
                Ok(())
            }
            InstData::Many { imm, .. } if op == Opcode::quad_op => self.each(result, operands[0], |cx, s, v| cx.quad_op(imm as i8, s, v)),
            InstData::Many { imm, .. } => {
                let how = WaveOp::from_number(imm).ok_or("an unknown way to combine lanes")?;
                let (n, kind, sign) = numbers(op, how);
                let mask = operands.get(1).map(|&m| self.defined(m)).unwrap_or_default();
                self.each(result, operands[0], |cx, s, v| {
                    let mut args: SmallVec<[Value; 8]> = SmallVec::from_slice(&[v]);
                    args.extend_from_slice(&mask);
                    args.push(cx.cx.out.i8(kind));
                    args.extend(sign.map(|s| cx.cx.out.i8(s)));
                    let ty = cx.scalar(s);
                    cx.dx(n, Some(ty), &args)
                })
            }
            _ => match op {
                Opcode::wave_ballot => {
                    let cond = self.one(operands[0]);
                    let four = self.dx(op::WAVE_ACTIVE_BALLOT, None, &[cond])?;
                    self.four(result, &[four])
                }
                Opcode::wave_match => self.wave_match(result, operands[0]),
                Opcode::wave_multi_prefix_bit_count => {
                    let mut args = self.defined(operands[0]);
                    args.extend(self.defined(operands[1]));
                    let v = self.dx(op::WAVE_MULTI_PREFIX_BIT_COUNT, None, &args)?;
                    self.set(result, &[v]);
                    Ok(())
                }
                Opcode::quad_any | Opcode::quad_all => self.quad_vote(result, op, operands[0]),
                _ => Err("this instruction has no DXIL form".into()),
            },
        }
    }

    /// Writes the result of `write` for each component of `value` that is used.
    fn each(&mut self, result: ir::Value, value: ir::Value, mut write: impl FnMut(&mut Self, Scalar, Value) -> Done<Value>) -> Done {
        let s = self.elem(value)?;
        let parts = self.defined(value);
        let used = self.facts.live.lanes(result);
        let mut out = Parts::new();
        for (c, v) in parts.into_iter().enumerate() {
            if used >> c & 1 == 0 {
                let ty = self.scalar(s);
                let undef = self.cx.out.undef(ty);
                out.push(undef);
            } else {
                out.push(write(self, s, v)?);
            }
        }
        self.set(result, &out);
        Ok(())
    }

    /// The components of lists of four words, combined with `and`.
    fn four(&mut self, result: ir::Value, lists: &[Value]) -> Done {
        let used = self.facts.live.lanes(result);
        let undef = self.undef_i32();
        let mut out = Parts::new();
        for c in 0..4 {
            let mut all: Option<Value> = None;
            for &list in lists.iter().filter(|_| used >> c & 1 != 0) {
                let one = self.b().extract_value(list, c);
                all = Some(match all {
                    Some(a) => self.b().binary(BinOp::And, a, one, 0),
                    None => one,
                });
            }
            out.push(all.unwrap_or(undef));
        }
        self.set(result, &out);
        Ok(())
    }

    /// The operation does not know booleans; lanes match where all components do.
    fn wave_match(&mut self, result: ir::Value, value: ir::Value) -> Done {
        let kind = self.elem(value)?;
        let mut lists = Parts::new();
        for v in self.defined(value) {
            let mut s = kind;
            let v = self.bool_to_word(&mut s, v);
            let ty = self.scalar(s);
            lists.push(self.dx(op::WAVE_MATCH, Some(ty), &[v])?);
        }
        self.four(result, &lists)
    }

    /// A boolean as a word, for operations that do not know booleans.
    fn bool_to_word(&mut self, s: &mut Scalar, v: Value) -> Value {
        if *s != Scalar::Bool {
            return v;
        }
        *s = Scalar::I32;
        let word = self.scalar(*s);
        self.b().cast(CastOp::ZExt, v, word)
    }

    fn quad_op(&mut self, way: i8, s: Scalar, v: Value) -> Done<Value> {
        let mut kind = s;
        let word = self.bool_to_word(&mut kind, v);
        let ty = self.scalar(kind);
        let way = self.cx.out.i8(way);
        let other = self.dx(op::QUAD_OP, Some(ty), &[word, way])?;
        if s == Scalar::Bool {
            let zero = self.cx.out.i32(0);
            return Ok(self.b().cmp(rtc_dxil_module::CmpPred::INe, other, zero, 0));
        }
        Ok(other)
    }

    /// Shader models before 6.7 have no vote: the other three lanes are read.
    fn quad_vote(&mut self, result: ir::Value, op: Opcode, cond: ir::Value) -> Done {
        let cond = self.one(cond);
        let any = op == Opcode::quad_any;
        let v = if self.cx.m.shader_model >= 7 {
            let kind = self.cx.out.i8(i8::from(!any));
            let ty = self.scalar(Scalar::Bool);
            self.dx(op::QUAD_VOTE, Some(ty), &[cond, kind])?
        } else {
            let how = if any { BinOp::Or } else { BinOp::And };
            let mut all = cond;
            for way in 0..3 {
                let other = self.quad_op(way, Scalar::Bool, cond)?;
                all = self.b().binary(how, all, other, 0);
            }
            all
        };
        self.set(result, &[v]);
        Ok(())
    }

    /// Whether [`Self::wave`] writes `op`.
    pub fn is_wave(op: Opcode) -> bool {
        (Opcode::wave_is_first_lane..=Opcode::get_group_wave_count).contains(&op) && !matches!(rows::of(op), Some(Do::Dx(_)))
    }
}
