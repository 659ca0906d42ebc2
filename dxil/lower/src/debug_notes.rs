//! Records for debug information while code is written: the current IR instruction, values and memory of variables.
//!
//! They add nothing to the code: see [`crate::debug::plan`].

use rtc_ir::debug::{ANY_ELEMENT, Named, Part};
use rtc_ir::{self as ir, Inst, Root, TypeKind, ValueDef};
use smallvec::SmallVec;

use super::func::Writer;
use crate::debug::plan::{Change, Component, VariableMemory};
use rtc_dxil_module::Value;

impl Writer<'_, '_> {
    /// Begins `i`: records the variable changes before it, and makes it the current instruction.
    pub(super) fn note(&mut self, i: Inst) {
        if self.e.plan().is_none() {
            return;
        }
        self.e.at(Some(i));
        let Some(marks) = self.f.debug.as_ref().and_then(|d| d.marks.get(&i)) else { return };
        let (block, after) = (self.e.block(), self.e.last().into());
        for mark in marks {
            let mut value: SmallVec<[Component; 4]> = SmallVec::new();
            for &part in &mark.value {
                self.components(part, &mut value);
            }
            if value.is_empty() {
                value.push(Component::Unknown);
            }
            let change = Change { block, after, what: mark.what.clone(), value };
            if let Some(plan) = self.e.plan() {
                plan.changes.push(change);
            }
        }
    }

    fn components(&self, part: Part, out: &mut SmallVec<[Component; 4]>) {
        let m = self.m;
        let v = match part {
            Part::Value(v) => v,
            Part::Unknown(t) => return out.extend((0..m.types.numeric(t).map_or(1, |n| n.1)).map(|_| Component::Unknown)),
            Part::Const(t, bits) => {
                let s = m.types.numeric(t).map_or(ir::Scalar::I32, |n| n.0);
                return out.push(Component::Const(s, bits));
            }
        };
        let (scalar, lanes) = match m.types.numeric(self.f.ty(v)) {
            Some((s, n)) => (s, n),
            // Objects that are values in DXIL: a ray query is its number.
            None if self.f.ty(v) == ir::Type::HIT_OBJECT || m.types.is_ray_query(self.f.ty(v)) => (ir::Scalar::I32, 1),
            None => return out.push(Component::Unknown),
        };
        if let ValueDef::Const(bits) = self.f.values[v].def {
            return out.push(Component::Const(scalar, bits));
        }
        let parts = self.values.get(v);
        if parts.len() != lanes as usize || matches!(self.f.values[v].def, ValueDef::Undef) {
            out.extend((0..lanes).map(|_| Component::Unknown));
            return;
        }
        for &value in parts {
            let undefined = match value {
                Value::Const(c) => self.e.out.consts[c].kind == rtc_dxil_module::ConstKind::Undef,
                _ => false,
            };
            out.push(if undefined { Component::Unknown } else { Component::Value(value) });
        }
    }

    /// Records that `root` is at `address`; `copy`: the copy for a call.
    pub(super) fn note_pointer(&mut self, root: Root, address: Value, copy: bool) {
        let (Some(plan), Some(d)) = (self.e.plan(), &self.f.debug) else { return };
        let what = match root {
            Root::Local(l) => d.locals[l].clone(),
            Root::Slot(s) => d.slots[s].clone(),
            Root::Global(_) => None,
        };
        if let Some(what) = what {
            plan.memory.push(VariableMemory { address, what, count: 0, copy });
        }
    }

    /// Records that one field of local `l`, in all of its elements, is at `address`.
    pub(super) fn note_alloca(&mut self, l: ir::Local, fields: &[u32], count: Option<u64>, address: Value) {
        let m = self.m;
        let (Some(plan), Some(d)) = (self.e.plan(), &self.f.debug) else { return };
        let Some(mut what): Option<Named> = d.locals[l].clone() else { return };
        let (mut t, mut fields) = (self.f.locals[l].ty, fields.iter());
        // The path to the field, without array dimensions at its end.
        let mut way: SmallVec<[u32; 6]> = SmallVec::new();
        let mut known = 0;
        loop {
            match m.types.kind(t) {
                TypeKind::Array(e, _) => {
                    way.push(ANY_ELEMENT);
                    t = e;
                }
                TypeKind::Struct(_) => {
                    let Some(&n) = fields.next() else { break };
                    way.push(n);
                    known = way.len();
                    let Some(part) = m.part(t, Some(n)) else { break };
                    t = part;
                }
                _ => break,
            }
        }
        what.path.extend(way[..known].iter().copied());
        plan.memory.push(VariableMemory { address, what, count: count.unwrap_or(0), copy: false });
    }
}
