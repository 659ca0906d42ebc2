//! Parsing: the syntax tree, the LALR grammar, error recovery, and a pretty-printer.

pub mod ast;
#[doc(hidden)]
pub mod build;
#[doc(hidden)]
pub mod chain;
#[doc(hidden)]
pub mod decls;
pub(crate) mod parse;
mod print;
#[cfg(test)]
mod tests;

#[allow(missing_docs, unused_qualifications, clippy::all, unreachable_pub)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
}

pub use ast::Ast;
pub use parse::parse_tokens;
pub use print::print;

use rtc_base::{Diagnostic, FileId, Interner, SourceMap};

use crate::preprocess::{Evaluated, Included, Includes, Pragmas, PreprocessOptions, Preprocessed, preprocess};
use crate::report::Report;

/// The result of parsing a translation unit.
pub struct Parsed {
    /// The tree; it has `Error` nodes at syntax errors.
    pub ast: Ast,
    /// The diagnostics in order of detection.
    pub diagnostics: Vec<Diagnostic>,
    /// Pragmas about warnings.
    pub pragmas: Pragmas,
    /// Every inclusion in order.
    pub includes: Vec<Included>,
    /// What those of [`PreprocessOptions::expand`] that exist expand to.
    pub expanded: Vec<(String, Vec<crate::lex::Token>)>,
    /// The tokens that were parsed, after preprocessing.
    pub tokens: Vec<crate::lex::Token>,
    /// The conditions of the preprocessor that were evaluated.
    pub conditions: Vec<Evaluated>,
}

/// Preprocesses and parses `main`, which is in `sources` already. Always returns a tree.
pub fn parse(
    sources: &mut SourceMap,
    interner: &mut Interner,
    main: FileId,
    options: &PreprocessOptions,
    includes: &mut dyn Includes,
) -> Parsed {
    let mut report = Report::new();
    let pre = preprocess(sources, interner, main, options, includes, &mut report);
    let mut parsed = parse_preprocessed(pre, interner, report);
    drop_echoes(&mut parsed.diagnostics, sources);
    parsed
}

/// Removes syntax errors on a line that has an invalid character, token or macro call already: they are mostly consequences.
pub(crate) fn drop_echoes(diagnostics: &mut Vec<Diagnostic>, sources: &SourceMap) {
    let line = |d: &Diagnostic| {
        let (file, range) = sources.range(d.span())?;
        let starts = sources.file(file).line_starts();
        Some((file, starts.partition_point(|&s| s as usize <= range.start)))
    };
    let is_cause = |d: &Diagnostic| matches!(d.code.id, "E0101" | "E0103" | "E0104" | "E0127" | "E0128" | "E0129");
    let wrong: Vec<_> = diagnostics.iter().filter(|d| is_cause(d)).filter_map(line).collect();
    if !wrong.is_empty() {
        diagnostics.retain(|d| !d.code.id.starts_with("E02") || line(d).is_none_or(|l| !wrong.contains(&l)));
    }
}

/// Parses preprocessed tokens, adding to `report`.
pub fn parse_preprocessed(pre: Preprocessed, interner: &mut Interner, mut report: Report) -> Parsed {
    let toks = crate::classify::classify(&pre.tokens, interner, &mut report);
    let ast = parse_tokens(&toks, &pre.tokens, &pre.pragmas.packing, interner, &mut report);
    Parsed {
        ast,
        diagnostics: report.into_list(),
        pragmas: pre.pragmas,
        includes: pre.includes,
        expanded: pre.expanded,
        tokens: pre.tokens,
        conditions: pre.conditions,
    }
}
