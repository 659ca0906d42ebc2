//! Loops whose iterations differ by lane become loops that run until no lane has work.
//!
//! ```text
//!  r = loop p := i {                  r = loop alive := true, p := i, r := undef {
//!    …; break x; …; continue q    →     alive, q, r = if alive { …; (false, undef, x); …; (true, q, undef) } else { (false, undef, r) }
//!  } continuing q {                     continue alive, q, r
//!    …; next_if c, n, y               } continuing alive, q, r {
//!  }                                    alive, n, r = if alive { …; (c, n, c ? undef : y) } else { (false, undef, r) }
//!                                       next_if any lane is alive, alive, n, r
//!                                     }
//! ```
//!
//! A lane that has left the loop in the source executes nothing of it and keeps its results. It leaves when no lane of its wave has work, or earlier: a lane
//! with work says so itself, so it is never held back by others, wherever a reorder point has taken it meanwhile.

use rtc_ir::analysis::{Exits, RegionTree};
use rtc_ir::{Builder, Function, Inst, InstData, Opcode, Region, Type, TypeTable, Value};

/// The new regions' values.
struct Shape {
    /// Types of the parameters of the continuing region, and of the results.
    again: Vec<Type>,
    results: Vec<Type>,
}

/// Changes loop `l`, whose initial values and body parameters get one more at the front: whether a lane has work.
///
/// # Errors
/// Why that cannot be; nothing is changed then.
pub(super) fn guard(types: &mut TypeTable, f: &mut Function, l: Inst) -> Result<(), &'static str> {
    let InstData::Loop { init, body, continuing } = f.insts[l] else { return Err("it is no loop") };
    let mut state = f.regions[body].params.iter().chain(&f.regions[continuing].params).chain(f.results(l));
    if state.any(|&v| types.numeric(f.ty(v)).is_none()) {
        return Err("a loop around it carries a hit object or a ray query from one iteration to the next");
    }
    let (tree, exits) = (RegionTree::of(f), Exits::of(f));
    let ty = |f: &Function, list: &[Value]| list.iter().map(|&v| f.ty(v)).collect::<Vec<Type>>();
    let shape = Shape { again: ty(f, &f.regions[continuing].params), results: ty(f, f.results(l)) };
    let ends = |r: Region, e: Inst| f.terminator(r) == Some(e);
    let list = |all: &[Inst], r: Region| all.iter().map(|&e| (e, ends(r, e))).collect::<Vec<_>>();
    let inside = |e: &Inst, r: Region| tree.region(*e).is_some_and(|of| tree.contains(r, of));
    let breaks: Vec<Inst> = exits.leave[l].iter().copied().filter(|&e| f.op(e) != Opcode::next_if).collect();
    let in_body: Vec<Inst> = breaks.iter().copied().filter(|e| inside(e, body)).collect();
    let in_continuing: Vec<Inst> = breaks.into_iter().filter(|e| inside(e, continuing)).collect();
    let (in_body, in_continuing) = (list(&in_body, body), list(&in_continuing, continuing));
    let continues = list(&exits.continues[l], body);
    let nexts = exits.nexts[l].to_vec();

    // The body.
    let work = take(f, body);
    for (e, last) in in_body {
        let results = f.operands(e).to_vec();
        let all = shape.leave(f, &results);
        exit(f, e, last, work, &all);
    }
    for (e, last) in continues {
        let again = f.operands(e).to_vec();
        let all = shape.go_on(f, &again);
        exit(f, e, last, work, &all);
    }
    let own = std::mem::take(&mut f.regions[body].params);
    let alive = f.add_param(body, Type::BOOL);
    f.regions[body].params.extend(own);
    f.renumber_params(body);
    let kept: Vec<Value> = shape.results.iter().map(|&t| f.add_param(body, t)).collect();
    let state = shape.either(types, f, body, alive, work, &kept, &shape.again);
    let mut b = Builder::at(types, f, body);
    b.exit_to(Opcode::continue_, body, &state);

    // The continuing region.
    let params = ty(f, &f.regions[body].params[1..=f.get(init).len()]);
    let next = Shape { again: params, results: shape.results.clone() };
    let work = take(f, continuing);
    for (e, last) in in_continuing {
        let results = f.operands(e).to_vec();
        let all = next.leave(f, &results);
        exit(f, e, last, work, &all);
    }
    for e in nexts {
        let all = next.after(f, e);
        exit(f, e, true, work, &all);
    }
    let own = std::mem::take(&mut f.regions[continuing].params);
    let alive = f.add_param(continuing, Type::BOOL);
    f.regions[continuing].params.extend(own);
    f.renumber_params(continuing);
    let kept: Vec<Value> = shape.results.iter().map(|&t| f.add_param(continuing, t)).collect();
    let state = next.either(types, f, continuing, alive, work, &kept, &next.again);
    let mut b = Builder::at(types, f, continuing);
    let any = b.unary(Opcode::wave_any_true, state[0]);
    let left = state[state.len() - shape.results.len()..].to_vec();
    b.next_if(any, &state, &left);

    // The beginning.
    let mut first = vec![f.const_bool(true)];
    first.extend_from_slice(f.get(init));
    first.extend(shape.results.iter().map(|&t| f.undef(t)));
    super::idle::set_operands(f, l, &first);
    Ok(())
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

impl Shape {
    /// What a lane gives that leaves the loop with `results`.
    fn leave(&self, f: &mut Function, results: &[Value]) -> Vec<Value> {
        let mut all = vec![f.const_bool(false)];
        all.extend(self.again.iter().map(|&t| f.undef(t)));
        all.extend(results);
        all
    }

    /// What a lane gives that goes on with `again`.
    fn go_on(&self, f: &mut Function, again: &[Value]) -> Vec<Value> {
        let mut all = vec![f.const_bool(true)];
        all.extend(again);
        all.extend(self.results.iter().map(|&t| f.undef(t)));
        all
    }

    /// What a lane gives at terminator `e` of the continuing region. What does not matter is given all the same: results while the lane goes on, and the next
    /// values when it does not.
    fn after(&self, f: &mut Function, e: Inst) -> Vec<Value> {
        let all = f.operands(e).to_vec();
        if f.op(e) == Opcode::next { self.go_on(f, &all) } else { all }
    }

    /// In region `r`: `if alive { work } else { (false, undef, kept) }`. Its results.
    #[allow(clippy::too_many_arguments)] // they are what the drawing above has
    fn either(
        &self,
        types: &mut TypeTable,
        f: &mut Function,
        r: Region,
        alive: Value,
        work: Region,
        kept: &[Value],
        again: &[Type],
    ) -> Vec<Value> {
        let done = f.add_region();
        let all = self.leave(f, kept);
        let mut b = Builder::at(types, f, done);
        b.exit(Opcode::yield_, &all);
        b.region = r;
        let results: Vec<Type> = [Type::BOOL].iter().chain(again).chain(&self.results).copied().collect();
        let i = b.if_(alive, work, done, &results);
        f.results(i).to_vec()
    }
}
