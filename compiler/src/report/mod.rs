//! Reports: results of program analyses, as text, JSON and HTML.
//!
//! [`Options::reports`](crate::Options::reports) (`-report reorder` on the command line) requests a report, and the
//! [`Compilation`](crate::Compilation) has it. A report is data and does not refer to the IR.

mod markup;
pub mod paq;
pub mod reorder;

use crate::error::OptionError;
use serde::{Deserialize, Serialize};

/// The subject of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum ReportKind {
    /// Reorder points and what is live across each.
    Reorder,
    /// Payloads: liveness of their fields by the declared and by the tightest qualifiers.
    Paq,
}

impl ReportKind {
    /// All kinds.
    pub const ALL: &[ReportKind] = &[ReportKind::Reorder, ReportKind::Paq];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ReportKind::Reorder => "reorder",
            ReportKind::Paq => "paq",
        }
    }
}

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For terminals.
    #[default]
    Text,
    /// For tools.
    Json,
    /// A page without external resources: the annotated source, or a chart.
    Html,
    /// A chart; for payloads only.
    Svg,
}

impl Format {
    /// The format with this name, which may be a file extension.
    pub fn by_name(name: &str) -> Option<Format> {
        match name {
            "text" | "txt" => Some(Format::Text),
            "json" => Some(Format::Json),
            "html" => Some(Format::Html),
            "svg" => Some(Format::Svg),
            _ => None,
        }
    }
}

/// A request on the command line: `reorder`, `reorder=json`, `reorder,file.html`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The report.
    pub kind: ReportKind,
    /// Its format.
    pub format: Format,
    /// The output file; `None` is standard output.
    pub file: Option<String>,
}

impl Request {
    /// Parses a request. The default format is the one of the file's extension, else text.
    ///
    /// # Errors
    /// The report or format is unknown, the file name is missing, or the report has no such format.
    pub fn parse(text: &str) -> Result<Request, OptionError> {
        let error = |message: String| OptionError::new(format!("-report {text}: {message}"));
        let (report, file) = match text.split_once(',') {
            Some((_, "")) => return Err(error("expected a file name after the comma".into())),
            Some((report, file)) => (report, Some(file.to_owned())),
            None => (text, None),
        };
        let (name, format) = match report.split_once('=') {
            Some((name, format)) => (name, Some(format)),
            None => (report, None),
        };
        let Some(&kind) = ReportKind::ALL.iter().find(|k| k.name() == name) else {
            let names: Vec<&str> = ReportKind::ALL.iter().map(|k| k.name()).collect();
            return Err(error(format!("unknown report `{name}`; expected {}", names.join(" or "))));
        };
        let format = match (format, &file) {
            (Some(f), _) => Format::by_name(f).ok_or_else(|| error(format!("unknown format `{f}`; expected text, json, html or svg")))?,
            (None, Some(file)) => file.rsplit_once('.').and_then(|(_, e)| Format::by_name(e)).unwrap_or_default(),
            (None, None) => Format::Text,
        };
        if format == Format::Svg && kind != ReportKind::Paq {
            return Err(error(format!("the report `{name}` has no chart; html shows it with the source")));
        }
        Ok(Request { kind, format, file })
    }
}

/// A finished report.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// Reorder points.
    Reorder(reorder::Report),
    /// Payloads.
    Paq(paq::Report),
}

impl Report {
    /// Its subject.
    pub fn kind(&self) -> ReportKind {
        match self {
            Report::Reorder(_) => ReportKind::Reorder,
            Report::Paq(_) => ReportKind::Paq,
        }
    }
    /// Formats the report.
    pub fn render(&self, format: Format) -> String {
        match (self, format) {
            (Report::Reorder(r), Format::Text) => reorder::text::text(r),
            (Report::Reorder(r), Format::Json) => reorder::json::json(r),
            (Report::Reorder(r), Format::Html | Format::Svg) => reorder::html::html(r),
            (Report::Paq(r), Format::Text) => paq::text(r),
            (Report::Paq(r), Format::Json) => paq::json(r),
            (Report::Paq(r), Format::Html) => paq::svg::html(r),
            (Report::Paq(r), Format::Svg) => paq::svg::svg(r),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let request = |format, file: Option<&str>| Ok(Request { kind: ReportKind::Reorder, format, file: file.map(str::to_owned) });
        assert_eq!(Request::parse("reorder"), request(Format::Text, None));
        assert_eq!(Request::parse("reorder=json"), request(Format::Json, None));
        assert_eq!(Request::parse("reorder,a.b.html"), request(Format::Html, Some("a.b.html")));
        assert_eq!(Request::parse("reorder,plain"), request(Format::Text, Some("plain")));
        assert_eq!(Request::parse("reorder=text,x.json"), request(Format::Text, Some("x.json")));
        for (bad, why) in [
            ("", "unknown report"),
            ("order", "expected reorder or paq"),
            ("reorder=xml", "json, html or svg"),
            ("reorder=svg", "has no chart"),
            ("reorder,a.svg", "has no chart"),
            ("reorder,", "file name"),
        ] {
            let e = Request::parse(bad).unwrap_err();
            assert!(e.to_string().contains(why), "{bad}: {e}");
        }
    }
}
