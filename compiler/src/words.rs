//! The words of a source by kind, for pages that colour it: the lexer splits the text, and the classifier of the parser tells types, keywords and
//! names apart. The text is not preprocessed, so every line has its words, also those that a condition leaves out.
//!
//! ```
//! use rtc::words::{WordKind, words};
//!
//! let text = "RayQuery<0> q; // one\n";
//! let found: Vec<(&str, WordKind)> = words(text).into_iter().map(|(range, kind)| (&text[range], kind)).collect();
//! let expected = [("RayQuery", WordKind::Type), ("0", WordKind::Number), ("// one", WordKind::Comment)];
//! assert_eq!(found, expected);
//! ```

use std::ops::Range;

use rtc_base::{Interner, Pos, Span};
use rtc_frontend::classify::{Tok, classify};
use rtc_frontend::lex::{Flags, Kind, Token, lex_file};
use rtc_frontend::report::Report;

/// What a word of a source is. Names of variables, and punctuation, are none of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum WordKind {
    /// `// …` or `/* … */`
    Comment,
    /// `#` and the word after it.
    Directive,
    /// A word of the language.
    Keyword,
    /// The name of a type, or a name before `::`.
    Type,
    /// A name before `(`.
    Function,
    /// A number.
    Number,
    /// A string or a character.
    Text,
}

/// The words of a source, in order.
pub fn words(text: &str) -> Vec<(Range<usize>, WordKind)> {
    let mut names = Interner::new();
    let raw = lex_file(text, &mut names);
    let mut out = Vec::new();
    // The tokens outside of directives, for the classifier, with their positions in the text.
    let mut program: Vec<Token> = Vec::new();
    let (mut end, mut in_directive, mut after_hash) = (0, false, false);
    for t in &raw.tokens {
        let range = t.lo as usize..t.hi as usize;
        comments(text, end..range.start, &mut out);
        end = range.end;
        if t.flags.contains(Flags::BOL) {
            in_directive = t.kind == Kind::Hash;
        }
        match t.kind {
            Kind::Number => out.push((range, WordKind::Number)),
            Kind::Str | Kind::OpenStr | Kind::SmartStr | Kind::Char | Kind::OpenChar => out.push((range, WordKind::Text)),
            Kind::OpenComment => out.push((range, WordKind::Comment)),
            Kind::Hash if in_directive => out.push((range, WordKind::Directive)),
            Kind::Ident if in_directive && after_hash => out.push((range, WordKind::Directive)),
            _ => {}
        }
        after_hash = in_directive && t.kind == Kind::Hash;
        if !in_directive || t.kind == Kind::Eof {
            program.push(Token { kind: t.kind, flags: t.flags, sym: t.sym, span: Span::new(Pos(t.lo), Pos(t.hi)) });
        }
    }
    comments(text, end..text.len(), &mut out);
    for c in classify(&program, &mut names, &mut Report::new()) {
        let Some(t) = program.get(c.at as usize).filter(|t| t.kind == Kind::Ident) else { continue };
        let called = program.get(c.at as usize + 1).is_some_and(|t| t.kind == Kind::LParen);
        let kind = match c.tok {
            Tok::Ident if called => WordKind::Function,
            Tok::Type | Tok::Scope => WordKind::Type,
            tok if is_keyword(tok) => WordKind::Keyword,
            _ => continue,
        };
        out.push((t.span.lo.0 as usize..t.span.hi.0 as usize, kind));
    }
    // A terminal that the classifier inserted has the token of a neighbour: the first kind counts.
    out.sort_by_key(|(range, _)| range.start);
    out.dedup_by_key(|(range, _)| range.start);
    out
}

fn is_keyword(tok: Tok) -> bool {
    use Tok::*;
    matches!(
        tok,
        Bool | Spec
            | Const
            | Auto
            | Record
            | Enum
            | Typedef
            | Using
            | Namespace
            | Template
            | Typename
            | Operator
            | CBuffer
            | Register
            | PackOffset
            | Access
            | StaticAssert
            | If
            | Else
            | For
            | While
            | Do
            | Switch
            | Case
            | Default
            | Break
            | Continue
            | Discard
            | Return
            | This
            | Sizeof
            | Decltype
    )
}

/// The comments between two tokens.
fn comments(text: &str, range: Range<usize>, out: &mut Vec<(Range<usize>, WordKind)>) {
    let mut at = range.start;
    while let Some(start) = text[at..range.end].find('/').map(|n| at + n) {
        let rest = &text[start..range.end];
        let length = match rest.strip_prefix("/*") {
            Some(inside) => inside.find("*/").map(|n| n + 4),
            None => rest.find(['\n', '\r']),
        };
        let length = length.unwrap_or(rest.len());
        out.push((start..start + length, WordKind::Comment));
        at = start + length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(&str, WordKind)> {
        words(text).into_iter().map(|(range, kind)| (&text[range], kind)).collect()
    }

    #[test]
    fn words_are_what_the_parser_takes_them_for() {
        use WordKind::*;
        let text = "#define N 3 // three\ntemplate<typename T> struct Box { T value; };\nstatic const float4 k = f(Box<float>::z, 'c');";
        let expected = [
            ("#", Directive),
            ("define", Directive),
            ("3", Number),
            ("// three", Comment),
            ("template", Keyword),
            ("typename", Keyword),
            ("T", Type),
            ("struct", Keyword),
            ("Box", Type),
            ("T", Type),
            ("static", Keyword),
            ("const", Keyword),
            ("float4", Type),
            ("f", Function),
            ("Box", Type),
            ("float", Type),
            ("'c'", Text),
        ];
        let found = of(text);
        for word in expected {
            assert!(found.contains(&word), "{word:?} in {found:?}");
        }
        assert!(found.iter().all(|(word, _)| !["N", "value", "k", "z"].contains(word)), "{found:?}");
    }

    #[test]
    fn no_text_breaks_it() {
        for text in [
            "",
            "/*",
            "\"",
            "'",
            "#",
            "# /* a\n b */ if",
            "}}}{{",
            "a \\\n b // c \\\n d\n e",
            "\u{feff}float x;",
            "é /* ü */ “x",
            "operator",
            "template<",
        ] {
            let mut last = 0;
            for (range, kind) in words(text) {
                assert!(
                    range.start >= last && range.start < range.end && text.get(range.clone()).is_some(),
                    "{text:?}: {range:?} {kind:?}"
                );
                last = range.end;
            }
        }
        // Comments over lines that the lexer joins end with the last of them.
        assert!(of("a // b \\\n c\nd").iter().any(|w| w.1 == WordKind::Comment));
    }
}
