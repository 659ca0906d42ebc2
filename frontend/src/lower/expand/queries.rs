//! Ray queries: allocation at declarations (initialisation for hit objects), and tracing.
//!
//! A variable of type `RayQuery` holds a reference. The declaration allocates the query, an entity of the
//! function; assignments and arguments copy the reference. A hit object is a value, initially a nop.

use rtc_ir::{Opcode as O, SlotRole, Value};
use smallvec::SmallVec;

use crate::hir::TyKind;
use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::{Index, LValue, Val};
use crate::lower::types::Shape;

impl FnCx<'_, '_> {
    /// Initialises the ray queries and hit objects in a variable that is declared without initialiser.
    pub fn declare_objects(&mut self, lvalue: &LValue, name: &str) {
        let Shape::Other(t) = lvalue.shape() else {
            return;
        };
        if !self.l.has_objects_to_make(t) {
            return;
        }
        match self.l.hir.types.kind(t) {
            TyKind::RayQuery { .. } => {
                let ty = self.l.ty(t);
                let slot = self.func.add_slot(SlotRole::RayQuery, ty, name);
                let query = self.b().allocate_ray_query(slot);
                self.store(lvalue, &Val::One(query));
            }
            TyKind::HitObject => {
                let nop = self.b().nullary(O::hit_make_nop);
                self.store(lvalue, &Val::One(nop));
            }
            TyKind::Array(e, n) => {
                for i in 0..n.unwrap_or(0) {
                    let p = self.element(lvalue, Index::At(i), e);
                    self.declare_objects(&p, name);
                }
            }
            TyKind::Record(r) => {
                for n in 0..self.l.hir.types.records[r].fields.len() as u32 {
                    let p = self.field(lvalue, r, n);
                    self.declare_objects(&p, name);
                }
            }
            _ => {}
        }
    }

    pub(super) fn trace_ray_inline(&mut self, c: &Call) -> Val {
        let mut operands: SmallVec<[Value; 10]> = c.object.into_iter().collect();
        operands.extend((0..3).map(|n| c.one(n)));
        self.ray(&c.val(3), &mut operands);
        self.b().many(O::ray_query_trace_ray_inline, 0, &operands, &[]);
        Val::Void
    }
}
