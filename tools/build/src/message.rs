//! Diagnostics of a task in a form that is stored and sent: severity, code, place, text, notes.

use std::path::{Component, Path, PathBuf};

use rtc::{Compilation, Loc, Resolved, Severity, Style};
use serde::{Deserialize, Serialize};

/// A diagnostic. In JSON its text is called `message`, as in the records of the compiler.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Message {
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Whether it is a fatal error.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fatal: bool,
    /// The diagnostic's code; empty if it is not one of the compiler's.
    pub code: String,
    /// Its `-W` group; empty for errors.
    pub group: String,
    /// One sentence.
    #[serde(rename = "message")]
    pub text: String,
    /// Where it is.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// The line of the source and the carets below it; empty without.
    pub excerpt: [String; 2],
    /// Further places and remarks.
    pub notes: Vec<Note>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A place in a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file; empty if there is no place.
    pub file: String,
    /// The line, from 1; 0 if there is no place.
    pub line: u32,
    /// The column, from 1; 0 if there is no place.
    pub column: u32,
}

/// A further place or a remark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// Where it is.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// One sentence.
    #[serde(rename = "message")]
    pub text: String,
}

/// What equal diagnostics of several tasks have in common: the mistake, whatever led to it. Errors sort first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mistake {
    is_no_error: bool,
    place: SourcePlace,
    severity: String,
    code: String,
    text: String,
}

impl SourcePlace {
    fn of(loc: Option<Loc>) -> SourcePlace {
        loc.map_or_else(SourcePlace::default, |l| SourcePlace { file: normal(&l.file), line: l.line, column: l.column })
    }

    fn loc(&self) -> Option<Loc> {
        (!self.file.is_empty()).then(|| Loc { file: self.file.clone(), line: self.line, column: self.column })
    }
}

impl Message {
    /// An error without a place.
    pub fn error(text: impl Into<String>) -> Self {
        Message { severity: "error".into(), text: text.into(), ..Message::default() }
    }

    /// A warning without a place.
    pub fn warning(text: impl Into<String>) -> Self {
        Message { severity: "warning".into(), text: text.into(), ..Message::default() }
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// What it has in common with the same diagnostic of other tasks. Notes do not count: they say which source came to the place.
    pub fn mistake(&self) -> Mistake {
        let Message { severity, code, text, place, .. } = self.clone();
        Mistake { is_no_error: !self.is_error(), place, severity, code, text }
    }

    /// The diagnostic as the compiler prints it in a style of one line, with its notes.
    pub fn rendered(&self, style: Style) -> String {
        self.resolved().text(style)
    }

    /// The same with the colours of a terminal.
    pub fn coloured(&self, style: Style) -> String {
        self.resolved().coloured(style)
    }

    fn resolved(&self) -> Resolved {
        Resolved {
            severity: match self.severity.as_str() {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                _ => Severity::Note,
            },
            fatal: self.fatal,
            code: self.code.clone(),
            group: self.group.clone(),
            message: self.text.clone(),
            place: self.place.loc(),
            excerpt: self.excerpt.clone(),
            notes: self.notes.iter().map(|n| (n.place.loc(), n.text.clone())).collect(),
        }
    }

    /// The diagnostics of a compilation.
    pub(crate) fn of(c: &Compilation) -> Vec<Message> {
        let message = |d: &rtc::Diagnostic| {
            let r = rtc::resolve(&c.sources, d);
            let severity = match r.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            Message {
                severity: severity.to_owned(),
                fatal: r.fatal,
                code: r.code,
                group: r.group,
                text: r.message,
                place: SourcePlace::of(r.place.filter(|_| !d.span().is_none())),
                excerpt: r.excerpt,
                notes: r.notes.into_iter().map(|(place, text)| Note { place: SourcePlace::of(place), text }).collect(),
            }
        };
        c.diagnostics.iter().map(message).collect()
    }
}

/// A path without `.` and `folder/..`, where that is the same file: a folder may be a link.
fn normal(path: &str) -> String {
    let mut out = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => _ = out.pop(),
            part => out.push(part),
        }
    }
    let text = out.to_string_lossy();
    let text = if path.contains('/') && !path.contains('\\') { text.replace('\\', "/") } else { text.into_owned() };
    let same = || match (std::fs::canonicalize(path), std::fs::canonicalize(&out)) {
        (Ok(a), Ok(b)) => a == b,
        // A file that is not on the disk.
        (Err(_), Err(_)) => true,
        _ => false,
    };
    if text == path || text.is_empty() || !same() { path.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shortened_where_the_file_stays_the_same() {
        assert_eq!(normal("passes/../passes/./../util.hlsli"), "util.hlsli");
        assert_eq!(normal("../a/../b.hlsl"), "../b.hlsl");
        assert_eq!(normal("/a/../b.hlsl"), "/b.hlsl");
        #[cfg(unix)]
        {
            let folder = std::env::temp_dir().join(format!("rtc-message-{}", std::process::id()));
            std::fs::create_dir_all(folder.join("real/inner")).expect("it can be made");
            std::os::unix::fs::symlink(folder.join("real/inner"), folder.join("link")).expect("it can be made");
            std::fs::write(folder.join("real/a.h"), "").expect("it can be written");
            std::fs::write(folder.join("a.h"), "").expect("it can be written");
            let path = folder.join("link/../a.h");
            let kept = normal(&path.to_string_lossy());
            std::fs::remove_dir_all(&folder).expect("it is there");
            // `link/..` is `real`.
            assert_eq!(kept, path.to_string_lossy());
        }
    }

    #[test]
    fn records_have_the_names_of_the_compilers() {
        let m = Message { place: SourcePlace { file: "a.hlsl".into(), line: 3, column: 4 }, ..Message::error("no") };
        let json = serde_json::to_value(&m).expect("it is JSON");
        assert_eq!((json["message"].as_str(), json["file"].as_str(), json["line"].as_u64()), (Some("no"), Some("a.hlsl"), Some(3)));
        assert_eq!(serde_json::from_value::<Message>(json).expect("it is read back"), m);
        assert_eq!(m.rendered(Style::Short), "a.hlsl:3:4: error: no\n");
        assert_eq!(m.rendered(Style::MsvcCode), "a.hlsl(3,4): error: no\n");
    }
}
