//! Rematerialisation and sinking across reorder points.
//!
//! A value that is live across points has a *tree*: its definition, the definitions of its operands, and so on, down to leaves that
//! are available after the points anyway. If there is such a tree of little work, each use after a point takes a copy of it at the
//! use's anchor, right after the point. Copies at one anchor are shared. A definition without uses is removed, so a value that is
//! used only after a point has sunk below it.
//!
//! *Thrifty*: all leaves are live anyway. *Greedy*: others may become live, if they are fewer bytes than the value.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Root, Type, Value, ValueDef, effects};
use rtc_tables::insts::HEAP_NONUNIFORM;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::layout::{Anchor, Layout};
use crate::Changed;
use crate::reorder::{LiveState, remat::weight};
use crate::uniformity::Uniformity;
use crate::util::all_insts;

/// The most work that a copy may be, about so many additions.
const MAX_WORK: u32 = 24;
/// The most work that may sink: it is done once as before.
const MAX_SUNK: u32 = 96;
/// Instructions of a tree.
const MAX_INSTS: usize = 48;
/// How many values are looked at for one tree.
const MAX_VISITS: u32 = 96;
/// The work of reading memory.
const READ: u32 = 6;

pub(super) fn thrifty(m: &Module, f: &mut Function, states: &[LiveState]) -> Changed {
    Remat::run(m, f, states, false)
}

pub(super) fn greedy(m: &Module, f: &mut Function, states: &[LiveState]) -> Changed {
    Remat::run(m, f, states, true)
}

/// Components, a bit each; all of a value that is counted as a whole is 1.
type Mask = u32;

/// How a value is rematerialised.
#[derive(Default)]
struct Tree {
    /// What is copied, operands first.
    insts: Vec<Inst>,
    work: u32,
    /// The most that `work` may be.
    most: u32,
    visits: u32,
    /// What has to be carried for it and is not.
    more: SmallVec<[(Value, Mask); 4]>,
}

struct Remat<'a> {
    m: &'a Module,
    f: &'a mut Function,
    known: Uniformity,
    layout: Layout,
    /// The position of each instruction in the text.
    number: SecondaryMap<Inst, u32>,
    /// The users of each value, with some former ones.
    users: FxHashMap<Value, Vec<Inst>>,
    /// How often each value is an operand.
    uses: SecondaryMap<Value, u32>,
    /// Definitions that nothing needs any more.
    gone: EntitySet<Inst>,
    /// What is carried across each point.
    kept: Vec<FxHashMap<Value, Mask>>,
    /// Copies by anchor and what they are copies of.
    copies: FxHashMap<(Anchor, Value), Value>,
    greedy: bool,
    /// How many copies may still be made.
    budget: usize,
}

impl<'a> Remat<'a> {
    fn run(m: &'a Module, f: &'a mut Function, states: &[LiveState], greedy: bool) -> Changed {
        let known = Uniformity::of(m, f);
        let layout = Layout::of(f);
        let insts = all_insts(f);
        let mut users: FxHashMap<Value, Vec<Inst>> = FxHashMap::default();
        let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
        uses.resize(f.values.len());
        let mut carried: EntitySet<Value> = EntitySet::with_capacity(f.values.len());
        for v in states.iter().flat_map(|s| &s.values) {
            carried.insert(v.value);
        }
        for &i in &insts {
            f.for_each_operand(i, |v| {
                uses[v] += 1;
                if carried.contains(v) {
                    let list = users.entry(v).or_default();
                    if list.last() != Some(&i) {
                        list.push(i);
                    }
                }
            });
        }
        let mut points: FxHashMap<Value, Vec<u32>> = FxHashMap::default();
        let mut kept = Vec::with_capacity(states.len());
        for (n, s) in states.iter().enumerate() {
            for v in &s.values {
                points.entry(v.value).or_default().push(n as u32);
            }
            kept.push(s.values.iter().map(|v| (v.value, v.components)).collect());
        }
        let mut number: SecondaryMap<Inst, u32> = SecondaryMap::new();
        number.resize(f.insts.len());
        for (&i, n) in insts.iter().zip(0..) {
            number[i] = n;
        }
        let mut r = Remat {
            m,
            f,
            known,
            layout,
            number,
            users,
            uses,
            gone: EntitySet::new(),
            kept,
            copies: FxHashMap::default(),
            greedy,
            budget: insts.len() / 2 + 64,
        };
        // What is defined last first: what it leaves to others is known when their turn comes.
        let mut changed = false;
        for &i in insts.iter().rev() {
            if let [v] = *r.f.results(i)
                && let Some(at) = points.get(&v)
            {
                changed |= r.value(v, i, at);
            }
        }
        r.layout.apply(r.f, &r.gone);
        if changed { Changed::Yes } else { Changed::No }
    }

    fn bytes(&self, v: Value, mask: Mask) -> u32 {
        match self.m.types.numeric(self.f.ty(v)) {
            Some((s, 2..=4)) => s.bytes() * mask.count_ones(),
            Some((s, n)) => s.bytes() * n * (mask & 1),
            None => 0,
        }
    }

    fn whole(&self, v: Value) -> Mask {
        match self.m.types.numeric(self.f.ty(v)) {
            Some((_, n @ 2..=4)) => (1 << n) - 1,
            _ => 1,
        }
    }

    /// Rematerialises `v`, the result of `i`, after the points `at`, if that pays. Whether it did.
    fn value(&mut self, v: Value, i: Inst, at: &[u32]) -> bool {
        let at: SmallVec<[u32; 8]> = at.iter().copied().filter(|&p| self.kept[p as usize].contains_key(&v)).collect();
        let Some(gain) = at.iter().map(|&p| self.bytes(v, self.kept[p as usize][&v])).min() else {
            return false;
        };
        let Some(def) = self.layout.definition(self.f, v) else { return false };
        let mut crossing: SmallVec<[(Inst, Anchor); 8]> = SmallVec::new();
        let mut staying: Vec<Inst> = Vec::new();
        for &u in self.users.get(&v).map_or(&[][..], Vec::as_slice) {
            if self.gone.contains(u) {
                continue;
            }
            match self.layout.anchor(self.f, def, u) {
                _ if self.layout.is_tail(u) => return false,
                Some(a) => crossing.push((u, a)),
                None => staying.push(u),
            }
        }
        if gain == 0 || crossing.is_empty() {
            return false;
        }
        let mut anchors: SmallVec<[Anchor; 8]> = crossing.iter().map(|c| c.1).collect();
        anchors.sort_unstable_by_key(|a| (a.region, a.order));
        anchors.dedup();
        let sinks = staying.is_empty() && anchors.len() == 1;
        let mut tree = Tree { most: if sinks { MAX_SUNK } else { MAX_WORK }, ..Tree::default() };
        if !self.tree(v, self.whole(v), &at, true, &mut tree) {
            return false;
        }
        let more: u32 = tree.more.iter().map(|&(o, mask)| self.bytes(o, mask)).sum();
        let copies = tree.insts.len() * anchors.len();
        if more >= gain || copies > self.budget {
            return false;
        }
        debug_assert_eq!(tree.insts.last(), Some(&i));
        self.budget -= copies;
        for a in anchors {
            self.copy(&tree, a);
        }
        for (user, a) in crossing {
            let new = self.copies[&(a, v)];
            let mut count = 0;
            self.f.map_operands(user, |x| {
                count += u32::from(x == v);
                if x == v { new } else { x }
            });
            self.uses[new] += count;
            self.uses[v] -= count;
            self.users.entry(new).or_default().push(user);
        }
        self.users.insert(v, staying);
        self.drop_unused(i);
        for p in at {
            let kept = &mut self.kept[p as usize];
            kept.remove(&v);
            for &(o, mask) in &tree.more {
                *kept.entry(o).or_insert(0) |= mask;
            }
        }
        true
    }

    /// Drops `i` if nothing uses it, and then what only it used.
    fn drop_unused(&mut self, i: Inst) {
        let mut todo = vec![i];
        while let Some(i) = todo.pop() {
            let unused = self.f.results(i).iter().all(|&v| self.uses[v] == 0);
            let fine = !self.f.owns_regions(i) && effects::of_inst(self.m, self.f, i).may_drop();
            if !unused || !fine || !self.gone.insert(i) {
                continue;
            }
            for o in self.f.operands(i) {
                self.uses[o] -= 1;
                todo.extend(self.f.def_inst(o));
            }
        }
    }

    /// Whether `i` may be computed anywhere, as often as one likes.
    fn is_free(&self, i: Inst) -> bool {
        let f = &*self.f;
        if f.owns_regions(i)
            || f.results(i).len() != 1
            || f.ty(f.result(i)) == Type::HIT_OBJECT
            || !self.known.effects(self.m, f, i).is_pure()
        {
            return false;
        }
        match f.insts[i] {
            InstData::Resource { nonuniform, .. } => !nonuniform,
            InstData::Many { op: Opcode::heap_resource, imm, .. } => imm & HEAP_NONUNIFORM == 0,
            InstData::Access { place, .. } => matches!(f.places[place].root, Root::Global(_)),
            InstData::Slot { .. } | InstData::Call { .. } | InstData::Exit { .. } => false,
            _ => true,
        }
    }

    /// Adds to `tree` what computes the components `mask` of `v` after the points `at`. Whether that is possible; if not,
    /// `tree` is as it was.
    fn tree(&self, v: Value, mask: Mask, at: &[u32], itself: bool, tree: &mut Tree) -> bool {
        let inst = match self.f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => return true,
            ValueDef::Result(i, _) => Some(i).filter(|&i| self.is_free(i)),
            ValueDef::Param(..) => None,
        };
        if !itself {
            tree.visits += 1;
            let mut missing = 0;
            for &p in at {
                missing |= mask & !self.kept[p as usize].get(&v).copied().unwrap_or(0);
                if missing == mask {
                    break;
                }
            }
            if missing == 0 || inst.is_some_and(|i| tree.insts.contains(&i)) {
                return true;
            }
            let marks = (tree.insts.len(), tree.more.len(), tree.work);
            let price = if self.greedy { self.bytes(v, missing) } else { 0 };
            if let Some(i) = inst {
                if self.expand(i, at, tree) {
                    let more = tree.more[marks.1..].iter().map(|&(o, mask)| self.bytes(o, mask));
                    if price == 0 || more.sum::<u32>() <= price {
                        return true;
                    }
                }
                tree.insts.truncate(marks.0);
                tree.more.truncate(marks.1);
                tree.work = marks.2;
            }
            if price == 0 {
                return false;
            }
            match tree.more.iter_mut().find(|x| x.0 == v) {
                Some(x) => x.1 |= missing,
                None => tree.more.push((v, missing)),
            }
            return true;
        }
        inst.is_some_and(|i| self.expand(i, at, tree))
    }

    fn expand(&self, i: Inst, at: &[u32], tree: &mut Tree) -> bool {
        let read = self.f.op(i).effects().contains(Effects::READS_PLACEMENT) && self.f.op(i) != Opcode::cbuf_load;
        tree.work += if read { READ } else { weight(self.f.op(i)) };
        if tree.work > tree.most || tree.insts.len() >= MAX_INSTS || tree.visits > MAX_VISITS {
            return false;
        }
        for o in self.f.operands(i) {
            let mask = match self.f.insts[i] {
                InstData::Many { op: Opcode::extract, imm, .. } if self.whole(o) > 1 => 1 << imm,
                _ => self.whole(o),
            };
            if !self.tree(o, mask, at, false, tree) {
                return false;
            }
        }
        tree.insts.push(i);
        true
    }

    /// Copies `tree` to `at`.
    fn copy(&mut self, tree: &Tree, at: Anchor) {
        for &i in &tree.insts {
            let v = self.f.result(i);
            if self.copies.contains_key(&(at, v)) {
                continue;
            }
            let mut data = self.f.insts[i];
            match &mut data {
                InstData::Many { args, .. } | InstData::Access { args, .. } => {
                    let all: SmallVec<[Value; 8]> = self.f.get(*args).into();
                    *args = self.f.list(&all);
                }
                _ => {}
            }
            let (ty, span) = (self.f.ty(v), self.f.spans[i]);
            let new = self.f.make(data, &[ty], span);
            self.f.inherit_own(new, i);
            let copies = &self.copies;
            self.f.map_operands(new, |o| copies.get(&(at, o)).copied().unwrap_or(o));
            for o in self.f.operands(new) {
                self.uses[o] += 1;
                self.users.entry(o).or_default().push(new);
            }
            self.copies.insert((at, v), self.f.result(new));
            self.layout.put(at, self.number[i], new);
        }
    }
}
