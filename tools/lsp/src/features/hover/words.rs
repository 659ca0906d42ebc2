//! Words that are no names of the program: by the tokens around them, the file that says what they mean.

use rtc_frontend::lex::{Flags, Kind};
use rtc_tables::signature::Semantic;

use super::{Fact, attributes, payload, preprocessor, registers, root_signature, subobjects};
use crate::features::cursor::{Cursor, Lexed};
use crate::features::semantics;
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;

/// Facts about the word at byte `offset` of a file.
pub fn at(w: &Workspace, s: &Snapshot, file: usize, offset: usize) -> Option<Fact> {
    let text = &s.files.get(file)?.text;
    let lexed = Lexed::of(text);
    let mut n = lexed.token_at(offset)?;
    let is_word = |n: usize| matches!(lexed.raw.tokens[n].kind, Kind::Ident | Kind::Number | Kind::Str | Kind::OpenStr);
    // Of two tokens that touch, the word.
    if !is_word(n) && n > 0 && lexed.raw.tokens[n - 1].hi as usize == offset && is_word(n - 1) {
        n -= 1;
    }
    let t = lexed.raw.tokens[n];
    let c = lexed.around(n);
    let bytes = (t.lo as usize, t.hi as usize);
    let begins_line = t.flags.contains(Flags::BOL);
    if begins_line && t.kind == Kind::Hash || !begins_line && c.directive().is_some() {
        return match preprocessor::directive_at(w, s, file, offset, bytes) {
            Some(fact) => Some(fact),
            None if matches!(t.kind, Kind::Str | Kind::OpenStr) => root_signature::in_literal(s, file, &c, bytes, offset),
            None => None,
        };
    }
    let fact = |text: String| Some(Fact { text, bytes });
    match t.kind {
        Kind::Str | Kind::OpenStr => {
            let inner = lexed.names.str(t.sym).trim_matches('"').to_owned();
            if c.kind(0) == Some(Kind::LParen)
                && let Some(text) = attributes::text(c.word(1), &inner)
            {
                return fact(text);
            }
            if let Some(found) = root_signature::in_literal(s, file, &c, bytes, offset) {
                return Some(found);
            }
            subobjects::value(s, &c, &inner).and_then(fact)
        }
        Kind::Ident => {
            let word = lexed.names.str(t.sym);
            if let Some(text) = attributes::attribute(&c, word) {
                return fact(text);
            }
            if let Some(text) = annotation(s, file, &c, word, bytes.0) {
                return fact(text);
            }
            subobjects::of_type(word).or_else(|| subobjects::value(s, &c, word)).and_then(fact)
        }
        Kind::Number => {
            let number = lexed.names.str(t.sym);
            registers::number(s, file, &c, number).or_else(|| subobjects::value(s, &c, number)).and_then(fact)
        }
        _ => None,
    }
}

/// A word after a declarator's colon, or in the parentheses of what is there.
fn annotation(s: &Snapshot, file: usize, c: &Cursor<'_>, word: &str, lo: usize) -> Option<String> {
    if c.kind(0) == Some(Kind::Colon) {
        let call = c.after.first().is_some_and(|t| t.kind == Kind::LParen);
        return match (word, call) {
            ("read" | "write", true) => payload::qualifier(s, file, lo, word),
            ("register", true) => registers::whole(s, file, c),
            ("packoffset", true) => {
                Some("Where the member is in the buffer: the row of 16 bytes, and the component that it begins at.".into())
            }
            (_, true) => None,
            _ => semantic(c, word),
        };
    }
    let (open, _) = c.open_paren()?;
    let head = c.cut(open);
    if head.kind(1) != Some(Kind::Colon) {
        return None;
    }
    match head.word(0) {
        name @ ("read" | "write") => payload::stage(s, file, lo, name, word),
        "register" => registers::word(s, file, &head, word),
        "packoffset" => registers::packed(word),
        _ => None,
    }
}

fn semantic(c: &Cursor<'_>, word: &str) -> Option<String> {
    // Not what follows the colon of a base, a label or a conditional.
    let mut statement = c.tokens.iter().rev().skip(1).take_while(|t| !matches!(t.kind, Kind::Semi | Kind::LBrace | Kind::RBrace));
    if statement.any(|t| t.kind == Kind::Question || matches!(c.text_of(t), "case" | "default" | "struct" | "class" | "interface" | "enum"))
    {
        return None;
    }
    let (name, index) = semantics::split(word);
    let (title, lines) = match Semantic::named(name)? {
        Semantic::Arbitrary => (format!("semantic `{name}`, index {index}"), vec![Semantic::Arbitrary.about().to_owned()]),
        found => {
            let n = if index > 0 { format!(", index {index}") } else { String::new() };
            (format!("system value `{}`{n}", found.info().name), semantics::describe(found))
        }
    };
    Some(format!("{title}\n\n{}", lines.join("\n\n")))
}
