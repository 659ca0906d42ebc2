//! The trip count of a loop by abstract execution: constant propagation along its iterations, one after the other.

use rtc_ir::{CaseTable, Function, Inst, InstData, Module, Opcode, Region, Root, Scalar, Value, ValueDef, eval};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{MAX_ITERATIONS, Values};

pub(super) type Constants = SmallVec<[Option<u64>; 8]>;

/// One iteration: the constants among the parameters of the body and of the continuing region.
#[derive(Default)]
pub(super) struct Iteration {
    pub body: Constants,
    pub continuing: Constants,
}

/// The trip count of a loop.
pub(super) struct TripCount {
    pub iterations: Vec<Iteration>,
    /// The work that is left in all iterations together, in scalars: what is not constant.
    pub work: usize,
}

/// How control comes to the end of a region.
enum Flow {
    /// With these results.
    Falls(Constants),
    /// Elsewhere, all of it.
    Leaves,
    /// It certainly leaves the loop.
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
    /// The operands of the `continue`s of this iteration.
    continues: Vec<Constants>,
    steps: u32,
    most_steps: u32,
    work: usize,
}

/// The iterations of loop `i`, the last of which certainly ends it; `None` if they cannot be counted, or are more than `most` (0: the most that
/// there may be), or counting takes more than `steps` steps.
pub(super) fn count(m: &Module, f: &Function, i: Inst, most: u32, steps: u32) -> Option<TripCount> {
    let mut c = Counter { m, f, body: f.body, known: FxHashMap::default(), continues: Vec::new(), steps: 0, most_steps: steps, work: 0 };
    let iterations = c.iterations(i, most)?;
    Some(TripCount { iterations, work: c.work })
}

/// What instruction `i` computes, in scalars, if `known` says which values are known before. Places of variables that are known are
/// taken for values that will be known.
pub(super) fn work(m: &Module, f: &Function, i: Inst, known: &dyn Fn(Value) -> bool) -> usize {
    let lanes = |v: Value| m.types.numeric(f.ty(v)).map_or(1, |n| n.1 as usize);
    match f.insts[i] {
        InstData::Exit { .. } | InstData::Block { .. } | InstData::Resource { .. } => 0,
        InstData::Many { op: Opcode::construct | Opcode::extract | Opcode::insert, .. } => 0,
        InstData::If { cond, .. } => 2 * usize::from(!known(cond)),
        InstData::Switch { on, .. } => 2 * usize::from(!known(on)),
        InstData::Loop { init, .. } => 2 + f.get(init).len(),
        InstData::Access { place, args, .. } => {
            let data = &f.places[place];
            let indices = &f.get(args)[..data.dyn_count()];
            if matches!(data.root, Root::Local(_)) && indices.iter().all(|&v| known(v)) {
                return 0;
            }
            let value = f.get(args).get(indices.len()).or(f.results(i).first());
            2 * value.map_or(1, |&v| lanes(v))
        }
        _ => f.results(i).iter().map(|&v| lanes(v)).sum::<usize>().max(1),
    }
}

impl Counter<'_> {
    fn iterations(&mut self, i: Inst, most: u32) -> Option<Vec<Iteration>> {
        let (f, c) = (self.f, self);
        let InstData::Loop { init, body, continuing } = f.insts[i] else {
            return None;
        };
        c.body = body;
        let init: Values = f.get(init).into();
        let mut params: Constants = init.iter().map(|&v| c.value(v)).collect();
        let limit = if most == 0 { MAX_ITERATIONS } else { most.min(MAX_ITERATIONS) };
        let mut iterations = Vec::new();
        // The test before the iteration that is not made is part of a copy, too.
        while iterations.len() as u32 <= limit {
            if params.iter().all(Option::is_none) && !iterations.is_empty() {
                return None;
            }
            let mut iteration = Iteration { body: params.clone(), ..Iteration::default() };
            c.set_all(&f.regions[body].params, &params);
            c.continues.clear();
            match c.region(body, true) {
                Flow::GivesUp => return None,
                // What went on by `continue` did not come to the end.
                Flow::Ends if c.continues.is_empty() => {
                    iterations.push(iteration);
                    return Some(iterations);
                }
                Flow::Ends | Flow::Falls(_) | Flow::Leaves => {}
            }
            let Some(joined) = c.continues.drain(..).reduce(join) else {
                iterations.push(iteration);
                return Some(iterations);
            };
            iteration.continuing = joined.clone();
            iterations.push(iteration);
            c.set_all(&f.regions[continuing].params, &joined);
            match c.region(continuing, true) {
                Flow::GivesUp | Flow::Leaves => return None,
                Flow::Ends => return Some(iterations),
                Flow::Falls(next) => params = next,
            }
        }
        None
    }
}

/// The join: the constants on which both agree.
fn join(mut a: Constants, b: Constants) -> Constants {
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

    fn list(&self, l: &[Value]) -> Constants {
        l.iter().map(|&v| self.value(v)).collect()
    }

    /// Runs a region. `certain`: control surely comes here.
    fn region(&mut self, r: Region, certain: bool) -> Flow {
        let f = self.f;
        for &i in &f.regions[r].insts {
            self.steps += 1;
            if f.owns_regions(i) {
                self.work += work(self.m, f, i, &|v| self.value(v).is_some());
            }
            if self.steps > self.most_steps {
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
                    // Not followed: the operands of exits in it are unknown.
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
                InstData::Exit { op, imm, target, args } => {
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
                        Opcode::break_ if target.expand() == Some(self.body) && certain => Flow::Ends,
                        _ if certain && op == Opcode::return_ => Flow::Ends,
                        // Perhaps to the end of a construct in the loop: see `arms`.
                        _ => Flow::Leaves,
                    };
                }
                _ => {
                    let to = compute(self.m, f, i, &|v| self.value(v));
                    if to.is_none() {
                        self.work += work(self.m, f, i, &|v| self.value(v).is_some());
                    }
                    for &v in f.results(i) {
                        self.set(v, to);
                    }
                }
            }
        }
        Flow::Leaves
    }

    /// Operands of a `continue` that are all unknown.
    fn nothing(&self) -> Constants {
        let InstData::Loop { continuing, .. } = self.f.insts[self.f.regions[self.body].owner.expect("a loop owns its body")] else {
            return Constants::new();
        };
        Constants::from_elem(None, self.f.regions[continuing].params.len())
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
        let mut results: Option<Constants> = None;
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
            results = Some(Constants::from_elem(None, f.results(i).len()));
        }
        let Some(results) = results else {
            return Flow::Leaves;
        };
        self.set_all(f.results(i), &results);
        Flow::Falls(Constants::new())
    }
}

/// What one known operand decides whatever the others are: `n < most && n < 4` is false once the second comparison is.
fn decided(op: Opcode, operands: &[Value], to: Scalar, value: &dyn Fn(Value) -> Option<u64>) -> Option<Option<u64>> {
    let all = u64::MAX >> (64 - to.bits());
    let absorbing = match op {
        Opcode::and | Opcode::imul => 0,
        Opcode::or => all,
        Opcode::select => {
            let chosen = operands[if value(operands[0])? != 0 { 1 } else { 2 }];
            return Some(value(chosen));
        }
        _ => return None,
    };
    operands.iter().any(|&v| value(v) == Some(absorbing)).then_some(Some(absorbing))
}

/// The value of a component-wise instruction on scalars, if `value` knows them all.
pub(super) fn compute(m: &Module, f: &Function, i: Inst, value: &dyn Fn(Value) -> Option<u64>) -> Option<u64> {
    let op = match f.insts[i] {
        InstData::Unary { op, .. } | InstData::Binary { op, .. } | InstData::Ternary { op, .. } => op,
        _ => return None,
    };
    let &[result] = f.results(i) else {
        return None;
    };
    let (to, 1) = m.types.numeric(f.ty(result))? else {
        return None;
    };
    let operands = f.operands(i);
    if let Some(decided) = decided(op, &operands, to, value) {
        return decided;
    }
    let mut args: SmallVec<[u64; 3]> = SmallVec::new();
    for &v in &operands {
        let (_, 1) = m.types.numeric(f.ty(v))? else {
            return None;
        };
        args.push(value(v)?);
    }
    let of = if op == Opcode::select { 1 } else { 0 };
    let (from, _) = m.types.numeric(f.ty(*operands.get(of)?))?;
    eval::in_module(m, op, from, to, &args)
}
