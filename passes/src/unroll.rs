//! `[unroll]`: loops whose rounds can be counted become that many copies of their body.
//!
//! Counting is execution on what is known: the loop runs round for round with the constants among its parameters, until a
//! `break` that is certainly reached. A branch on something unknown is followed both ways; what it does to the values
//! that go on is known only where both ways agree. Each round that was counted becomes a block with a copy of the body,
//! followed by a copy of what stands under `continuing`, in which the known values are constants. An unknown `break` just
//! leaves all the copies. The last copy ends at the certain `break`, so nothing is assumed that was not computed.
//!
//! A loop that cannot be counted, or whose copies would be too large, stays as it is; the targets may know more.
//! [`still_rolled`] finds such loops for a warning: the program computes the same, but perhaps counts on constants.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{CaseTable, Function, Hint, Inst, InstData, Module, Opcode, Region, Stage, Type, Value, ValueDef, eval};
use rtc_tables::diagnostics as codes;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::pipeline::optimize_these;
use crate::{Changed, PassCtx, PassError};

/// The most rounds that are counted.
const MOST_ROUNDS: u32 = 1024;
/// The most instructions that the copies of one function may have.
const MOST_COPIES: usize = 1 << 16;
/// The most instructions that counting looks at.
const MOST_STEPS: u32 = 1 << 20;

type Values = SmallVec<[Value; 8]>;
type Known = SmallVec<[Option<u64>; 8]>;

/// The pass.
pub(crate) fn run(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let mut out = Function::new("", Stage::Library);
    let mut todo = Vec::new();
    for id in m.funcs.keys() {
        std::mem::swap(&mut out, &mut m.funcs[id]);
        if function(m, &mut out) {
            todo.push(id);
        }
        std::mem::swap(&mut out, &mut m.funcs[id]);
    }
    if todo.is_empty() {
        return Ok(Changed::No);
    }
    // The copies are full of constants.
    optimize_these(m, cx, todo)?;
    Ok(Changed::Yes)
}

/// A warning for each loop under a bare `[unroll]` that is still a loop. A count, as in `[unroll(4)]`, is only a limit.
pub fn still_rolled(m: &Module) -> Vec<Diagnostic> {
    let mut places: Vec<Span> = Vec::new();
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if f.hints[i] == Hint::Unroll(0) && matches!(f.insts[i], InstData::Loop { .. }) {
                places.push(f.spans[i]);
            }
        });
    }
    // Inlining makes copies.
    let mut seen = FxHashSet::default();
    places.retain(|&s| seen.insert(s));
    let said = |span| {
        Diagnostic::new(&codes::W0320, span, "this loop is not unrolled: it cannot be counted, or becomes too large")
            .note(format!("unrolled are loops of at most {MOST_ROUNDS} rounds whose bounds are known when compiling"))
            .note("give it such a bound, or write `[loop]`")
    };
    places.into_iter().map(said).collect()
}

/// Unrolls what asks for it in `f`.
fn function(m: &mut Module, f: &mut Function) -> bool {
    let mut budget = MOST_COPIES;
    let mut changed = false;
    // What is copied is looked at again: loops inside have other constants now.
    let mut todo: Vec<Region> = vec![f.body];
    while let Some(r) = todo.pop() {
        for at in 0..f.regions[r].insts.len() {
            let i = f.regions[r].insts[at];
            if !f.owns_regions(i) {
                continue;
            }
            if let Hint::Unroll(most) = f.hints[i]
                && matches!(f.insts[i], InstData::Loop { .. })
                && let Some(rounds) = count(m, f, i, most)
            {
                let size = size_of(f, i).saturating_mul(rounds.len());
                if size <= budget {
                    budget -= size;
                    copy_rounds(f, i, &rounds);
                    changed = true;
                }
            }
            todo.extend(f.regions_of(i));
        }
    }
    changed
}

/// Instructions inside of `i`.
fn size_of(f: &Function, i: Inst) -> usize {
    let mut n = 0;
    for r in f.regions_of(i) {
        f.for_each_inst(r, |_, _| n += 1);
    }
    n
}

// Counting ------------------------------------------------------------------------------------------

/// What is known of one round: the parameters of the body, and of what stands under `continuing`.
#[derive(Default)]
struct Round {
    body: Known,
    continuing: Known,
}

/// How control comes to the end of a region.
enum Flow {
    /// With these results.
    Falls(Known),
    /// Elsewhere, all of it.
    Leaves,
    /// It certainly leaves the loop that is counted.
    Ends,
    /// Too much to follow.
    GivesUp,
}

struct Counter<'a> {
    m: &'a Module,
    f: &'a Function,
    /// The body of the loop.
    body: Region,
    known: FxHashMap<Value, u64>,
    /// What the `continue`s of this round bring.
    continues: Vec<Known>,
    steps: u32,
}

/// The rounds of loop `i`, the last of which certainly ends it; `None` if they cannot be counted, or are more than `most`.
fn count(m: &Module, f: &Function, i: Inst, most: u32) -> Option<Vec<Round>> {
    let InstData::Loop {
        init,
        body,
        continuing,
    } = f.insts[i]
    else {
        return None;
    };
    let mut c = Counter {
        m,
        f,
        body,
        known: FxHashMap::default(),
        continues: Vec::new(),
        steps: 0,
    };
    let init: Values = f.get(init).into();
    let mut params: Known = init.iter().map(|&v| c.value(v)).collect();
    let limit = if most == 0 {
        MOST_ROUNDS
    } else {
        most.min(MOST_ROUNDS)
    };
    let mut rounds = Vec::new();
    // The test before the round that is not made is part of a copy, too.
    while rounds.len() as u32 <= limit {
        if params.iter().all(Option::is_none) && !rounds.is_empty() {
            return None;
        }
        let mut round = Round {
            body: params.clone(),
            ..Round::default()
        };
        c.set_all(&f.regions[body].params, &params);
        c.continues.clear();
        match c.region(body, true) {
            Flow::GivesUp => return None,
            // What went on by `continue` did not come to the end.
            Flow::Ends if c.continues.is_empty() => {
                rounds.push(round);
                return Some(rounds);
            }
            Flow::Ends | Flow::Falls(_) | Flow::Leaves => {}
        }
        let Some(joined) = c.continues.drain(..).reduce(join) else {
            rounds.push(round);
            return Some(rounds);
        };
        round.continuing = joined.clone();
        rounds.push(round);
        c.set_all(&f.regions[continuing].params, &joined);
        match c.region(continuing, true) {
            Flow::GivesUp | Flow::Leaves => return None,
            Flow::Ends => return Some(rounds),
            Flow::Falls(next) => params = next,
        }
    }
    None
}

/// What both know.
fn join(mut a: Known, b: Known) -> Known {
    for (x, y) in a.iter_mut().zip(&b) {
        if x != y {
            *x = None;
        }
    }
    a
}

impl Counter<'_> {
    fn value(&self, v: Value) -> Option<u64> {
        match self.f.values[v].def {
            ValueDef::Const(bits) if self.lanes(v) == 1 => Some(bits),
            _ => self.known.get(&v).copied(),
        }
    }

    /// Components of a number; 0 for all else.
    fn lanes(&self, v: Value) -> u32 {
        self.m.types.numeric(self.f.ty(v)).map_or(0, |n| n.1)
    }

    fn set(&mut self, v: Value, to: Option<u64>) {
        match to {
            Some(bits) => _ = self.known.insert(v, bits),
            None => _ = self.known.remove(&v),
        }
    }

    fn set_all(&mut self, params: &[Value], to: &[Option<u64>]) {
        for (&p, &k) in params.iter().zip(to) {
            self.set(p, k);
        }
    }

    fn list(&self, l: &[Value]) -> Known {
        l.iter().map(|&v| self.value(v)).collect()
    }

    /// Runs a region. `certain`: control surely comes here.
    fn region(&mut self, r: Region, certain: bool) -> Flow {
        let f = self.f;
        for &i in &f.regions[r].insts {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Flow::GivesUp;
            }
            match f.insts[i] {
                InstData::If { cond, then_, else_ } => {
                    let arms = match self.value(cond) {
                        Some(0) => vec![else_],
                        Some(_) => vec![then_],
                        None => vec![then_, else_],
                    };
                    match self.arms(i, &arms, certain) {
                        Flow::Falls(_) => {}
                        other => return other,
                    }
                }
                InstData::Switch { on, cases } => {
                    let table: &CaseTable = &f.cases[cases];
                    let arms = match self.value(on) {
                        Some(bits) => {
                            let hit = table.arms.iter().find(|a| a.0.contains(&(bits as i32)));
                            vec![hit.map_or(table.default, |a| a.1)]
                        }
                        None => f.regions_of(i).to_vec(),
                    };
                    match self.arms(i, &arms, certain) {
                        Flow::Falls(_) => {}
                        other => return other,
                    }
                }
                InstData::Loop { .. } | InstData::Block { .. } => {
                    // Not followed; what leaves from inside brings nothing known.
                    let mut continues = false;
                    for inner in f.regions_of(i) {
                        f.for_each_inst(inner, |_, e| {
                            self.steps += 1;
                            continues |= matches!(f.insts[e], InstData::Exit { op: Opcode::continue_, target, .. } if target.expand() == Some(self.body));
                        });
                    }
                    if continues {
                        self.continues.push(self.nothing());
                    }
                    for &v in f.results(i) {
                        self.set(v, None);
                    }
                }
                InstData::Exit {
                    op,
                    imm,
                    target,
                    args,
                } => {
                    let args = f.get(args);
                    return match op {
                        Opcode::yield_ => Flow::Falls(self.list(args)),
                        Opcode::next => Flow::Falls(self.list(args)),
                        Opcode::next_if => {
                            let again = &args[1..1 + imm as usize];
                            match self.value(args[0]) {
                                Some(0) => Flow::Ends,
                                _ => Flow::Falls(self.list(again)),
                            }
                        }
                        Opcode::continue_ if target.expand() == Some(self.body) => {
                            let args = self.list(args);
                            self.continues.push(args);
                            Flow::Leaves
                        }
                        Opcode::break_ if target.expand() == Some(self.body) && certain => {
                            Flow::Ends
                        }
                        _ if certain && op == Opcode::return_ => Flow::Ends,
                        // Perhaps to behind a construct inside of the loop: see `arms`.
                        _ => Flow::Leaves,
                    };
                }
                _ => {
                    let to = self.compute(i);
                    for &v in f.results(i) {
                        self.set(v, to);
                    }
                }
            }
        }
        Flow::Leaves
    }

    /// What a round brings of which nothing is known.
    fn nothing(&self) -> Known {
        let InstData::Loop { continuing, .. } =
            self.f.insts[self.f.regions[self.body].owner.expect("a loop owns its body")]
        else {
            return Known::new();
        };
        Known::from_elem(None, self.f.regions[continuing].params.len())
    }

    /// Runs the arms of control instruction `i` that control may take.
    fn arms(&mut self, i: Inst, arms: &[Region], certain: bool) -> Flow {
        let f = self.f;
        // Exits of this very construct by `break` bring values that are not looked at.
        let mut broken_out = false;
        for r in f.regions_of(i) {
            f.for_each_inst(r, |_, e| {
                broken_out |= matches!(f.insts[e], InstData::Exit { op: Opcode::break_, target, .. } if target.expand().and_then(|t| f.regions[t].owner) == Some(i));
            });
        }
        let certain = certain && arms.len() == 1;
        let mut results: Option<Known> = None;
        for &r in arms {
            match self.region(r, certain && !broken_out) {
                Flow::Falls(k) => {
                    results = Some(match results {
                        None => k,
                        Some(old) => join(old, k),
                    });
                }
                Flow::Leaves => {}
                Flow::Ends => return Flow::Ends,
                Flow::GivesUp => return Flow::GivesUp,
            }
        }
        if broken_out {
            results = Some(Known::from_elem(None, f.results(i).len()));
        }
        let Some(results) = results else {
            return Flow::Leaves;
        };
        self.set_all(f.results(i), &results);
        Flow::Falls(Known::new())
    }

    /// The value of a component-wise instruction on scalars that are all known.
    fn compute(&self, i: Inst) -> Option<u64> {
        let f = self.f;
        let op = match f.insts[i] {
            InstData::Unary { op, .. }
            | InstData::Binary { op, .. }
            | InstData::Ternary { op, .. } => op,
            _ => return None,
        };
        let &[result] = f.results(i) else {
            return None;
        };
        let (to, 1) = self.m.types.numeric(f.ty(result))? else {
            return None;
        };
        let operands = f.operands(i);
        let mut args: SmallVec<[u64; 3]> = SmallVec::new();
        for &v in &operands {
            if self.lanes(v) != 1 {
                return None;
            }
            args.push(self.value(v)?);
        }
        let of = if op == Opcode::select { 1 } else { 0 };
        let (from, _) = self.m.types.numeric(f.ty(*operands.get(of)?))?;
        eval::scalar(op, from, to, &args)
    }
}

// Copying -------------------------------------------------------------------------------------------

struct Copier<'a> {
    f: &'a mut Function,
    /// The loop's body.
    body: Region,
    /// The block that all copies stand in.
    whole: Region,
    /// The block of this round.
    round: Region,
    values: FxHashMap<Value, Value>,
    regions: FxHashMap<Region, Region>,
}

/// Makes loop `i` a block with a copy of each round.
fn copy_rounds(f: &mut Function, i: Inst, rounds: &[Round]) {
    let InstData::Loop {
        init,
        body,
        continuing,
    } = f.insts[i]
    else {
        return;
    };
    let span = f.spans[i];
    let whole = f.add_region();
    let mut carried: Values = f.get(init).into();
    let mut open = true;
    for (n, round) in rounds.iter().enumerate() {
        let inner = f.add_region();
        let mut c = Copier {
            f,
            body,
            whole,
            round: inner,
            values: FxHashMap::default(),
            regions: FxHashMap::default(),
        };
        let params: Values = c.f.regions[body].params.as_slice().into();
        c.bind(&params, &carried, &round.body);
        c.regions.insert(body, inner);
        c.region(body, inner);
        let params: Values = c.f.regions[continuing].params.as_slice().into();
        let types: SmallVec<[Type; 8]> = params.iter().map(|&v| c.f.ty(v)).collect();
        let block = c.f.append(whole, InstData::Block { body: inner }, &types, span);
        let results: Values = c.f.results(block).into();
        let last = n + 1 == rounds.len();
        if last && round.continuing.len() != params.len() {
            // Nothing comes out of the last round.
            break;
        }
        c.bind(&params, &results, &round.continuing);
        let insts = c.f.regions[continuing].insts.clone();
        for j in insts {
            let InstData::Exit { op, imm, args, .. } = c.f.insts[j] else {
                let copy = c.inst(j);
                c.f.regions[whole].insts.push(copy);
                continue;
            };
            let args: Values = c.f.get(args).iter().map(|&v| c.value(v)).collect();
            if op == Opcode::next {
                carried = args;
                continue;
            }
            let (again, results) = args[1..].split_at(imm as usize);
            if last {
                let list = c.f.list(results);
                let exit = InstData::Exit {
                    op: Opcode::yield_,
                    imm: 0,
                    target: None.into(),
                    args: list,
                };
                c.f.append(whole, exit, &[], span);
                open = false;
                continue;
            }
            carried = again.into();
            c.leave_unless(args[0], results, span);
        }
    }
    if open {
        let exit = InstData::Exit {
            op: Opcode::unreachable,
            imm: 0,
            target: None.into(),
            args: Default::default(),
        };
        f.append(whole, exit, &[], span);
    }
    f.insts[i] = InstData::Block { body: whole };
    f.hints[i] = Hint::None;
    f.regions[whole].owner = Some(i);
}

impl Copier<'_> {
    /// From now on the copies of `params` are `to`, or constants where they are known.
    fn bind(&mut self, params: &[Value], to: &[Value], known: &[Option<u64>]) {
        for (n, (&p, &v)) in params.iter().zip(to).enumerate() {
            let v = match known.get(n) {
                Some(&Some(bits)) => self.f.const_bits(self.f.ty(p), bits),
                _ => v,
            };
            self.f.hand_name_on(p, v);
            self.values.insert(p, v);
        }
    }

    fn value(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }

    /// `if cond { } else { break }`
    fn leave_unless(&mut self, cond: Value, results: &[Value], span: rtc_base::Span) {
        let (then_, else_) = (self.f.add_region(), self.f.add_region());
        let exit = |op, target: Option<Region>, args| InstData::Exit {
            op,
            imm: 0,
            target: target.into(),
            args,
        };
        self.f
            .append(then_, exit(Opcode::yield_, None, Default::default()), &[], span);
        let list = self.f.list(results);
        self.f
            .append(else_, exit(Opcode::break_, Some(self.whole), list), &[], span);
        let data = InstData::If { cond, then_, else_ };
        self.f.append(self.whole, data, &[], span);
    }

    fn target(&mut self, r: Region) -> Region {
        if let Some(&new) = self.regions.get(&r) {
            return new;
        }
        let new = self.f.add_region();
        self.regions.insert(r, new);
        let params: Values = self.f.regions[r].params.as_slice().into();
        for p in params {
            let ty = self.f.ty(p);
            let v = self.f.add_param(new, ty);
            self.values.insert(p, v);
        }
        new
    }

    /// Fills `to` with a copy of what `from` has.
    fn region(&mut self, from: Region, to: Region) {
        // Owners first: what a region uses is defined in itself or further out.
        let mut todo = vec![(from, to)];
        while let Some((from, to)) = todo.pop() {
            let insts = self.f.regions[from].insts.clone();
            let mut out = Vec::with_capacity(insts.len());
            for i in insts {
                let copy = self.inst(i);
                let (old, new) = (self.f.regions_of(i), self.f.regions_of(copy));
                todo.extend(old.into_iter().zip(new).rev());
                out.push(copy);
            }
            self.f.regions[to].insts = out;
        }
    }

    fn inst(&mut self, i: Inst) -> Inst {
        let mut data = self.f.insts[i];
        let fresh = |c: &mut Self, l: rtc_ir::ValueList| {
            let values: Values = c.f.get(l).iter().map(|&v| c.value(v)).collect();
            c.f.list(&values)
        };
        match &mut data {
            InstData::Nullary { .. } => {}
            InstData::Unary { arg, .. } => *arg = self.value(*arg),
            InstData::Binary { args, .. } => args.iter_mut().for_each(|v| *v = self.value(*v)),
            InstData::Ternary { args, .. } => args.iter_mut().for_each(|v| *v = self.value(*v)),
            InstData::Many { args, .. }
            | InstData::Access { args, .. }
            | InstData::Copy { args, .. }
            | InstData::Slot { args, .. }
            | InstData::Call { args, .. } => *args = fresh(self, *args),
            InstData::Resource { index, .. } => {
                *index = index.expand().map(|v| self.value(v)).into();
            }
            InstData::If { cond, then_, else_ } => {
                *cond = self.value(*cond);
                (*then_, *else_) = (self.target(*then_), self.target(*else_));
            }
            InstData::Switch { on, cases } => {
                *on = self.value(*on);
                let mut table = self.f.cases[*cases].clone();
                for arm in &mut table.arms {
                    arm.1 = self.target(arm.1);
                }
                table.default = self.target(table.default);
                *cases = self.f.cases.push(table);
            }
            InstData::Loop {
                init,
                body,
                continuing,
            } => {
                *init = fresh(self, *init);
                (*body, *continuing) = (self.target(*body), self.target(*continuing));
            }
            InstData::Block { body } => *body = self.target(*body),
            InstData::Exit {
                op, target, args, ..
            } => {
                *args = fresh(self, *args);
                let to = target.expand();
                if to == Some(self.body) && *op == Opcode::continue_ {
                    *op = Opcode::break_;
                    *target = Some(self.round).into();
                } else if to == Some(self.body) && *op == Opcode::break_ {
                    *target = Some(self.whole).into();
                } else {
                    *target = to.map(|r| self.regions.get(&r).copied().unwrap_or(r)).into();
                }
            }
        }
        let results: Values = self.f.results(i).into();
        let types: SmallVec<[Type; 8]> = results.iter().map(|&v| self.f.ty(v)).collect();
        let span = self.f.spans[i];
        let copy = self.f.make(data, &types, span);
        self.f.inherit_own(copy, i);
        for (n, &v) in results.iter().enumerate() {
            let new = self.f.results(copy)[n];
            self.values.insert(v, new);
        }
        self.f.copy_names(i, copy);
        if let Some(d) = &mut self.f.debug {
            d.copy_marks(i, copy, |v| self.values.get(&v).copied().unwrap_or(v));
        }
        copy
    }
}
