//! Analysis of a source for an editor: the syntax tree, the typed tree, the index of names, and the diagnostics of the front end.
//!
//! Unlike a compilation it goes on after syntax errors: a statement that does not parse costs that statement only, and a declaration that does not
//! parse costs that declaration. Types and names of everything else are checked, and what is missing because of a syntax error is not reported again.
//!
//! ```
//! use rtc::analysis::analyse;
//! use rtc::{NoIncludes, Options, Profile};
//!
//! let source = b"float half_of(float x) { return x / 2; }\nfloat f() { half_of(1) +; return half_of(3); }";
//! let options = Options::new(Profile::parse("lib_6_6")?);
//! let analysis = analyse("a.hlsl", source, &mut NoIncludes, &options, None);
//! assert_eq!(analysis.diagnostics.len(), 1);
//! let uses = analysis.index.occurrences.iter().filter(|o| analysis.names.str(o.name) == "half_of");
//! assert_eq!(uses.count(), 2, "the definition, and the call in the correct statement");
//! # Ok::<(), rtc::OptionError>(())
//! ```

use rtc_base::timing::phase;
use rtc_base::{Diagnostic, FileId, Interner, SourceMap};
use rtc_frontend::index::Index;
use rtc_frontend::lex::Token;
use rtc_frontend::preprocess::{Evaluated, Included, Includes};
use rtc_frontend::syntax::Ast;
use rtc_frontend::syntax::ast::DeclKind;
use rtc_frontend::{hir, lex, preamble, sema};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashSet;

use crate::language::language;
use crate::options::Options;
use crate::preprocess::{preprocess_options, too_large};
use crate::warnings;

/// The result of the analysis of a source.
pub struct Analysis {
    /// Errors, warnings and notes of the front end, after the `-W` options.
    pub diagnostics: Vec<Diagnostic>,
    /// The files, with the macros that were expanded.
    pub sources: SourceMap,
    /// The source among them; `None` if it is too large for the source map, in which case everything else is empty.
    pub main: Option<FileId>,
    /// The files that were included, in order.
    pub includes: Vec<Included>,
    /// The conditions of the preprocessor that were evaluated.
    pub conditions: Vec<Evaluated>,
    /// All names.
    pub names: Interner,
    /// The tokens after preprocessing.
    pub tokens: Vec<Token>,
    /// The syntax tree.
    pub ast: Ast,
    /// The typed tree. After errors it has the valid parts.
    pub module: hir::Module,
    /// What each name denotes.
    pub index: Index,
}

/// Analyses the source `name` of these bytes. `probe` is the name of the index's [probe](rtc_frontend::index).
pub fn analyse(name: &str, bytes: &[u8], includes: &mut dyn Includes, o: &Options, probe: Option<&str>) -> Analysis {
    let mut sources = SourceMap::new();
    let mut names = Interner::new();
    let decoded = lex::decode(bytes);
    let Some(main) = sources.add_file(name, &*decoded.text, None) else {
        let (diagnostics, module) = (vec![too_large(name)], hir::Module::default());
        let (ast, index) = (Ast::default(), Index::default());
        let (includes, conditions, tokens) = Default::default();
        return Analysis { diagnostics, sources, main: None, includes, conditions, names, tokens, ast, module, index };
    };
    let language = sema::SemaOptions { index: true, ..language(o) };
    let options = preprocess_options(o);
    let (parsed, checked) = {
        let _phase = phase("preprocess and parse");
        match includes.preambles() {
            Some(cache) => preamble::parse_edited(&cache, &mut sources, &mut names, main, &options, &language, includes),
            None => (rtc_frontend::parse(&mut sources, &mut names, main, &options, includes), None),
        }
    };
    let _phase = phase("check types");
    let probe = probe.map(|p| names.intern(p));
    let (module, found, index) = sema::check_with_index(&parsed.ast, &sources, &mut names, &language, checked, probe);
    let mut diagnostics = parsed.diagnostics;
    let found = without_consequences(found, &diagnostics, &parsed.ast, &sources, &names);
    diagnostics.extend(found);
    let diagnostics = warnings::apply(diagnostics, &o.warnings, &parsed.pragmas, &sources);
    Analysis {
        diagnostics,
        sources,
        main: Some(main),
        includes: parsed.includes,
        conditions: parsed.conditions,
        names,
        tokens: parsed.tokens,
        ast: parsed.ast,
        module,
        index,
    }
}

/// What the type checker found, without what may be there only because of the syntax errors among `of_syntax`.
pub(crate) fn without_consequences(
    mut found: Vec<Diagnostic>,
    of_syntax: &[Diagnostic],
    ast: &Ast,
    sources: &SourceMap,
    names: &Interner,
) -> Vec<Diagnostic> {
    let lost = lost_names(of_syntax, sources);
    let incomplete = incomplete_records(of_syntax, ast, sources, names);
    found.retain(|d| !is_consequence(d, &lost, &incomplete, sources));
    found
}

/// The names on lines with syntax errors, which may have declared them. `None` if there is no syntax error.
fn lost_names<'a>(diagnostics: &[Diagnostic], sources: &'a SourceMap) -> Option<FxHashSet<&'a str>> {
    let mut names: Option<FxHashSet<&str>> = None;
    for d in diagnostics.iter().filter(|d| d.is_error()) {
        let names = names.get_or_insert_default();
        let Some((file, range)) = sources.range(d.span()) else { continue };
        let text = &*sources.file(file).text;
        let from = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let to = text[range.end..].find('\n').map_or(text.len(), |i| i + range.end);
        names.extend(text[from..to].split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$')).filter(|w| !w.is_empty()));
    }
    names
}

/// The names of the structures with syntax errors in them: they may have more members.
fn incomplete_records(diagnostics: &[Diagnostic], ast: &Ast, sources: &SourceMap, names: &Interner) -> Vec<String> {
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).filter_map(|d| sources.range(d.span())).collect();
    if errors.is_empty() {
        return Vec::new();
    }
    let records = ast.decls.values().filter_map(|d| match d.kind {
        DeclKind::Record(r) => Some((ast.last_name(r.name?)?, sources.range(d.span)?)),
        _ => None,
    });
    let broken =
        records.filter(|(_, (file, range))| errors.iter().any(|(f, at)| f == file && range.start <= at.start && at.start <= range.end));
    broken.map(|(name, _)| format!("`{}`", names.str(name.sym))).collect()
}

/// Whether a diagnostic may be there only because a declaration did not parse: an unknown name that a wrong line mentions, the number of values for an
/// incomplete structure, or a report on the program as a whole.
fn is_consequence(d: &Diagnostic, lost: &Option<FxHashSet<&str>>, incomplete: &[String], sources: &SourceMap) -> bool {
    let Some(lost) = lost else { return false };
    let unknown = [codes::E0301.id, codes::E0302.id, codes::E0303.id].contains(&d.code.id);
    let values = d.code.id == codes::E0322.id && incomplete.iter().any(|name| d.message.contains(name.as_str()));
    d.span().is_none() || values || unknown && lost.contains(sources.snippet(d.span()))
}
