//! `converge_traces`: keeps waves together at traces. A trace that some lanes of a wave execute becomes one that all of them execute, with an empty instance
//! mask in the lanes that have nothing to trace.
//!
//! A device that runs shaders in waves may leave a wave split after a trace under divergent control flow, to the end of the shader: all that follows
//! costs as often as there are parts (`docs/decisions/converged-traces.md`). So
//!
//! ```text
//!  if c { A; trace; B } else { E }    →    go, … = if c { A; yield true, … } else { E; yield false, … }
//!                                          trace, by all: what it needs, or nothing
//!                                          if go { B }
//! ```
//!
//! An idle lane's ray has mask 0, meets nothing, and names a row of the miss table without a shader ([`rtc_tables::hit_lowering::NULL_MISS_ROW`]): no shader
//! runs for it and its payload stays what it is. A trace into a hit object is moved alike, and an idle lane invokes a miss of that row. The rows of the application follow that row, so all indices of miss shaders grow by one, in the whole
//! module. A loop whose iterations differ by lane first becomes one that runs until no lane has work, with a guarded body ([`guard`]); then it is moved
//! outward as a trace is.
//!
//! Each step means the same by itself, whatever control flow is around it ([`lift`]); facts about divergence only decide which steps are worth it
//! ([`plan`], [`cost`]).
//!
//! | file | what |
//! |---|---|
//! | `plan` | traces under divergent control flow, what diverges, and obstacles to moving them |
//! | `cost` | whether it pays |
//! | `lift` | one step outward of a trace, or of a guarded loop |
//! | `merge` | two traces in the arms of a branch as one |
//! | `idle` | what a lane without work traces; rows of the miss table |
//! | `contain` | jumps out of a loop to further out |
//! | `warn` | `-Wdivergent-trace` |
//! | `guard` | loops that run until no lane has work |
//! | `test` | the test that a loop begins with |

mod contain;
mod cost;
mod guard;
mod idle;
mod lift;
mod merge;
mod plan;
mod test;
mod warn;

use rtc_base::{EntitySet, Span};
use rtc_ir::analysis::RegionTree;
use rtc_ir::{Func, Inst, InstData, Module};

use crate::{Changed, PassCtx, PassError};

pub use plan::{Cause, Divergence, divergences};
pub use warn::warnings;

/// Which traces are moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// All that may be.
    All,
    /// Those for which it pays.
    Paying,
}

/// What became of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    /// Its traces under divergent control flow.
    pub all: Vec<Outcome>,
    /// Whether its miss table begins with a row without a shader ([`rtc_tables::hit_lowering::NULL_MISS_ROW`]), before those of the application.
    pub null_miss: bool,
}

impl Outcomes {
    /// Whether some trace is executed by all lanes now.
    pub fn any(&self) -> bool {
        self.all.iter().any(|o| o.kept.is_none())
    }
}

/// A trace under divergent control flow, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The shader.
    pub shader: String,
    /// The trace.
    pub span: Span,
    /// Why it is as it was; nothing if all lanes execute it now.
    pub kept: Option<String>,
}

/// Runs the pass on all traces that it may move.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    Ok(converge(m, Choice::All).any().into())
}

/// Moves the traces of `m` under divergent control flow that `choice` says.
pub fn converge(m: &mut Module, choice: Choice) -> Outcomes {
    let mut out = Outcomes::default();
    let refusal = plan::of_module(m);
    let null = idle::null_index(m);
    for id in m.funcs.keys().collect::<Vec<_>>() {
        let found = plan::divergences(m, &m.funcs[id]);
        let why = |d: &Divergence| {
            let paying = || (choice == Choice::Paying).then(|| cost::refusal(d.work)).flatten();
            refusal.clone().or_else(|| d.obstacle.clone()).or_else(paying)
        };
        let kept: Vec<Option<String>> = found.iter().map(why).collect();
        let movable = found.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(d, _)| d.trace).collect();
        let mut state = State { guarded: EntitySet::new(), wrapped: EntitySet::new(), movable, merged: EntitySet::new() };
        for (d, kept) in found.iter().zip(kept) {
            let gone = state.merged.contains(d.trace);
            let kept = kept.or_else(|| if gone { None } else { move_out(m, id, d, &mut state, null).err() });
            out.all.push(Outcome { shader: m.funcs[id].name.clone(), span: d.span, kept });
        }
    }
    out.null_miss = out.any() && !idle::has_null_row(m);
    if out.null_miss {
        idle::shift_rows(m);
    }
    out
}

/// Facts about a function while its traces are moved.
#[derive(Clone)]
struct State {
    /// Loops that run until no lane has work, and those whose body is a block.
    guarded: EntitySet<Inst>,
    wrapped: EntitySet<Inst>,
    /// Traces that are or will be moved.
    movable: Vec<Inst>,
    /// Those of them that became one with another.
    merged: EntitySet<Inst>,
}

/// Moves one trace out of all divergent constructs around it. If it cannot be, the function is as it was.
fn move_out(m: &mut Module, id: Func, d: &Divergence, state: &mut State, null: u32) -> Result<(), String> {
    let before = (m.funcs[id].clone(), state.clone());
    let f = &mut m.funcs[id];
    if let Some(l) = d.continued.filter(|&l| !state.guarded.contains(l) && state.wrapped.insert(l)) {
        guard::wrap(&mut m.types, f, l);
    }
    let mut moved = d.trace;
    loop {
        let tree = RegionTree::of(f);
        let region = tree.region(moved).filter(|&r| r != d.target);
        let Some((region, owner)) = region.and_then(|r| Some((r, f.regions[r].owner?))) else { break };
        let done = if let InstData::Loop { body, .. } = f.insts[owner] {
            debug_assert_eq!(body, region, "the plan refuses what is in continuing regions");
            if !state.guarded.insert(owner) {
                moved = owner;
                continue;
            }
            contain::contain(&mut m.types, f, owner, d.target).and_then(|()| guard::guard(&mut m.types, f, owner))
        } else {
            let partner = merge::partner(f, &tree, moved, &state.movable).filter(|_| moved == d.trace);
            match partner.filter(|&p| merge::merge(&mut m.types, f, moved, p).is_ok()) {
                Some(p) => {
                    state.merged.insert(p);
                    Ok(())
                }
                None => lift::lift(&mut m.types, f, moved, null),
            }
        };
        if let Err(why) = done {
            (m.funcs[id], *state) = before;
            return Err(why.into());
        }
    }
    f.settled = false;
    if let Some(d) = &mut f.debug {
        // What variables hold between the parts of what was one construct is not known.
        d.marks.clear();
        d.values.clear();
    }
    Ok(())
}
