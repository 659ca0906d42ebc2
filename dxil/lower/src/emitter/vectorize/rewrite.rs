//! The new instructions.
//!
//! A vector is computed where the last component of its group was. What is made of lists comes right before it, or at the end of a predecessor for phis.
//! A component that something needs by itself is extracted right after; the extraction takes over the identity of the instruction that computed it.

use rtc_base::{EntitySet, SecondaryMap};
use rtc_dxil_module::{Block, Body, Func, Inst, InstData, List as Operands, Module, Op, Tail, Type, TypeKind, Value};
use rtc_tables::dxil_ops::op;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::choice::State;
use super::groups::{Candidates, Code, Form, Kind, List, Node, Operand, Second, Source};
use super::{Lanes, operation};
use crate::debug::plan::{Change, Component, Plan};

/// What was chosen.
pub(super) struct Chosen {
    found: Candidates,
    forms: Vec<Option<Form>>,
    /// Components of groups that something needs by themselves.
    needed: EntitySet<Inst>,
}

impl Chosen {
    pub fn of(c: Code<'_>, state: State) -> Chosen {
        let groups = c.found.nodes.iter().filter(|n| n.active && n.kind.is_vector());
        let needed = groups.flat_map(|n| &n.lanes).copied().filter(|&i| state.is_needed(&c, i)).collect();
        Chosen { found: c.found, forms: state.forms, needed }
    }

    /// Rewrites the function `func`.
    pub fn apply(self, m: &mut Module, func: Func, body: &mut Body, plan: Option<&mut Plan>) {
        let mut w = Rewriter {
            m,
            func,
            plan,
            chosen: &self,
            vectors: vec![None; self.found.nodes.len()],
            made: vec![None; self.found.lists.len()],
            replaced: FxHashMap::default(),
            gone: EntitySet::new(),
        };
        w.reserve(body);
        w.blocks(body);
        w.phis(body);
        w.finish(body);
    }
}

struct Rewriter<'a> {
    m: &'a mut Module,
    func: Func,
    plan: Option<&'a mut Plan>,
    chosen: &'a Chosen,
    /// The vector of each group.
    vectors: Vec<Option<Inst>>,
    /// What each list has become.
    made: Vec<Option<Value>>,
    /// Built vectors that are another vector.
    replaced: FxHashMap<Inst, Value>,
    /// What is not computed any more.
    gone: EntitySet<Inst>,
}

impl Rewriter<'_> {
    fn node(&self, n: usize) -> &Node {
        &self.chosen.found.nodes[n]
    }

    fn list(&self, l: u32) -> &List {
        &self.chosen.found.lists[l as usize]
    }

    /// Makes an instruction that comes from the same place as `like`, and is in no block yet.
    fn make(&mut self, body: &mut Body, like: Inst, ty: Type, op: Op) -> Inst {
        if let Some(plan) = &mut self.plan {
            let at = plan.origins.partition_point(|o| o.0 <= like.as_u32());
            let origin = at.checked_sub(1).and_then(|n| plan.origins[n].1.expand());
            plan.at(body.insts.len(), origin);
        }
        let loc = body.insts[like].loc;
        body.insts.push(InstData { op, ty, loc })
    }

    /// Makes the vectors of groups, without operands: phis refer to those that come later.
    fn reserve(&mut self, body: &mut Body) {
        for n in 0..self.vectors.len() {
            let node = &self.chosen.found.nodes[n];
            if !node.active || !node.kind.is_vector() {
                continue;
            }
            let first = node.lanes[0];
            let ty = self.m.types.vector(body.insts[first].ty, node.lanes.len() as u32);
            self.vectors[n] = Some(self.make(body, first, ty, Op::Unreachable));
        }
    }

    fn blocks(&mut self, body: &mut Body) {
        let chosen = self.chosen;
        // Others are written where their last instruction was, too.
        let mut others: FxHashMap<Inst, u32> = FxHashMap::default();
        for (n, node) in (0..).zip(&chosen.found.nodes) {
            if node.active && !node.kind.is_vector() {
                others.extend(node.lanes.iter().map(|&i| (i, n)));
            }
        }
        let mut left: Vec<usize> = chosen.found.nodes.iter().map(|n| n.lanes.len()).collect();
        for b in body.blocks.keys().collect::<Vec<Block>>() {
            let old = std::mem::take(&mut body.blocks[b]);
            let mut new = Vec::with_capacity(old.len());
            // Extractions from phis come after all phis.
            let mut after_phis: Vec<Inst> = Vec::new();
            for i in old {
                if !matches!(body.insts[i].op, Op::Phi(_)) {
                    new.append(&mut after_phis);
                }
                let group = chosen.found.lane_of[i].map(|(n, _)| n).filter(|&n| self.vectors[n as usize].is_some());
                let Some(n) = group.or_else(|| others.get(&i).copied()) else {
                    new.push(i);
                    continue;
                };
                left[n as usize] -= 1;
                if left[n as usize] > 0 {
                    if group.is_none() {
                        self.gone.insert(i);
                    }
                    continue;
                }
                match (&self.node(n as usize).kind, self.vectors[n as usize]) {
                    (Kind::Dot, _) => {
                        self.dot(body, n as usize, i, &mut new);
                        new.push(i);
                    }
                    (Kind::Phis(_), Some(vector)) => {
                        new.push(vector);
                        self.extract(body, n as usize, vector, &mut after_phis);
                    }
                    (_, Some(vector)) => {
                        self.compute(body, n as usize, vector, &mut new);
                        new.push(vector);
                        self.extract(body, n as usize, vector, &mut new);
                    }
                    _ => self.build(body, n as usize, i, &mut new),
                }
            }
            new.append(&mut after_phis);
            body.blocks[b] = new;
        }
    }

    /// Extracts the components of `vector` that are needed by themselves.
    fn extract(&mut self, body: &mut Body, n: usize, vector: Inst, new: &mut Vec<Inst>) {
        for (lane, &i) in (0..).zip(&self.chosen.found.nodes[n].lanes) {
            if self.chosen.needed.contains(i) {
                body.insts[i].op = Op::ExtractElement { vector: Value::Inst(vector), index: self.m.i32(lane) };
                new.push(i);
            } else {
                self.gone.insert(i);
            }
        }
    }

    /// Gives the vector of a group its operation.
    fn compute(&mut self, body: &mut Body, n: usize, vector: Inst, new: &mut Vec<Inst>) {
        let chosen = self.chosen;
        let node = &chosen.found.nodes[n];
        let first = node.lanes[0];
        let mut args: SmallVec<[Value; 4]> = SmallVec::new();
        let mut elem = body.insts[first].ty;
        for &o in &node.operands {
            args.push(match o {
                Operand::List(l) => {
                    elem = self.list(l).elem;
                    self.vector_of(body, l, first, new)
                }
                Operand::Scalar(v) => v,
            });
        }
        let op = body.insts[first].op;
        body.insts[vector].op = match op {
            Op::Binary { op, flags, .. } => Op::Binary { op, flags, lhs: args[0], rhs: args[1] },
            Op::Cmp { pred, flags, .. } => Op::Cmp { pred, flags, lhs: args[0], rhs: args[1] },
            Op::Cast { op, .. } => Op::Cast { op, value: args[0] },
            Op::Select { .. } => Op::Select { cond: args[0], then: args[1], other: args[2] },
            Op::Call { attrs, cc, .. } => {
                let overload = self.m.types.vector(elem, node.lanes.len() as u32);
                let callee = operation(self.m, body, &op).and_then(|dx| self.m.dx_op(dx, &[overload]).ok());
                let callee = callee.expect("the overload was found to fit");
                let args = body.list(&args);
                Op::Call { callee: Value::Func(callee), ty: self.m.funcs[callee].ty, attrs, args, cc, tail: Tail::No }
            }
            other => other,
        };
        for &(kind, mark) in chosen.found.attached.get(&first).into_iter().flatten() {
            body.attach(vector, kind, mark);
        }
    }

    /// Makes dot product `i` take vectors.
    fn dot(&mut self, body: &mut Body, n: usize, i: Inst, new: &mut Vec<Inst>) {
        let chosen = self.chosen;
        let Op::Call { attrs, cc, .. } = body.insts[i].op else { return };
        let mut args: SmallVec<[Value; 4]> = [self.m.i32(op::FDOT.number() as i32)].into_iter().collect();
        let mut overload = body.insts[i].ty;
        for &o in &chosen.found.nodes[n].operands {
            let Operand::List(l) = o else { continue };
            overload = self.m.types.vector(self.list(l).elem, self.list(l).lanes.len() as u32);
            args.push(self.vector_of(body, l, i, new));
        }
        let callee = self.m.dx_op(op::FDOT, &[overload]).expect("it takes vectors of what the others take");
        let args = body.list(&args);
        body.insts[i].op = Op::Call { callee: Value::Func(callee), ty: self.m.funcs[callee].ty, attrs, args, cc, tail: Tail::No };
    }

    /// A built vector, whose last insertion is `last`.
    fn build(&mut self, body: &mut Body, n: usize, last: Inst, new: &mut Vec<Inst>) {
        let Operand::List(l) = self.node(n).operands[0] else { return };
        let before = new.len();
        let v = self.vector_of(body, l, last, new);
        self.gone.insert(last);
        match v {
            // A shuffle for this vector alone keeps its identity.
            Value::Inst(made) if new.len() == before + 1 && self.list(l).users.len() == 1 => {
                body.insts[last].op = body.insts[made].op;
                new[before] = last;
                self.gone.remove(last);
            }
            // What it is may be a built vector itself, which was replaced before.
            v => _ = self.replaced.insert(last, self.now(v)),
        }
    }

    /// What a value is after the replacement of built vectors.
    fn now(&self, v: Value) -> Value {
        match v {
            Value::Inst(i) => self.replaced.get(&i).copied().unwrap_or(v),
            v => v,
        }
    }

    /// The vector that a list is, made at the end of `new` if need be.
    fn vector_of(&mut self, body: &mut Body, l: u32, like: Inst, new: &mut Vec<Inst>) -> Value {
        if let Some(v) = self.made[l as usize] {
            return v;
        }
        let chosen = self.chosen;
        let list = &chosen.found.lists[l as usize];
        let len = list.lanes.len() as u32;
        let ty = self.m.types.vector(list.elem, len);
        let source = |w: &Self, s: Source| match s {
            Source::Group(n) => Value::Inst(w.vectors[n as usize].expect("it is chosen")),
            Source::Value(v) => v,
        };
        let form = chosen.forms[l as usize].as_ref().expect("it is needed");
        let v = match form {
            Form::Constant => self.m.aggregate(ty, &list.lanes),
            Form::Whole(s) => source(self, *s),
            Form::Shuffled(s, second, lanes) => {
                let from = source(self, *s);
                let of = if let Value::Inst(i) = from { Some(body.insts[i].ty) } else { self.m.value_type(Some(self.func), from) };
                let of = of.unwrap_or(ty);
                let second = match second {
                    Second::None => self.m.undef(of),
                    Second::Vector(s) => source(self, *s),
                    Second::Constants(values) => {
                        let TypeKind::Vector { len, .. } = self.m.types[of] else { rtc_base::bug!("it was found to be a vector") };
                        let undef = self.m.undef(list.elem);
                        let mut all = values.clone();
                        all.resize(len as usize, undef);
                        self.m.aggregate(of, &all)
                    }
                };
                self.shuffle(body, ty, (from, second), lanes, like, new)
            }
            Form::Splat if len > 2 => {
                let undef = self.m.undef(ty);
                let index = self.m.i32(0);
                let one = self.make(body, like, ty, Op::InsertElement { vector: undef, value: list.lanes[0], index });
                new.push(one);
                let zeros: SmallVec<[u32; 4]> = SmallVec::from_elem(0, len as usize);
                self.shuffle(body, ty, (Value::Inst(one), undef), &zeros, like, new)
            }
            Form::Splat | Form::Inserted => self.insert(body, ty, list, like, new),
        };
        self.made[l as usize] = Some(v);
        v
    }

    fn shuffle(&mut self, body: &mut Body, ty: Type, (lhs, rhs): (Value, Value), lanes: &[u32], like: Inst, new: &mut Vec<Inst>) -> Value {
        let int = self.m.types.i32();
        let mask_type = self.m.types.vector(int, lanes.len() as u32);
        let numbers: Vec<Value> = lanes.iter().map(|&n| self.m.i32(n as i32)).collect();
        let mask = self.m.aggregate(mask_type, &numbers);
        let i = self.make(body, like, ty, Op::ShuffleVector { lhs, rhs, mask });
        new.push(i);
        Value::Inst(i)
    }

    fn insert(&mut self, body: &mut Body, ty: Type, list: &List, like: Inst, new: &mut Vec<Inst>) -> Value {
        let undef = self.m.undef(list.elem);
        let fixed = |v: &Value| matches!(v, Value::Const(_));
        let mut v = if list.lanes.iter().any(fixed) {
            let base: Lanes = list.lanes.iter().map(|v| if fixed(v) { *v } else { undef }).collect();
            self.m.aggregate(ty, &base)
        } else {
            self.m.undef(ty)
        };
        for (n, lane) in (0..).zip(&list.lanes) {
            if fixed(lane) {
                continue;
            }
            let index = self.m.i32(n);
            let i = self.make(body, like, ty, Op::InsertElement { vector: v, value: *lane, index });
            new.push(i);
            v = Value::Inst(i);
        }
        v
    }

    /// Gives the phis of vectors their operands, which are made at the ends of the predecessors.
    fn phis(&mut self, body: &mut Body) {
        let chosen = self.chosen;
        for (n, node) in chosen.found.nodes.iter().enumerate() {
            let (Kind::Phis(from), Some(vector)) = (&node.kind, self.vectors[n]) else { continue };
            let mut incoming: Vec<Value> = Vec::with_capacity(2 * from.len());
            for (&block, o) in from.iter().zip(&node.operands) {
                let Operand::List(l) = *o else { continue };
                let mut end = Vec::new();
                let v = self.vector_of(body, l, node.lanes[0], &mut end);
                let at = body.blocks[block].len().saturating_sub(1);
                body.blocks[block].splice(at..at, end);
                incoming.extend([v, Value::Block(block)]);
            }
            let list: Operands = body.list(&incoming);
            body.insts[vector].op = Op::Phi(list);
        }
    }

    /// Removes what nothing uses any more, and tells the records of debug information.
    fn finish(mut self, body: &mut Body) {
        // Their marks are those of the vector now.
        let is_lane = |i: Inst| self.chosen.found.lane_of[i].is_some_and(|(n, _)| self.vectors[n as usize].is_some());
        body.attached.retain(|a| !is_lane(a.0));
        if !self.replaced.is_empty() {
            body.map_values(|v| self.now(v));
        }
        let mut uses: SecondaryMap<Inst, u32> = SecondaryMap::new();
        uses.resize(body.insts.len());
        let insts: Vec<Inst> = body.blocks.values().flatten().copied().collect();
        let count = |body: &Body, i: Inst, uses: &mut SecondaryMap<Inst, u32>, by: i32| {
            body.operands(i, |v| {
                if let Value::Inst(used) = v {
                    uses[used] = uses[used].wrapping_add_signed(by);
                }
            });
        };
        for &i in &insts {
            count(body, i, &mut uses, 1);
        }
        let mut dead: FxHashSet<Inst> = FxHashSet::default();
        for &i in insts.iter().rev() {
            if uses[i] == 0 && matches!(body.insts[i].op, Op::ExtractElement { .. }) {
                count(body, i, &mut uses, -1);
                dead.insert(i);
            }
        }
        self.debug(body, &dead);
        if !dead.is_empty() {
            body.blocks.values_mut().for_each(|insts| insts.retain(|i| !dead.contains(i)));
        }
    }

    /// Variables whose value was computed by components have a vector now.
    fn debug(&mut self, body: &Body, dead: &FxHashSet<Inst>) {
        let Some(plan) = self.plan.take() else { return };
        let found = &self.chosen.found;
        let group_of = |i: Inst| found.lane_of[i].and_then(|(n, _)| self.vectors[n as usize]);
        for change in &mut plan.changes {
            self.whole(body, dead, change);
            // A component that is gone was followed by its vector.
            if let Some(vector) = change.after.expand().filter(|i| self.gone.contains(*i)).and_then(group_of) {
                change.after = vector.into();
            }
        }
        plan.forget(dead, &body.blocks);
        let built: FxHashSet<Inst> =
            found.nodes.iter().filter(|n| matches!(n.kind, Kind::Built)).flat_map(|n| n.lanes.iter().copied()).collect();
        let mut position: FxHashMap<Inst, (Block, usize)> = FxHashMap::default();
        for (b, insts) in body.blocks.iter() {
            let kept = insts.iter().filter(|i| !dead.contains(i));
            position.extend(kept.enumerate().map(|(n, &i)| (i, (b, n))));
        }
        for change in &mut plan.changes {
            if let Some(i) = change.after.expand().filter(|i| !position.contains_key(i) && built.contains(i)) {
                change.after =
                    if let Value::Inst(now) = self.now(Value::Inst(i)) { Some(now).filter(|&now| now != i).into() } else { None.into() };
            }
            let here = change.after.expand().and_then(|i| position.get(&i)).map_or(0, |p| p.1 + 1);
            for c in &mut change.value {
                if let Component::Value(Value::Inst(i)) = *c {
                    // Phis are there at the start of the block.
                    let is_phi = matches!(body.insts[i].op, Op::Phi(_));
                    let known = position.get(&i).is_some_and(|&(b, n)| b != change.block || n < here || is_phi);
                    if !known {
                        *c = Component::Unknown;
                    }
                }
            }
        }
    }

    /// A change of all components to those of one vector, of which some are gone, becomes a change to the vector.
    fn whole(&self, body: &Body, dead: &FxHashSet<Inst>, change: &mut Change) {
        let lane = |c: &Component| {
            let Component::Value(Value::Inst(i)) = *c else { return None };
            if let Some((n, lane)) = self.chosen.found.lane_of[i]
                && let Some(vector) = self.vectors[n as usize]
            {
                return Some((vector, i64::from(lane), self.gone.contains(i)));
            }
            match body.insts[i].op {
                Op::ExtractElement { vector: Value::Inst(vector), index } => Some((vector, self.m.int_of(index)?, dead.contains(&i))),
                _ => None,
            }
        };
        let Some((vector, ..)) = change.value.first().and_then(lane) else { return };
        let TypeKind::Vector { len, .. } = self.m.types[body.insts[vector].ty] else { return };
        let same = change.value.len() as u32 == len
            && (0..).zip(&change.value).all(|(at, c)| lane(c).is_some_and(|(v, n, _)| (v, n) == (vector, at)));
        if same && change.value.iter().any(|c| lane(c).is_some_and(|(.., gone)| gone)) {
            change.value = [Component::Value(Value::Inst(vector))].into_iter().collect();
        }
    }
}
