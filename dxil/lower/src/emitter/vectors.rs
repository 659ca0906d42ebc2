//! Vectors assembled from components.
//!
//! A vector that is read and written back is not decomposed: its unchanged components need no instruction, and
//! extractions that become dead are removed when the function is complete.

use rustc_hash::FxHashSet;

use super::Emitter;
use crate::debug::plan::{Component, Plan};
use rtc_dxil_module::{Inst, Op, TypeKind, Value};

impl Emitter<'_> {
    /// One value of several scalars; the scalar itself if it is alone.
    pub fn vector(&mut self, parts: &[Value]) -> Value {
        if let [one] = parts {
            return *one;
        }
        let elem = self.b().type_of(parts[0]);
        let ty = self.out.types.vector(elem, parts.len() as u32);
        let undef = self.out.undef(elem);
        let simple = matches!(self.out.types[elem], TypeKind::Int(32) | TypeKind::Float);
        // The vector that most components come from unchanged.
        let own: Vec<Option<Value>> = (0..).zip(parts).map(|(c, &p)| self.extracted_from(p, c)).collect();
        let whole = own.iter().flatten().copied().find(|&v| self.b().type_of(v) == ty);
        let kept = |v: Value| own.iter().filter(|o| **o == Some(v)).count();
        let constants = parts.iter().filter(|p| simple && matches!(p, Value::Const(_))).count();
        let mut v = match whole.filter(|&v| kept(v) > constants) {
            Some(v) => {
                let bypassed = parts.iter().zip(&own).filter(|(_, o)| **o == Some(v));
                let insts = bypassed.filter_map(|(p, _)| if let Value::Inst(i) = *p { Some(i) } else { None });
                self.extracted.extend(insts);
                v
            }
            None if constants > 0 => {
                let fixed = parts.iter().map(|&p| if matches!(p, Value::Const(_)) { p } else { undef });
                let fixed: Vec<Value> = fixed.collect();
                self.out.aggregate(ty, &fixed)
            }
            None => self.out.undef(ty),
        };
        let from = v;
        let is_constant = matches!(from, Value::Const(_));
        for (c, &p) in parts.iter().enumerate() {
            let there = if is_constant { simple && matches!(p, Value::Const(_)) } else { own[c] == Some(from) };
            if there || p == undef {
                continue;
            }
            let n = self.out.i32(c as i32);
            v = self.b().insert_element(v, p, n);
        }
        v
    }

    /// The vector of which `part` is component `c`.
    fn extracted_from(&mut self, part: Value, c: i64) -> Option<Value> {
        let Value::Inst(i) = part else { return None };
        let Op::ExtractElement { vector, index } = self.b().body().insts[i].op else {
            return None;
        };
        (self.int_const(index) == Some(c)).then_some(vector)
    }

    /// Removes extractions that nothing uses any more.
    pub(super) fn remove_dead_extractions(&mut self) {
        let extracted = std::mem::take(&mut self.extracted);
        if extracted.is_empty() {
            return;
        }
        let mut plan = self.plan.take();
        let mut b = self.b();
        let body = b.body();
        let mut dead: FxHashSet<Inst> = extracted.into_iter().collect();
        for insts in body.blocks.values() {
            for &i in insts {
                body.operands(i, |v| {
                    if let Value::Inst(used) = v {
                        dead.remove(&used);
                    }
                });
            }
        }
        if let Some(plan) = &mut plan {
            self.keep_vectors(plan, &dead);
            plan.forget(&dead, &self.b().body().blocks);
        }
        for insts in self.b().body().blocks.values_mut() {
            insts.retain(|i| !dead.contains(i));
        }
        self.plan = plan;
    }

    /// A change of a variable to all components of one vector, of which some are `dead`, becomes a change to the vector.
    fn keep_vectors(&mut self, plan: &mut Plan, dead: &FxHashSet<Inst>) {
        for change in &mut plan.changes {
            if !change.value.iter().any(|c| matches!(c, Component::Value(Value::Inst(i)) if dead.contains(i))) {
                continue;
            }
            let part = |e: &mut Self, (n, c): (i64, &Component)| if let Component::Value(v) = *c { e.extracted_from(v, n) } else { None };
            let Some(vector) = change.value.first().and_then(|c| part(self, (0, c))) else { continue };
            let same = (0..).zip(&change.value).all(|c| part(self, c) == Some(vector));
            let ty = self.b().type_of(vector);
            if same && matches!(self.out.types[ty], TypeKind::Vector { len, .. } if len as usize == change.value.len()) {
                change.value = [Component::Value(vector)].into_iter().collect();
            }
        }
    }
}
