//! Passes: IR to IR, independent of the target.
//!
//! A pass is a function over a module, one file each, and one row of [`PASSES`]. What a pass needs of the
//! module, what it makes true and what it destroys are columns of its row: [`run_pipeline`] refuses an
//! order that does not hold before it runs anything. With [`PassCtx::check`] the module is verified,
//! printed, parsed back and compared after every pass.
//!
//! What may be moved, merged or deleted is decided by effects (`rtc_ir::effects`) alone; no pass names a
//! ray-tracing instruction to be safe.

mod cse;
mod dce;
mod fold;
mod forward;
mod handles;
mod inline;
mod licm;
mod lower_hit_object;
mod mem2reg;
pub mod pack_payload;
pub mod paq_liveness;
pub mod payload_layout;
pub mod pipeline;
mod privates;
pub mod queries;
mod query_checks;
pub mod ranges;
mod ray_checks;
pub mod reorder;
pub mod reorder_audit;
mod reorder_motion;
mod simplify;
mod sroa;
pub mod uniformity;
mod unroll;
mod util;

pub use lower_hit_object::uses_hit_objects;
pub use pipeline::{Level, PipelineError, Stock, pipeline, run_in_goes, run_pass, run_pipeline, run_watched};
pub use ray_checks::check_rays;
pub use unroll::still_rolled;

use rtc_base::Diagnostic;
use rtc_ir::{Module, Props};

/// Whether a pass changed the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// It is as it was.
    No,
    /// Something is different.
    Yes,
}

impl Changed {
    /// `Yes` if either is.
    pub fn or(self, other: Changed) -> Changed {
        if self == Changed::Yes { self } else { other }
    }
}

impl From<bool> for Changed {
    fn from(b: bool) -> Changed {
        if b { Changed::Yes } else { Changed::No }
    }
}

/// Why a pass could not do its work.
#[derive(Clone, Debug)]
pub enum PassError {
    /// The program is wrong in ways that only show now.
    Wrong(Vec<Diagnostic>),
    /// The program exceeds a limit or breaks a rule of the language that the pass depends on.
    Refused(String),
    /// A pass that this one runs failed.
    Inner(PipelineError),
}

/// What passes are told.
#[derive(Clone, Debug)]
pub struct PassCtx {
    /// Verify the module and take it through its text form after every pass.
    pub check: bool,
}

impl Default for PassCtx {
    /// Checks in debug builds.
    fn default() -> Self {
        PassCtx { check: cfg!(debug_assertions) }
    }
}

/// One pass.
pub struct PassInfo {
    /// Its name on command lines.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub doc: &'static str,
    /// What must hold before.
    pub requires: Props,
    /// What holds after.
    pub establishes: Props,
    /// What may no longer hold after.
    pub breaks: Props,
    /// Does it.
    pub run: fn(&mut Module, &PassCtx) -> Result<Changed, PassError>,
}

const NONE: Props = Props::empty();

macro_rules! pass {
    ($name:literal, $run:path, $requires:expr, $establishes:expr, $breaks:expr, $doc:literal) => {
        PassInfo { name: $name, doc: $doc, requires: $requires, establishes: $establishes, breaks: $breaks, run: $run }
    };
}

/// All passes.
#[rustfmt::skip]
pub const PASSES: &[PassInfo] = &[
//        name        function        requires        establishes         breaks  what it does
    pass!("tidy",     pipeline::tidy, NONE,           NONE,               NONE,   "sroa, mem2reg and a round of optimize, for functions that are going to be copied into their callers"),
    pass!("inline",   inline::run,    NONE,           Props::INLINED,     Props::NO_LOCALS, "replaces every call by the function's body and drops functions that nobody can start"),
    pass!("privates", privates::run,  Props::INLINED, Props::NO_PRIVATES, Props::NO_LOCALS, "makes private globals locals of the entry points that use them"),
    pass!("pack_payload", pack_payload::run, Props::INLINED, NONE,      Props::NO_LOCALS, "puts payloads with qualifiers into as few words as these allow (SPIR-V)"),
    pass!("sroa",     sroa::run,      Props::INLINED, NONE,               Props::NO_LOCALS, "expands copies and splits aggregate locals into their leaves"),
    pass!("mem2reg",  mem2reg::run,   Props::INLINED, Props::NO_LOCALS,   NONE,   "replaces locals that hold a value by values"),
    pass!("handles",  handles::run,   Props::INLINED, Props::DIRECT_HANDLES, NONE,  "puts uses of handles that control flow chose into branches over the resources"),
    pass!("fold",     fold::run,      NONE,           NONE,               NONE,   "computes constants and applies algebraic rules"),
    pass!("cse",      cse::run,       NONE,           NONE,               NONE,   "computes nothing twice"),
    pass!("forward",  forward::run,   NONE,           NONE,               NONE,   "forwards stored and loaded values to later loads of the place, drops stores of what is there"),
    pass!("simplify", simplify::run,  NONE,           NONE,               NONE,   "removes control flow that decides nothing, turns small branches into selects"),
    pass!("unroll",   unroll::run,    NONE,           NONE,               NONE,   "makes loops that ask for it and whose rounds can be counted copies of their bodies"),
    pass!("unroll_small", unroll::small::run, NONE,   NONE,               NONE,   "makes small loops whose rounds can be counted copies of their bodies, where that pays"),
    pass!("licm",     licm::run,      NONE,           NONE,               NONE,   "computes before a loop what is the same in all its rounds"),
    pass!("dce",      dce::run,       NONE,           NONE,               NONE,   "removes what has no effect: instructions, results, parameters, stores to variables that nothing reads"),
    pass!("lower_hit_object", lower_hit_object::run, Props::INLINED.union(Props::NO_PRIVATES), NONE, Props::NO_LOCALS, "makes hit objects records of values, traces into them traces that record, and invocations traces that meet nothing"),
    pass!("reorder_motion", reorder_motion::run, NONE, NONE,              NONE,   "carries less across reorder points: computes values again behind them, or before them what makes little of much; puts points of one hit object back to back"),
    pass!("optimize", pipeline::optimize, NONE,       NONE,               NONE,   "fold, cse, forward, simplify, dce until nothing changes"),
];

/// The pass called `name`.
pub fn find(name: &str) -> Option<&'static PassInfo> {
    PASSES.iter().find(|p| p.name == name)
}
