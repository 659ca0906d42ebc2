//! Runs passes on the module of a compilation; their errors become diagnostics.

use rtc_base::{Diagnostic, Span};
use rtc_ir::Module;
use rtc_passes::{PassCtx, PipelineError};
use rtc_tables::diagnostics as codes;

use crate::compilation::Compilation;

/// Modules are verified after each pass in builds with debug assertions.
pub(crate) const PASS_CTX: PassCtx = PassCtx { check: cfg!(debug_assertions) };

/// Runs all stages of a pipeline; `None` after an error.
pub(crate) fn run_pipeline(module: &mut Module, pipeline: &rtc_passes::Pipeline, c: &mut Compilation) -> Option<()> {
    checked(pipeline.run(module, &PASS_CTX), c)
}

/// Turns an error of the pipeline into diagnostics; `None` after one.
pub(crate) fn checked<T>(result: Result<T, PipelineError>, c: &mut Compilation) -> Option<()> {
    let Err(e) = result else { return Some(()) };
    let d = match e {
        PipelineError::Invalid(all) => {
            c.diagnostics.extend(all);
            return None;
        }
        PipelineError::Failed { message, .. } => Diagnostic::new(&codes::E0906, Span::NONE, message),
        e => Diagnostic::new(&codes::E0901, Span::NONE, format!("internal error in the passes: {e}")),
    };
    c.diagnostics.push(d);
    None
}
