//! Expansion of wave and quad operations: one instruction for a scalar or vector, one for each row of a matrix.

use rtc_ir::{Opcode as O, Value};
use rtc_tables::insts::Format;
use rtc_tables::resources::WaveOp;

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::Val;

impl FnCx<'_, '_> {
    /// An instruction on argument 0, if there is one; the others are the same for every row.
    pub(super) fn wave(&mut self, c: &Call, op: O) -> Val {
        let rows = match op.format() {
            Format::Nullary => return Val::One(self.b().nullary(op)),
            Format::Unary => self.map(&c.val(0), |cx, v| cx.un(op, v)),
            _ => {
                let second = c.one(1);
                self.map(&c.val(0), |cx, v| cx.bin(op, v, second))
            }
        };
        match (op, rows) {
            // Two lanes match if all rows match.
            (O::wave_match, Val::Rows(rows)) => {
                let all = rows.into_iter().reduce(|a, b| self.bin(O::and, a, b));
                Val::One(all.unwrap_or_else(|| rtc_base::bug!("a matrix has rows")))
            }
            (_, rows) => rows,
        }
    }

    /// A combination of lanes.
    pub(super) fn wave_op(&mut self, c: &Call, op: O, how: WaveOp) -> Val {
        let s = c.scalar(0);
        let how = match s.is_float() || s.is_signed() {
            true => how,
            false => how.unsigned(),
        };
        let mask = (c.args.len() > 1).then(|| c.one(1));
        self.map(&c.val(0), |cx, v| {
            let args: Vec<Value> = [v].into_iter().chain(mask).collect();
            let ty = cx.ty_of(v);
            cx.b().many_value(op, how.number(), &args, ty)
        })
    }

    /// `QuadReadAcross…`.
    pub(super) fn quad_op(&mut self, c: &Call, direction: u8) -> Val {
        self.map(&c.val(0), |cx, v| {
            let ty = cx.ty_of(v);
            cx.b().many_value(O::quad_op, direction.into(), &[v], ty)
        })
    }
}
