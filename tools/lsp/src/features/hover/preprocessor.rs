//! Directives: the value of a condition, the file of an include.

use rtc_frontend::preprocess::Outcome;

use super::Fact;
use crate::features::cursor::Lexed;
use crate::features::navigate::{include_at, included_at};
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;

/// Facts about the directive on the line of byte `offset`; `bytes` is the token there.
pub fn directive_at(w: &Workspace, s: &Snapshot, file: usize, offset: usize, bytes: (usize, usize)) -> Option<Fact> {
    if let Some(text) = include(s, file, offset).or_else(|| elsewhere(w, s, file, offset)) {
        return Some(Fact { text, bytes });
    }
    condition_at(s, file, offset).map(|text| Fact { text, bytes })
}

/// The file that the include on the line of byte `offset` reads.
fn include(s: &Snapshot, file: usize, offset: usize) -> Option<String> {
    let number = include_at(s, file, offset)?;
    let f = &s.files[number];
    let times = s.analysis.sources.files().filter(|(id, other)| other.included_at.is_some() && s.number(*id) == Some(number)).count();
    let mut text = format!("`{}`\n\n{} lines, {} bytes", f.path, f.text.lines().count(), f.text.len());
    if times > 1 {
        text += &format!("; read {times} times in this source");
    }
    Some(text)
}

/// The file that the include on the line of byte `offset` names, where this source does not read it there.
fn elsewhere(w: &Workspace, s: &Snapshot, file: usize, offset: usize) -> Option<String> {
    let path = included_at(w, s, file, offset)?;
    let text = w.overlay.text(&path)?;
    let why = if s.file(&path).is_some() { "This source has read it before." } else { "This source does not read it." };
    Some(format!("`{path}`\n\n{} lines, {} bytes\n\n{why}", text.lines().count(), text.len()))
}

/// The result of the condition on the line of byte `offset`. `None`: there is no condition.
pub fn condition_at(s: &Snapshot, file: usize, offset: usize) -> Option<String> {
    let f = &s.files[file];
    let line = f.lines.line_of(offset);
    let name = directive_name(f.text.get(f.lines.range(&f.text, line))?)?;
    let of_line = s.analysis.conditions.iter().filter(|e| s.place(e.span).is_some_and(|p| p.file == file && f.lines.line_of(p.lo) == line));
    let mut results: Vec<String> = Vec::new();
    for e in of_line {
        let result = show(e.outcome, name.ends_with("ndef"));
        if !results.contains(&result) {
            results.push(result);
        }
    }
    Some(match &results[..] {
        [] => "The condition is not evaluated: its line is skipped, or an earlier group counts.".to_owned(),
        [one] => one.clone(),
        several => format!("The file is read several times:\n\n* {}", several.join("\n* ")),
    })
}

/// The name of the directive of a line that has a condition.
fn directive_name(line: &str) -> Option<String> {
    let lexed = Lexed::of(line);
    let name = lexed.raw.tokens.get(1)?;
    let hash = lexed.raw.tokens.first().filter(|t| t.kind == rtc_frontend::lex::Kind::Hash);
    let word = hash.map(|_| lexed.names.str(name.sym))?;
    matches!(word, "if" | "elif" | "ifdef" | "ifndef" | "elifdef" | "elifndef").then(|| word.to_owned())
}

fn show(o: Outcome, negated: bool) -> String {
    let counts = |yes: bool| if yes { "the group counts" } else { "the group is skipped" };
    match o {
        Outcome::Value(bits, true) => format!("The condition is {bits}: {}.", counts(bits != 0)),
        Outcome::Value(bits, false) => format!("The condition is {}: {}.", bits as i64, counts(bits != 0)),
        Outcome::Defined(yes) => {
            let what = if yes { "There is such a macro" } else { "There is no such macro" };
            format!("{what}: {}.", counts(yes != negated))
        }
    }
}
