//! Loops whose iterations differ by lane become loops that run until no lane has work.
//!
//! ```text
//!  r = loop p := i {                  r = loop alive := true, p := i {
//!    …; break x; …; continue q          if no lane is alive { break p }
//!  } continuing q {                     alive, q = if alive { …; (false, x); …; (true, q) } else { (false, p) }
//!    …; next_if c, n, y           →     continue alive, q
//!  }                                  } continuing alive, q {
//!                                       alive, p = if alive { …; (c, c ? n : y) } else { (false, q) }
//!                                       next alive, p
//!                                     }
//! ```
//!
//! A lane that has left the loop in the source executes nothing of it. Its state is not needed any more, so it holds the lane's results ([`Places`]): less is
//! alive at a trace in the loop than with results of their own. It leaves when no lane of its wave has work, or earlier: a lane with work says so itself, so it
//! is never held back by others, wherever a reorder point has taken it meanwhile.
//!
//! A loop that begins with a test on numbers ([`test::Test`]) makes it before it repeats, so that `alive` says it, and the body has one branch less.

use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Builder, Function, Inst, InstData, Opcode, Region, Type, TypeTable, Value};

use super::test::{self, Test};

/// Where the results of a lane that has left the loop are: in the state of a region, a place for each result. What has no place in the region's own parameters is in
/// one that is added.
struct Places {
    /// The types of the state, without whether the lane has work.
    types: Vec<Type>,
    /// How many of them are the region's own.
    own: usize,
    /// For each result, its place.
    of: Vec<usize>,
}

/// The new state of the body's and of the continuing region.
struct Shape {
    body: Places,
    again: Places,
}

/// Changes loop `l`, whose initial values and body parameters get one more at the front: whether a lane has work.
///
/// # Errors
/// Why that cannot be; nothing is changed then.
pub(super) fn guard(types: &mut TypeTable, f: &mut Function, l: Inst) -> Result<(), &'static str> {
    let InstData::Loop { body, continuing, .. } = f.insts[l] else { return Err("it is no loop") };
    let mut state = f.regions[body].params.iter().chain(&f.regions[continuing].params).chain(f.results(l));
    if state.any(|&v| types.numeric(f.ty(v)).is_none()) {
        return Err("a loop around it carries a hit object or a ray query from one iteration to the next");
    }
    let (tree, exits) = (RegionTree::of(f), Exits::of(f));
    let here = tree.region(l).ok_or("it is not executed")?;
    let mut test = test::of(types, f, l, body);
    let shape = Shape::of(f, l, [body, continuing], &exits);
    let list = |all: Vec<Inst>, r: Region| all.into_iter().map(|e| (e, f.terminator(r) == Some(e))).collect::<Vec<_>>();
    let inside = |e: &Inst, r: Region| tree.region(*e).is_some_and(|of| tree.contains(r, of));
    let leaves = |&e: &Inst| f.op(e) != Opcode::next_if && test.as_ref().is_none_or(|t| t.leave != e);
    let breaks: Vec<Inst> = exits.leave[l].iter().copied().filter(leaves).collect();
    let in_body = list(breaks.iter().copied().filter(|e| inside(e, body)).collect(), body);
    let in_continuing = list(breaks.into_iter().filter(|e| inside(e, continuing)).collect(), continuing);
    let continues = list(exits.continues[l].to_vec(), body);
    let nexts = exits.nexts[l].to_vec();
    let first = first(types, f, l, here, &shape, test.as_mut());
    if let Some(t) = &test {
        f.regions[body].insts.retain(|&i| i != t.branch);
    }

    // The body.
    let own = f.regions[body].params.clone();
    let work = take(f, body);
    for (e, last) in in_body {
        let results = f.operands(e).to_vec();
        let all = shape.again.left(f, &results);
        exit(f, e, last, work, &all);
    }
    for (e, last) in continues {
        let again = f.operands(e).to_vec();
        let all = shape.again.go_on(f, &again);
        exit(f, e, last, work, &all);
    }
    let params = add_params(f, body, &shape.body);
    let kept = shape.body.results(&params[1..]);
    let mut b = Builder::at(types, f, body);
    b.span = b.func.spans[l];
    let any = b.unary(Opcode::wave_any_true, params[0]);
    let (stay, leave) = (b.func.add_region(), b.func.add_region());
    b.if_(any, stay, leave, &[]);
    b.region = stay;
    b.exit(Opcode::yield_, &[]);
    b.region = leave;
    b.exit_to(Opcode::break_, body, &kept);
    let state = shape.again.either(types, f, body, params[0], work, &kept);
    Builder::at(types, f, body).exit_to(Opcode::continue_, body, &state);

    // The continuing region.
    let work = take(f, continuing);
    for (e, last) in in_continuing {
        let results = f.operands(e).to_vec();
        let all = shape.body.left(f, &results);
        exit(f, e, last, work, &all);
    }
    for e in nexts {
        let region = tree.region(e).map_or(work, |r| if r == continuing { work } else { r });
        let all = shape.after(types, f, region, e, test.as_ref(), &own);
        exit(f, e, true, work, &all);
    }
    let params = add_params(f, continuing, &shape.again);
    let kept = shape.again.results(&params[1..]);
    let state = shape.body.either(types, f, continuing, params[0], work, &kept);
    Builder::at(types, f, continuing).exit(Opcode::next, &state);
    super::idle::set_operands(f, l, &first);
    Ok(())
}

/// What the loop begins with. The test of the first iteration comes before it.
fn first(types: &mut TypeTable, f: &mut Function, l: Inst, here: Region, shape: &Shape, test: Option<&mut Test>) -> Vec<Value> {
    let InstData::Loop { init, .. } = f.insts[l] else { return Vec::new() };
    let init = f.get(init).to_vec();
    let Some(test) = test else { return shape.body.go_on(f, &init) };
    let at = f.regions[here].insts.iter().position(|&i| i == l).unwrap_or(0);
    let following = f.regions[here].insts.split_off(at);
    let (goes_on, results) = test.first(types, f, here, &init);
    let all = shape.body.choose(types, f, here, goes_on, &init, &results);
    f.regions[here].insts.extend(following);
    all
}

/// Gives a region the parameters of its new state: whether the lane has work, its own, and what is added.
fn add_params(f: &mut Function, r: Region, places: &Places) -> Vec<Value> {
    let own = std::mem::take(&mut f.regions[r].params);
    f.add_param(r, Type::BOOL);
    f.regions[r].params.extend(own);
    f.renumber_params(r);
    for &t in &places.types[places.own..] {
        f.add_param(r, t);
    }
    f.regions[r].params.clone()
}

/// Makes the `continue`s of loop `l` exits of a block that is the whole of its body:
///
/// ```text
///  loop { if c { continue x }; …; continue y }    →    loop { q = block { if c { break x }; …; yield y }; continue q }
/// ```
pub(super) fn wrap(types: &mut TypeTable, f: &mut Function, l: Inst) {
    let InstData::Loop { body, continuing, .. } = f.insts[l] else { return };
    let continues = Exits::of(f).continues[l].to_vec();
    let last = f.terminator(body);
    let passed: Vec<Type> = f.regions[continuing].params.iter().map(|&v| f.ty(v)).collect();
    let inner = take(f, body);
    for e in continues {
        let again = f.operands(e).to_vec();
        exit(f, e, last == Some(e), inner, &again);
    }
    let mut b = Builder::at(types, f, body);
    b.span = b.func.spans[l];
    let i = b.block(inner, &passed);
    let results = b.func.results(i).to_vec();
    b.exit_to(Opcode::continue_, body, &results);
}

/// Moves the instructions of `r` to a new region.
fn take(f: &mut Function, r: Region) -> Region {
    let new = f.add_region();
    f.regions[new].insts = std::mem::take(&mut f.regions[r].insts);
    new
}

/// Makes terminator `e` leave region `work` with `values`; it is the `last` instruction of that region or deeper inside of it.
fn exit(f: &mut Function, e: Inst, last: bool, work: Region, values: &[Value]) {
    let args = f.list(values);
    let (op, target) = if last { (Opcode::yield_, None) } else { (Opcode::break_, Some(work)) };
    f.insts[e] = InstData::Exit { op, imm: 0, target: target.into(), args };
}

impl Places {
    /// `preferred` says which parameter would hold a result without a copy.
    fn of(f: &Function, own: &[Value], results: &[Type], preferred: impl Fn(usize) -> Option<usize>) -> Places {
        let mut types: Vec<Type> = own.iter().map(|&v| f.ty(v)).collect();
        let mut of: Vec<Option<usize>> = vec![None; results.len()];
        let free = |of: &[Option<usize>], n: usize| !of.contains(&Some(n));
        for (k, &t) in results.iter().enumerate() {
            of[k] = preferred(k).filter(|&n| types[n] == t && free(&of, n));
        }
        let of = (0..results.len()).map(|k| {
            let any = || (0..own.len()).find(|&n| types[n] == results[k] && free(&of, n));
            let place = of[k].or_else(any);
            of[k] = place;
            place
        });
        let of: Vec<Option<usize>> = of.collect();
        let own = types.len();
        let mut place = |(k, p): (usize, Option<usize>)| {
            p.unwrap_or_else(|| {
                types.push(results[k]);
                types.len() - 1
            })
        };
        let of = of.into_iter().enumerate().map(&mut place).collect();
        Places { types, own, of }
    }

    /// The results in a state.
    fn results(&self, state: &[Value]) -> Vec<Value> {
        self.of.iter().map(|&n| state[n]).collect()
    }

    /// The state of a lane that has left with these results.
    fn left(&self, f: &mut Function, results: &[Value]) -> Vec<Value> {
        let mut all: Vec<Value> = self.types.iter().map(|&t| f.undef(t)).collect();
        for (&n, &v) in self.of.iter().zip(results) {
            all[n] = v;
        }
        all.insert(0, f.const_bool(false));
        all
    }

    /// The state of a lane that goes on with values for the region's own parameters.
    fn go_on(&self, f: &mut Function, own: &[Value]) -> Vec<Value> {
        let mut all = vec![f.const_bool(true)];
        all.extend(own);
        all.extend(self.types[self.own..].iter().map(|&t| f.undef(t)));
        all
    }

    /// The state of a lane that goes on, or has left with these results, as `goes_on` says.
    fn choose(&self, types: &mut TypeTable, f: &mut Function, r: Region, goes_on: Value, own: &[Value], results: &[Value]) -> Vec<Value> {
        let mut all = self.go_on(f, own);
        all[0] = goes_on;
        let mut b = Builder::at(types, f, r);
        for (&n, &v) in self.of.iter().zip(results) {
            let at = n + 1;
            all[at] = match n < self.own {
                true if all[at] == v || b.func.is_undef(v) => all[at],
                true => b.select(goes_on, all[at], v),
                false => v,
            };
        }
        all
    }

    /// In region `r`: `if alive { work } else { (false, kept) }`. Its results.
    fn either(&self, types: &mut TypeTable, f: &mut Function, r: Region, alive: Value, work: Region, kept: &[Value]) -> Vec<Value> {
        let done = f.add_region();
        let all = self.left(f, kept);
        let mut b = Builder::at(types, f, done);
        b.exit(Opcode::yield_, &all);
        b.region = r;
        let results: Vec<Type> = [Type::BOOL].iter().chain(&self.types).copied().collect();
        let i = b.if_(alive, work, done, &results);
        f.results(i).to_vec()
    }
}

impl Shape {
    /// A result is best held by the parameter that an exit gives for it, and then by the parameter of the continuing region that becomes that one.
    fn of(f: &Function, l: Inst, [body, continuing]: [Region; 2], exits: &Exits) -> Shape {
        let results: Vec<Type> = f.results(l).iter().map(|&v| f.ty(v)).collect();
        let (params, again) = (&f.regions[body].params, &f.regions[continuing].params);
        let given = |k: usize| {
            let of = |e: &Inst| f.operands(*e)[rtc_ir::analysis::results_start(f, *e) + k];
            exits.leave[l].iter().map(of).collect::<Vec<Value>>()
        };
        let in_body = |k: usize| given(k).into_iter().find_map(|v| params.iter().position(|&p| p == v));
        let own_body = Places::of(f, params, &results, in_body);
        let next = |n: usize| {
            let of = |e: &Inst| f.operands(*e)[usize::from(f.op(*e) == Opcode::next_if) + n];
            exits.nexts[l].iter().map(of).find_map(|v| again.iter().position(|&q| q == v))
        };
        let passed = |k: usize| {
            let held = own_body.of[k];
            if held < own_body.own { next(held) } else { given(k).into_iter().find_map(|v| again.iter().position(|&q| q == v)) }
        };
        let own_again = Places::of(f, again, &results, passed);
        Shape { body: own_body, again: own_again }
    }

    /// What a lane gives at terminator `e` of the continuing region, in which region `r` it is: the state of the next iteration, or its results.
    fn after(&self, types: &mut TypeTable, f: &mut Function, r: Region, e: Inst, test: Option<&Test>, params: &[Value]) -> Vec<Value> {
        let all = f.operands(e).to_vec();
        let (cond, next, left) = match f.op(e) {
            Opcode::next => (None, &all[..], &[][..]),
            _ => (Some(all[0]), &all[1..=params.len()], &all[1 + params.len()..]),
        };
        f.regions[r].insts.retain(|&i| i != e);
        let (mut goes_on, mut results) = (cond, left.to_vec());
        if let Some(test) = test {
            let (again, given) = test.repeat(types, f, r, next);
            let mut b = Builder::at(types, f, r);
            match cond {
                None => (goes_on, results) = (Some(again), given),
                Some(c) => {
                    goes_on = Some(b.binary(Opcode::and, c, again));
                    results = given.iter().zip(left).map(|(&x, &y)| if x == y { x } else { b.select(c, x, y) }).collect();
                }
            }
        }
        let out = match goes_on {
            None => self.body.go_on(f, next),
            Some(goes_on) => self.body.choose(types, f, r, goes_on, next, &results),
        };
        f.regions[r].insts.push(e);
        out
    }
}
