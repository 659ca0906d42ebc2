//! The tokens around a position, and the scope that it is in: these are there in code that does not parse, too.

use rtc_base::Interner;
use rtc_frontend::lex::{Flags, Kind, RawFile, RawToken, lex_file};

/// A text as tokens, with their names.
pub struct Lexed<'a> {
    /// The text.
    pub text: &'a str,
    /// Its tokens, the last one is the end of the file.
    pub raw: RawFile,
    /// Their names.
    pub names: Interner,
}

impl<'a> Lexed<'a> {
    /// The tokens of a text.
    pub fn of(text: &'a str) -> Lexed<'a> {
        let mut names = Interner::new();
        let raw = lex_file(text, &mut names);
        Lexed { text, raw, names }
    }

    /// The tokens before and after number `at`, which is in neither.
    pub fn around(&self, at: usize) -> Cursor<'_> {
        let after = self.raw.tokens.get(at + 1..).unwrap_or(&[]);
        let until = self.raw.tokens.get(at).map_or(0, |t| t.hi as usize);
        Cursor { text: self.text, tokens: &self.raw.tokens[..at.min(self.raw.tokens.len())], after, names: &self.names, until }
    }

    /// The number of the token at byte `offset`; of two that touch, the second. The end of a token counts.
    pub fn token_at(&self, offset: usize) -> Option<usize> {
        let tokens = &self.raw.tokens;
        let next = tokens.partition_point(|t| t.lo as usize <= offset && t.kind != Kind::Eof);
        let at = next.checked_sub(1)?;
        let t = tokens.get(at)?;
        if offset <= t.hi as usize { Some(at) } else { None }
    }
}

/// Tokens before a position, and those after the word that is there.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    /// The text.
    pub text: &'a str,
    /// The tokens before.
    pub tokens: &'a [RawToken],
    /// The tokens after, the last one is the end of the file.
    pub after: &'a [RawToken],
    /// Their names.
    pub names: &'a Interner,
    /// The byte where the word ends that is between the two.
    pub until: usize,
}

/// What a position is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Outside of everything, or in a namespace.
    Global,
    /// A structure or class.
    Record,
    /// A cbuffer or tbuffer.
    Block,
    /// The body of a function.
    Function,
    /// The parameters of a function.
    Parameters,
    /// A list of enumerators.
    Enumerators,
    /// The values of an initialiser in braces.
    Initialiser,
}

impl<'a> Cursor<'a> {
    /// The last token before but `n`.
    pub fn last(&self, n: usize) -> Option<&'a RawToken> {
        self.tokens.iter().rev().nth(n)
    }

    /// Its kind.
    pub fn kind(&self, n: usize) -> Option<Kind> {
        self.last(n).map(|t| t.kind)
    }

    /// Its text, if it is an identifier.
    pub fn word(&self, n: usize) -> &'a str {
        self.last(n).map_or("", |t| self.text_of(t))
    }

    /// The text of a token that is an identifier.
    pub fn text_of(&self, t: &RawToken) -> &'a str {
        if t.kind == Kind::Ident { self.names.str(t.sym) } else { "" }
    }

    /// The tokens of the directive that is being written.
    pub fn directive(&self) -> Option<&'a [RawToken]> {
        let from = self.tokens.iter().rposition(|t| t.flags.contains(Flags::BOL))?;
        (self.tokens[from].kind == Kind::Hash).then(|| &self.tokens[from..])
    }

    /// The same before an earlier token: `n` tokens remain.
    pub fn cut(&self, n: usize) -> Cursor<'a> {
        Cursor { tokens: &self.tokens[..n.min(self.tokens.len())], ..*self }
    }

    /// The number of the innermost open parenthesis of the statement, and how many commas follow it.
    pub fn open_paren(&self) -> Option<(usize, usize)> {
        let (mut depth, mut commas) = (0_u32, 0);
        for (i, t) in self.tokens.iter().enumerate().rev() {
            match t.kind {
                Kind::RParen | Kind::RBracket => depth += 1,
                Kind::LParen if depth == 0 => return Some((i, commas)),
                Kind::LParen | Kind::LBracket => depth = depth.saturating_sub(1),
                Kind::Comma if depth == 0 => commas += 1,
                Kind::Semi | Kind::LBrace | Kind::RBrace => return None,
                _ => {}
            }
        }
        None
    }

    /// The number of the innermost open brace, and how many commas of its own follow it.
    pub fn open_brace(&self) -> Option<(usize, usize)> {
        let (mut depth, mut commas) = (0_u32, 0);
        for (i, t) in self.tokens.iter().enumerate().rev() {
            match t.kind {
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth += 1,
                Kind::LBrace if depth == 0 => return Some((i, commas)),
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth = depth.saturating_sub(1),
                Kind::Comma if depth == 0 => commas += 1,
                Kind::Semi => return None,
                _ => {}
            }
        }
        None
    }

    /// The scope, and the number of the token that the statement or declaration begins with.
    pub fn scope(&self) -> (Scope, usize) {
        let mut open: Vec<(Scope, usize)> = Vec::new();
        let (mut start, mut parens, mut i) = (0, 0_u32, 0);
        while let Some(t) = self.tokens.get(i) {
            if t.kind == Kind::Hash && t.flags.contains(Flags::BOL) {
                // A directive belongs to no declaration.
                let line = 1 + self.tokens[i + 1..].iter().take_while(|t| !t.flags.contains(Flags::BOL)).count();
                if start == i {
                    start += line;
                }
                i += line;
                continue;
            }
            match t.kind {
                Kind::LParen => parens += 1,
                Kind::RParen => parens = parens.saturating_sub(1),
                // Semicolons in parentheses are those of `for`.
                Kind::Semi if parens == 0 || open.last().is_none_or(|o| o.0 != Scope::Function) => (start, parens) = (i + 1, 0),
                Kind::LBrace => {
                    let outer = open.last().map_or(Scope::Global, |o| o.0);
                    open.push((self.opened(outer, start, i), start));
                    (start, parens) = (i + 1, 0);
                }
                Kind::RBrace => {
                    let closed = open.pop();
                    parens = 0;
                    // A declarator may follow a structure or an initialiser.
                    start = match closed {
                        Some((Scope::Record | Scope::Initialiser | Scope::Enumerators, from)) => from,
                        _ => i + 1,
                    };
                }
                _ => {}
            }
            i += 1;
        }
        let scope = open.last().map_or(Scope::Global, |o| o.0);
        let declares = matches!(scope, Scope::Global | Scope::Record);
        let in_parameters = declares && self.open_paren().is_some_and(|(at, _)| at > start && self.is_function_head(start, at));
        (if in_parameters { Scope::Parameters } else { scope }, start.min(self.tokens.len()))
    }

    /// Whether the parenthesis at `paren` is that of the parameters of a function whose declaration begins at `start`.
    fn is_function_head(&self, start: usize, paren: usize) -> bool {
        let before = &self.tokens[start..paren];
        let name = before.last().is_some_and(|t| t.kind == Kind::Ident);
        let typed =
            before.iter().rev().nth(1).is_some_and(|t| matches!(t.kind, Kind::Ident | Kind::Gt | Kind::ColonColon | Kind::RBracket));
        let annotated = before.iter().any(|t| matches!(t.kind, Kind::Colon | Kind::Assign));
        name && typed && !annotated
    }

    /// The scope that the brace at `at` opens, in a declaration that begins at `start`.
    fn opened(&self, outer: Scope, start: usize, at: usize) -> Scope {
        let head = &self.tokens[start..at];
        if head.last().is_some_and(|t| t.kind == Kind::Assign) || outer == Scope::Initialiser {
            return Scope::Initialiser;
        }
        if outer == Scope::Function {
            return Scope::Function;
        }
        let (mut brackets, mut call) = (0_u32, false);
        for t in head {
            match t.kind {
                Kind::LBracket => brackets += 1,
                Kind::RBracket => brackets = brackets.saturating_sub(1),
                Kind::LParen if brackets == 0 => call = true,
                _ if brackets > 0 => {}
                _ => match self.text_of(t) {
                    "struct" | "class" | "interface" if !call => return Scope::Record,
                    "cbuffer" | "tbuffer" => return Scope::Block,
                    "namespace" => return Scope::Global,
                    "enum" if !call => return Scope::Enumerators,
                    _ => {}
                },
            }
        }
        if call { Scope::Function } else { Scope::Initialiser }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope_at(text: &str) -> (Scope, String) {
        let at = text.find('|').expect("a cursor");
        let text = text.replacen('|', "", 1);
        let lexed = Lexed::of(&text);
        let n = lexed.raw.tokens.partition_point(|t| (t.lo as usize) < at && t.kind != Kind::Eof);
        let cursor = lexed.around(n);
        let (scope, start) = cursor.scope();
        let first = cursor.tokens.get(start).map_or("", |t| &text[t.lo as usize..t.hi as usize]);
        (scope, first.to_owned())
    }

    #[test]
    fn scopes() {
        for (text, scope, first) in [
            ("|", Scope::Global, ""),
            ("float x; Texture2D t : |", Scope::Global, "Texture2D"),
            ("#define A {\nnamespace a { float x : |", Scope::Global, "float"),
            ("struct [raypayload] P { float a; float b : |", Scope::Record, "float"),
            ("cbuffer C : register(b0) { float a : |", Scope::Block, "float"),
            ("[shader(\"miss\")] void M(inout P p) { if (x) { y; |", Scope::Function, ""),
            ("void f() { for (int i = 0; |", Scope::Function, "for"),
            ("void f(float4 p : |", Scope::Parameters, "void"),
            ("struct S { void m(float x, |", Scope::Parameters, "void"),
            ("enum E { A, |", Scope::Enumerators, "A"),
            ("TriangleHitGroup G = { \"A\", |", Scope::Initialiser, "\"A\""),
            ("Texture2D t : register(|", Scope::Global, "Texture2D"),
            ("void f() {} } } struct S { float x; }; |", Scope::Global, ""),
        ] {
            assert_eq!(scope_at(text), (scope, first.to_owned()), "{text}");
        }
    }

    #[test]
    fn tokens_at_offsets() {
        let lexed = Lexed::of("ab (c)");
        let at = |n| lexed.token_at(n).map(|i| lexed.raw.tokens[i].kind);
        assert_eq!(
            (at(0), at(2), at(3), at(4), at(6), at(99)),
            (Some(Kind::Ident), Some(Kind::Ident), Some(Kind::LParen), Some(Kind::Ident), Some(Kind::RParen), None,)
        );
    }
}
