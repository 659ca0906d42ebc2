//! Text that is concatenated from tokens, with a map back to source locations.
//!
//! A root signature is a small language inside of a string, and the string often consists of several literals and macros. An
//! error in it has an offset in the text; [`Text::location`] maps that to a span.

use rtc_base::{Interner, SourceMap, Span};

use crate::lex::{Flags, Kind, Token, parse_string};

/// A text with the tokens that it consists of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// The text.
    pub text: String,
    /// For each token: the offset of its part of the text, and the token.
    pub pieces: Vec<(u32, Span)>,
}

impl Text {
    /// The text of string literals, joined.
    pub fn of_literals(tokens: &[Token], interner: &Interner) -> Text {
        let mut out = Text::default();
        for t in tokens {
            out.pieces.push((out.text.len() as u32, t.span));
            // The parser reports invalid escape sequences.
            parse_string(interner.str(t.sym), &mut out.text);
        }
        out
    }

    /// The text of any tokens: as they are written, literals without their quotation marks. White space before a token stays,
    /// except after a literal.
    pub fn of_tokens(tokens: &[Token], interner: &Interner) -> Text {
        let mut out = Text::default();
        let mut joins = true;
        for t in tokens {
            if t.flags.contains(Flags::SPACE) && !joins {
                out.text.push(' ');
            }
            out.pieces.push((out.text.len() as u32, t.span));
            joins = t.kind == Kind::Str;
            match t.kind {
                Kind::Str => _ = parse_string(interner.str(t.sym), &mut out.text),
                k if k.has_spelling() => out.text.push_str(interner.str(t.sym)),
                k => out.text.push_str(k.text()),
            }
        }
        out
    }

    /// The span of `len` bytes from `offset`, and the use of the macro that they come from, if any. A range that is not within one
    /// token, or not spelled there as in the text, has the span of the whole token.
    pub fn location(&self, sources: &SourceMap, offset: usize, len: usize) -> (Span, Option<Span>) {
        let after = self.pieces.partition_point(|p| p.0 as usize <= offset);
        let Some(&(at, token)) = self.pieces.get(after.saturating_sub(1)) else {
            return (Span::NONE, None);
        };
        let end = self.pieces.get(after).map_or(self.text.len(), |p| p.0 as usize);
        let piece = self.text[at as usize..end].trim_end_matches(' ');
        let spelled = sources.spelling(token);
        let through = token.lo.is_expanded().then_some(token);
        let snippet = sources.snippet(token);
        let quotes = usize::from(snippet.starts_with('"'));
        let inner = &snippet[quotes.min(snippet.len())..snippet.len().saturating_sub(quotes).max(quotes.min(snippet.len()))];
        if inner.trim_end_matches(' ') != piece || spelled.lo.is_expanded() || spelled.is_none() {
            return (spelled, through);
        }
        let from = (offset - at as usize).min(inner.len());
        let to = (from + len).min(inner.len());
        let place = |n: usize| spelled.lo.offset((quotes + n) as u32);
        (Span::new(place(from), place(to)), through)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::lex_file;

    #[test]
    fn places_in_literals() {
        let mut sources = SourceMap::new();
        let mut interner = Interner::new();
        let source = "\"CBV(b0),\"  \"\\x20SRV(t0)\" \"UAV(u0)\"";
        let file = sources.add_file("a.hlsl", source, None).unwrap();
        let start = sources.file(file).start;
        let raw = lex_file(source, &mut interner);
        let tokens: Vec<Token> = raw
            .tokens
            .iter()
            .filter(|t| t.kind == Kind::Str)
            .map(|t| Token { kind: t.kind, flags: t.flags, sym: t.sym, span: Span::new(start.offset(t.lo), start.offset(t.hi)) })
            .collect();
        assert_eq!(tokens.len(), 3);
        let text = Text::of_literals(&tokens, &interner);
        let shown = |needle: &str| {
            let offset = text.text.find(needle).unwrap();
            sources.snippet(text.location(&sources, offset, needle.len()).0).to_owned()
        };
        assert_eq!((shown("b0").as_str(), shown("UAV").as_str(), shown("u0").as_str()), ("b0", "UAV", "u0"));
        // Escapes: the whole literal.
        assert_eq!(shown("SRV"), "\"\\x20SRV(t0)\"");
        let end = text.location(&sources, text.text.len(), 0).0;
        assert_eq!((end.lo, end.hi), (start.offset(source.len() as u32 - 1), start.offset(source.len() as u32 - 1)));
        assert_eq!(Text::default().location(&sources, 0, 3), (Span::NONE, None));
    }
}
