//! The parser driver: error recovery around the generated parser.
//!
//! The file is split into declarations at bracket depth zero, which the classifier has balanced, and each is parsed by the
//! generated parser on its own, so that an error never spreads from one function to the next. When a declaration has an error, its
//! *terminals are repaired* and it is parsed again: a missing `;` or `)` is inserted, a stray bracket removed, and otherwise the
//! innermost statement or member around the error is replaced by one `error` terminal. So every error of a function is
//! reported once, at the cost of parsing that function once more for each.

use lalrpop_util::ParseError;
use rtc_base::{Diagnostic, Interner, Span};
use rtc_tables::diagnostics as codes;

use super::ast::{Ast, DeclId};
use super::build::{Builder, Depths};
use super::chain::Chains;
use super::grammar::UnitParser;
use crate::classify::{Brace, CTok, Tok};
use crate::lex::{Flags, Kind, Token};
use crate::preprocess::Packing;
use crate::report::Report;

/// The limit of repairs of one declaration.
const MAX_REPAIRS: usize = 20;

/// The tree of the terminals `toks`, which classify `tokens`.
pub fn parse_tokens(toks: &[CTok], tokens: &[Token], packing: &[(u32, Packing)], interner: &mut Interner, report: &mut Report) -> Ast {
    let mut tree = Tree::default();
    tree.add(toks, tokens, packing, interner, report);
    tree.finish()
}

/// A tree with the declarations so far.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    ast: Ast,
    depths: Depths,
    items: Vec<DeclId>,
}

impl Tree {
    /// Adds the declarations of the terminals `toks`.
    pub fn add(&mut self, toks: &[CTok], tokens: &[Token], packing: &[(u32, Packing)], interner: &mut Interner, report: &mut Report) {
        let Tree { ast, depths, items } = self;
        let parser = UnitParser::new();
        let mut from = 0;
        while from < toks.len() && !report.is_full() {
            let to = item_end(toks, from);
            let mut mended: Option<Vec<CTok>> = None;
            let mut repairs = Repairs { count: 0, last: usize::MAX };
            loop {
                let chunk = mended.as_deref().unwrap_or(&toks[from..to]);
                let mut builder = Builder {
                    ast: &mut *ast,
                    interner,
                    tokens,
                    packing,
                    depths: &mut *depths,
                    diags: Vec::new(),
                    toks: chunk,
                    chains: Chains::default(),
                };
                let feed = chunk.iter().enumerate().map(|(i, c)| Ok((i as u32, c.tok, i as u32 + 1)));
                let result = parser.parse(&mut builder, feed);
                let diags = builder.diags;
                match result {
                    Ok(list) => {
                        items.extend(list);
                        diags.into_iter().for_each(|d| report.add(d));
                        break;
                    }
                    Err(e) => {
                        let mut chunk = chunk.to_vec();
                        let at = repairs.repair(&mut chunk, tokens, interner, e, report);
                        if !at || report.is_full() {
                            diags.into_iter().for_each(|d| report.add(d));
                            break;
                        }
                        mended = Some(chunk);
                    }
                }
            }
            from = to;
        }
    }

    /// The nodes.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }

    /// The declarations at file scope.
    pub fn items(&self) -> &[DeclId] {
        &self.items
    }

    /// The tree.
    pub fn finish(mut self) -> Ast {
        self.ast.items = self.ast.make_list(self.items);
        self.ast
    }
}

/// Where the declaration that starts at `from` ends.
fn item_end(toks: &[CTok], from: usize) -> usize {
    let mut depth = 0u32;
    for (i, c) in toks.iter().enumerate().skip(from) {
        match c.tok {
            Tok::LBrace => depth += 1,
            Tok::RBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0 && c.brace.ends_item() {
                    return i + 1;
                }
            }
            Tok::Semi if depth == 0 => return i + 1,
            _ => {}
        }
    }
    toks.len()
}

/// The repairs of one declaration.
struct Repairs {
    count: usize,
    /// The position of the last insertion: never twice at the same one.
    last: usize,
}

type Failure = ParseError<u32, Tok, ()>;

impl Repairs {
    /// Reports the error and repairs `chunk`. False: stop.
    fn repair(&mut self, chunk: &mut Vec<CTok>, tokens: &[Token], interner: &Interner, e: Failure, report: &mut Report) -> bool {
        let (at, expected) = match e {
            ParseError::UnrecognizedToken { token: (l, _, _), expected } => (l as usize, expected),
            ParseError::UnrecognizedEof { expected, .. } => (chunk.len(), expected),
            ParseError::ExtraToken { token: (l, _, _) } => (l as usize, Vec::new()),
            ParseError::InvalidToken { location } => (location as usize, Vec::new()),
            ParseError::User { .. } => (chunk.len(), Vec::new()),
        };
        self.count += 1;
        let cx = Context { chunk, tokens, interner };
        if self.count > MAX_REPAIRS {
            report.emit(&codes::E0208, cx.span(at.min(chunk.len() - 1)), "too many syntax errors in this declaration");
            *chunk = vec![CTok { tok: Tok::Error, brace: Brace::None, at: chunk[0].at }];
            return true;
        }
        let expects = |t: &str| expected.iter().any(|e| e.trim_matches('"') == t);
        let found = chunk.get(at).map(|c| c.tok);
        // A closing bracket of the other kind is one error, not two.
        let slip = match found {
            Some(Tok::RParen) if expects("]") && cx.opener(at, Tok::RParen).is_none() => Some(Tok::RSquare),
            Some(Tok::RSquare) if expects(")") && cx.opener(at, Tok::RSquare).is_none() => Some(Tok::RParen),
            _ => None,
        };
        if let Some(tok) = slip {
            let text = if tok == Tok::RParen { ")" } else { "]" };
            let message = format!("mismatched bracket: {}", cx.describe(at));
            let mut d = Diagnostic::new(&codes::E0203, cx.span(at), message);
            if let Some(open) = cx.opener(at, tok) {
                d = d.label(cx.span(open), "opened here");
            }
            report.add(d.fix(cx.span(at), text));
            chunk[at].tok = tok;
            return true;
        }
        // Missing tokens at an early end of the file are already reported.
        let at_end = chunk.get(at).is_none_or(|c| tokens[c.at as usize].kind == Kind::Eof);
        let echo = at_end && (self.count > 1 || report.errors() > 0);
        if at != self.last && at > 0 {
            let insert = if expects(";") && (cx.starts_line(at) || cx.starts_statement(at)) {
                Some((Tok::Semi, ";"))
            } else if expects(")") && matches!(found, None | Some(Tok::Semi | Tok::LBrace | Tok::RBrace)) {
                Some((Tok::RParen, ")"))
            } else if expects("]") && matches!(found, None | Some(Tok::Semi | Tok::RParen | Tok::RBrace | Tok::Assign)) {
                Some((Tok::RSquare, "]"))
            } else {
                None
            };
            if let Some((tok, text)) = insert {
                if !echo {
                    report.add(cx.missing(at, tok, text));
                }
                chunk.insert(at, CTok { tok, brace: Brace::None, at: chunk[at - 1].at });
                self.last = at + 1;
                return true;
            }
        }
        self.last = usize::MAX;
        let stray = matches!(found, Some(Tok::RParen | Tok::RSquare)) && cx.is_unmatched(at);
        if !echo {
            report.add(cx.unexpected(at, &expected, stray));
        }
        if found == Some(Tok::Semi) && expects(",") && expects("}") {
            chunk[at].tok = Tok::Comma;
            return true;
        }
        if stray {
            chunk.remove(at);
            return !chunk.is_empty();
        }
        let (from, to) = cx.around(at);
        let already = chunk[from..to].iter().any(|c| c.tok == Tok::Error) && to - from <= 1;
        let (from, to) = if from >= to || already { (0, chunk.len()) } else { (from, to) };
        if from == 0 && to == chunk.len() && chunk.len() == 1 && chunk[0].tok == Tok::Error {
            return false;
        }
        let error = CTok { tok: Tok::Error, brace: Brace::None, at: chunk[from].at };
        chunk.splice(from..to, [error]);
        true
    }
}

struct Context<'a> {
    chunk: &'a [CTok],
    tokens: &'a [Token],
    interner: &'a Interner,
}

impl Context<'_> {
    fn span(&self, i: usize) -> Span {
        self.chunk.get(i).map_or(Span::NONE, |c| self.tokens[c.at as usize].span)
    }

    /// Whether the terminal at `at` is the first of a line, or ends something: the preceding construct may lack its semicolon.
    fn starts_line(&self, at: usize) -> bool {
        match self.chunk.get(at) {
            None => true,
            Some(c) => c.tok == Tok::RBrace || self.tokens[c.at as usize].flags.contains(Flags::BOL),
        }
    }

    /// Whether the terminal at `at`, which is unexpected, begins a statement or declaration of its own.
    fn starts_statement(&self, at: usize) -> bool {
        let tok = |i: usize| self.chunk.get(i).map(|c| c.tok);
        let after_value = |i: usize| {
            let t = tok(i);
            matches!(t, Some(Tok::RParen | Tok::RSquare | Tok::Num | Tok::Ident))
        };
        match tok(at) {
            Some(Tok::Type | Tok::Const | Tok::Spec) if at > 0 && after_value(at - 1) => tok(at + 1) == Some(Tok::Ident),
            Some(Tok::Ident) if at > 0 && tok(at - 1) == Some(Tok::RParen) => {
                matches!(tok(at + 1), Some(Tok::LParen | Tok::Assign | Tok::Dot))
            }
            Some(Tok::Return | Tok::If | Tok::For | Tok::While | Tok::Do | Tok::Switch | Tok::Break | Tok::Continue) => {
                at > 0 && after_value(at - 1)
            }
            _ => false,
        }
    }

    /// The position immediately after the terminal before `at`.
    fn after(&self, at: usize) -> Span {
        let s = self.span(at - 1);
        if s.hi.is_expanded() { s } else { Span::new(s.hi, s.hi) }
    }

    fn missing(&self, at: usize, tok: Tok, text: &str) -> Diagnostic {
        let position = self.after(at);
        let code = if tok == Tok::Semi { &codes::E0202 } else { &codes::E0203 };
        let mut d = Diagnostic::new(code, position, format!("expected `{text}` after {}", self.describe(at - 1)));
        if tok != Tok::Semi
            && let Some(open) = self.opener(at, tok)
        {
            d = d.label(self.span(open), "opened here");
        }
        if !position.lo.is_expanded() { d.fix(position, text) } else { d }
    }

    /// The bracket that `close` would close at `at`.
    fn opener(&self, at: usize, close: Tok) -> Option<usize> {
        let open =
            |t| if close == Tok::RParen { matches!(t, Tok::LParen | Tok::TypeParen) } else { matches!(t, Tok::LSquare | Tok::TypeSquare) };
        let mut depth = 0u32;
        for i in (0..at).rev() {
            match self.chunk[i].tok {
                t if t == close => depth += 1,
                t if open(t) && depth == 0 => return Some(i),
                t if open(t) => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether the bracket at `at` closes no bracket before it.
    fn is_unmatched(&self, at: usize) -> bool {
        let (from, _) = self.around(at);
        let close = self.chunk[at].tok;
        match self.opener(at, close) {
            None => true,
            Some(open) => open < from,
        }
    }

    /// The statement, member or declaration around `at`: from its first terminal to after its last.
    fn around(&self, at: usize) -> (usize, usize) {
        // The start of the current statement in each list that is open, and how deep in other brackets.
        let mut lists: Vec<(usize, u32)> = vec![(0, 0)];
        for (i, c) in self.chunk.iter().enumerate().take(at) {
            let Some((start, depth)) = lists.last_mut() else {
                break;
            };
            match c.tok {
                Tok::LBrace if c.brace.is_list() => lists.push((i + 1, 0)),
                Tok::LBrace | Tok::LParen | Tok::TypeParen | Tok::LSquare | Tok::TypeSquare => *depth += 1,
                Tok::RBrace if c.brace.is_list() => {
                    lists.pop();
                    if c.brace.ends_item()
                        && let Some((start, depth)) = lists.last_mut()
                        && *depth == 0
                    {
                        *start = i + 1;
                    }
                }
                Tok::RBrace | Tok::RParen | Tok::RSquare => *depth = depth.saturating_sub(1),
                Tok::Semi if *depth == 0 => *start = i + 1,
                Tok::Error if *depth == 0 => *start = i + 1,
                _ => {}
            }
        }
        let from = lists.last().map_or(0, |l| l.0);
        let mut depth = 0u32;
        let mut i = at;
        // Brackets open between the start and the error count as well.
        for c in &self.chunk[from..at] {
            match c.tok {
                Tok::LBrace | Tok::LParen | Tok::TypeParen | Tok::LSquare | Tok::TypeSquare => depth += 1,
                Tok::RBrace | Tok::RParen | Tok::RSquare => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        while let Some(c) = self.chunk.get(i) {
            match c.tok {
                Tok::Semi if depth == 0 => return (from, i + 1),
                Tok::LBrace if c.brace.is_list() => {
                    // Brackets left open before a block are not closed after it.
                    i = self.block_end(i);
                    let more = matches!(self.chunk.get(i).map(|c| c.tok), Some(Tok::Else | Tok::While));
                    if c.brace.ends_item() && !more {
                        return (from, i);
                    }
                    continue;
                }
                Tok::RBrace if c.brace.is_list() => return (from, i),
                Tok::LBrace | Tok::LParen | Tok::TypeParen | Tok::LSquare | Tok::TypeSquare => depth += 1,
                Tok::RBrace | Tok::RParen | Tok::RSquare => depth = depth.saturating_sub(1),
                // A semicolon in open parentheses ends the statement unless this is the head of a `for`.
                Tok::Semi if !self.chunk[from..at].iter().any(|c| c.tok == Tok::For) => {
                    return (from, i + 1);
                }
                _ => {}
            }
            i += 1;
        }
        (from, self.chunk.len())
    }

    /// The position after the brace that closes the one at `open`.
    fn block_end(&self, open: usize) -> usize {
        let mut depth = 0u32;
        for (i, c) in self.chunk.iter().enumerate().skip(open) {
            match c.tok {
                Tok::LBrace => depth += 1,
                Tok::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        return i + 1;
                    }
                }
                _ => {}
            }
        }
        self.chunk.len()
    }

    /// Whether the identifier at `i` is the name of a built-in type.
    fn is_type_name(&self, i: usize) -> bool {
        let t = self.tokens[self.chunk[i].at as usize];
        rtc_tables::types::builtin(self.interner.str(t.sym)).is_some()
    }

    /// The description of the terminal at `i` in diagnostics.
    fn describe(&self, i: usize) -> String {
        let Some(c) = self.chunk.get(i) else {
            return "the end of the declaration".into();
        };
        let t = self.tokens[c.at as usize];
        let text = if t.kind.has_spelling() { self.interner.str(t.sym) } else { t.kind.text() };
        let short: String = text.chars().take(40).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        match c.tok {
            Tok::Type => format!("type `{short}{dots}`"),
            Tok::Num => format!("number `{short}{dots}`"),
            Tok::Str => format!("string {short}{dots}"),
            Tok::Error | Tok::BadExpr => "what was wrong before".into(),
            _ if text.is_empty() => "the end of the file".into(),
            _ => format!("`{short}{dots}`"),
        }
    }

    /// A C++ construct at the terminal `at`, by its keyword.
    fn foreign(&self, at: usize) -> Option<Diagnostic> {
        let word = |i: usize| {
            let c = self.chunk.get(i)?;
            let t = self.tokens[c.at as usize];
            t.kind.has_spelling().then(|| self.interner.str(t.sym))
        };
        for i in [Some(at), at.checked_sub(1), at.checked_sub(2)].into_iter().flatten() {
            let what = word(i).and_then(rtc_tables::foreign::cpp_word);
            if let Some(what) = what {
                let message = format!("HLSL does not have {what}");
                return Some(Diagnostic::new(&codes::E0338, self.span(i), message));
            }
        }
        let tok = |i: usize| self.chunk.get(i).map(|c| c.tok);
        if tok(at) == Some(Tok::LSquare) && tok(at + 1) == Some(Tok::RSquare) && tok(at + 2) == Some(Tok::LParen) {
            return Some(Diagnostic::new(&codes::E0338, self.span(at), "HLSL does not have lambdas"));
        }
        let label = tok(at) == Some(Tok::Colon)
            && at > 1
            && tok(at - 1) == Some(Tok::Ident)
            && matches!(tok(at - 2), Some(Tok::Semi | Tok::LBrace | Tok::RBrace));
        label.then(|| {
            let message = "HLSL does not have `goto` and labels";
            Diagnostic::new(&codes::E0338, self.span(at - 1), message)
        })
    }

    fn unexpected(&self, at: usize, expected: &[String], stray: bool) -> Diagnostic {
        if stray {
            let d = Diagnostic::new(&codes::E0204, self.span(at), format!("unmatched {}", self.describe(at)));
            return d.fix(self.span(at), "");
        }
        if let Some(d) = self.foreign(at) {
            return d;
        }
        let expectation = expectation(expected);
        let expectation = if expectation.is_empty() { String::new() } else { format!("expected {expectation}, ") };
        if at >= self.chunk.len() {
            let message = format!("{expectation}found the end of the declaration");
            let d = Diagnostic::new(&codes::E0207, self.after(at), message);
            return d;
        }
        let mut d = Diagnostic::new(&codes::E0201, self.span(at), format!("{expectation}found {}", self.describe(at)));
        let is_ident = |i: usize| self.chunk.get(i).is_some_and(|c| c.tok == Tok::Ident);
        if self.chunk[at].tok == Tok::LSquare && at > 0 && self.chunk[at - 1].tok == Tok::Type {
            d = d.note("the size of an array follows the name: `float a[4]`");
        }
        if at > 1 && is_ident(at) && is_ident(at - 1) && self.chunk[at - 2].tok == Tok::Type && self.is_type_name(at - 1) {
            // An identifier before a declaration that is neither specifier nor type.
            let word = self.describe(at - 2).replace("type ", "");
            d = d.note(format!("{word} is not a specifier, and no macro of that name is defined"));
        } else if at > 0 && is_ident(at) && is_ident(at - 1) {
            d = d.note(format!("if {} is a type, it is not declared", self.describe(at - 1)));
        }
        if self.chunk[at].tok == Tok::LBrace && self.chunk[at].brace == Brace::Block && at > 0 && self.chunk[at - 1].tok == Tok::RParen {
            d = d.note("functions cannot be defined inside functions");
        }
        d
    }
}

/// The description of a set of terminals in diagnostics, by classes.
fn expectation(expected: &[String]) -> String {
    let has = |t: &str| expected.iter().any(|e| e.trim_matches('"') == t);
    let mut words: Vec<&str> = Vec::new();
    let statement = has("if") && has("}");
    if statement {
        words.push("a statement");
    } else if has("number") && has("identifier") {
        words.push("an expression");
    } else {
        if has("type") && has("struct") {
            words.push(if has("cbuffer") { "a declaration" } else { "a type" });
        } else if has("type") {
            words.push("a type");
        }
        if has("identifier") {
            words.push("a name");
        }
        if has("string") {
            words.push("a string");
        }
        if has("number") {
            words.push("a number");
        }
    }
    for t in ["(", ")", "[", "]", "{", "}", ";", ",", ":", "=", "while"] {
        let covered = matches!(t, "(" | "[" | "{" | ";" | "}") && statement || matches!(t, "(") && has("number");
        if has(t) && !covered {
            words.push(t);
        }
    }
    if has("base:") && words.is_empty() {
        words.push(":");
    }
    // After a complete expression nearly every operator is expected: listing some would mislead.
    if has("+") && !has("number") {
        words.retain(|w| matches!(*w, ")" | "]" | "}" | ";" | "," | ":"));
    }
    let quoted: Vec<String> = words.iter().map(|w| if w.len() <= 2 || *w == "while" { format!("`{w}`") } else { w.to_string() }).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] if quoted.len() <= 4 => format!("{} or {last}", init.join(", ")),
        [a, b, c, ..] => format!("{a}, {b}, {c} or others"),
        _ => String::new(),
    }
}
