//! Possible states of a hit object at a program point: NOP, miss, hit (a set for each value).
//!
//! Each value has a set that holds everywhere; conditions (`if h.IsHit()`) narrow it in the regions
//! that they dominate. Values are SSA, so a fact holds until the walk leaves such a region.

use rtc_ir::{Function, InstData, Opcode as O, Type, Value};
use rustc_hash::FxHashMap;

use super::liveness::{is_hit, moves};

/// It may be a nop.
pub(super) const NOP: u8 = 1;
/// It may be a miss.
pub(super) const MISS: u8 = 2;
/// It may be a hit.
pub(super) const HIT: u8 = 4;
/// It may be anything.
pub(super) const ANY: u8 = NOP | MISS | HIT;

/// The possible states at the current point of a walk.
pub(super) struct ObjectStates {
    may: FxHashMap<Value, u8>,
    /// What to restore when a region is left.
    log: Vec<(Value, u8)>,
}

impl ObjectStates {
    /// What holds everywhere in `f`.
    pub fn of(f: &Function) -> ObjectStates {
        let mut may: FxHashMap<Value, u8> = FxHashMap::default();
        let mut users: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        let mut todo = Vec::new();
        f.for_each_inst(f.body, |r, i| {
            for (from, to) in moves(f, r, i) {
                users.entry(from).or_default().push(to);
            }
            let Some(v) = f.results(i).first().copied().filter(|&v| is_hit(f, v)) else { return };
            let is = match f.op(i) {
                O::hit_trace => HIT | MISS,
                O::hit_make_miss => MISS,
                O::hit_make_nop => NOP,
                O::hit_from_query | O::hit_from_query_attrs => HIT | NOP,
                O::hit_record => HIT,
                O::hit_set_shader_table_index => {
                    users.entry(f.operands(i)[0]).or_default().push(v);
                    return;
                }
                O::load => ANY,
                _ => return,
            };
            may.insert(v, is);
            todo.push(v);
        });
        while let Some(v) = todo.pop() {
            let is = may[&v];
            for &u in users.get(&v).into_iter().flatten() {
                let now = may.entry(u).or_default();
                if *now | is != *now {
                    *now |= is;
                    todo.push(u);
                }
            }
        }
        ObjectStates { may, log: Vec::new() }
    }

    /// The possible states of `v` here. Never empty: where none remains, the code is unreachable.
    pub fn may(&self, v: Value) -> u8 {
        match self.may.get(&v) {
            Some(&m) if m != 0 => m,
            _ => ANY,
        }
    }

    /// Where to return to.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was learnt since.
    pub fn back_to(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some((v, old)) = self.log.pop() else { return };
            self.may.insert(v, old);
        }
    }

    /// Learns that `cond` is `truth`.
    pub fn assume(&mut self, f: &Function, cond: Value, truth: bool) {
        let mut todo = vec![(cond, truth)];
        while let Some((cond, truth)) = todo.pop() {
            let Some(def) = f.def_inst(cond) else { continue };
            match f.insts[def] {
                InstData::Unary { op: O::not, arg } => todo.push((arg, !truth)),
                InstData::Unary { op: op @ (O::hit_is_hit | O::hit_is_miss | O::hit_is_nop), arg } => {
                    let is = match op {
                        O::hit_is_hit => HIT,
                        O::hit_is_miss => MISS,
                        _ => NOP,
                    };
                    let old = self.may(arg);
                    let now = old & if truth { is } else { ANY & !is };
                    if now != 0 {
                        self.log.push((arg, old));
                        self.may.insert(arg, now);
                    }
                }
                InstData::Binary { op: op @ (O::and | O::or), args } if truth == (op == O::and) && f.ty(cond) == Type::BOOL => {
                    todo.extend(args.map(|a| (a, truth)));
                }
                _ => {}
            }
        }
    }
}
