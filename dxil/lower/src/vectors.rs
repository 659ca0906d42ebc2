//! Vectors assembled from components, and loop-invariant addresses hoisted to the entry block.
//!
//! A vector that is read and written back is not decomposed: its unchanged components need no instruction, and
//! extractions that become dead are removed when the function is complete. An address with constant indices only, and the load of a
//! resource's variable, are computed once in the entry block, after the allocas: they are invariant across control flow and reorder
//! points, and they need not be saved across the latter.

use rustc_hash::FxHashSet;

use super::func::Writer;
use rtc_dxil_module::{Builder, Inst, Op, TypeKind, Value};

/// Edits that are applied when the function is complete.
#[derive(Default)]
pub struct Deferred {
    /// Hoisted addresses and loads of resource variables, to insert after the allocas.
    addresses: Vec<Inst>,
    /// Extractions that may be dead.
    extracted: Vec<Inst>,
}

impl Writer<'_, '_> {
    /// One value of several scalars; the scalar itself if it is alone.
    pub fn vector(&mut self, parts: &[Value]) -> Value {
        if let [one] = parts {
            return *one;
        }
        let elem = self.b().type_of(parts[0]);
        let ty = self.cx.out.types.vector(elem, parts.len() as u32);
        let undef = self.cx.out.undef(elem);
        let simple = matches!(self.cx.out.types[elem], TypeKind::Int(32) | TypeKind::Float);
        // The vector that most components come from unchanged.
        let own: Vec<Option<Value>> = (0..).zip(parts).map(|(c, &p)| self.extracted_from(p, c)).collect();
        let whole = own.iter().flatten().copied().find(|&v| self.b().type_of(v) == ty);
        let kept = |v: Value| own.iter().filter(|o| **o == Some(v)).count();
        let constants = parts.iter().filter(|p| simple && matches!(p, Value::Const(_))).count();
        let mut v = match whole.filter(|&v| kept(v) > constants) {
            Some(v) => {
                let bypassed = parts.iter().zip(&own).filter(|(_, o)| **o == Some(v));
                let insts = bypassed.filter_map(|(p, _)| if let Value::Inst(i) = *p { Some(i) } else { None });
                self.deferred.extracted.extend(insts);
                v
            }
            None if constants > 0 => {
                let fixed = parts.iter().map(|&p| if matches!(p, Value::Const(_)) { p } else { undef });
                let fixed: Vec<Value> = fixed.collect();
                self.cx.out.aggregate(ty, &fixed)
            }
            None => self.cx.out.undef(ty),
        };
        let from = v;
        let is_constant = matches!(from, Value::Const(_));
        for (c, &p) in parts.iter().enumerate() {
            let there = if is_constant { simple && matches!(p, Value::Const(_)) } else { own[c] == Some(from) };
            if there || p == undef {
                continue;
            }
            let n = self.cx.out.i32(c as i32);
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

    /// The address that `path` leads to from `base`.
    pub fn address_of(&mut self, base: Value, path: &[Value]) -> Value {
        let everywhere = match base {
            Value::Inst(i) => matches!(self.b().body().insts[i].op, Op::Alloca { .. }),
            _ => true,
        };
        if !everywhere || !path.iter().all(|v| matches!(v, Value::Const(_))) {
            return self.b().gep(true, base, path);
        }
        self.everywhere(|b| b.gep(true, base, path))
    }

    /// What the variable of a resource holds, which never changes.
    pub fn resource_variable(&mut self, pointer: Value) -> Value {
        match pointer {
            Value::Inst(_) => self.b().load(pointer, 4),
            _ => self.everywhere(|b| b.load_constant(pointer, 4)),
        }
    }

    /// Hoists the instruction that `make` emits, whose operands are invariant, to the entry block.
    fn everywhere(&mut self, make: impl FnOnce(&mut Builder<'_>) -> Value) -> Value {
        // It is emitted at the end of the current block and removed from there.
        let block = self.block;
        let mut b = match self.cx.out.edit(self.func, block) {
            Some(b) => b.with_value_numbers(&mut self.available_in_entry),
            None => rtc_base::bug!("writing into a function without body"),
        };
        let before = b.body().blocks[block].len();
        let made = make(&mut b);
        let list = &mut b.body().blocks[block];
        if list.len() > before
            && let Some(inst) = list.pop()
        {
            self.deferred.addresses.push(inst);
        }
        made
    }

    /// Completes the function: removes dead extractions, inserts hoisted instructions.
    pub fn finish(&mut self) {
        let Deferred { addresses, extracted } = std::mem::take(&mut self.deferred);
        let at = self.allocas;
        let mut plan = self.plan.take();
        let mut b = self.b();
        let body = b.body();
        if !extracted.is_empty() {
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
                plan.forget(&dead, &body.blocks);
            }
            for insts in body.blocks.values_mut() {
                insts.retain(|i| !dead.contains(i));
            }
        }
        if let Some(entry) = body.blocks.keys().next() {
            body.blocks[entry].splice(at..at, addresses);
        }
        self.plan = plan;
    }
}
