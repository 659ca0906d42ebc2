//! The lexer: text of one file to a flat vector of raw tokens, once per file.
//!
//! Raw tokens have offsets in their file, not positions in the source map, so the tokens of a header are lexed once
//! for all of its inclusions. They are *preprocessing* tokens: keywords are still identifiers, numbers
//! are pp-numbers, nothing is rejected (an invalid token has an error kind and is reported only when it reaches the parser, so that
//! skipped text may contain anything). Line structure is a flag on the first token of each line.
//!
//! Line splices (a backslash at the end of a line) are removed before lexing; offsets are mapped back.

mod kind;
mod literal;
mod load;
mod shared;

pub use kind::Kind;
pub use literal::{Escapes, Number, SIZED_SUFFIXES, escape_string, parse_char, parse_number, parse_string};
pub use load::{Decoded, decode, replace};
pub use shared::{CacheStatistics, TokenCache};

use logos::Logos;
use rtc_base::{Interner, Span, Symbol};

bitflags::bitflags! {
    /// Properties of a token besides its kind.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Flags: u8 {
        /// First on its line.
        const BOL = 1;
        /// After white space or a comment.
        const SPACE = 2;
        /// A macro's name that must not be expanded any more.
        const PAINTED = 4;
        /// From a macro or an argument; never starts a directive.
        const EXPANDED = 8;
    }
}

/// A token with its source position.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// See [`Flags`].
    pub flags: Flags,
    /// The spelling of identifiers, literals and error tokens; that of others is the empty string's symbol.
    pub sym: Symbol,
    /// Its source position.
    pub span: Span,
}

const _: () = assert!(std::mem::size_of::<Token>() == 16);

/// A token of a file, by offsets.
#[derive(Clone, Copy, Debug)]
pub struct RawToken {
    /// Byte offset.
    pub lo: u32,
    /// Byte offset of the end.
    pub hi: u32,
    /// The spelling of identifiers, literals and error tokens; that of others is the empty string's symbol.
    pub sym: Symbol,
    /// Its kind.
    pub kind: Kind,
    /// See [`Flags`].
    pub flags: Flags,
}

/// Files with more tokens than this are rejected: it is some 60 MB of source.
pub const MAX_TOKENS: usize = 1 << 24;

/// The tokens of one file, ending with one of kind [`Kind::Eof`].
#[derive(Debug, Default)]
pub struct RawFile {
    /// The tokens.
    pub tokens: Vec<RawToken>,
    /// Whether lexing stopped at [`MAX_TOKENS`].
    pub too_long: bool,
    /// The macro that guards the whole file: `#ifndef G` … `#endif` and nothing outside.
    pub guard: Option<Symbol>,
}

/// The tokens of `text`.
pub fn lex_file(text: &str, interner: &mut Interner) -> RawFile {
    let mut file = RawFile::default();
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    match splice(&text[start..]) {
        None => lex_into(&text[start..], |o| o + start as u32, interner, &mut file),
        Some((clean, marks)) => {
            // Offsets come in ascending order, so a cursor finds the mark in constant time.
            let mut at = 0;
            let map = |offset: u32| {
                while at > 0 && marks[at - 1].0 > offset {
                    at -= 1;
                }
                while at < marks.len() && marks[at].0 <= offset {
                    at += 1;
                }
                let removed = if at == 0 { 0 } else { marks[at - 1].1 };
                offset + removed + start as u32
            };
            lex_into(&clean, map, interner, &mut file);
        }
    }
    file.guard = guard(&file.tokens, interner);
    file
}

/// Removes line splices from `text`: gives the rest, and for each splice its offset in the rest and the number of bytes removed so far.
fn splice(text: &str) -> Option<(String, Vec<(u32, u32)>)> {
    let bytes = text.as_bytes();
    let mut clean = String::new();
    let mut marks = Vec::new();
    let (mut copied, mut from) = (0, 0);
    while let Some(i) = text[from..].find('\\').map(|i| i + from) {
        let mut j = i + 1;
        while j < bytes.len() && matches!(bytes[j], b' ' | b'\t') {
            j += 1;
        }
        // A line ends in LF, in any number of CR and LF, or, in the oldest files, in one CR.
        let returns = bytes[j..].iter().take_while(|&&b| b == b'\r').count();
        match bytes.get(j + returns) {
            Some(b'\n') => j += returns,
            _ if returns == 0 => j = bytes.len(),
            _ => {}
        }
        if j < bytes.len() {
            clean.push_str(&text[copied..i]);
            copied = j + 1;
            marks.push((clean.len() as u32, (copied - clean.len()) as u32));
            from = copied;
        } else {
            from = i + 1;
        }
    }
    if marks.is_empty() {
        return None;
    }
    clean.push_str(&text[copied..]);
    Some((clean, marks))
}

fn lex_into(text: &str, mut map: impl FnMut(u32) -> u32, interner: &mut Interner, file: &mut RawFile) {
    let none = interner.intern("");
    let mut lexer = Kind::lexer(text);
    let mut flags = Flags::BOL;
    file.tokens.reserve(text.len() / 5 + 1);
    while let Some(kind) = lexer.next() {
        let kind = kind.unwrap_or(Kind::Unknown);
        let range = lexer.span();
        match kind {
            Kind::Newline => {
                flags = Flags::BOL;
                continue;
            }
            Kind::Blank | Kind::LineComment | Kind::BlockComment => {
                flags |= Flags::SPACE;
                continue;
            }
            _ => {}
        }
        if file.tokens.len() >= MAX_TOKENS {
            file.too_long = true;
            break;
        }
        let mut push = |kind: Kind, lo: usize, hi: usize, flags: Flags| {
            let sym = if kind.has_spelling() { interner.intern(&text[lo..hi]) } else { none };
            // In this order the offsets ascend; a splice after the last byte is not part of the token.
            let (lo, hi) = (map(lo as u32), map(hi as u32 - 1) + 1);
            file.tokens.push(RawToken { lo, hi, sym, kind, flags });
        };
        match if kind == Kind::Number { literal::members_of(lexer.slice()) } else { None } {
            Some(members) => {
                let mut dot = range.start + members;
                push(Kind::Number, range.start, dot, flags);
                for name in text[dot + 1..range.end].split('.') {
                    push(Kind::Dot, dot, dot + 1, Flags::empty());
                    push(Kind::Ident, dot + 1, dot + 1 + name.len(), Flags::empty());
                    dot += 1 + name.len();
                }
            }
            None => push(kind, range.start, range.end, flags),
        }
        flags = Flags::empty();
    }
    let end = map(text.len() as u32);
    file.tokens.push(RawToken { lo: end, hi: end, sym: none, kind: Kind::Eof, flags: Flags::BOL });
}

/// The include guard of a file: its first directive is `#ifndef G` (or `#if !defined(G)`), the `#endif` of it ends
/// the file, and neither has an `#else` between.
fn guard(tokens: &[RawToken], interner: &mut Interner) -> Option<Symbol> {
    let word = |i: usize, w: &str, interner: &Interner| tokens.get(i).is_some_and(|t| t.kind == Kind::Ident && interner.str(t.sym) == w);
    let kinds = |from: usize, want: &[Kind]| want.iter().enumerate().all(|(i, k)| tokens.get(from + i).is_some_and(|t| t.kind == *k));
    let (name, next) = if !kinds(0, &[Kind::Hash, Kind::Ident]) {
        return None;
    } else if word(1, "ifndef", interner) && kinds(2, &[Kind::Ident]) {
        (2, 3)
    } else if word(1, "if", interner)
        && word(3, "defined", interner)
        && kinds(2, &[Kind::Not, Kind::Ident, Kind::LParen, Kind::Ident, Kind::RParen])
    {
        (5, 7)
    } else {
        return None;
    };
    if !tokens.get(next)?.flags.contains(Flags::BOL) {
        return None;
    }
    let mut depth = 1;
    for i in next..tokens.len() {
        if tokens[i].kind != Kind::Hash || !tokens[i].flags.contains(Flags::BOL) || tokens.get(i + 1)?.kind != Kind::Ident {
            continue;
        }
        match interner.str(tokens[i + 1].sym) {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "else" | "elif" | "elifdef" | "elifndef" if depth == 1 => return None,
            "endif" => {
                depth -= 1;
                if depth == 0 {
                    return (tokens.get(i + 2)?.kind == Kind::Eof).then_some(tokens[name].sym);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
