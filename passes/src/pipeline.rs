//! Running passes in order, and the standard orders.

use rtc_base::Diagnostic;
use rtc_ir::debug::Anchors;
use rtc_ir::text::{parse, print};
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Func, Function, Module, Props, Stage};

use crate::reorder_audit::Audit;
use crate::{Changed, PassCtx, PassError, PassInfo, find};

/// How much to optimise, as on the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// `-Od`, `-O0`: only what targets need.
    None,
    /// `-O1`.
    Some,
    /// `-O2`.
    More,
    /// `-O3`, the default of the command line.
    Most,
}

/// Why a pipeline did not run to its end.
#[derive(Clone, Debug)]
pub enum PipelineError {
    /// A pass found the program to be wrong.
    Wrong(Vec<Diagnostic>),
    /// There is no pass of this name.
    UnknownPass(String),
    /// A pass needs what does not hold at its place. Nothing ran.
    Order {
        /// The pass.
        pass: &'static str,
        /// What is missing.
        missing: Props,
    },
    /// A pass gave up.
    Failed {
        /// The pass.
        pass: &'static str,
        /// Its reason.
        message: String,
    },
    /// A pass left a module that is not well formed, or that its text form does not preserve: an error
    /// of the compiler.
    Broken {
        /// The pass.
        pass: &'static str,
        /// The module's text with the errors at their lines.
        text: String,
    },
}

impl std::fmt::Display for PipelineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PipelineError::Wrong(all) => {
                let all: Vec<_> = all.iter().map(|d| format!("{}: {}", d.code.id, d.message)).collect();
                f.write_str(&all.join("\n"))
            }
            PipelineError::UnknownPass(name) => write!(f, "there is no pass `{name}`"),
            PipelineError::Order { pass, missing } => {
                let names: Vec<_> = Props::NAMES.iter().filter(|(p, _)| missing.contains(*p)).map(|p| p.1).collect();
                write!(f, "pass `{pass}` needs {} at its place", names.join(", "))
            }
            PipelineError::Failed { pass, message } => write!(f, "pass `{pass}`: {message}"),
            PipelineError::Broken { pass, text } => {
                write!(f, "internal error: pass `{pass}` broke the module:\n{text}")
            }
        }
    }
}

impl std::error::Error for PipelineError {}

/// The passes that `level` stands for, in order.
pub fn pipeline(level: Level) -> &'static [&'static str] {
    match level {
        Level::None => &["inline", "privates", "sroa", "mem2reg", "handles", "dce"],
        // Constants appear as locals become values, and then more steps into arrays are constant.
        Level::Some => {
            &["tidy", "inline", "privates", "sroa", "mem2reg", "optimize", "unroll", "sroa", "mem2reg", "handles", "dce", "reorder_motion"]
        }
        Level::More | Level::Most => &[
            "tidy",
            "inline",
            "privates",
            "sroa",
            "mem2reg",
            "optimize",
            "unroll",
            "unroll_small",
            "sroa",
            "mem2reg",
            "handles",
            "licm",
            "optimize",
            "reorder_motion",
        ],
    }
}

/// The passes of `level` up to where locals have become values but nothing is optimised yet, and the rest: between them is where
/// programs are judged as they were written.
pub fn halves(level: Level) -> (&'static [&'static str], &'static [&'static str]) {
    let all = pipeline(level);
    let at = all.iter().position(|&p| p == "mem2reg").map_or(all.len(), |n| n + 1);
    all.split_at(at)
}

/// Runs the passes called `names` over `m` and compacts it.
///
/// # Errors
/// See [`PipelineError`]. An unknown name or an impossible order is found before anything runs. That an access moved across
/// a reorder point is found at the end ([`Audit`]).
pub fn run_pipeline(m: &mut Module, names: &[&str], cx: &PassCtx) -> Result<Changed, PipelineError> {
    run_watched(m, names, cx, &mut |_, _| {})
}

/// Does that, and shows `watch` the module behind each pass.
///
/// # Errors
/// Those of [`run_pipeline`].
pub fn run_watched(
    m: &mut Module,
    names: &[&str],
    cx: &PassCtx,
    watch: &mut dyn FnMut(&'static str, &Module),
) -> Result<Changed, PipelineError> {
    let mut stock = Stock::default();
    let changed = run_in_goes(m, names, cx, &mut stock, watch)?;
    stock.end(m)?;
    Ok(changed)
}

/// Does that for passes that run in several goes, between which nobody changes the module: the audit's stock is
/// taken in the first and compared when the last is over ([`Stock::end`]).
///
/// # Errors
/// Those of [`run_pipeline`]; motions that are found at the end, [`Stock::end`] gives.
pub fn run_in_goes(
    m: &mut Module,
    names: &[&str],
    cx: &PassCtx,
    stock: &mut Stock,
    watch: &mut dyn FnMut(&'static str, &Module),
) -> Result<Changed, PipelineError> {
    let mut passes = Vec::with_capacity(names.len());
    let mut props = m.props;
    for &name in names {
        let Some(pass) = find(name) else {
            return Err(PipelineError::UnknownPass(name.into()));
        };
        let missing = pass.requires - props;
        if !missing.is_empty() {
            let pass = pass.name;
            return Err(PipelineError::Order { pass, missing });
        }
        props = (props - pass.breaks) | pass.establishes;
        passes.push(pass);
    }
    let mut changed = Changed::No;
    for pass in passes {
        let rewrites = pass.name == REWRITES;
        if rewrites {
            stock.compare(m, false)?;
        }
        stock.take(m);
        let done = run_pass(m, pass, cx)?;
        changed = changed.or(done);
        watch(pass.name, m);
        if rewrites {
            stock.forget();
        } else if done == Changed::Yes && COPIES.contains(&pass.name) {
            // Each copy is on its own from here on.
            stock.compare(m, pass.name.starts_with("unroll"))?;
            stock.forget();
        }
    }
    m.compact();
    Ok(changed)
}

/// The [`Audit`] of a module while passes run. Stock is taken when a pass is about to run and compared when it
/// must be; a survey costs as much as a pass.
#[derive(Default)]
pub struct Stock {
    audit: Option<Audit>,
    /// Stock was taken, and is still that of the module.
    taken: bool,
    /// Passes ran since.
    moved: bool,
}

impl Stock {
    /// A pass is about to run.
    fn take(&mut self, m: &mut Module) {
        if !self.taken {
            match &mut self.audit {
                Some(audit) => audit.retake(m),
                none => *none = Some(Audit::take(m)),
            }
            self.taken = true;
        }
        self.moved = true;
    }

    /// Stock is to be taken anew before the next pass.
    fn forget(&mut self) {
        (self.taken, self.moved) = (false, false);
    }

    /// Fails if something moved across a reorder point.
    fn compare(&mut self, m: &Module, copies: bool) -> Result<(), PipelineError> {
        let (Some(audit), true) = (&mut self.audit, self.moved) else { return Ok(()) };
        self.moved = false;
        match audit.check(m, copies) {
            found if found.is_empty() => Ok(()),
            found => Err(PipelineError::Wrong(found)),
        }
    }

    /// Compares what the passes left with what there was.
    ///
    /// # Errors
    /// Something moved across a reorder point.
    pub fn end(mut self, m: &Module) -> Result<(), PipelineError> {
        self.compare(m, false)
    }
}

/// The passes that copy accesses. `unroll` also decides branches among the copies.
const COPIES: [&str; 4] = ["inline", "unroll", "unroll_small", "handles"];

/// The passes that renumber instructions or drop functions, and keep marks of debug information themselves.
const RENUMBERS: [&str; 6] = ["tidy", "inline", "mem2reg", "handles", "optimize", "lower_hit_object"];

/// The pass that makes other reorder points of reorder points: before and behind it are two programs.
const REWRITES: &str = "lower_hit_object";

/// Runs one pass. The caller has seen to what it requires.
///
/// # Errors
/// The pass gave up, or (if checks are on) broke the module.
pub fn run_pass(m: &mut Module, pass: &'static PassInfo, cx: &PassCtx) -> Result<Changed, PipelineError> {
    let mut anchors: Vec<Option<Anchors>> = Vec::new();
    if !RENUMBERS.contains(&pass.name) {
        anchors.extend(m.funcs.values().map(Anchors::take));
    }
    let changed = (pass.run)(m, cx).map_err(|e| match e {
        PassError::Refused(message) => PipelineError::Failed { pass: pass.name, message },
        PassError::Wrong(all) => PipelineError::Wrong(all),
        PassError::Inner(e) => e,
    })?;
    for (f, a) in m.funcs.values_mut().zip(anchors) {
        a.into_iter().for_each(|a| a.restore(f));
    }
    m.props = (m.props - pass.breaks) | pass.establishes;
    if cx.check {
        check(m).map_err(|text| PipelineError::Broken { pass: pass.name, text })?;
    }
    Ok(changed)
}

/// Verifies `m` and takes it through its text form. The text with what is wrong.
fn check(m: &Module) -> Result<(), String> {
    verify(m).map_err(|errors| print_with_errors(m, &errors))?;
    let text = print(m);
    match parse(&text) {
        Err(e) => Err(format!("{text}\nthe text does not parse: {e}")),
        Ok(again) if print(&again) != text => Err(format!("{text}\nthe text prints differently")),
        Ok(_) => Ok(()),
    }
}

/// A pass over one function; says whether it changed something.
type FunctionPass = fn(&mut Module, &mut Function) -> bool;

/// The passes that `optimize` repeats.
const ROUND: [(&str, FunctionPass); 5] = [
    ("fold", crate::fold::function),
    ("cse", crate::cse::function),
    ("forward", crate::forward::function),
    ("simplify", crate::simplify::function),
    ("dce", crate::dce::in_round),
];
/// How often at most.
const ROUNDS: usize = 8;

/// Runs the passes of a round until nothing changes. A function in which a round changed nothing is done: the
/// rounds that others still need leave it alone.
pub(crate) fn optimize(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let todo: Vec<Func> = m.funcs.keys().collect();
    optimize_these(m, cx, todo)
}

/// Does that for some functions.
pub(crate) fn optimize_these(m: &mut Module, cx: &PassCtx, mut todo: Vec<Func>) -> Result<Changed, PassError> {
    let mut changed = Changed::No;
    for _ in 0..ROUNDS {
        changed = changed.or(round(m, cx, &mut todo)?);
        if todo.is_empty() {
            break;
        }
    }
    Ok(changed)
}

/// Runs one round over the functions of `todo`, and leaves those there in which something changed.
fn round(m: &mut Module, cx: &PassCtx, todo: &mut Vec<Func>) -> Result<Changed, PassError> {
    let mut out = Function::new("", Stage::Library);
    let mut again = vec![false; todo.len()];
    for (pass, run) in ROUND {
        for (&id, again) in todo.iter().zip(&mut again) {
            std::mem::swap(&mut out, &mut m.funcs[id]);
            let anchors = Anchors::take(&out);
            let changed = run(m, &mut out);
            *again |= changed;
            // What is dead goes without a word.
            if let (Some(a), true) = (anchors, changed || pass == "dce") {
                a.restore(&mut out);
            }
            std::mem::swap(&mut out, &mut m.funcs[id]);
        }
        if cx.check {
            check(m).map_err(|text| PassError::Inner(PipelineError::Broken { pass, text }))?;
        }
    }
    let mut flags = again.into_iter();
    todo.retain(|_| flags.next() == Some(true));
    for &id in todo.iter() {
        compact_if_sparse(&mut m.funcs[id]);
    }
    Ok((!todo.is_empty()).into())
}

/// Makes functions small before `inline` copies them into their callers: done once here, not once for each call.
/// Entry points, which are not copied, are left to what follows.
pub(crate) fn tidy(m: &mut Module, cx: &PassCtx) -> Result<Changed, PassError> {
    let callees: Vec<Func> = m.funcs.iter().filter(|(_, f)| !f.is_entry()).map(|(id, _)| id).collect();
    let mut changed = false;
    for &id in &callees {
        crate::inline::refuse_too_deep(&m.funcs[id])?;
        changed |= crate::sroa::function(m, id);
        changed |= crate::mem2reg::function(m, id);
    }
    let mut todo = callees;
    Ok(Changed::from(changed).or(round(m, cx, &mut todo)?))
}

/// Dead instructions and lists pile up as passes run.
fn compact_if_sparse(f: &mut Function) {
    let mut live = 0;
    f.for_each_region(f.body, |r| live += f.regions[r].insts.len());
    if f.insts.len() > 2 * live {
        f.compact();
    }
}
