//! Expansion of atomic operations.

use rtc_ir::{InstData, Opcode as O, Root, Value};
use rtc_tables::resources::AtomicOp;
use smallvec::SmallVec;

use super::scalar_of;
use crate::hir::Scalar;
use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::{Base, LValue, Val};
use crate::lower::types::Shape;

/// Minimum and maximum by signedness.
fn by_sign(op: AtomicOp, s: Scalar) -> AtomicOp {
    match op {
        AtomicOp::SMin if !s.is_signed() => AtomicOp::UMin,
        AtomicOp::SMax if !s.is_signed() => AtomicOp::UMax,
        op => op,
    }
}

impl FnCx<'_, '_> {
    /// The values after the l-value or address, as components of type `s`: compare before value.
    fn atomic_values(&mut self, c: &Call, op: AtomicOp, s: Scalar) -> SmallVec<[Value; 2]> {
        let n = if op == AtomicOp::CompareExchange { 2 } else { 1 };
        (1..=n)
            .map(|k| {
                let from = c.scalar(k);
                self.convert(c.one(k), from, s)
            })
            .collect()
    }

    /// Stores the old value to the last argument, if it is there.
    fn original(&mut self, c: &Call, old: Value, s: Scalar) {
        let n = c.args.len() - 1;
        if n > 0 && c.args[n].lvalue.is_some() {
            let to = scalar_of(c.args[n].shape);
            let old = self.convert(old, s, to);
            self.give(c, n, &Val::One(old));
        }
    }

    pub(super) fn atomic(&mut self, c: &Call, op: AtomicOp) -> Val {
        let Some(lvalue) = c.args[0].lvalue.clone() else {
            rtc_base::bug!("`{}` without an l-value", c.row.name);
        };
        let Shape::Vec(s, 1) = lvalue.shape() else {
            self.error(format!("`{}` requires a scalar", c.row.name));
            return Val::Void;
        };
        let op = by_sign(op, s);
        let values = self.atomic_values(c, op, s);
        let ty = self.l.vec_ty(s, 1);
        let old = match &lvalue {
            LValue::Var(v) => {
                if !self.is_shared(v.base) {
                    self.error(format!("`{}` requires a groupshared variable or an element of a writable resource", c.row.name));
                    return Val::Void;
                }
                let (root, steps, indices) = self.parts(v);
                let lvalue = self.func.place(root, &steps);
                let all: SmallVec<[Value; 6]> = indices.into_iter().chain(values).collect();
                let args = self.func.list(&all);
                let i = self.b().push(InstData::Access { op: O::var_atomic, imm: op as u32, place: lvalue, args }, &[ty]);
                self.func.result(i)
            }
            LValue::Mem(m) if self.ty_of(m.handle) == rtc_ir::Type::I64 => {
                if s.is_float() && op == AtomicOp::CompareExchange {
                    self.unsupported("a compare-exchange of floats at an address");
                    return Val::Void;
                }
                self.address_atomic(m, op, s, &values)
            }
            LValue::Mem(m) => {
                let at = self.address(m, m.offset);
                let mut operands: SmallVec<[Value; 6]> = SmallVec::from_slice(&[m.handle]);
                operands.extend(m.index);
                operands.push(at);
                operands.extend(values);
                let inst = if m.index.is_some() { O::buf_atomic } else { O::raw_atomic };
                self.b().many_value(inst, op as u32, &operands, ty)
            }
            LValue::Texel(t) => {
                let mut operands: SmallVec<[Value; 6]> = SmallVec::from_slice(&[t.handle, t.coords]);
                operands.extend(values);
                self.b().many_value(O::tex_atomic, op as u32, &operands, ty)
            }
            LValue::Cbuf(_)
            | LValue::Res(_)
            | LValue::Input(_)
            | LValue::MeshOutput(_)
            | LValue::Stream(..)
            | LValue::Part(..)
            | LValue::View(_)
            | LValue::Chosen(..) => {
                self.error(format!("`{}` requires a groupshared variable or an element of a writable resource", c.row.name));
                return Val::Void;
            }
        };
        self.original(c, old, s);
        Val::Void
    }

    fn is_shared(&self, base: Base) -> bool {
        match base {
            Base::Root(Root::Global(g)) => matches!(self.l.out.globals[g].kind, rtc_ir::GlobalKind::GroupShared(_)),
            _ => false,
        }
    }

    pub(super) fn raw_atomic(&mut self, c: &Call, op: AtomicOp) -> Val {
        let Some(handle) = c.object else {
            rtc_base::bug!("`{}` without a buffer", c.row.name);
        };
        let s = c.scalar(1);
        let op = by_sign(op, s);
        let values = self.atomic_values(c, op, s);
        let ty = self.l.out.types.scalar(s.ir());
        let mut operands: SmallVec<[Value; 6]> = SmallVec::from_slice(&[handle, c.one(0)]);
        operands.extend(values);
        let old = self.b().many_value(O::raw_atomic, op as u32, &operands, ty);
        self.original(c, old, s);
        Val::Void
    }
}
