//! The pass manager: pipelines as lists of named stages, the standard pipelines, and how they run.
//!
//! A [`Pipeline`] is data: stages with names, each a list of passes of [`crate::PASSES`]. A caller that only uses the result runs
//! all of it ([`Pipeline::run`]). The compiler runs stage by stage ([`run_stage`]), because there is work between them: payloads are
//! packed after [`StageName::Inline`], the program is checked as it was written after [`StageName::Ssa`], and warnings about reorder
//! points are collected after [`StageName::Simplify`].
//!
//! | file | what |
//! |---|---|
//! | `run` | runs passes in order: properties, the audit of reorder points, checks |
//! | `fixpoint` | the passes that are made of others: `optimize`, `tidy` |

mod fixpoint;
mod run;

pub(crate) use fixpoint::{optimize, optimize_these, tidy};
pub use run::{AuditState, PipelineError, run_pass, run_passes, run_stage};
use serde::{Deserialize, Serialize};

use rtc_ir::Module;

use crate::{Changed, PassCtx, PassTraits, find};

/// How much to optimise, as on the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub enum Level {
    /// `-Od`, `-O0`: only what targets require.
    O0,
    /// `-O1`.
    O1,
    /// `-O2`.
    O2,
    /// `-O3`, the default of the command line.
    O3,
}

/// The name of a stage of a pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageName {
    /// Calls become the bodies of their callees. After it every exit of a shader is its own, so payloads can be packed.
    Inline,
    /// Variables become SSA values. After it the program is checked as it was written: nothing is optimised yet.
    Ssa,
    /// Constants are folded and dead code is gone, and no access was hoisted or sunk. After it reorder points are checked.
    Simplify,
    /// Loops, motion, and what follows from them.
    Optimise,
    /// Traversals and invocations of hit objects that belong together become plain traces.
    Fuse,
    /// Instructions that a target does not have are replaced.
    Lower,
}

/// A stage: passes that run one after the other.
#[derive(Clone, Copy, Debug)]
pub struct PipelineStage {
    /// Its name.
    pub name: StageName,
    /// The names of its passes, in order.
    pub passes: &'static [&'static str],
}

/// An order of passes in named stages.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Its name.
    pub name: &'static str,
    /// Its stages, in order.
    pub stages: &'static [PipelineStage],
}

const fn stage(name: StageName, passes: &'static [&'static str]) -> PipelineStage {
    PipelineStage { name, passes }
}

use StageName::{Fuse, Inline, Lower, Optimise, Simplify, Ssa};

/// `-O0`: what targets require, and the loops under `[unroll]` unrolled: what they index may be registers then, as the author expects.
pub const O0: Pipeline = Pipeline {
    name: "O0",
    stages: &[
        stage(Inline, &["inline"]),
        stage(Ssa, &["privates", "sroa", "mesh_payloads", "precise", "mem2reg", "nonuniform", "evaluations", "powers"]),
        stage(Simplify, &["unroll_alone", "constant_operands", "handles", "dce"]),
    ],
};

/// `-O1`. Unrolling makes more indices constant, so that aggregates are split and promoted once more after it.
pub const O1: Pipeline = Pipeline {
    name: "O1",
    stages: &[
        stage(Inline, &["tidy", "inline"]),
        stage(Ssa, &["privates", "sroa", "mesh_payloads", "precise", "mem2reg", "nonuniform", "evaluations", "powers"]),
        stage(Simplify, &["optimize"]),
        stage(Optimise, &["unroll", "sroa", "mem2reg", "forward", "arrays", "constant_operands", "handles", "dce", "reorder_motion"]),
    ],
};

/// `-O2` and `-O3`.
pub const O2: Pipeline = Pipeline {
    name: "O2",
    stages: &[
        stage(Inline, &["tidy", "inline"]),
        stage(Ssa, &["privates", "sroa", "mesh_payloads", "precise", "mem2reg", "nonuniform", "evaluations", "powers"]),
        stage(Simplify, &["optimize"]),
        stage(
            Optimise,
            &[
                "unroll",
                "unroll_small",
                "sroa",
                "mem2reg",
                "forward",
                "arrays",
                "constant_operands",
                "handles",
                "licm",
                "sink",
                "optimize",
                "hoist",
                "dce",
                "reorder_motion",
            ],
        ),
    ],
};

/// Removes hit objects for a device without them, and no more than that.
pub const LOWER_HIT_OBJECTS_O0: Pipeline = Pipeline {
    name: "lower-hit-objects-O0",
    stages: &[stage(Lower, &["drop_reorders", "lower_hit_object", "sroa", "mem2reg"]), stage(Simplify, &["dce"])],
};

/// Removes hit objects for a device without them, and optimises what they become. Reordering does nothing there: without it, and without
/// what computes its hints, most traversals are followed by their invocation, and become plain traces. What these do not take from their caller is dropped
/// afterwards: before, the payload of a traversal must be that of its invocation.
pub const LOWER_HIT_OBJECTS: Pipeline = Pipeline {
    name: "lower-hit-objects",
    stages: &[
        stage(Simplify, &["drop_reorders", "optimize", "share_payloads", "optimize"]),
        stage(Fuse, &["fuse_hit_objects", "payload_inputs", "dce"]),
        stage(Lower, &["lower_outcomes", "lower_hit_object", "sroa", "mem2reg"]),
        stage(Optimise, &["optimize", "reorder_motion"]),
    ],
};

/// Removes hit objects for a device that rays are sorted for in software, and no more than that. Reorder points of ray generation shaders remain.
pub const WAVEFRONT_O0: Pipeline =
    Pipeline { name: "wavefront-O0", stages: &[stage(Lower, &["lower_hit_object", "sroa", "mem2reg"]), stage(Simplify, &["dce"])] };

/// Removes hit objects for a device that rays are sorted for in software, and makes what is live across reorder points small: they remain in ray generation
/// shaders, which are divided then ([`crate::wavefront`]).
pub const WAVEFRONT: Pipeline = Pipeline {
    name: "wavefront",
    stages: &[
        stage(Simplify, &["optimize", "share_payloads", "optimize"]),
        stage(Fuse, &["fuse_hit_objects", "payload_inputs", "dce"]),
        stage(Lower, &["lower_outcomes", "lower_hit_object", "sroa", "mem2reg"]),
        stage(Optimise, &["optimize", "reorder_motion"]),
    ],
};

/// Calls become bodies, and matrices of linear algebra arrays and plain arithmetic: variables are not values before, so that no control flow selects a matrix.
pub const LOWER_LINEAR_ALGEBRA: Pipeline =
    Pipeline { name: "lower-linear-algebra", stages: &[stage(Inline, &["inline"]), stage(Lower, &["lower_linalg"])] };

/// The same, but matrices of threads become cooperative vectors.
pub const COOPERATIVE_VECTORS: Pipeline =
    Pipeline { name: "cooperative-vectors", stages: &[stage(Inline, &["inline"]), stage(Lower, &["lower_linalg_nv"])] };

/// Tidies what ray generation shaders were divided into, with the little that unoptimised ones get.
pub const WAVEFRONT_STAGES_O0: Pipeline =
    Pipeline { name: "wavefront-stages-O0", stages: &[stage(Ssa, &["mem2reg"]), stage(Simplify, &["fold", "simplify", "dce"])] };

/// Tidies what ray generation shaders were divided into.
pub const WAVEFRONT_STAGES: Pipeline =
    Pipeline { name: "wavefront-stages", stages: &[stage(Ssa, &["sroa", "mem2reg"]), stage(Simplify, &["optimize"])] };

/// Turns traversals and invocations without a reorder point between into plain traces, for devices that have hit objects (SPIR-V).
pub const FUSE_HIT_OBJECTS: Pipeline =
    Pipeline { name: "fuse-hit-objects", stages: &[stage(Fuse, &["share_payloads", "forward", "dce", "fuse_hit_objects", "dce"])] };

/// Turns traversals whose hit objects are queried only for hit or miss into plain traces with a generated miss shader, for devices that have hit objects:
/// packages, whose shader tables know of that shader.
pub const PLAIN_OUTCOMES: Pipeline = Pipeline { name: "plain-outcomes", stages: &[stage(Lower, &["plain_outcomes", "forward", "dce"])] };

/// Tidies what traces under divergent control flow became ([`crate::converge`]).
pub const CONVERGED: Pipeline = Pipeline { name: "converged", stages: &[stage(Ssa, &["sroa", "mem2reg"]), stage(Simplify, &["optimize"])] };

/// Tidies the same with the little that unoptimised modules get.
pub const CONVERGED_O0: Pipeline = Pipeline { name: "converged-O0", stages: &[stage(Simplify, &["dce"])] };

/// Removes loads and stores of payloads that became one variable (SPIR-V).
pub const SHARE_PAYLOADS: Pipeline = Pipeline { name: "share-payloads", stages: &[stage(Simplify, &["forward", "dce"])] };

/// Promotes the state variables of hit objects and folds the branches on them, of which many are decided (SPIR-V). It folds after each
/// simplification once and does not iterate: the code was optimised before.
pub const FOLD_HIT_OBJECT_STATE: Pipeline = Pipeline {
    name: "fold-hit-object-state",
    stages: &[stage(Ssa, &["mem2reg"]), stage(Simplify, &["fold", "simplify", "fold", "simplify", "dce"])],
};

/// Merges narrow loads, which DXIL has operations for (DXIL, where something is optimised).
pub const MERGE_LOADS: Pipeline = Pipeline { name: "merge-loads", stages: &[stage(Lower, &["merge_loads"])] };

/// All pipelines.
pub const PIPELINES: &[Pipeline] = &[
    O0,
    O1,
    O2,
    LOWER_HIT_OBJECTS_O0,
    LOWER_HIT_OBJECTS,
    WAVEFRONT_O0,
    WAVEFRONT,
    LOWER_LINEAR_ALGEBRA,
    COOPERATIVE_VECTORS,
    WAVEFRONT_STAGES_O0,
    WAVEFRONT_STAGES,
    FUSE_HIT_OBJECTS,
    PLAIN_OUTCOMES,
    CONVERGED,
    CONVERGED_O0,
    SHARE_PAYLOADS,
    FOLD_HIT_OBJECT_STATE,
    MERGE_LOADS,
];

/// The pipeline of a level.
pub fn pipeline(level: Level) -> &'static Pipeline {
    match level {
        Level::O0 => &O0,
        Level::O1 => &O1,
        Level::O2 | Level::O3 => &O2,
    }
}

impl Pipeline {
    /// The passes of one stage; none if the pipeline does not have it.
    pub fn stage(&self, name: StageName) -> &'static [&'static str] {
        self.stages.iter().find(|s| s.name == name).map_or(&[], |s| s.passes)
    }

    /// The passes of all stages, in order.
    pub fn passes(&self) -> Vec<&'static str> {
        self.stages.iter().flat_map(|s| s.passes).copied().collect()
    }

    /// The passes of `stages` without those that have one of `traits`.
    pub fn passes_without(&self, stages: &[StageName], traits: PassTraits) -> Vec<&'static str> {
        let of_stages = stages.iter().flat_map(|&s| self.stage(s));
        of_stages.copied().filter(|name| find(name).is_none_or(|p| !p.traits.intersects(traits))).collect()
    }

    /// Runs all stages over `m` and compacts it. Accesses that moved across a reorder point are found at the end.
    ///
    /// # Errors
    /// See [`PipelineError`].
    pub fn run(&self, m: &mut Module, cx: &PassCtx) -> Result<Changed, PipelineError> {
        run_passes(m, &self.passes(), cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_ir::Props;

    /// What a pipeline starts with: the levels with what the front end makes, the others with what a level leaves.
    fn initial_props(p: &Pipeline) -> Props {
        if p.stage(Inline).is_empty() { Props::INLINED | Props::NO_PRIVATES | Props::NO_LOCALS } else { Props::empty() }
    }

    #[test]
    fn pipelines_name_passes_whose_requirements_hold() {
        for p in PIPELINES {
            let mut props = initial_props(p);
            for name in p.passes() {
                let pass = find(name).unwrap_or_else(|| panic!("{}: unknown pass `{name}`", p.name));
                assert!((pass.requires - props).is_empty(), "{}: `{name}` requires {:?}", p.name, pass.requires - props);
                props = (props - pass.breaks) | pass.establishes;
            }
        }
    }

    #[test]
    fn stages_and_pipelines_have_names_of_their_own() {
        for (n, p) in PIPELINES.iter().enumerate() {
            assert!(PIPELINES[..n].iter().all(|q| q.name != p.name), "{}", p.name);
            for (k, s) in p.stages.iter().enumerate() {
                assert!(p.stages[..k].iter().all(|t| t.name != s.name), "{} has {:?} twice", p.name, s.name);
            }
        }
    }
}
