//! Passes: IR to IR, independent of the target.
//!
//! A pass is a function over a module, one file or folder each, and one row of [`PASSES`]. What a pass requires of the module, what it
//! establishes and what it breaks are columns of its row, and so are the traits that the pass manager acts on ([`PassTraits`]).
//! A pipeline is a list of named stages of passes ([`pipeline`](mod@pipeline)); an order in which a requirement does not hold is refused before
//! anything runs. With [`PassCtx::check`] the module is verified after every pass, and printed, parsed back and compared after every stage.
//!
//! What may be moved, merged or deleted is decided by effects ([`rtc_ir::effects`]) alone; no pass names a ray-tracing instruction to be
//! safe.
//!
//! # Parts
//!
//! | what | where |
//! |---|---|
//! | Inlining and variables | `inline`, `privates`, `sroa`, `mem2reg`, `handles` (resources that control flow selects), `evaluations` (of stage inputs, which functions may pass on), `powers` (by their exponents, likewise) |
//! | What the program says of values | `precise` (which instructions are exact), `nonuniform` (which handles differ among lanes) |
//! | Simplification | `fold`, `cse`, `forward`, `simplify`, `dce` |
//! | Loops | `unroll`, `licm` |
//! | Motion out of branches | `hoist`, `sink` |
//! | Memory | `merge_loads` |
//! | Analyses | [`ranges`] (intervals and known bits), [`finite`] (floats that are numbers), [`uniformity`], [`queries`] (states of ray queries) |
//! | Checks of the program as written | [`check_rays`], `query_checks`, `mesh_checks`, `component_checks`, [`still_rolled`] |
//! | Checks of what will be executed | [`unmarked_indices`] (of resources, in divergent lanes), [`converge`] (traces), [`reorder`] |
//! | Reorder points | [`reorder`] (live state, warnings), [`reorder_audit`] (no access crosses a point), `reorder_motion` |
//! | Payloads | [`paq_liveness`] (uses of each field), [`payload_layout`], [`pack_payload`], `payload_inputs` (fields that a trace does not take), `payload_outputs` (fields that a stage does not give), `mesh_payloads` (members of groupshared structures) |
//! | Hit objects that a plain trace says as well | `drop_reorders`, [`share_payloads`], `fuse_hit_objects` |
//! | Hit objects for devices without them | `lower_hit_object` (`lower_outcomes`, `plain_outcomes`: queried only for hit or miss) |
//! | Linear algebra for devices without matrices, or with cooperative vectors | `lower_linalg`, `lower_linalg_nv` |
//! | Software reordering | [`wavefront`] |
//! | Traces by whole waves | [`converge`] |
//! | Pass manager | [`pipeline`](mod@pipeline) |
//!
//! To read the crate, begin with [`PASSES`] and [`pipeline`](mod@pipeline), then read a small pass (`licm`), one that rewrites the region tree (`simplify`), and
//! an analysis ([`uniformity`]). The traversals that they share are in [`rtc_ir::analysis`].
//!
//! # Example
//!
//! ```
//! use rtc_ir::text::{parse, print};
//! use rtc_passes::{Level, PassCtx, pipeline};
//!
//! let text = r#"module sm 6.3
//! g0 = resource "Out" : res(uav raw) space 0
//! fn fn0 "Main" stage raygen {
//!  v0 = const i32 0 v1 = const i32 1 v2 = const i32 2
//! r0:
//!  v3 = resource g0
//!  v4 = iadd v1, v2 : i32
//!  raw_store #4 v3, v0, v4
//!  return
//! }
//! "#;
//! let mut module = parse(text).expect("the text is a module");
//! pipeline(Level::O2).run(&mut module, &PassCtx::default())?;
//! let optimised = print(&module);
//! assert!(optimised.contains("const i32 3") && !optimised.contains("iadd"));
//! # Ok::<(), rtc_passes::PipelineError>(())
//! ```
//!
//! What is *not* here: what one target alone needs. The SPIR-V back end legalises for itself, and DXIL lowering scalarises.

mod arrays;
mod component_checks;
mod constant_operands;
pub mod converge;
mod cse;
mod dce;
mod drop_reorders;
mod evaluations;
pub mod finite;
mod fold;
mod forward;
mod fuse_hit_objects;
mod handles;
pub mod hit_calls;
mod hoist;
mod inline;
mod licm;
mod lower_hit_object;
mod lower_linalg;
mod mem2reg;
mod merge_loads;
mod mesh_checks;
mod mesh_payloads;
mod nonuniform;
pub mod pack_payload;
pub mod paq_liveness;
mod payload_inputs;
pub mod payload_layout;
mod payload_outputs;
pub mod pipeline;
mod powers;
mod precise;
mod privates;
pub mod queries;
mod query_checks;
pub mod ranges;
mod ray_checks;
pub mod reorder;
pub mod reorder_audit;
mod reorder_motion;
mod resource_indices;
mod shape;
pub mod share_payloads;
mod simplify;
mod sink;
mod sroa;
pub mod uniformity;
mod unroll;
mod util;
pub mod wavefront;
mod words;

pub use drop_reorders::drop_where as drop_reorders_where;
pub use lower_hit_object::uses_hit_objects;
pub use lower_linalg::uses_matrices;
pub use pipeline::{AuditState, Level, Pipeline, PipelineError, StageName, pipeline, run_pass, run_passes, run_stage};
pub use ray_checks::check_rays;
pub use resource_indices::unmarked_indices;
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
    /// The program has errors that only show now.
    Invalid(Vec<Diagnostic>),
    /// The program exceeds a limit or breaks a rule of the language that the pass depends on.
    Rejected(String),
    /// A pass that this one runs failed.
    Inner(PipelineError),
}

/// Options of passes.
#[derive(Clone, Debug)]
pub struct PassCtx {
    /// Verify the module after every pass and take it through its text form after every stage.
    pub check: bool,
}

impl Default for PassCtx {
    /// Checks in debug builds.
    fn default() -> Self {
        PassCtx { check: cfg!(debug_assertions) }
    }
}

bitflags::bitflags! {
    /// Traits of a pass that the pass manager and its callers act on.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct PassTraits: u8 {
        /// It duplicates accesses: the audit of reorder points compares after it and starts anew, with each copy an access of its own.
        const COPIES_ACCESSES = 1;
        /// It also decides branches among the copies, so that some of them are gone.
        const DECIDES_BRANCHES = 2;
        /// It renumbers instructions or drops functions, and keeps marks of debug information itself.
        const RENUMBERS = 4;
        /// It replaces reorder points by others: the programs before and after it are audited apart.
        const REWRITES_REORDER_POINTS = 8;
        /// It shrinks what is live across reorder points: a pipeline without such passes shows what they are worth.
        const SHRINKS_LIVE_STATE = 16;
        /// It keeps [`rtc_ir::Function::settled`] itself. Of other passes every function is unsettled if they change something.
        const SETTLES = 32;
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
    /// What the pass manager does for it.
    pub traits: PassTraits,
    /// Does it.
    pub run: fn(&mut Module, &PassCtx) -> Result<Changed, PassError>,
}

const NONE: Props = Props::empty();
const ENTRIES_ONLY: Props = Props::INLINED.union(Props::NO_PRIVATES);
const DIVISIBLE: Props = ENTRIES_ONLY.union(Props::DIRECT_HANDLES);
const PLAIN: PassTraits = PassTraits::empty();
const COPIES: PassTraits = PassTraits::COPIES_ACCESSES;
const DECIDES: PassTraits = PassTraits::DECIDES_BRANCHES;
const RENUMBERS: PassTraits = PassTraits::RENUMBERS;
const REWRITES: PassTraits = PassTraits::REWRITES_REORDER_POINTS;
const SHRINKS: PassTraits = PassTraits::SHRINKS_LIVE_STATE;
const SETTLES: PassTraits = PassTraits::SETTLES;

macro_rules! pass {
    ($name:literal, $run:path, $requires:expr, $establishes:expr, $breaks:expr, $traits:expr, $doc:literal) => {
        PassInfo { name: $name, doc: $doc, requires: $requires, establishes: $establishes, breaks: $breaks, traits: $traits, run: $run }
    };
}

/// All passes.
#[rustfmt::skip]
pub const PASSES: &[PassInfo] = &[
//      name                function               requires        establishes            breaks            traits                                                   what it does
    pass!("tidy",             pipeline::tidy,        NONE,           NONE,                  NONE,             RENUMBERS,                                             "sroa, mem2reg and one iteration of optimize, over the functions that inlining will copy"),
    pass!("inline",           inline::run,           NONE,           Props::INLINED,        Props::NO_LOCALS, COPIES.union(RENUMBERS),                               "inlining: replaces every call by the body of its callee, and drops functions that are not reachable"),
    pass!("privates",         privates::run,         Props::INLINED, Props::NO_PRIVATES,    Props::NO_LOCALS, PLAIN,                                                 "turns private globals into locals of the entry points that use them"),
    pass!("pack_payload",     pack_payload::run,     Props::INLINED, NONE,                  Props::NO_LOCALS, PLAIN,                                                 "packs payloads with access qualifiers into as few words as these allow (SPIR-V)"),
    pass!("payload_inputs",   payload_inputs::run,   Props::INLINED, NONE,                  NONE,             SHRINKS,                                               "makes undefined before a trace what it does not take from its caller"),
    pass!("payload_outputs",  payload_outputs::run,  Props::INLINED, NONE,                  Props::NO_LOCALS, PLAIN,                                                 "keeps in locals what a shader stores into payload fields that its stage does not write (SPIR-V)"),
    pass!("sroa",             sroa::run,             Props::INLINED, NONE,                  Props::NO_LOCALS, SETTLES,                                               "scalar replacement of aggregates: expands copies and splits locals into their leaves"),
    pass!("mesh_payloads",    mesh_payloads::run,    Props::INLINED, NONE,                  NONE,             PLAIN,                                                 "makes the member of a groupshared structure that DispatchMesh passes a variable of its own"),
    pass!("precise",          precise::run,          Props::INLINED, NONE,                  NONE,             RENUMBERS.union(SETTLES),                              "finds the instructions that compute something `precise`, which stay exact"),
    pass!("mem2reg",          mem2reg::run,          Props::INLINED, Props::NO_LOCALS,      NONE,             RENUMBERS.union(SETTLES),                              "promotes locals to SSA values"),
    pass!("arrays",           arrays::run,           NONE,           NONE,                  NONE,             SETTLES,                                               "reads arrays that are copies of constants, of a constant buffer or of another variable where these are"),
    pass!("nonuniform",       nonuniform::run,       Props::NO_LOCALS, NONE,                NONE,             PLAIN,                                                 "marks the handles whose indices come from `NonUniformResourceIndex`"),
    pass!("evaluations",      evaluations::run,      Props::NO_LOCALS, NONE,                NONE,             PLAIN,                                                 "makes evaluations of values evaluations of the inputs that they consist of"),
    pass!("powers",           powers::run,           NONE,           NONE,                  NONE,             PLAIN,                                                 "expands powers: products where the exponent is known to be 2"),
    pass!("handles",          handles::run,          Props::INLINED, Props::DIRECT_HANDLES, NONE,             COPIES.union(RENUMBERS).union(SETTLES),                "replaces uses of handles that control flow selects by branches over the resources"),
    pass!("fold",             fold::run,             NONE,           NONE,                  NONE,             SETTLES,                                               "constant folding and algebraic simplification"),
    pass!("cse",              cse::run,              NONE,           NONE,                  NONE,             SETTLES,                                               "common subexpression elimination over dominating regions"),
    pass!("forward",          forward::run,          NONE,           NONE,                  NONE,             SETTLES,                                               "store-to-load forwarding and redundant store elimination"),
    pass!("simplify",         simplify::run,         NONE,           NONE,                  NONE,             SETTLES,                                               "removes branches that are decided, if-converts small ones into selects"),
    pass!("unroll",           unroll::run,           NONE,           NONE,                  NONE,             COPIES.union(DECIDES).union(SETTLES),                  "unrolls loops that ask for it and have a constant trip count"),
    pass!("unroll_alone",     unroll::run_alone,     NONE,           NONE,                  NONE,             COPIES.union(DECIDES),                                 "unrolls such loops and optimizes nothing after it"),
    pass!("unroll_small",     unroll::small::run,    NONE,           NONE,                  NONE,             COPIES.union(DECIDES).union(SETTLES),                  "unrolls small loops with a constant trip count where that pays"),
    pass!("constant_operands", constant_operands::run, Props::INLINED, NONE,                  NONE,             COPIES.union(DECIDES).union(RENUMBERS).union(SETTLES), "unrolls loops and folds where operands that must be constant for a target are not so yet"),
    pass!("licm",             licm::run,             NONE,           NONE,                  NONE,             SETTLES,                                               "loop-invariant code motion: hoists into the preheader what every iteration computes alike"),
    pass!("hoist",            hoist::run,            NONE,           NONE,                  NONE,             SETTLES,                                               "code hoisting: computes what both arms of a branch compute before it"),
    pass!("sink",             sink::run,             NONE,           NONE,                  NONE,             SETTLES,                                               "tail merging: computes what all arms of a branch compute last after it"),
    pass!("merge_loads",      merge_loads::run,      NONE,           NONE,                  NONE,             SETTLES,                                               "load vectorisation: merges loads of neighbouring components of a buffer into one wide load (DXIL)"),
    pass!("dce",              dce::run,              NONE,           NONE,                  NONE,             SETTLES,                                               "dead code elimination: instructions, results, parameters, and stores to variables that are never read"),
    pass!("drop_reorders",    drop_reorders::run,    NONE,           NONE,                  NONE,             REWRITES,                                              "deletes calls of MaybeReorderThread, for devices that cannot reorder"),
    pass!("share_payloads",   share_payloads::run,   Props::INLINED, NONE,                  NONE,             PLAIN,                                                 "makes the payloads of a traversal and of the invocation of its hit object one variable where that changes nothing"),
    pass!("fuse_hit_objects", fuse_hit_objects::run, Props::INLINED, NONE,                  NONE,             REWRITES,                                              "fuses a traversal and the invocation of its hit object, adjacent and with one payload, into one trace"),
    pass!("lower_outcomes",   lower_hit_object::outcomes::run, ENTRIES_ONLY, NONE,          NONE,             RENUMBERS.union(REWRITES),                             "turns traversals whose hit objects are queried only for hit or miss into traces with a generated miss shader"),
    pass!("plain_outcomes",   lower_hit_object::outcomes::run_with_objects, ENTRIES_ONLY, NONE, NONE,      RENUMBERS.union(REWRITES),                             "the same next to other uses of hit objects, for devices that have them"),
    pass!("lower_hit_object", lower_hit_object::run, ENTRIES_ONLY,   NONE,                  Props::NO_LOCALS, RENUMBERS.union(REWRITES),                             "lowers hit objects to structures, for devices without them: recording traces, and invocations as traces with mask 0"),
    pass!("lower_linalg",     lower_linalg::run,     Props::INLINED, NONE,                  Props::NO_LOCALS, REWRITES,                                              "lowers matrices of linear algebra to arrays and plain arithmetic, for devices without them"),
    pass!("lower_linalg_nv",  lower_linalg::run_with_vectors, Props::INLINED, NONE,         Props::NO_LOCALS, REWRITES,                                              "the same, but matrices of threads become cooperative vectors (SPIR-V)"),
    pass!("divide_traces",    wavefront::traces::run, Props::INLINED, NONE,                 NONE,             REWRITES,                                              "makes traces of ray generation shaders traversals, reorder points and invocations"),
    pass!("wavefront",        wavefront::run,        DIVISIBLE,      NONE,                  Props::NO_LOCALS, RENUMBERS.union(REWRITES),                             "divides ray generation shaders at their reorder points, between which a host sorts rays"),
    pass!("converge_traces",  converge::run,         DIVISIBLE,      NONE,                  NONE,             REWRITES,                                              "makes traces under divergent control flow traces by all lanes, with an empty mask and no miss shader in those without work (SPIR-V)"),
    pass!("reorder_motion",   reorder_motion::run,   NONE,           NONE,                  NONE,             SHRINKS.union(SETTLES),                                "shrinks what is live across reorder points by rematerialisation and hoisting, and makes points of one hit object adjacent"),
    pass!("optimize",         pipeline::optimize,    NONE,           NONE,                  NONE,             RENUMBERS.union(SETTLES),                              "iterates fold, cse, forward, simplify and dce to a fixpoint"),
];

/// The pass called `name`.
pub fn find(name: &str) -> Option<&'static PassInfo> {
    PASSES.iter().find(|p| p.name == name)
}
