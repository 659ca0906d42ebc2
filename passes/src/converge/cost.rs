//! Whether it pays that all lanes execute a trace: what follows while the wave would be split, against what an idle trace costs.
//!
//! Measured on an NVIDIA H200, which leaves waves split: with 2,000 operations of shading in each bounce a path tracer gains a factor of 2.2,
//! with 200 one of 1.34 (`docs/measurements/2026-11-30-converged-traces-h200.log`). There is a number for where it begins to pay, and no more
//! than that: the device decides how it splits waves and how fast it traces, and a package may have both forms for the runtime to measure.

use rtc_ir::analysis::RegionTree;
use rtc_ir::{Function, Inst};

/// What must follow at least, in instructions of the IR.
const LEAST_WORK: u64 = 64;

/// The assumed trip count of a loop.
const TRIPS: u64 = 8;

/// The most that loops in loops are assumed to repeat.
const MAX_TRIPS: u64 = TRIPS * TRIPS * TRIPS;

/// Why a trace that so much follows stays in divergent control flow, although it could be moved.
pub(super) fn refusal(work: u64) -> Option<String> {
    (work < LEAST_WORK).then(|| format!("about {work} instructions follow, and with less than {LEAST_WORK} it does not pay"))
}

/// Instructions that are executed while the wave is split by construct `c`, the outermost in which lanes part, until the shader ends: those after it in the text;
/// if the trace is in a loop in it, or it is that loop (`l`), those of the loop too, which come again; and those of loops around it.
pub(super) fn work_after(f: &Function, tree: &RegionTree, c: Inst, l: Option<Inst>) -> u64 {
    let mut repeated = l;
    let mut next = tree.loop_around(c);
    while let Some(outer) = next {
        repeated = Some(outer);
        next = tree.loop_around(outer);
    }
    let first = repeated.map_or(tree.end_of(f, c), |l| tree.number(l));
    let mut work: u64 = 0;
    f.for_each_inst(f.body, |_, i| {
        if tree.number(i) >= first && !f.owns_regions(i) {
            let trips = TRIPS.saturating_pow(tree.loop_depth(i) as u32).min(MAX_TRIPS);
            work = work.saturating_add(trips);
        }
    });
    work
}
