//! Macros: where each is defined and used, from the raw tokens of the files, and what a use expands to.

use rtc_base::Interner;
use rtc_frontend::lex::{Flags, Kind, RawToken, lex_file};

use crate::snapshot::{FileRange, Snapshot};

/// A definition of a macro.
#[derive(Clone, PartialEq, Debug)]
pub struct Macro {
    /// Its name where it is defined.
    pub name: FileRange,
    /// The whole line, without `#`.
    pub text: String,
}

/// Calls `f` with the raw tokens of each file, in the order of inclusion.
fn for_each_file(s: &Snapshot, mut f: impl FnMut(usize, &str, &[RawToken], &Interner)) {
    for (number, file) in s.files.iter().enumerate() {
        let mut names = Interner::new();
        let raw = lex_file(&file.text, &mut names);
        f(number, &file.text, &raw.tokens, &names);
    }
}

/// Whether the token `i` is the name of a directive, and of which.
fn directive<'a>(tokens: &[RawToken], i: usize, names: &'a Interner) -> Option<&'a str> {
    let hash = i.checked_sub(1).and_then(|h| tokens.get(h))?;
    let begins = hash.kind == Kind::Hash && hash.flags.contains(Flags::BOL);
    let t = tokens.get(i).filter(|t| begins && t.kind == Kind::Ident)?;
    Some(names.str(t.sym))
}

/// The names and lines of the macros that a text defines.
pub fn defined_in(text: &str) -> Vec<(String, String)> {
    let mut names = Interner::new();
    let raw = lex_file(text, &mut names);
    let all = definitions_in(0, text, &raw.tokens, &names, None);
    all.into_iter().map(|m| (text[m.name.range()].to_owned(), m.text)).collect()
}

/// The definitions of macros in a file: those with `name`, or all.
pub fn definitions(s: &Snapshot, file: usize, name: Option<&str>) -> Vec<Macro> {
    let Some(f) = s.files.get(file) else { return Vec::new() };
    let mut names = Interner::new();
    let raw = lex_file(&f.text, &mut names);
    definitions_in(file, &f.text, &raw.tokens, &names, name)
}

fn definitions_in(file: usize, text: &str, tokens: &[RawToken], names: &Interner, name: Option<&str>) -> Vec<Macro> {
    let mut out = Vec::new();
    for i in 1..tokens.len() {
        if directive(tokens, i, names) != Some("define") {
            continue;
        }
        let Some(t) = tokens.get(i + 1).filter(|t| t.kind == Kind::Ident && !t.flags.contains(Flags::BOL)) else { continue };
        if name.is_some_and(|n| n != names.str(t.sym)) {
            continue;
        }
        let end =
            tokens[i + 1..].iter().find(|t| t.flags.contains(Flags::BOL) || t.kind == Kind::Eof).map_or(text.len(), |t| t.lo as usize);
        let line = text.get(tokens[i].lo as usize..end).unwrap_or("").trim_end().to_owned();
        out.push(Macro { name: FileRange { file, lo: t.lo as usize, hi: t.hi as usize }, text: line });
    }
    out
}

/// The macro whose name is at byte `offset` of a file: the last definition before it in the file, else the last one of another file.
pub fn at(s: &Snapshot, file: usize, offset: usize) -> Option<Macro> {
    let f = s.files.get(file)?;
    let mut names = Interner::new();
    let raw = lex_file(&f.text, &mut names);
    let i = raw.tokens.iter().position(|t| t.kind == Kind::Ident && (t.lo as usize..=t.hi as usize).contains(&offset))?;
    if directive(&raw.tokens, i, &names).is_some() {
        return None;
    }
    let name = names.str(raw.tokens[i].sym).to_owned();
    let own = definitions_in(file, &f.text, &raw.tokens, &names, Some(&name));
    if let Some(m) = own.iter().rev().find(|m| m.name.lo <= offset) {
        return Some(m.clone());
    }
    let mut found = own.last().cloned();
    for_each_file(s, |number, text, tokens, names| {
        if number != file
            && let Some(m) = definitions_in(number, text, tokens, names, Some(&name)).pop()
        {
            found = Some(m);
        }
    });
    found
}

/// All places where the name of a macro is written in the files of the snapshot, its definitions included. A name that is something else too is left out
/// there.
pub fn uses(s: &Snapshot, m: &Macro) -> Vec<FileRange> {
    let name = s.text(&m.name).to_owned();
    let mut out = Vec::new();
    for_each_file(s, |file, _, tokens, names| {
        let Some(sym) = names.get(&name) else { return };
        for t in tokens.iter().filter(|t| t.kind == Kind::Ident && t.sym == sym) {
            let place = FileRange { file, lo: t.lo as usize, hi: t.hi as usize };
            if s.names_in(file).binary_search_by(|n| n.place.cmp(&place)).is_err() {
                out.push(place);
            }
        }
    });
    out
}

/// What the use of a macro at byte `offset` expands to; `None` if nothing is expanded there.
pub fn expansion(s: &Snapshot, file: usize, offset: usize) -> Option<String> {
    let sources = &s.analysis.sources;
    let uses = sources.macro_uses().filter(|u| !u.lo.is_expanded()).filter_map(|u| s.place(u));
    let call = uses.filter(|p| p.file == file && p.lo <= offset && offset <= p.hi).max_by_key(|p| p.hi - p.lo)?;
    let mut text = String::new();
    for t in &s.analysis.tokens {
        let inside = s.place(t.span).is_some_and(|p| p.file == call.file && p.lo >= call.lo && p.hi <= call.hi);
        if !inside || t.kind == Kind::Eof {
            continue;
        }
        if !text.is_empty() && t.flags.contains(Flags::SPACE) {
            text.push(' ');
        }
        text.push_str(if t.kind.has_spelling() { s.analysis.names.str(t.sym) } else { t.kind.text() });
        if text.len() > MAX_EXPANSION {
            text.push('…');
            break;
        }
    }
    Some(text)
}

/// The longest expansion that is shown, in bytes.
const MAX_EXPANSION: usize = 2000;
