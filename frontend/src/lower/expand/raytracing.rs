//! Expansion of ray-tracing intrinsics: tracing, calling, reporting hits, ending the shader.
//!
//! Data that other shaders access is in a slot. Each call has its own: the variable is copied to it, and back after the
//! call.

use rtc_ir::{Opcode as O, Root, SlotRole, Type, Value};
use smallvec::SmallVec;

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::{Base, LValue, Rows, Val, Var};
use crate::lower::types::Shape;

impl FnCx<'_, '_> {
    /// A fresh slot for a structure.
    pub(super) fn slot(&mut self, shape: Shape, role: SlotRole) -> (rtc_ir::Slot, LValue) {
        let ty = self.l.shape_ty(shape);
        let slot = self.func.add_slot(role, ty, "");
        let lvalue =
            LValue::Var(Var { base: Base::Root(Root::Slot(slot)), steps: SmallVec::new(), indices: SmallVec::new(), shape, view: false });
        (slot, lvalue)
    }

    /// An instruction with a slot that is filled from argument `n` and copied back. Gives its result, if there is one.
    pub(super) fn with_slot(&mut self, c: &Call, n: usize, role: SlotRole, op: O, operands: &[Value]) -> Option<Value> {
        let (slot, lvalue) = self.slot(c.args[n].shape, role);
        if let Some(p) = &c.args[n].lvalue {
            self.note_slot(slot, p);
            self.copy(&lvalue, p);
        }
        let i = self.b().slot(op, slot, operands);
        self.give(c, n, &Val::Agg(lvalue));
        self.func.results(i).first().copied()
    }

    /// The parts of a ray: origin, start, direction, end.
    pub(super) fn ray(&mut self, ray: &Val, operands: &mut SmallVec<[Value; 10]>) {
        let Val::Agg(ray) = ray else { rtc_base::bug!("a ray is a structure") };
        let Shape::Other(t) = ray.shape() else { rtc_base::bug!("a ray is a structure") };
        let Some(record) = self.l.hir.types.as_record(t) else { rtc_base::bug!("a ray is a structure") };
        for n in 0..4 {
            let p = self.field(ray, record, n);
            operands.push(self.load(&p).one());
        }
    }

    pub(super) fn trace_ray(&mut self, c: &Call) -> Val {
        let mut operands: SmallVec<[Value; 10]> = (0..6).map(|n| c.one(n)).collect();
        self.ray(&c.val(6), &mut operands);
        self.with_slot(c, 7, SlotRole::PayloadOut, O::trace_ray, &operands);
        Val::Void
    }

    pub(super) fn call_shader(&mut self, c: &Call) -> Val {
        self.with_slot(c, 1, SlotRole::CallableOut, O::call_shader, &[c.one(0)]);
        Val::Void
    }

    pub(super) fn report_hit(&mut self, c: &Call) -> Val {
        let (slot, lvalue) = self.slot(c.args[2].shape, SlotRole::AttrOut);
        self.store(&lvalue, &c.val(2));
        let i = self.b().slot(O::report_hit, slot, &[c.one(0), c.one(1)]);
        Val::One(self.func.result(i))
    }

    pub(super) fn end_hit(&mut self, op: O) -> Val {
        self.exit(op, &[]);
        Val::Void
    }

    /// The 3x4 matrix, or its transpose.
    pub(super) fn hit_matrix(&mut self, c: &Call, op: O, transposed: bool) -> Val {
        let object: SmallVec<[Value; 1]> = c.object.into_iter().collect();
        let rows: Rows = (0..3).map(|n| self.b().many_value(op, n, &object, Type::F32X4)).collect();
        Val::Rows(if transposed { self.transpose(&rows) } else { rows })
    }

    /// The vertices of the triangle, a structure.
    pub(super) fn triangle_positions(&mut self, c: &Call, op: O) -> Val {
        let object: SmallVec<[Value; 1]> = c.object.into_iter().collect();
        let to = self.temp(c.ret);
        let Shape::Other(t) = c.ret else { rtc_base::bug!("positions are a structure") };
        let Some(record) = self.l.hir.types.as_record(t) else { rtc_base::bug!("positions are a structure") };
        for n in 0..3 {
            let x = self.b().many_value(op, n, &object, Type::F32X3);
            let p = self.field(&to, record, n);
            self.store(&p, &Val::One(x));
        }
        Val::Agg(to)
    }

    /// One vertex of the triangle. A number that is not constant selects among all three.
    pub(super) fn triangle_position(&mut self, c: &Call, op: O) -> Val {
        let object: SmallVec<[Value; 1]> = c.object.into_iter().collect();
        let n = c.one(0);
        if let Some(n @ 0..3) = self.func.as_const(n) {
            return Val::One(self.b().many_value(op, n as u32, &object, Type::F32X3));
        }
        let all: SmallVec<[Value; 3]> = (0..3).map(|k| self.b().many_value(op, k, &object, Type::F32X3)).collect();
        let mut chosen = all[2];
        for k in [1, 0] {
            let number = self.func.const_u32(k);
            let is = self.b().binary(O::ieq, n, number);
            chosen = self.b().select(is, all[k as usize], chosen);
        }
        Val::One(chosen)
    }
}
