//! Targets: one file for each kind of product, from optimised IR to the bytes of the file.

mod dxil;
mod forms;
mod ir;
pub(crate) mod layouts;
mod package;
mod spirv;
mod wavefront;

use rtc_base::{Diagnostic, Span};
use rtc_dxil_lower::LowerError;
use rtc_frontend::preprocess::is_built_in;
use rtc_ir::Module;
use rtc_package::layouts::BufferLayout;

use crate::compilation::{Compilation, Product};
use crate::options::{Options, Target};
use crate::payloads::Recorded;
use crate::root_signatures::Roots;

/// The input of a target.
#[derive(Clone)]
pub(crate) struct Generation<'a> {
    /// The name of the source.
    pub name: &'a str,
    /// The options of the compilation.
    pub options: &'a Options,
    /// The optimised module.
    pub module: &'a Module,
    /// Root signatures of entry points.
    pub roots: Roots,
    /// What a package records about payload layouts.
    pub recorded: Recorded,
    /// What a package records about constant buffers.
    pub layouts: Vec<BufferLayout>,
}

/// Generates code for the target of the options; `None` after an error.
pub(crate) fn generate(g: Generation<'_>, c: &mut Compilation) -> Option<Product> {
    match g.options.target {
        Target::Check => Some(Product::Nothing),
        Target::Ir => Some(ir::generate(&g)),
        Target::Dxil => dxil::generate(g, c),
        Target::Spirv => spirv::generate(&g, c),
        Target::Package => package::generate(g, c),
    }
}

/// Reports errors of the DXIL back end.
fn report_dxil_errors(c: &mut Compilation, errors: Vec<LowerError>) {
    // What is wrong in a header of the compiler's own is said at the call of the program.
    let built_in = |s: Span| c.sources.find(c.sources.file_span(s).lo).is_some_and(|f| is_built_in(&c.sources.file(f).name));
    let place = |e: &LowerError| match built_in(e.span) {
        true => e.calls.iter().copied().find(|&s| !s.is_none() && !built_in(s)).unwrap_or(e.span),
        false => e.span,
    };
    let all: Vec<Diagnostic> = errors.into_iter().map(|e| Diagnostic::new(e.code, place(&e), e.message)).collect();
    c.diagnostics.extend(all);
}
