//! Reports: what the compiler found out about a program, for people and for tools.
//!
//! A report is asked for with [`Options::reports`](crate::Options::reports) (`-report reorder` on the command line) and comes with the
//! [`Compilation`](crate::Compilation). It is data, without the IR that it was made from; each can be shown as text, as
//! JSON and as an HTML page.

mod markup;
pub mod paq;
pub mod reorder;

/// What a report is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportKind {
    /// Reorder points and what is live across each.
    Reorder,
    /// Payloads: when their fields are alive, by the qualifiers that they have and by the tightest ones.
    Paq,
}

impl ReportKind {
    /// All with their names on the command line.
    pub const ALL: &[(ReportKind, &str)] = &[(ReportKind::Reorder, "reorder"), (ReportKind::Paq, "paq")];
}

/// How a report is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For terminals.
    #[default]
    Text,
    /// For tools.
    Json,
    /// A page on its own: the source with remarks in its margin, or a chart.
    Html,
    /// A chart; of payloads only.
    Svg,
}

impl Format {
    /// All with their names, which are also the extensions of files.
    pub const ALL: &[(Format, &str)] =
        &[(Format::Text, "text"), (Format::Text, "txt"), (Format::Json, "json"), (Format::Html, "html"), (Format::Svg, "svg")];
}

/// What the command line asks for: `reorder`, `reorder=json`, `reorder,file.html`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// About what.
    pub kind: ReportKind,
    /// How.
    pub format: Format,
    /// Where to; none: standard output.
    pub file: Option<String>,
}

impl Request {
    /// Reads one. Without a format the file's extension says it.
    ///
    /// # Errors
    /// What is wrong, as a sentence.
    pub fn parse(text: &str) -> Result<Request, String> {
        let (what, file) = match text.split_once(',') {
            Some((_, "")) => return Err(format!("-report {text}: a file name is wanted after the comma")),
            Some((what, file)) => (what, Some(file.to_owned())),
            None => (text, None),
        };
        let (name, format) = match what.split_once('=') {
            Some((name, format)) => (name, Some(format)),
            None => (what, None),
        };
        let Some(&(kind, _)) = ReportKind::ALL.iter().find(|k| k.1 == name) else {
            let known: Vec<&str> = ReportKind::ALL.iter().map(|k| k.1).collect();
            return Err(format!("-report {text}: there is no report `{name}`; known: {}", known.join(", ")));
        };
        let named = |name: &str| Format::ALL.iter().find(|f| f.1 == name).map(|f| f.0);
        let format = match (format, &file) {
            (Some(f), _) => named(f).ok_or_else(|| format!("-report {text}: unknown format `{f}`; text, json, html and svg are known"))?,
            (None, Some(file)) => file.rsplit_once('.').and_then(|(_, e)| named(e)).unwrap_or_default(),
            (None, None) => Format::Text,
        };
        if format == Format::Svg && kind != ReportKind::Paq {
            return Err(format!("-report {text}: the report `{name}` is no chart; html shows it with the source"));
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
    /// What it is about.
    pub fn kind(&self) -> ReportKind {
        match self {
            Report::Reorder(_) => ReportKind::Reorder,
            Report::Paq(_) => ReportKind::Paq,
        }
    }
    /// Shows it.
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
            ("", "no report"),
            ("order", "known: reorder, paq"),
            ("reorder=xml", "json, html and svg"),
            ("reorder=svg", "no chart"),
            ("reorder,a.svg", "no chart"),
            ("reorder,", "file name"),
        ] {
            let e = Request::parse(bad).unwrap_err();
            assert!(e.contains(why), "{bad}: {e}");
        }
    }
}
