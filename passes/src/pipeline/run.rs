//! Runs passes in order: checks that what each requires holds, keeps marks of debug information, and audits reorder points.
//!
//! The audit takes a snapshot of which accesses are between which reorder points ([`crate::reorder_audit`]). [`AuditState`] keeps
//! it while passes run: a snapshot costs as much as a pass, so one is compared only at the end and where a pass copies accesses or
//! replaces reorder points.

use rtc_base::Diagnostic;
use rtc_base::timing::phase_of;
use rtc_ir::debug::Anchors;
use rtc_ir::text::{parse, print};
use rtc_ir::verify::{print_with_errors, verify};
use rtc_ir::{Func, Module, Props};

use crate::reorder_audit::Audit;
use crate::{Changed, PassCtx, PassError, PassInfo, PassTraits, find};

/// Why a pipeline did not run to its end.
#[derive(Clone, Debug)]
pub enum PipelineError {
    /// A pass found errors in the program.
    Invalid(Vec<Diagnostic>),
    /// There is no pass of this name.
    UnknownPass(String),
    /// A pass requires a property that does not hold when it would run. Nothing ran.
    Order {
        /// The pass.
        pass: &'static str,
        /// The missing properties.
        missing: Props,
    },
    /// A pass gave up.
    Failed {
        /// The pass.
        pass: &'static str,
        /// Its reason.
        message: String,
    },
    /// A pass left a module that is not well formed, or its stage one that the text form does not preserve: an error
    /// of the compiler.
    Broken {
        /// The pass, or the last one of the stage.
        pass: &'static str,
        /// The module's text with the errors at their lines.
        text: String,
    },
}

impl std::fmt::Display for PipelineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PipelineError::Invalid(all) => {
                let all: Vec<_> = all.iter().map(|d| format!("{}: {}", d.code.id, d.message)).collect();
                f.write_str(&all.join("\n"))
            }
            PipelineError::UnknownPass(name) => write!(f, "unknown pass `{name}`"),
            PipelineError::Order { pass, missing } => {
                let names: Vec<_> = Props::NAMES.iter().filter(|(p, _)| missing.contains(*p)).map(|p| p.1).collect();
                write!(f, "pass `{pass}` requires {}", names.join(", "))
            }
            PipelineError::Failed { pass, message } => write!(f, "pass `{pass}`: {message}"),
            PipelineError::Broken { pass, text } => {
                write!(f, "internal error: pass `{pass}` broke the module:\n{text}")
            }
        }
    }
}

impl std::error::Error for PipelineError {}

/// Runs the passes called `names` over `m` and compacts it.
///
/// # Errors
/// See [`PipelineError`]. An unknown name or an impossible order is found before anything runs. Accesses that moved across
/// a reorder point are found at the end.
pub fn run_passes(m: &mut Module, names: &[&str], cx: &PassCtx) -> Result<Changed, PipelineError> {
    let mut audit = AuditState::default();
    let changed = run_stage(m, names, cx, &mut audit)?;
    audit.finish(m)?;
    Ok(changed)
}

/// Runs the passes of one stage and compacts the module. Stages that share `audit` are audited as one run: nothing but passes may
/// change the module between them, and [`AuditState::finish`] follows the last.
///
/// # Errors
/// See [`PipelineError`]. An unknown name or an impossible order is found before anything runs.
pub fn run_stage(m: &mut Module, names: &[&str], cx: &PassCtx, audit: &mut AuditState) -> Result<Changed, PipelineError> {
    let passes = resolve(names, m.props)?;
    let mut changed = Changed::No;
    for pass in &passes {
        let rewrites = pass.traits.contains(PassTraits::REWRITES_REORDER_POINTS);
        if rewrites {
            audit.compare(m, false)?;
        }
        audit.before_pass(m);
        let done = apply(m, pass, cx)?;
        changed = changed.or(done);
        if rewrites {
            audit.invalidate();
        } else if done == Changed::Yes && pass.traits.contains(PassTraits::COPIES_ACCESSES) {
            // From here on each copy is an access of its own.
            audit.compare(m, pass.traits.contains(PassTraits::DECIDES_BRANCHES))?;
            audit.invalidate();
        }
    }
    if let Some(last) = passes.last() {
        end_stage(m, last, cx)?;
    }
    m.compact();
    Ok(changed)
}

/// The passes of these names, if what each requires holds when it runs.
fn resolve(names: &[&str], mut props: Props) -> Result<Vec<&'static PassInfo>, PipelineError> {
    let mut passes = Vec::with_capacity(names.len());
    for &name in names {
        let Some(pass) = find(name) else {
            return Err(PipelineError::UnknownPass(name.into()));
        };
        let missing = pass.requires - props;
        if !missing.is_empty() {
            return Err(PipelineError::Order { pass: pass.name, missing });
        }
        props = (props - pass.breaks) | pass.establishes;
        passes.push(pass);
    }
    Ok(passes)
}

/// The audit's snapshot of a module while passes run.
#[derive(Default)]
pub struct AuditState {
    audit: Option<Audit>,
    /// The snapshot is of the module as it was before the passes that ran since.
    valid: bool,
    /// Passes ran since the last comparison.
    stale: bool,
}

impl AuditState {
    /// A pass is about to run: takes a snapshot unless there is a valid one.
    fn before_pass(&mut self, m: &mut Module) {
        if !self.valid {
            match &mut self.audit {
                Some(audit) => audit.retake(m),
                none => *none = Some(Audit::take(m)),
            }
            self.valid = true;
        }
        self.stale = true;
    }

    /// The next pass gets a new snapshot.
    fn invalidate(&mut self) {
        (self.valid, self.stale) = (false, false);
    }

    /// Fails if an access moved across a reorder point.
    fn compare(&mut self, m: &Module, branches_decided: bool) -> Result<(), PipelineError> {
        let (Some(audit), true) = (&mut self.audit, self.stale) else { return Ok(()) };
        self.stale = false;
        match audit.check(m, branches_decided) {
            moved if moved.is_empty() => Ok(()),
            moved => Err(PipelineError::Invalid(moved)),
        }
    }

    /// Compares the module after the last stage with the snapshot.
    ///
    /// # Errors
    /// An access moved across a reorder point.
    pub fn finish(mut self, m: &Module) -> Result<(), PipelineError> {
        self.compare(m, false)
    }
}

/// Runs one pass by itself, as a stage of its own that is not compacted. The caller has checked that what it requires holds.
///
/// # Errors
/// The pass gave up, or (if checks are on) broke the module.
pub fn run_pass(m: &mut Module, pass: &'static PassInfo, cx: &PassCtx) -> Result<Changed, PipelineError> {
    let changed = apply(m, pass, cx)?;
    end_stage(m, pass, cx)?;
    Ok(changed)
}

/// Runs one pass of a stage.
fn apply(m: &mut Module, pass: &'static PassInfo, cx: &PassCtx) -> Result<Changed, PipelineError> {
    let _phase = phase_of("pass", || pass.name.into());
    let mut anchors: Vec<Option<Anchors>> = Vec::new();
    if !pass.traits.contains(PassTraits::RENUMBERS) {
        anchors.extend(m.funcs.values().map(Anchors::take));
    }
    let changed = (pass.run)(m, cx).map_err(|e| match e {
        PassError::Rejected(message) => PipelineError::Failed { pass: pass.name, message },
        PassError::Invalid(all) => PipelineError::Invalid(all),
        PassError::Inner(e) => e,
    })?;
    for (f, a) in m.funcs.values_mut().zip(anchors) {
        a.into_iter().for_each(|a| a.restore(f));
    }
    if changed == Changed::Yes && !pass.traits.contains(PassTraits::SETTLES) {
        m.funcs.values_mut().for_each(|f| f.settled = false);
    }
    m.props = (m.props - pass.breaks) | pass.establishes;
    if changed == Changed::Yes {
        let all: Vec<Func> = m.funcs.keys().collect();
        all.into_iter().for_each(|f| _ = crate::mem2reg::after_calls(m, f));
    }
    if cx.check {
        check(m).map_err(|text| PipelineError::Broken { pass: pass.name, text })?;
    }
    Ok(changed)
}

/// Verifies `m`. The error is the text with what is invalid.
pub(super) fn check(m: &Module) -> Result<(), String> {
    verify(m).map_err(|errors| print_with_errors(m, &errors))
}

/// If checks are on, takes `m` through its text form after the `last` pass of a stage: that takes several times as long as verification.
fn end_stage(m: &Module, last: &'static PassInfo, cx: &PassCtx) -> Result<(), PipelineError> {
    if !cx.check {
        return Ok(());
    }
    let text = print(m);
    let broken = |text| Err(PipelineError::Broken { pass: last.name, text });
    match parse(&text) {
        Err(e) => broken(format!("{text}\nthe text does not parse: {e}")),
        Ok(again) if print(&again) != text => broken(format!("{text}\nthe text prints differently")),
        Ok(_) => Ok(()),
    }
}
