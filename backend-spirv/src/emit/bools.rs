//! Booleans in the instructions that drivers know: `any` and `all` of a vector, numbers chosen by a boolean.

use rtc_ir::{Inst, InstData, Opcode, Scalar, Value};
use spirv::Op;

use super::FuncEmitter;

impl FuncEmitter<'_, '_> {
    /// Emits `i` if it has such a form, and says whether it has. What it was made of is unused then, unless others use it too.
    pub(crate) fn bool_form(&mut self, i: Inst) -> bool {
        let id = match self.f.insts[i] {
            InstData::Binary { op: op @ (Opcode::or | Opcode::and), .. } => match self.reduced(i, op) {
                Some(vector) => {
                    let (ty, vector) = (self.e.scalar(Scalar::Bool, false), self.val(vector));
                    self.op(if op == Opcode::or { Op::Any } else { Op::All }, ty, &[vector])
                }
                None => return false,
            },
            InstData::Unary { op: Opcode::utof, arg } => match self.extended_bool(arg) {
                Some(b) => {
                    let t = self.f.ty(self.f.result(i));
                    let (ty, one, zero) = (self.e.ty(t), self.float_bits(t, 1.0), self.e.splat_constant(t, 0));
                    let (one, b) = (self.e.splat_constant(t, one), self.val(b));
                    self.op(Op::Select, ty, &[b, one, zero])
                }
                None => return false,
            },
            _ => return false,
        };
        let result = self.f.result(i);
        self.set(result, id);
        true
    }

    /// The booleans that `v` has as 0 and 1.
    fn extended_bool(&self, v: Value) -> Option<Value> {
        match self.f.insts[self.f.def_inst(v)?] {
            InstData::Unary { op: Opcode::zext, arg } if self.m.types.elem(self.f.ty(arg)) == Scalar::Bool => Some(arg),
            _ => None,
        }
    }

    /// The vector of which `i` joins all components by `op`, each of them once.
    fn reduced(&self, i: Inst, op: Opcode) -> Option<Value> {
        let (mut vector, mut seen, mut leaves) = (None, 0u32, 0);
        let mut rest = vec![self.f.result(i)];
        if self.m.types.numeric(self.f.ty(rest[0])) != Some((Scalar::Bool, 1)) {
            return None;
        }
        while let Some(v) = rest.pop() {
            match self.f.insts[self.f.def_inst(v)?] {
                InstData::Binary { op: o, args } if o == op => rest.extend(args),
                InstData::Many { op: Opcode::extract, imm, args } => {
                    let source = self.f.get(args)[0];
                    if *vector.get_or_insert(source) != source {
                        return None;
                    }
                    seen |= 1 << imm.min(31);
                    leaves += 1;
                }
                _ => return None,
            }
            // A vector has four components at most: no tree of more than these is one.
            if leaves + rest.len() > 4 {
                return None;
            }
        }
        let vector = vector?;
        let lanes = self.m.types.lanes(self.f.ty(vector));
        (leaves == lanes as usize && seen == (1 << lanes) - 1).then_some(vector)
    }
}
