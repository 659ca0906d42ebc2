//! Expansion of operations on matrices of linear algebra: one instruction, whose operands are the arguments in order.
//!
//! A matrix is an SSA value. A function that changes one creates another and stores it.

use rtc_ir::{InstData, Opcode, Value};
use rtc_tables::insts::Format;
use rtc_tables::intrinsics::{Mode, Pat};
use smallvec::SmallVec;

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::{LValue, Val};
use crate::lower::types::Shape;

impl FnCx<'_, '_> {
    pub(super) fn linalg(&mut self, c: &Call, op: Opcode) -> Val {
        let gives = c.row.params.first().is_some_and(|p| p.mode == Mode::Out);
        let mut operands: SmallVec<[Value; 8]> = SmallVec::new();
        let mut memory = None;
        for n in usize::from(gives)..c.args.len() {
            match c.row.params[n].pat {
                Pat::SharedArray => memory = c.args[n].lvalue.clone(),
                _ => operands.push(c.one(n)),
            }
        }
        let result = match (gives, c.row.ret) {
            (true, _) => Some(c.args[0].shape),
            (false, Pat::Void) => None,
            _ => Some(c.ret),
        };
        let result = result.map(|shape| self.l.shape_ty(shape));
        let inst = if op.format() == Format::Access {
            let Some(LValue::Var(v)) = memory.filter(|p| matches!(p.shape(), Shape::Other(_))) else {
                self.error(format!("`{}` requires a groupshared array", c.row.name));
                return Val::Void;
            };
            let (root, steps, indices) = self.parts(&v);
            let place = self.func.place(root, &steps);
            let all: SmallVec<[Value; 8]> = indices.into_iter().chain(operands).collect();
            let args = self.func.list(&all);
            self.b().push(InstData::Access { op, imm: 0, place, args }, result.as_slice())
        } else {
            self.b().many(op, 0, &operands, result.as_slice())
        };
        let Some(_) = result else { return Val::Void };
        let value = Val::One(self.func.result(inst));
        if gives {
            self.give(c, 0, &value);
            return Val::Void;
        }
        value
    }
}
