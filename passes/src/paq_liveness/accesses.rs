//! Construction of the CFG: which cells loads and stores access, and which stores are assignments of the source.

use rtc_ir::{Inst, InstData, Opcode, Place, Root, Step, Type, TypeKind, Value};
use smallvec::SmallVec;

use super::build::Walk;
use super::cfg::Kind;
use super::types::Part;

impl Walk<'_, '_> {
    /// Records a read of the used components of `p`.
    pub(super) fn load(&mut self, i: Inst, p: Part) {
        let f = self.f();
        let v = f.result(i);
        let users: SmallVec<[Inst; 4]> = self.function_facts().users.get(&v).map(|l| SmallVec::from_slice(l)).unwrap_or_default();
        let mut parts: SmallVec<[u32; 4]> = SmallVec::new();
        for &u in &users {
            match f.insts[u] {
                InstData::Many { op: Opcode::extract, imm, .. } if imm < p.len => parts.push(imm),
                _ if self.is_partial_write(i, u, 4) => {}
                _ => return self.event(Kind::Load(p), i),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        for n in parts {
            let one = Part { start: p.start + n, len: 1, ..p };
            self.event(Kind::Load(if p.weak { p } else { one }), i);
        }
    }

    /// Whether `user` only inserts into the loaded value, which is stored back to the same l-value.
    pub(super) fn is_partial_write(&self, load: Inst, user: Inst, depth: u32) -> bool {
        let f = self.f();
        let v = f.result(load);
        let changed = match f.insts[user] {
            InstData::Ternary { op: Opcode::insert_dyn, args } => args[0] == v,
            InstData::Many { op: Opcode::insert, args, .. } => f.get(args).first() == Some(&v),
            // Bit fields: what is around them is kept.
            InstData::Binary { op: Opcode::and, args } => {
                let mask = args.iter().any(|&a| f.as_const(a).is_some());
                return mask
                    && self.uses(f.result(user)).iter().all(|&u| {
                        matches!(f.insts[u], InstData::Binary { op: Opcode::or, .. })
                            && self.uses(f.result(u)).iter().all(|&s| self.writes_back(load, s))
                    });
            }
            _ => false,
        };
        changed
            && depth > 0
            && self.uses(f.result(user)).iter().all(|&u| {
                self.writes_back(load, u)
                    || matches!(f.insts[u], InstData::Many { op: Opcode::insert, .. })
                        && self.uses(f.result(u)).iter().all(|&s| self.writes_back(load, s))
            })
    }

    pub(super) fn writes_back(&self, load: Inst, store: Inst) -> bool {
        let f = self.f();
        match (f.insts[load], f.insts[store]) {
            (InstData::Access { place: a, .. }, InstData::Access { op: Opcode::store, place: b, .. }) => a == b,
            _ => false,
        }
    }

    /// The uses of a value among the next instructions of its region.
    pub(super) fn uses(&self, v: Value) -> SmallVec<[Inst; 2]> {
        let f = self.f();
        let mut out = SmallVec::new();
        let Some(def) = f.def_inst(v) else { return out };
        let r = self.function_facts().parents[def];
        let insts = &f.regions[r].insts;
        // Lowering emits such sequences contiguously.
        let at = insts.iter().position(|&i| i == def).unwrap_or(0);
        for &i in insts[at..].iter().take(16) {
            f.for_each_operand(i, |o| {
                if o == v {
                    out.push(i);
                }
            });
        }
        out
    }

    /// Whether a write is an assignment to a field of a variable with a name.
    pub(super) fn is_assignment(&self, i: Inst, p: Place) -> bool {
        let f = self.f();
        let data = &f.places[p];
        let name = match data.root {
            Root::Local(l) => &f.locals[l].name,
            Root::Slot(s) => &f.slots[s].name,
            Root::Global(_) => return false,
        };
        let whole = match self.facts.cells.m.types.kind(self.part_ty(p)) {
            TypeKind::Struct(s) => self.facts.cells.payloads.binary_search(&s).is_ok(),
            _ => false,
        };
        !name.is_empty() && !data.steps.is_empty() && !whole && !self.function_facts().initialisers.contains(&f.spans[i])
    }

    pub(super) fn part_ty(&self, p: Place) -> Type {
        let (f, m) = (self.f(), self.facts.cells.m);
        let data = &f.places[p];
        let mut t = match data.root {
            Root::Local(l) => f.locals[l].ty,
            Root::Slot(s) => f.slots[s].ty,
            Root::Global(g) => m.globals[g].ty(),
        };
        for s in &data.steps {
            let n = match s {
                Step::At(n) => Some(*n),
                Step::Dyn => None,
            };
            let Some(next) = m.part(t, n) else { break };
            t = next;
        }
        t
    }
}
