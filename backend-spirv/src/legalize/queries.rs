//! Ray queries as HLSL means them.
//!
//! HLSL lets a query proceed after its traversal has ended (there is no further candidate), be aborted at any time after
//! it was started, and be asked for its distance before anything is committed (the ray's end). SPIR-V leaves all three
//! undefined. A walk over the function finds what may happen to each query at each point, and only queries that are used
//! beyond what SPIR-V defines get variables that remember: how far the traversal is, and where the ray ends. The usual
//! loop, `while (q.Proceed())`, needs neither.

use rtc_base::{SecondaryMap, Span};
use rtc_ir::{Builder, Function, Inst, InstData, Local, Opcode as O, Region, Root, Slot, SlotRole, Type, TypeTable, Value};
use rustc_hash::FxHashMap;

/// Traced, but not proceeded.
const STARTED: u8 = 1;
/// There is a candidate.
const CANDIDATE: u8 = 2;
/// No further candidate: the traversal has ended, or was ended.
const OVER: u8 = 4;
/// Ended by `Abort` where SPIR-V allows it: the next step gives no candidate.
const ENDED: u8 = 8;

/// What is known of a query at a point.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Known {
    /// Where the traversal may be: a set.
    traversal: u8,
    /// Something is committed.
    committed: bool,
    /// What `Proceed` gave last.
    proceeded: Option<Value>,
    /// What was committed when asked last.
    status: Option<Value>,
}

impl Known {
    fn join(self, other: Known) -> Known {
        Known {
            traversal: self.traversal | other.traversal,
            committed: self.committed && other.committed,
            proceeded: self.proceeded.filter(|_| self.proceeded == other.proceeded),
            status: self.status.filter(|_| self.status == other.status),
        }
    }
}

type State = Vec<Known>;

fn join(into: &mut Option<State>, state: &State) -> bool {
    match into {
        None => {
            *into = Some(state.clone());
            true
        }
        Some(old) => {
            let mut changed = false;
            for (o, n) in old.iter_mut().zip(state) {
                let both = o.join(*n);
                changed |= both != *o;
                *o = both;
            }
            changed
        }
    }
}

/// What a query needs to remember.
#[derive(Clone, Copy, Default)]
struct Needs {
    traversal: bool,
    end: bool,
}

/// Gives the ray queries of `f` the meaning that HLSL gives them.
pub fn run(types: &mut TypeTable, f: &mut Function) {
    let slots: Vec<Slot> = f.slots.iter().filter(|(_, s)| s.role == SlotRole::RayQuery).map(|(id, _)| id).collect();
    if slots.is_empty() {
        return;
    }
    let mut walk = Walk {
        f,
        slots: &slots,
        needs: vec![Needs::default(); slots.len()],
        after: FxHashMap::default(),
        continues: FxHashMap::default(),
        again: FxHashMap::default(),
    };
    let nothing: State = vec![Known::default(); slots.len()];
    walk.region(f.body, nothing);
    let needs = walk.needs;
    if needs.iter().any(|n| n.traversal || n.end) {
        rewrite(types, f, &slots, &needs);
    }
}

/// The query that an instruction works on.
fn query_of(f: &Function, i: Inst) -> Option<Slot> {
    let InstData::Many { args, .. } = f.insts[i] else { return None };
    let def = f.def_inst(*f.get(args).first()?)?;
    match f.insts[def] {
        InstData::Slot { op: O::allocate_ray_query, slot, .. } => Some(slot),
        _ => None,
    }
}

struct Walk<'a> {
    f: &'a Function,
    slots: &'a [Slot],
    needs: Vec<Needs>,
    /// States at the exits of constructs, at the `continue`s of loops, and at their next iterations.
    after: FxHashMap<Inst, Option<State>>,
    continues: FxHashMap<Inst, Option<State>>,
    again: FxHashMap<Inst, Option<State>>,
}

impl Walk<'_> {
    /// Walks a region; its exits carry the state on. Regions are nested no deeper than the verifier allows.
    fn region(&mut self, r: Region, mut s: State) {
        let f = self.f;
        for &i in &f.regions[r].insts {
            match f.insts[i] {
                InstData::If { cond, then_, else_ } => {
                    let (mut yes, mut no) = (s.clone(), s);
                    self.assume(&mut yes, cond, true);
                    self.assume(&mut no, cond, false);
                    self.region(then_, yes);
                    self.region(else_, no);
                }
                InstData::Switch { on, cases } => {
                    for (values, arm) in &f.cases[cases].arms {
                        let mut here = s.clone();
                        for k in here.iter_mut().filter(|k| k.status == Some(on)) {
                            k.committed |= !values.contains(&0);
                        }
                        self.region(*arm, here);
                    }
                    self.region(f.cases[cases].default, s);
                }
                InstData::Block { body } => self.region(body, s),
                InstData::Loop { body, continuing, .. } => {
                    let mut head = Some(s);
                    while let Some(start) = head.clone() {
                        self.region(body, start);
                        if let Some(state) = self.continues.remove(&i).flatten() {
                            self.region(continuing, state);
                        }
                        match self.again.remove(&i).flatten() {
                            Some(state) if join(&mut head, &state) => {}
                            _ => break,
                        }
                    }
                }
                InstData::Exit { op, target, args, .. } => {
                    self.exit(r, op, target.expand(), f.get(args), s);
                    return;
                }
                _ => {
                    self.inst(i, &mut s);
                    continue;
                }
            }
            match self.after.remove(&i).flatten() {
                Some(state) => s = state,
                None => return,
            }
        }
    }

    fn exit(&mut self, from: Region, op: O, target: Option<Region>, args: &[Value], s: State) {
        let f = self.f;
        let owner = f.regions[from].owner;
        let target = target.and_then(|t| f.regions[t].owner);
        match (op, owner, target) {
            (O::yield_, Some(o), _) | (O::break_, _, Some(o)) => _ = join(self.after.entry(o).or_default(), &s),
            (O::continue_, _, Some(o)) => _ = join(self.continues.entry(o).or_default(), &s),
            (O::next, Some(o), _) => _ = join(self.again.entry(o).or_default(), &s),
            (O::next_if, Some(o), _) => {
                let (mut yes, mut no) = (s.clone(), s);
                self.assume(&mut yes, args[0], true);
                self.assume(&mut no, args[0], false);
                join(self.again.entry(o).or_default(), &yes);
                join(self.after.entry(o).or_default(), &no);
            }
            _ => {}
        }
    }

    /// What follows from `cond` being `truth`.
    fn assume(&self, s: &mut State, cond: Value, truth: bool) {
        let f = self.f;
        for k in s.iter_mut().filter(|k| k.proceeded == Some(cond)) {
            k.traversal = if truth { CANDIDATE } else { OVER };
        }
        let Some(def) = f.def_inst(cond) else { return };
        match f.insts[def] {
            InstData::Unary { op: O::not, arg } => self.assume(s, arg, !truth),
            InstData::Binary { op: O::and, args } if truth && f.ty(cond) == Type::BOOL => {
                args.iter().for_each(|&a| self.assume(s, a, true));
            }
            InstData::Binary { op: O::or, args } if !truth && f.ty(cond) == Type::BOOL => {
                args.iter().for_each(|&a| self.assume(s, a, false));
            }
            InstData::Binary { op: op @ (O::ieq | O::ine), args: [a, b] } => {
                let (v, n) = match (f.as_const(a), f.as_const(b)) {
                    (None, Some(n)) => (a, n),
                    (Some(n), None) => (b, n),
                    _ => return,
                };
                let equal = (op == O::ieq) == truth;
                if equal == (n != 0) && (equal || n == 0) {
                    s.iter_mut().filter(|k| k.status == Some(v)).for_each(|k| k.committed = true);
                }
            }
            _ => {}
        }
    }

    fn inst(&mut self, i: Inst, s: &mut State) {
        let f = self.f;
        let Some(slot) = query_of(f, i) else { return };
        let Some(n) = self.slots.iter().position(|&x| x == slot) else { return };
        let (k, needs) = (&mut s[n], &mut self.needs[n]);
        match f.op(i) {
            O::ray_query_trace_ray_inline => *k = Known { traversal: STARTED, ..Known::default() },
            O::ray_query_proceed => {
                needs.traversal |= k.traversal & OVER != 0;
                k.traversal = CANDIDATE | OVER;
                k.proceeded = Some(f.result(i));
                k.status = None;
            }
            O::ray_query_abort => {
                needs.traversal |= k.traversal & !CANDIDATE != 0;
                k.traversal = ENDED;
                k.proceeded = None;
            }
            O::ray_query_commit_non_opaque_triangle_hit | O::ray_query_commit_procedural_primitive_hit => {
                k.committed = true;
            }
            O::ray_query_committed_status => k.status = Some(f.result(i)),
            O::ray_query_committed_ray_t => needs.end |= !k.committed,
            _ => {}
        }
    }
}

/// The variables of a query.
#[derive(Clone, Copy)]
struct Memory {
    /// 0: started, 1: there is a candidate, 2: over.
    traversal: Option<Local>,
    end: Option<Local>,
}

fn rewrite(types: &mut TypeTable, f: &mut Function, slots: &[Slot], needs: &[Needs]) {
    let mut memory: SecondaryMap<Slot, Option<Memory>> = SecondaryMap::new();
    for (&slot, need) in slots.iter().zip(needs) {
        let traversal = need.traversal.then(|| f.add_local(Type::I32, "traversal"));
        let end = need.end.then(|| f.add_local(Type::F32, "ray end"));
        memory[slot] = Some(Memory { traversal, end });
    }
    let mut regions = Vec::new();
    f.for_each_region(f.body, |r| regions.push(r));
    for r in regions {
        let old = std::mem::take(&mut f.regions[r].insts);
        for i in old {
            let known = query_of(f, i).and_then(|slot| memory[slot]);
            match known {
                Some(m) => inst(types, f, r, i, m),
                None => f.regions[r].insts.push(i),
            }
        }
    }
}

fn inst(types: &mut TypeTable, f: &mut Function, r: Region, i: Inst, m: Memory) {
    let span = f.spans[i];
    match (f.op(i), m) {
        (O::ray_query_trace_ray_inline, _) => {
            let end = f.operands(i).last().copied();
            let zero = f.const_u32(0);
            f.regions[r].insts.push(i);
            if let Some(l) = m.traversal {
                at(types, f, r, span).store(Root::Local(l), &[], &[], zero);
            }
            if let (Some(l), Some(end)) = (m.end, end) {
                at(types, f, r, span).store(Root::Local(l), &[], &[], end);
            }
        }
        (O::ray_query_proceed, Memory { traversal: Some(l), .. }) => {
            let v = f.result(i);
            let (one, two, no) = (f.const_u32(1), f.const_u32(2), f.const_bool(false));
            let over = is(types, f, r, span, l, two);
            let (stop, step) = (f.add_region(), f.add_region());
            at(types, f, stop, span).exit(O::yield_, &[no]);
            let copy = f.append(step, f.insts[i], &[Type::BOOL], span);
            let more = f.result(copy);
            let mut b = at(types, f, step, span);
            let now = b.select(more, one, two);
            b.store(Root::Local(l), &[], &[], now);
            b.exit(O::yield_, &[more]);
            // The old instruction becomes the choice, so that its result keeps its number.
            f.insts[i] = InstData::If { cond: over, then_: stop, else_: step };
            for inner in [stop, step] {
                f.regions[inner].owner = Some(i);
            }
            debug_assert_eq!(f.result(i), v);
            f.regions[r].insts.push(i);
        }
        (O::ray_query_abort, Memory { traversal: Some(l), .. }) => {
            let (one, two) = (f.const_u32(1), f.const_u32(2));
            let candidate = is(types, f, r, span, l, one);
            let (end, leave) = (f.add_region(), f.add_region());
            f.regions[end].insts.push(i);
            at(types, f, end, span).exit(O::yield_, &[]);
            at(types, f, leave, span).exit(O::yield_, &[]);
            let mut b = at(types, f, r, span);
            b.if_(candidate, end, leave, &[]);
            b.store(Root::Local(l), &[], &[], two);
        }
        (O::ray_query_committed_ray_t, Memory { end: Some(l), .. }) => {
            let query = f.operands(i)[0];
            let zero = f.const_u32(0);
            let mut b = at(types, f, r, span);
            let status = b.many_value(O::ray_query_committed_status, 0, &[query], Type::I32);
            let some = b.binary(O::ine, status, zero);
            let (hit, miss) = (f.add_region(), f.add_region());
            let copy = f.append(hit, f.insts[i], &[Type::F32], span);
            let t = f.result(copy);
            at(types, f, hit, span).exit(O::yield_, &[t]);
            let mut b = at(types, f, miss, span);
            let end = b.load(Root::Local(l), &[], &[], Type::F32);
            b.exit(O::yield_, &[end]);
            f.insts[i] = InstData::If { cond: some, then_: hit, else_: miss };
            for inner in [hit, miss] {
                f.regions[inner].owner = Some(i);
            }
            f.regions[r].insts.push(i);
        }
        _ => f.regions[r].insts.push(i),
    }
}

fn at<'a>(types: &'a mut TypeTable, f: &'a mut Function, r: Region, span: Span) -> Builder<'a> {
    let mut b = Builder::at(types, f, r);
    b.span = span;
    b
}

/// Whether the variable is `value`.
fn is(types: &mut TypeTable, f: &mut Function, r: Region, span: Span, l: Local, value: Value) -> Value {
    let mut b = at(types, f, r, span);
    let now = b.load(Root::Local(l), &[], &[], Type::I32);
    b.binary(O::ieq, now, value)
}
