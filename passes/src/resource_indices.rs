//! `-Wnon-uniform-index`: indices of resources that may differ among the lanes of a wave, where `NonUniformResourceIndex` does not say so.
//!
//! A device may use the resource of one lane for all lanes of a wave then. The indices of arrays and of descriptor heaps count, and those that became of
//! resources which control flow selects: the pass `handles` has resolved them, and `nonuniform` has marked what the source marks. Nothing is hoisted yet, so
//! a condition around a use still says what it said in the source.
//!
//! Divergence is what [`Uniformity::in_waves`] knows. What it does not know is silent, and so are functions for other libraries, whose arguments are not
//! there. Results of wave operations are the same in a wave up to the next reorder point: one that is used after it is reported.

use rtc_base::{Diagnostic, EntitySet, Span};
use rtc_ir::analysis::{Exits, RegionTree, forward_slice, results_start};
use rtc_ir::{Effects, Function, Global, Inst, InstData, Module, Opcode, Stage, Value, ValueDef};
use rtc_tables::diagnostics as codes;
use rtc_tables::insts::HEAP_NONUNIFORM;
use rtc_tables::resources::ResourceClass;
use rustc_hash::FxHashSet;

use crate::ranges::Ranges;
use crate::uniformity::{Uniformity, is_reduction};

/// How deep what an index depends on is searched.
const MAX_DEPTH: u32 = 64;

/// The warnings about `m`, in the order of the source. `local` are the resources that shader records bind.
pub fn unmarked_indices(m: &Module, local: &EntitySet<Global>) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for f in m.funcs.values().filter(|f| f.stage != Stage::Library) {
        let mut handles = Vec::new();
        f.for_each_inst(f.body, |_, i| handles.extend(unmarked(m, f, i).map(|index| (i, index))));
        if handles.is_empty() {
            continue;
        }
        let exits = Exits::of(f);
        let mut facts =
            Facts { m, f, uniform: Uniformity::in_waves(m, f, local), tree: RegionTree::of(f), exits, ranges: None, of_wave: None };
        for (handle, index) in handles {
            let found = match facts.uniform.is_uniform(f, index) {
                false if facts.is_one(handle, index) || facts.is_guarded(handle, index) || facts.is_chosen(handle, index) => None,
                false => Some(facts.differs(handle, index)),
                true => facts.crossing(handle).map(|found| facts.crosses(handle, found)),
            };
            all.extend(found.filter(|d| seen.insert(d.span())));
        }
    }
    all.sort_by_key(|d| d.span().lo);
    all
}

/// The index of handle `i`, if it is one of several resources and not marked.
fn unmarked(m: &Module, f: &Function, i: Inst) -> Option<Value> {
    let index = match f.insts[i] {
        InstData::Resource { global, index, nonuniform: false } if m.globals[global].resource()?.count != Some(1) => index.expand()?,
        InstData::Many { op: Opcode::heap_resource, imm, args } if imm & HEAP_NONUNIFORM == 0 => f.get(args)[0],
        _ => return None,
    };
    f.as_const(index).is_none().then_some(index)
}

/// The pairs of values that two values can be at once, and whether a loop makes them.
struct Sources {
    pairs: Vec<(Value, Value)>,
    looped: bool,
}

/// No more pairs are followed.
const MAX_PAIRS: usize = 256;

struct Facts<'a> {
    m: &'a Module,
    f: &'a Function,
    uniform: Uniformity,
    tree: RegionTree,
    exits: Exits,
    ranges: Option<Ranges>,
    /// Reorder points, and results of wave operations with what is computed from them.
    of_wave: Option<(Vec<Inst>, EntitySet<Value>)>,
}

impl Facts<'_> {
    /// Whether the index is one number where the handle is made.
    fn is_one(&mut self, handle: Inst, index: Value) -> bool {
        let (m, f) = (self.m, self.f);
        let range = self.ranges.get_or_insert_with(|| Ranges::of(&m.types, f)).at(index, handle);
        range.umin >= range.umax
    }

    /// Whether a condition around the handle says that the lanes in it have one index: that it equals what is uniform, or is equal in all lanes.
    fn is_guarded(&self, handle: Inst, index: Value) -> bool {
        let f = self.f;
        let mut at = self.tree.region(handle);
        while let Some(r) = at {
            let owner = f.regions[r].owner;
            if let Some(InstData::If { cond, then_, .. }) = owner.map(|o| f.insts[o])
                && self.says_one(cond, then_ == r, index, MAX_DEPTH)
            {
                return true;
            }
            at = owner.and_then(|o| self.tree.region(o));
        }
        false
    }

    /// Whether all lanes for which `cond` is `holds` have the same `index`.
    fn says_one(&self, cond: Value, holds: bool, index: Value, depth: u32) -> bool {
        let f = self.f;
        let Some(i) = f.def_inst(cond).filter(|_| depth > 0) else { return false };
        match f.insts[i] {
            InstData::Unary { op: Opcode::not, arg } => self.says_one(arg, !holds, index, depth - 1),
            InstData::Unary { op: Opcode::wave_all_equal, arg } => holds && arg == index,
            InstData::Binary { op: op @ (Opcode::ieq | Opcode::ine), args: [a, b] } => {
                let other = if a == index { Some(b) } else { (b == index).then_some(a) };
                holds == (op == Opcode::ieq) && other.is_some_and(|o| self.uniform.is_uniform(f, o))
            }
            InstData::Binary { op: op @ (Opcode::and | Opcode::or), args } if holds == (op == Opcode::and) => {
                args.iter().any(|&c| self.says_one(c, holds, index, depth - 1))
            }
            _ => false,
        }
    }

    /// Whether the index is one where the handle is made because control flow chose its resource among several, and comes here for that alone: where the
    /// number of the resource is this one, one index was chosen with it.
    fn is_chosen(&self, handle: Inst, index: Value) -> bool {
        let f = self.f;
        let mut at = self.tree.region(handle);
        while let Some(r) = at {
            let owner = f.regions[r].owner;
            let found = match owner.map(|o| f.insts[o]) {
                Some(InstData::If { cond, then_, .. }) => match f.def_inst(cond).map(|i| f.insts[i]) {
                    Some(InstData::Binary { op: Opcode::ieq, args: [which, n] }) => f.as_const(n).map(|n| (which, n, then_ == r)),
                    _ => None,
                },
                Some(InstData::Switch { on, cases }) => {
                    let arm = f.cases[cases].arms.iter().find(|a| a.1 == r && a.0.len() == 1);
                    arm.map(|a| (on, u64::from(a.0[0] as u32), true))
                }
                _ => None,
            };
            if found.is_some_and(|(which, n, holds)| self.is_one_where(index, which, n, holds)) {
                return true;
            }
            at = owner.and_then(|o| self.tree.region(o));
        }
        false
    }

    /// Whether `index` is one number wherever it is true (`holds`) or false that `which` is `n`: both come out of one construct, loop or choice. What a
    /// loop takes along may be of another iteration in each lane, so that it has to be a constant.
    fn is_one_where(&self, index: Value, which: Value, n: u64, holds: bool) -> bool {
        let f = self.f;
        let Some(first) = self.sources_of(index, which) else { return false };
        let (mut open, mut seen, mut one) = (first.pairs, FxHashSet::default(), None);
        let mut looped = first.looped;
        while let Some((x, p)) = open.pop() {
            if !seen.insert((x, p)) || f.as_const(p).is_some_and(|p| (p == n) != holds) {
                continue;
            }
            if f.as_const(p).is_none()
                && let Some(more) = self.sources_of(x, p)
            {
                looped |= more.looped;
                open.extend(more.pairs);
                continue;
            }
            let same = *one.get_or_insert(x) == x || f.as_const(x).is_some() && one.and_then(|y| f.as_const(y)) == f.as_const(x);
            if !same || f.as_const(p).is_none() && f.as_const(x).is_none() || !self.uniform.is_uniform(f, x) || seen.len() > MAX_PAIRS {
                return false;
            }
        }
        !looped || one.is_none_or(|x| f.as_const(x).is_some())
    }

    /// The pairs of values that two values can be at once.
    fn sources_of(&self, a: Value, b: Value) -> Option<Sources> {
        let f = self.f;
        if let (ValueDef::Param(r, x), ValueDef::Param(s, p)) = (f.values[a].def, f.values[b].def) {
            let owner = f.regions[r].owner.filter(|_| r == s)?;
            let InstData::Loop { body, .. } = f.insts[owner] else { return None };
            let (x, p) = (x as usize, p as usize);
            let given = |i: Inst, first: usize| Some((*f.operands(i).get(first + x)?, *f.operands(i).get(first + p)?));
            let mut pairs = Vec::new();
            if r == body {
                pairs.push(given(owner, 0)?);
                for &i in &self.exits.nexts[owner] {
                    let first = usize::from(matches!(f.insts[i], InstData::Exit { op: Opcode::next_if, .. }));
                    pairs.push(given(i, first)?);
                }
            } else {
                for &i in &self.exits.continues[owner] {
                    pairs.push(given(i, 0)?);
                }
            }
            return Some(Sources { pairs, looped: true });
        }
        let (i, k) = (f.def_inst(a)?, f.def_inst(b)?);
        let pairs = match (f.insts[i], f.insts[k]) {
            (InstData::Ternary { op: Opcode::select, args: [c, x, y] }, InstData::Ternary { op: Opcode::select, args: [d, p, q] })
                if c == d =>
            {
                vec![(x, p), (y, q)]
            }
            _ if i == k && f.owns_regions(i) => {
                let place = |v: Value| f.results(i).iter().position(|&r| r == v);
                let (x, p) = (place(a)?, place(b)?);
                let exits = self.exits.leave[i].iter();
                exits
                    .map(|&e| (e, f.operands(e)))
                    .map(|(e, given)| (given[results_start(f, e) + x], given[results_start(f, e) + p]))
                    .collect()
            }
            _ => return None,
        };
        Some(Sources { pairs, looped: matches!(f.insts[i], InstData::Loop { .. }) })
    }

    /// A wave operation on which the index of the handle depends, a reorder point, and a use of the handle after that.
    fn crossing(&mut self, handle: Inst) -> Option<[Inst; 3]> {
        let f = self.f;
        let facts = self.of_wave.take().unwrap_or_else(|| {
            let mut points = Vec::new();
            // That a function of another library moves the thread is not certain.
            f.for_each_inst(f.body, |_, i| {
                if f.op(i).effects().contains(Effects::REORDERS) && f.op(i) != Opcode::call {
                    points.push(i);
                }
            });
            let of_wave = if points.is_empty() { EntitySet::new() } else { forward_slice(f, |i| is_reduction(f.op(i)), |_| true) };
            (points, of_wave)
        });
        let found = self.crossing_of(handle, &facts.0, &facts.1);
        self.of_wave = Some(facts);
        found
    }

    fn crossing_of(&self, handle: Inst, points: &[Inst], of_wave: &EntitySet<Value>) -> Option<[Inst; 3]> {
        let f = self.f;
        let result = f.result(handle);
        let mut open = Vec::new();
        f.for_each_inst(f.body, |_, i| {
            f.for_each_operand(i, |v| {
                if v == result {
                    open.push((v, i, i));
                }
            });
        });
        let mut seen = FxHashSet::default();
        while let Some((v, user, access)) = open.pop() {
            let Some(def) = f.def_inst(v).filter(|_| of_wave.contains(v) && seen.insert((v, user))) else { continue };
            let between = |point: &&Inst| self.tree.number(def) < self.tree.number(**point) && self.is_after(**point, user);
            if let Some(&point) = points.iter().find(between) {
                return Some([self.reduction_of(v)?, point, access]);
            }
            if !f.owns_regions(def) && !is_reduction(f.op(def)) {
                open.extend(f.operands(def).into_iter().map(|o| (o, def, access)));
            }
        }
        None
    }

    /// Whether control may come from `point` to `user` without going back: they are not in different arms of a branch.
    fn is_after(&self, point: Inst, user: Inst) -> bool {
        let f = self.f;
        let path = |i: Inst| {
            let mut all = Vec::new();
            let mut at = self.tree.region(i);
            while let Some(r) = at {
                all.push(r);
                at = f.regions[r].owner.and_then(|o| self.tree.region(o));
            }
            all
        };
        let (a, b) = (path(point), path(user));
        let common = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
        let arm = |p: &[rtc_ir::Region]| p.len().checked_sub(common + 1).and_then(|n| f.regions[p[n]].owner);
        let apart = matches!((arm(&a), arm(&b)), (Some(x), Some(y)) if x == y && !matches!(f.insts[x], InstData::Loop { .. }));
        self.tree.number(point) < self.tree.number(user) && !apart
    }

    /// The wave operation that `v` comes from.
    fn reduction_of(&self, v: Value) -> Option<Inst> {
        let f = self.f;
        let (mut open, mut seen) = (vec![v], FxHashSet::default());
        while let Some(v) = open.pop() {
            let Some(i) = f.def_inst(v).filter(|_| seen.insert(v)) else { continue };
            if is_reduction(f.op(i)) {
                return Some(i);
            }
            if f.owns_regions(i) {
                continue;
            }
            open.extend(f.operands(i));
        }
        None
    }

    /// Where it begins that `v` varies: the first instruction that varies though nothing does that it depends on.
    fn cause(&self, v: Value) -> Option<Span> {
        let f = self.f;
        let mut v = v;
        let mut found = None;
        for _ in 0..MAX_DEPTH {
            let Some(i) = f.def_inst(v) else { break };
            found = Some(f.spans[i]);
            if f.owns_regions(i) {
                break;
            }
            match f.operands(i).into_iter().find(|&o| !self.uniform.is_uniform(f, o)) {
                Some(next) => v = next,
                None => break,
            }
        }
        found.filter(|s| !s.is_none())
    }

    /// What the source calls the array or heap.
    fn name(&self, handle: Inst) -> &str {
        match self.f.insts[handle] {
            InstData::Resource { global, .. } => &self.m.globals[global].name,
            _ => {
                let class = self.m.types.as_resource(self.f.ty(self.f.result(handle))).map(|r| r.class);
                if class == Some(ResourceClass::Sampler) { "SamplerDescriptorHeap" } else { "ResourceDescriptorHeap" }
            }
        }
    }

    fn differs(&self, handle: Inst, index: Value) -> Diagnostic {
        let f = self.f;
        let (threads, why) = match f.stage.is_raytracing() {
            true => ("rays", "which rays run in one wave is up to the device, and changes wherever it sorts or reorders them"),
            false => ("lanes", "the lanes of a wave may use the resource of one of them"),
        };
        let message = format!(
            "{threads} of one wave may use different elements of `{}`, and its index is not marked as non-uniform",
            self.name(handle)
        );
        let mut out = Diagnostic::new(&codes::W0863, f.spans[handle], message);
        if let Some(cause) = self.cause(index).filter(|&s| s != f.spans[handle]) {
            out = out.label(cause, format!("this may differ between {threads} of a wave"));
        }
        out.note(why).note("put the index into `NonUniformResourceIndex(…)`")
    }

    fn crosses(&self, handle: Inst, [wave, point, access]: [Inst; 3]) -> Diagnostic {
        let f = self.f;
        let message = format!(
            "the index of `{}` is a number of the wave before a reorder point, used after it, and not marked as non-uniform",
            self.name(handle)
        );
        Diagnostic::new(&codes::W0863, f.spans[access], message)
            .label(f.spans[wave], "of the wave that the thread is in here")
            .label(f.spans[point], "the thread may go to another wave here")
            .note("results of wave operations hold up to the next reorder point (DXR 1.31, wave intrinsics)")
            .note("put the index into `NonUniformResourceIndex(…)`")
    }
}
