//! Rendering of diagnostics: rich text (codespan-reporting), one line a diagnostic as dxc prints it,
//! and JSON. All three print the same contents.

use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use serde::Serialize;

use crate::diag::{Diagnostic, Severity};
use crate::source::{FileId, SourceMap, Span};

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
    match style {
        Style::Rich => rich(map, diagnostic),
        Style::Short | Style::Msvc | Style::MsvcFallback | Style::Vi => short(map, diagnostic, style),
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

fn rich(map: &SourceMap, d: &Diagnostic) -> String {
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
            return short(map, d, Style::Short);
        }
        let label = if i == 0 { cs::Label::primary(file, range) } else { cs::Label::secondary(file, range) };
        out = out.with_label(label.with_message(&l.message));
    }
    out = out.with_notes(trailing_notes(map, d));
    let mut text = String::new();
    let config = term::Config::default();
    if term::emit_to_string(&mut text, &config, &FilesOf(map), &out).is_err() {
        return short(map, d, Style::Short);
    }
    text
}

fn longest_line(map: &SourceMap, file: FileId, range: &std::ops::Range<usize>) -> usize {
    let text = &map.file(file).text;
    let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |i| range.end + i);
    text[start..end].split('\n').map(str::len).max().unwrap_or(0)
}

/// Notes, then fix-its, macro expansions and includes as text.
fn trailing_notes(map: &SourceMap, d: &Diagnostic) -> Vec<String> {
    let mut notes = d.notes.clone();
    for f in &d.fixits {
        let (old, new) = (map.snippet(f.span), f.replacement.trim_end());
        notes.push(match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("fix: insert `{new}`"),
            (_, true) => format!("fix: remove `{old}`"),
            _ => format!("fix: replace `{old}` with `{new}`"),
        });
    }
    for (name, call) in map.expansions(d.span()) {
        let at = map.loc(call).map_or(String::new(), |l| format!(" at {}:{}", l.file, l.line));
        notes.push(format!("in the expansion of macro `{name}` used{at}"));
    }
    let mut file = map.range(d.span()).map(|r| r.0);
    let mut depth = 0;
    while let Some(at) = file.and_then(|f| map.file(f).included_at) {
        if let Some(l) = map.loc(at) {
            notes.push(format!("included from {}:{}", l.file, l.line));
        }
        file = map.range(at).map(|r| r.0);
        depth += 1;
        if depth == 20 {
            break;
        }
    }
    notes
}

fn location(map: &SourceMap, span: Span, style: Style) -> String {
    match (map.loc(span), style) {
        (Some(l), Style::Msvc | Style::MsvcFallback) => format!("{}({},{}) : ", l.file, l.line, l.column),
        (Some(l), Style::Vi) => format!("{} +{}:{}: ", l.file, l.line, l.column),
        (Some(l), _) => format!("{}:{}:{}: ", l.file, l.line, l.column),
        (None, _) => String::new(),
    }
}

fn short(map: &SourceMap, d: &Diagnostic, style: Style) -> String {
    let group = match d.code.group {
        "" => String::new(),
        g => format!(" [-W{g}]"),
    };
    let severity = match d.severity {
        Severity::Error if style == Style::MsvcFallback => "error(clang)",
        s => word(s),
    };
    let mut out = format!("{}{severity}: {}{} [{}]\n", location(map, d.span(), style), d.message, group, d.code.id);
    if let Some((file, range)) = map.range(d.span()) {
        let text = &map.file(file).text;
        let start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        if end - start <= LONGEST_LINE {
            let line = &text[start..end];
            let pad: String = line[..range.start - start].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let width = text[range.start..range.end.clamp(range.start, end)].chars().count().max(1);
            out.push_str(&format!("{}\n{pad}^{}\n", line.trim_end(), "~".repeat(width - 1)));
        }
    }
    for l in d.labels.iter().skip(1) {
        out.push_str(&format!("{}note: {}\n", location(map, l.span, style), l.message));
    }
    for n in trailing_notes(map, d) {
        out.push_str(&format!("note: {n}\n"));
    }
    out
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
