//! `licm`: what is the same in every round of a loop is computed before it.
//!
//! Only computations without any effect move, from the level of the loop's body itself and not from branches in it, so that what
//! moves would have been computed in the first round, or is cheap. A loop with a reorder point in it is left alone: what is
//! computed before it would be carried across the point. Inner loops come first, so that a computation may leave several.

use rtc_base::SecondaryMap;
use rtc_ir::{Effects, Function, Inst, InstData, Module, Opcode, Region, Value, ValueDef, effects};

use crate::util::each_function;
use crate::{Changed, PassCtx, PassError};

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(each_function(m, |m, f| function(m, f)))
}

fn function(m: &Module, f: &mut Function) -> bool {
    let nest = Nest::of(f);
    let mut at = Motion { m, nest };
    let mut changed = false;
    // Post-order: what is inside of a loop comes before it.
    for n in 0..at.nest.loops.len() {
        let (outside, inst) = at.nest.loops[n];
        changed |= at.one(f, outside, inst);
    }
    changed
}

/// Where everything stands.
struct Nest {
    /// When a walk comes to a region and when it leaves it.
    spans: SecondaryMap<Region, (u32, u32)>,
    /// The region that each instruction stands in.
    home: SecondaryMap<Inst, Option<Region>>,
    /// Loops with the region that they stand in, inner ones first.
    loops: Vec<(Region, Inst)>,
}

impl Nest {
    fn of(f: &Function) -> Nest {
        let mut nest = Nest { spans: SecondaryMap::new(), home: SecondaryMap::new(), loops: Vec::new() };
        let mut clock = 0;
        // A region with the instruction to go on at; its end; a loop that is done.
        enum Work {
            Enter(Region),
            Leave(Region),
            Done(Region, Inst),
        }
        let mut todo = vec![Work::Enter(f.body)];
        while let Some(work) = todo.pop() {
            clock += 1;
            match work {
                Work::Leave(r) => nest.spans[r].1 = clock,
                Work::Done(r, i) => nest.loops.push((r, i)),
                Work::Enter(r) => {
                    nest.spans[r].0 = clock;
                    todo.push(Work::Leave(r));
                    for &i in f.regions[r].insts.iter().rev() {
                        nest.home[i] = Some(r);
                        if !f.owns_regions(i) {
                            continue;
                        }
                        if matches!(f.insts[i], InstData::Loop { .. }) {
                            todo.push(Work::Done(r, i));
                        }
                        todo.extend(f.regions_of(i).into_iter().rev().map(Work::Enter));
                    }
                }
            }
        }
        nest
    }

    /// Whether a value comes into being in one of `regions` or further inside.
    fn made_in(&self, f: &Function, v: Value, regions: &[Region]) -> bool {
        let at = match f.values[v].def {
            ValueDef::Const(_) | ValueDef::Undef => return false,
            ValueDef::Result(i, _) => match self.home[i] {
                Some(r) => r,
                None => return true,
            },
            ValueDef::Param(r, _) => r,
        };
        let inner = self.spans[at];
        regions.iter().any(|&r| self.spans[r].0 <= inner.0 && inner.1 <= self.spans[r].1)
    }
}

struct Motion<'a> {
    m: &'a Module,
    nest: Nest,
}

impl Motion<'_> {
    /// Takes what does not change out of a loop that stands in `outside`.
    fn one(&mut self, f: &mut Function, outside: Region, inst: Inst) -> bool {
        let regions = f.regions_of(inst);
        let m = self.m;
        let mut moves = false;
        for &r in &regions {
            f.for_each_inst(r, |_, i| moves |= effects::of_inst(m, f, i).contains(Effects::REORDERS));
        }
        if moves {
            return false;
        }
        let mut taken = Vec::new();
        for (nth, &r) in regions.iter().enumerate() {
            let list = std::mem::take(&mut f.regions[r].insts);
            let mut kept = Vec::with_capacity(list.len());
            // What is run between rounds has not been run before the first one ends.
            let mut certain = nth == 0;
            for (n, &i) in list.iter().enumerate() {
                if f.owns_regions(i) {
                    certain = false; // it may leave the loop
                }
                if !self.may_move(f, i, certain) || f.operands(i).iter().any(|&v| self.nest.made_in(f, v, &regions)) {
                    kept.push(i);
                    continue;
                }
                self.nest.home[i] = Some(outside);
                if let (Some(d), Some(&next)) = (&mut f.debug, list.get(n + 1)) {
                    d.move_marks(i, next);
                }
                taken.push(i);
            }
            f.regions[r].insts = kept;
        }
        if taken.is_empty() {
            return false;
        }
        let at = f.regions[outside].insts.iter().position(|&i| i == inst).unwrap_or(0);
        f.regions[outside].insts.splice(at..at, taken);
        true
    }

    /// Whether an instruction may be computed before the loop. `certain`: the first round comes to it.
    fn may_move(&self, f: &Function, i: Inst, certain: bool) -> bool {
        if f.owns_regions(i) || f.results(i).is_empty() || !effects::of_inst(self.m, f, i).is_empty() {
            return false;
        }
        let undefined = matches!(f.op(i), Opcode::sdiv | Opcode::udiv | Opcode::srem | Opcode::urem);
        match f.insts[i] {
            InstData::Unary { .. } | InstData::Binary { .. } | InstData::Ternary { .. } => certain || !undefined,
            InstData::Many { .. } => certain,
            _ => false,
        }
    }
}
