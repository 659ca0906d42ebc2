//! Expansion of hit object intrinsics: tracing, invoking, reordering.
//!
//! A hit object is an SSA value. A method that changes one creates another and stores it.

use rtc_ir::{Opcode as O, SlotRole, Value};
use smallvec::SmallVec;

use crate::lower::call::Call;
use crate::lower::func::FnCx;
use crate::lower::operand::Val;

impl FnCx<'_, '_> {
    pub(super) fn hit_trace(&mut self, c: &Call) -> Val {
        let mut operands: SmallVec<[Value; 10]> = (0..6).map(|n| c.one(n)).collect();
        self.ray(&c.val(6), &mut operands);
        let hit = self.with_slot(c, 7, SlotRole::PayloadOut, O::hit_trace, &operands);
        hit.map_or(Val::Void, Val::One)
    }

    pub(super) fn hit_from_query(&mut self, c: &Call) -> Val {
        let (slot, lvalue) = self.slot(c.args[2].shape, SlotRole::AttrHit);
        self.store(&lvalue, &c.val(2));
        let i = self.b().slot(O::hit_from_query_attrs, slot, &[c.one(0), c.one(1)]);
        Val::One(self.func.result(i))
    }

    pub(super) fn hit_miss(&mut self, c: &Call) -> Val {
        let mut operands: SmallVec<[Value; 10]> = (0..2).map(|n| c.one(n)).collect();
        self.ray(&c.val(2), &mut operands);
        let i = self.b().many(O::hit_make_miss, 0, &operands, &[rtc_ir::Type::HIT_OBJECT]);
        Val::One(self.func.result(i))
    }

    pub(super) fn hit_invoke(&mut self, c: &Call) -> Val {
        self.with_slot(c, 1, SlotRole::PayloadOut, O::hit_invoke, &[c.one(0)]);
        Val::Void
    }

    /// The attributes, as the result or into the argument.
    pub(super) fn hit_attributes(&mut self, c: &Call) -> Val {
        let object: SmallVec<[Value; 1]> = c.object.into_iter().collect();
        let shape = c.args.first().map_or(c.ret, |a| a.shape);
        let (slot, lvalue) = self.slot(shape, SlotRole::AttrHit);
        self.b().slot(O::hit_attributes, slot, &object);
        if c.args.is_empty() {
            return Val::Agg(lvalue);
        }
        self.give(c, 0, &Val::Agg(lvalue));
        Val::Void
    }

    pub(super) fn hit_set_index(&mut self, c: &Call) -> Val {
        let mut operands: SmallVec<[Value; 2]> = c.object.into_iter().collect();
        operands.push(c.one(0));
        let ty = rtc_ir::Type::HIT_OBJECT;
        let hit = self.b().many_value(O::hit_set_shader_table_index, 0, &operands, ty);
        if let Some(p) = &c.lvalue {
            self.store(p, &Val::One(hit));
        }
        Val::Void
    }

    /// Without a hit object the operand is a nop, without a hint the number of its bits is 0.
    pub(super) fn reorder(&mut self, c: &Call, hit: bool, hint: bool) -> Val {
        let object = match hit {
            true => c.one(0),
            false => self.b().nullary(O::hit_make_nop),
        };
        let at = usize::from(hit);
        let (word, bits) = match hint {
            true => (c.one(at), c.one(at + 1)),
            false => (self.int(0), self.int(0)),
        };
        self.b().many(O::reorder, 0, &[object, word, bits], &[]);
        Val::Void
    }
}
