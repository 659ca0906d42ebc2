//! Rendering of diagnostics: rich text (codespan-reporting), one line a diagnostic as dxc prints it,
//! and JSON. All three print the same contents.

use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use serde::Serialize;

use crate::diag::{Diagnostic, Severity};
use crate::paint::{Ink, Paint, Terminal};
use crate::source::{FileId, Loc, SourceMap, Span};

/// How to show diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Several lines with the source and carets.
    #[default]
    Rich,
    /// As clang and dxc print: `file:line:col: error: text`, then the line and a caret.
    Short,
    /// As Visual Studio reads: `file(line,col) : error: text`, then as [`Style::Short`].
    Msvc,
    /// As [`Style::Msvc`], with errors named `error(clang)`.
    MsvcFallback,
    /// As the compilers of Visual Studio print: `file(line,col): error E0301: text`, so that its list of errors has the code in a column.
    MsvcCode,
    /// As vi reads: `file +line:col: error: text`, then as [`Style::Short`].
    Vi,
    /// One JSON object a line.
    Json,
}

struct FilesOf<'a>(&'a SourceMap);

impl<'a> Files<'a> for FilesOf<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.0.file(id).name)
    }
    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.0.file(id).text)
    }
    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        Ok(self.0.file(id).line_starts().partition_point(|&s| s as usize <= byte) - 1)
    }
    fn line_range(&'a self, id: FileId, line: usize) -> Result<std::ops::Range<usize>, Error> {
        let f = self.0.file(id);
        let starts = f.line_starts();
        let Some(&start) = starts.get(line) else {
            return Err(Error::LineTooLarge { given: line, max: starts.len() - 1 });
        };
        let end = starts.get(line + 1).map_or(f.text.len(), |&e| e as usize);
        Ok(start as usize..end)
    }
    fn line_number(&'a self, id: FileId, line: usize) -> Result<usize, Error> {
        let start = self.0.file(id).line_starts()[line] as usize;
        // `#line 0` is a line that the renderer does not know.
        Ok((self.0.loc_in(id, start).line as usize).max(1))
    }
}

/// Longer lines are not printed in rich rendering: a caret in column 100,000 helps no reader.
const LONGEST_LINE: usize = 2000;

/// `diagnostic` as text, newline included.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, style: Style) -> String {
    render_with(map, diagnostic, style, Paint::Plain)
}

/// The same with the colours of a terminal, but for JSON.
pub fn render_coloured(map: &SourceMap, diagnostic: &Diagnostic, style: Style) -> String {
    render_with(map, diagnostic, style, Paint::Ansi)
}

fn render_with(map: &SourceMap, diagnostic: &Diagnostic, style: Style, paint: Paint) -> String {
    match style {
        Style::Rich => rich(map, diagnostic, paint),
        Style::Short | Style::Msvc | Style::MsvcFallback | Style::MsvcCode | Style::Vi => short(map, diagnostic, style, paint),
        Style::Json => json(map, diagnostic),
    }
}

fn word(s: Severity) -> &'static str {
    match s {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn rich(map: &SourceMap, d: &Diagnostic, paint: Paint) -> String {
    let severity = match d.severity {
        Severity::Note => cs::Severity::Note,
        Severity::Warning => cs::Severity::Warning,
        Severity::Error => cs::Severity::Error,
    };
    let mut out = cs::Diagnostic::new(severity).with_code(d.code.id).with_message(&d.message);
    for (i, l) in d.labels.iter().enumerate() {
        let Some((file, range)) = map.range(l.span) else {
            continue;
        };
        if longest_line(map, file, &range) > LONGEST_LINE {
            return short(map, d, Style::Short, paint);
        }
        let label = if i == 0 { cs::Label::primary(file, range) } else { cs::Label::secondary(file, range) };
        out = out.with_label(label.with_message(&l.message));
    }
    let with_place = |n: TrailingNote| match map.loc(n.at).filter(|_| n.names_place) {
        Some(l) => format!("{} {}:{}:{}", n.text, l.file, l.line, l.column),
        None => n.text,
    };
    out = out.with_notes(trailing_notes(map, d).into_iter().map(with_place).collect());
    let config = term::Config::default();
    let mut terminal = Terminal::new(paint);
    match term::emit_to_write_style(&mut terminal, &config, &FilesOf(map), &out) {
        Ok(()) => terminal.text(),
        Err(_) => short(map, d, Style::Short, paint),
    }
}

fn longest_line(map: &SourceMap, file: FileId, range: &std::ops::Range<usize>) -> usize {
    let text = &map.file(file).text;
    let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i);
    text[start..end].split('\n').map(str::len).max().unwrap_or(0)
}

/// A note after the labels.
struct TrailingNote {
    /// Its place, or [`Span::NONE`].
    at: Span,
    /// Its text.
    text: String,
    /// Whether the text ends where the place is to be named: `included from`.
    names_place: bool,
}

/// How many includes of a chain are named.
const LONGEST_CHAIN: usize = 20;

/// The uses of macros that made the token at `span`, innermost first, then the includes that lead to its file.
fn chain(map: &SourceMap, span: Span) -> Vec<TrailingNote> {
    let mut notes = Vec::new();
    for (name, call) in map.expansions(span) {
        notes.push(TrailingNote { at: call, text: format!("in the expansion of macro `{name}` used at"), names_place: true });
    }
    let mut file = map.range(span).map(|r| r.0);
    let mut depth = 0;
    while let Some(at) = file.and_then(|f| map.file(f).included_at).filter(|_| depth < LONGEST_CHAIN) {
        notes.push(TrailingNote { at, text: "included from".to_owned(), names_place: true });
        file = map.range(at).map(|r| r.0);
        depth += 1;
    }
    notes
}

/// Notes, then fix-its, macro expansions and includes.
fn trailing_notes(map: &SourceMap, d: &Diagnostic) -> Vec<TrailingNote> {
    let plain = |text: &String| TrailingNote { at: Span::NONE, text: text.clone(), names_place: false };
    let mut notes: Vec<TrailingNote> = d.notes.iter().map(plain).collect();
    for f in &d.fixits {
        let (old, new) = (map.snippet(f.span), f.replacement.trim_end());
        let text = match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("fix: insert `{new}`"),
            (_, true) => format!("fix: remove `{old}`"),
            _ => format!("fix: replace `{old}` with `{new}`"),
        };
        notes.push(TrailingNote { at: Span::NONE, text, names_place: false });
    }
    notes.extend(chain(map, d.span()));
    notes
}

/// A diagnostic with its places resolved, for programs that keep it or send it: everything that the styles of one line print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// Its severity.
    pub severity: Severity,
    /// Whether it is a fatal error.
    pub fatal: bool,
    /// Its code; empty if it is none of the compiler's.
    pub code: String,
    /// Its `-W` group; empty for errors.
    pub group: String,
    /// Its message.
    pub message: String,
    /// Its place.
    pub place: Option<Loc>,
    /// The line of the source and the carets below it; empty without.
    pub excerpt: [String; 2],
    /// Further places and remarks, in order.
    pub notes: Vec<(Option<Loc>, String)>,
}

/// `d` with its places resolved.
pub fn resolve(map: &SourceMap, d: &Diagnostic) -> Resolved {
    let labels = d.labels.iter().skip(1).map(|l| (map.loc(l.span), l.message.clone()));
    let trailing = trailing_notes(map, d).into_iter().map(|n| {
        // `FILE:LINE:COLUMN: note: included from here`, so that editors jump there.
        let text = if n.names_place { n.text.trim_end_matches(" at").to_owned() + " here" } else { n.text };
        (map.loc(n.at), text)
    });
    Resolved {
        severity: d.severity,
        fatal: d.fatal,
        code: d.code.id.to_owned(),
        group: d.code.group.to_owned(),
        message: d.message.clone(),
        place: map.loc(d.span()),
        excerpt: excerpt(map, d.span()).unwrap_or_default(),
        notes: labels.chain(trailing).collect(),
    }
}

/// The line of `span`, and the carets below it.
fn excerpt(map: &SourceMap, span: Span) -> Option<[String; 2]> {
    let (file, range) = map.range(span)?;
    let text = &map.file(file).text;
    let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    if end - start > LONGEST_LINE {
        return None;
    }
    let line = &text[start..end];
    let pad: String = line[..range.start - start].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let width = text[range.start..range.end.clamp(range.start, end)].chars().count().max(1);
    Some([line.trim_end().to_owned(), format!("{pad}^{}", "~".repeat(width - 1))])
}

impl Resolved {
    /// As text in a style of one line; [`Style::Short`] for the others.
    pub fn text(&self, style: Style) -> String {
        self.painted(style, Paint::Plain)
    }

    /// The same with the colours of a terminal.
    pub fn coloured(&self, style: Style) -> String {
        self.painted(style, Paint::Ansi)
    }

    fn painted(&self, style: Style, paint: Paint) -> String {
        let group = if self.group.is_empty() { String::new() } else { format!(" [-W{}]", self.group) };
        let severity = match self.severity {
            Severity::Error if style == Style::MsvcFallback => "error(clang)",
            Severity::Error if self.fatal => "fatal error",
            s => word(s),
        };
        let (severity, code) = match style {
            _ if self.code.is_empty() => (format!("{severity}: "), String::new()),
            // The code is before the text there.
            Style::MsvcCode => (format!("{severity} {}: ", self.code), String::new()),
            _ => (format!("{severity}: "), format!(" [{}]", self.code)),
        };
        let ink = match self.severity {
            Severity::Error => Ink::Error,
            Severity::Warning => Ink::Warning,
            Severity::Note => Ink::Note,
        };
        let (place, message) = (location(self.place.as_ref(), style), format!("{}{group}{code}", self.message));
        let mut out = format!("{}{}{}\n", paint.with(Ink::Strong, &place), paint.with(ink, &severity), paint.with(Ink::Strong, &message));
        let [line, carets] = &self.excerpt;
        if !carets.is_empty() {
            let pad = carets.len() - carets.trim_start().len();
            out.push_str(&format!("{line}\n{}{}\n", &carets[..pad], paint.with(Ink::Caret, &carets[pad..])));
        }
        for (place, text) in &self.notes {
            let place = location(place.as_ref(), style);
            out.push_str(&format!("{}{}{text}\n", paint.with(Ink::Strong, &place), paint.with(Ink::Note, "note: ")));
        }
        out
    }
}

fn location(place: Option<&Loc>, style: Style) -> String {
    match (place, style) {
        (Some(l), Style::Msvc | Style::MsvcFallback) => format!("{}({},{}) : ", l.file, l.line, l.column),
        (Some(l), Style::MsvcCode) => format!("{}({},{}): ", l.file, l.line, l.column),
        (Some(l), Style::Vi) => format!("{} +{}:{}: ", l.file, l.line, l.column),
        (Some(l), _) => format!("{}:{}:{}: ", l.file, l.line, l.column),
        (None, _) => String::new(),
    }
}

fn short(map: &SourceMap, d: &Diagnostic, style: Style, paint: Paint) -> String {
    resolve(map, d).painted(style, paint)
}

/// A source location as JSON; all fields but `file` are absent when there is no location.
#[derive(Serialize)]
struct JsonLocation {
    file: Option<String>,
    #[serde(flatten)]
    position: Option<JsonPosition>,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    bytes: (usize, usize),
}

impl JsonLocation {
    fn new(map: &SourceMap, span: Span) -> Self {
        match (map.loc(span), map.range(span)) {
            (Some(l), Some((_, r))) => {
                let position = JsonPosition { line: l.line, column: l.column, bytes: (r.start, r.end) };
                JsonLocation { file: Some(l.file), position: Some(position) }
            }
            _ => JsonLocation { file: None, position: None },
        }
    }
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(flatten)]
    location: JsonLocation,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    #[serde(flatten)]
    location: JsonLocation,
    replacement: &'a str,
}

/// A message of the command line, which has no place, as a record of the same form.
pub fn plain_json(severity: Severity, message: &str) -> String {
    let out = JsonDiagnostic {
        code: "",
        severity: word(severity),
        group: "",
        message,
        labels: Vec::new(),
        notes: &[],
        fixes: Vec::new(),
        chain: Vec::new(),
    };
    serde_json::to_string(&out).expect("strings serialise") + "\n"
}

/// The keys of a diagnostic as JSON, in this order.
#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: &'a str,
    group: &'a str,
    message: &'a str,
    labels: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    fixes: Vec<JsonFix<'a>>,
    chain: Vec<JsonStep>,
}

/// A use of a macro or an include that leads to the place.
#[derive(Serialize)]
struct JsonStep {
    #[serde(flatten)]
    location: JsonLocation,
    message: String,
}

fn json(map: &SourceMap, d: &Diagnostic) -> String {
    let out = JsonDiagnostic {
        code: d.code.id,
        severity: word(d.severity),
        group: d.code.group,
        message: &d.message,
        labels: d.labels.iter().map(|l| JsonLabel { location: JsonLocation::new(map, l.span), message: &l.message }).collect(),
        notes: &d.notes,
        fixes: d.fixits.iter().map(|f| JsonFix { location: JsonLocation::new(map, f.span), replacement: &f.replacement }).collect(),
        chain: chain(map, d.span()).into_iter().map(|n| JsonStep { location: JsonLocation::new(map, n.at), message: n.text }).collect(),
    };
    serde_json::to_string(&out).expect("strings and numbers serialise") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    static CODE: Code = Code { id: "W0001", severity: Severity::Warning, group: "conversion", about: "a test" };

    fn sample() -> (SourceMap, Diagnostic) {
        let mut m = SourceMap::new();
        let f = m.add_file("a.hlsl", "int x =\t1.5;\n", None).unwrap();
        let s = m.file(f).start;
        let d = Diagnostic::new(&CODE, Span::new(s.offset(8), s.offset(11)), "value changes")
            .label(Span::new(s.offset(4), s.offset(5)), "of `x`")
            .note("a \"rule\"")
            .fix(Span::new(s.offset(8), s.offset(11)), "1");
        (m, d)
    }

    #[test]
    fn one_line_as_dxc_prints_it() {
        let (m, d) = sample();
        let text = render(&m, &d, Style::Short);
        assert!(text.starts_with("a.hlsl:1:9: warning: value changes [-Wconversion] [W0001]\n"), "{text}");
        assert!(text.contains("int x =\t1.5;\n       \t^~~\n"), "{text}");
        assert!(text.contains("note: fix: replace `1.5` with `1`"), "{text}");
    }

    #[test]
    fn a_line_may_have_the_number_zero() {
        let mut m = SourceMap::new();
        let f = m.add_file("a.hlsl", "first\nint x = 1.5;\n", None).unwrap();
        m.add_line_mark(f, 6, 0, None);
        let s = m.file(f).start;
        let d = Diagnostic::new(&CODE, Span::new(s.offset(14), s.offset(17)), "value changes");
        for style in [Style::Rich, Style::Short, Style::Json] {
            assert!(render(&m, &d, style).contains("value changes"));
        }
    }

    #[test]
    fn locations_as_other_tools_read_them() {
        let (m, d) = sample();
        assert!(render(&m, &d, Style::Msvc).starts_with("a.hlsl(1,9) : warning: value changes"));
        assert!(render(&m, &d, Style::Vi).starts_with("a.hlsl +1:9: warning: value changes"));
        let error = Diagnostic { severity: Severity::Error, ..d };
        assert!(render(&m, &error, Style::MsvcFallback).starts_with("a.hlsl(1,9) : error(clang): value changes"));
    }

    #[test]
    fn includes_and_macros_have_places() {
        let mut m = SourceMap::new();
        let f = m.add_file("main.hlsl", "\n#include \"a.h\"\nK\n", None).unwrap();
        let at = m.file(f).start;
        let included = Span::new(at.offset(10), at.offset(15));
        let h = m.add_file("a.h", "bad\n", Some(included)).unwrap();
        let in_header = m.file(h).start;
        let d = Diagnostic::new(&CODE, Span::new(in_header, in_header.offset(3)), "x");
        assert!(render(&m, &d, Style::Short).ends_with("main.hlsl:2:10: note: included from here\n"));
        assert!(render(&m, &d, Style::Msvc).ends_with("main.hlsl(2,10) : note: included from here\n"));
        assert!(render(&m, &d, Style::Rich).contains("included from main.hlsl:2:10"));
        assert!(render(&m, &d, Style::Json).contains("\"chain\":[{\"file\":\"main.hlsl\",\"line\":2,"));
        let name = m.add_macro_name("K");
        let call = Span::new(at.offset(16), at.offset(17));
        let expansion = m.add_expansion(name, call);
        let token = m.expanded(Span::new(in_header, in_header.offset(3)), expansion);
        let d = Diagnostic::new(&CODE, token, "x");
        assert!(render(&m, &d, Style::Short).contains("main.hlsl:3:1: note: in the expansion of macro `K` used here\n"));
    }

    #[test]
    fn the_list_of_errors_of_visual_studio_has_the_code() {
        let (m, d) = sample();
        assert!(render(&m, &d, Style::MsvcCode).starts_with("a.hlsl(1,9): warning W0001: value changes [-Wconversion]\n"));
        let fatal = Diagnostic { severity: Severity::Error, ..d }.fatal();
        assert!(render(&m, &fatal, Style::Short).starts_with("a.hlsl:1:9: fatal error: value changes"));
    }

    #[test]
    fn colours_change_nothing_else() {
        let (m, d) = sample();
        for style in [Style::Rich, Style::Short, Style::Msvc] {
            let coloured = render_coloured(&m, &d, style);
            assert!(coloured.contains("\u{1b}["));
            let mut plain = String::new();
            for part in coloured.split("\u{1b}[") {
                plain += if plain.is_empty() && coloured.starts_with(part) { part } else { part.split_once('m').map_or("", |p| p.1) };
            }
            assert_eq!(plain, render(&m, &d, style));
        }
        assert_eq!(render_coloured(&m, &d, Style::Json), render(&m, &d, Style::Json));
    }

    #[test]
    fn rich_and_json_show_the_same_facts() {
        let (m, d) = sample();
        let rich = render(&m, &d, Style::Rich);
        assert!(rich.contains("W0001") && rich.contains("value changes") && rich.contains("of `x`"), "{rich}");
        let json = render(&m, &d, Style::Json);
        assert!(json.contains("\"notes\":[\"a \\\"rule\\\"\"]") && json.contains("\"replacement\":\"1\""), "{json}");
    }

    #[test]
    fn no_place_and_huge_lines_still_render() {
        let mut m = SourceMap::new();
        let d = Diagnostic::new(&CODE, Span::NONE, "nowhere");
        assert!(render(&m, &d, Style::Rich).contains("nowhere"));
        let f = m.add_file("big", "x".repeat(100_000), None).unwrap();
        let s = m.file(f).start;
        let d = Diagnostic::new(&CODE, Span::new(s.offset(99_000), s.offset(99_001)), "far right");
        assert!(render(&m, &d, Style::Rich).len() < 1000);
    }
}
