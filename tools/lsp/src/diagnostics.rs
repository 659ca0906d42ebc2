//! Diagnostics of the compiler in the form of the protocol, with their fixes.

use lsp_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Position, Range,
};
use rtc::{Diagnostic, Severity, SourceMap};
use rtc_base::Span;
use rustc_hash::FxHashMap;

use crate::paths::{normal, to_uri};
use crate::project::Problem;
use crate::text::{Columns, Lines};

/// A replacement that fixes a diagnostic.
#[derive(Clone, PartialEq, Debug)]
pub struct Edit {
    /// The path of the file.
    pub path: String,
    /// What is replaced.
    pub range: Range,
    /// The new text.
    pub text: String,
}

/// A diagnostic of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// It, for the client.
    pub diagnostic: LspDiagnostic,
    /// The edits that fix it together.
    pub fix: Vec<Edit>,
}

/// Diagnostics by the path of their file.
pub type ByPath = FxHashMap<String, Vec<Finding>>;

/// How many diagnostics of a file are shown: clients slow down, and the first ones are usually the cause of the others.
const MAX_SHOWN: usize = 500;

/// A source map with the lines of its files.
struct Locator<'a> {
    sources: &'a SourceMap,
    root: &'a str,
    columns: Columns,
    lines: FxHashMap<rtc_base::FileId, Lines>,
}

impl Locator<'_> {
    fn of(&mut self, span: Span) -> Option<(String, Range)> {
        let (id, range) = self.sources.range(span)?;
        let file = self.sources.file(id);
        let main = self.sources.files().next().map(|f| f.0);
        let path = if Some(id) == main { self.root.to_owned() } else { normal(&file.name) };
        let lines = self.lines.entry(id).or_insert_with(|| Lines::of(&file.text));
        Some((path, lines.span(&file.text, range, self.columns)))
    }
}

/// Translates the diagnostics of a source. Those without a location, or in what is no file (macros of the command line), are at the start of
/// the source. `of` names the configuration, if there are several.
pub fn translate(all: &[Diagnostic], sources: &SourceMap, root: &str, columns: Columns, of: Option<&str>) -> ByPath {
    let mut places = Locator { sources, root, columns, lines: FxHashMap::default() };
    let mut out = ByPath::default();
    for d in all {
        let start = Range::new(Position::new(0, 0), Position::new(0, 0));
        let place = places.of(d.span()).filter(|(path, _)| to_uri(path).is_some());
        let (path, range) = place.unwrap_or_else(|| (root.to_owned(), start));
        let mut message = d.message.clone();
        if let Some(label) = d.labels.first().filter(|l| !l.message.is_empty()) {
            message += &format!("\n{}", label.message);
        }
        for note in &d.notes {
            message += &format!("\nnote: {note}");
        }
        if let Some(of) = of {
            message += &format!("\nin the configuration {of}");
        }
        let mut related: Vec<DiagnosticRelatedInformation> = Vec::new();
        for label in d.labels.iter().skip(1) {
            if let Some((path, range)) = places.of(label.span)
                && let Some(uri) = to_uri(&path)
            {
                let message = if label.message.is_empty() { "here".to_owned() } else { label.message.clone() };
                related.push(DiagnosticRelatedInformation { location: Location { uri, range }, message });
            }
        }
        if d.span().lo.is_expanded() {
            let spelled = sources.spelling(d.span());
            let name = sources.expansions(d.span()).first().map_or("", |e| e.0).to_owned();
            if let Some((path, range)) = places.of(spelled)
                && let Some(uri) = to_uri(&path)
            {
                related.push(DiagnosticRelatedInformation { location: Location { uri, range }, message: format!("in the macro `{name}`") });
            }
        }
        let edits = d.fixits.iter().map(|f| {
            // A fix inside of a macro would change all of its uses.
            let (path, range) = if f.span.lo.is_expanded() || f.span.hi.is_expanded() { None } else { places.of(f.span) }?;
            to_uri(&path)?;
            Some(Edit { path, range, text: f.replacement.clone() })
        });
        let fix: Option<Vec<Edit>> = edits.collect();
        let list = out.entry(path).or_default();
        if list.len() >= MAX_SHOWN {
            continue;
        }
        let unused = d.code.group.starts_with("unused").then(|| vec![DiagnosticTag::UNNECESSARY]);
        let deprecated = d.code.group.starts_with("deprecated").then(|| vec![DiagnosticTag::DEPRECATED]);
        let diagnostic = LspDiagnostic {
            range,
            severity: Some(match d.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
                Severity::Note => DiagnosticSeverity::INFORMATION,
            }),
            code: Some(NumberOrString::String(d.code.id.to_owned())),
            source: Some("rtc".to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            tags: unused.or(deprecated),
            ..LspDiagnostic::default()
        };
        list.push(Finding { diagnostic, fix: fix.unwrap_or_default() });
    }
    out
}

/// Adds the diagnostics of `more` that are not in `all`.
pub fn merge(all: &mut ByPath, more: ByPath) {
    for (path, list) in more {
        let known = all.entry(path).or_default();
        for found in list {
            let same = |k: &Finding| {
                let (a, b) = (&k.diagnostic, &found.diagnostic);
                a.range == b.range && a.code == b.code && a.message.lines().next() == b.message.lines().next()
            };
            if !known.iter().any(same) {
                known.push(found);
            }
        }
    }
}

/// A problem of a description or of arguments as a diagnostic of its file.
pub fn problem(p: &Problem) -> Finding {
    let (line, column) = p.place.unwrap_or((1, 1));
    let at = Position::new(line.saturating_sub(1) as u32, column.saturating_sub(1) as u32);
    let diagnostic = LspDiagnostic {
        range: Range::new(at, at),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("rtc".to_owned()),
        message: p.message.clone(),
        ..LspDiagnostic::default()
    };
    Finding { diagnostic, fix: Vec::new() }
}
