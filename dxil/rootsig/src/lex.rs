//! Lexer of root signature text. It allocates nothing; a token is a slice and its offset.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Tok<'a> {
    /// A keyword or a name.
    Word(&'a str),
    /// `b3`, `t0`, `u1`, `s2`. Letters after the digits, as in `b0x10`, are no part of the number.
    Register(char, u32),
    /// An integer; the range is checked where it is used.
    Int(i64),
    /// A number with point, exponent or `f`.
    Float(f32),
    /// One of `, = | ( )`.
    Mark(char),
    /// Neither of these.
    Bad(&'static str),
    /// The text is over.
    End,
}

/// A token and its place in the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Token<'a> {
    pub tok: Tok<'a>,
    pub start: usize,
    pub end: usize,
}

/// Reads the token at or after `at`; the next one begins at its `end`.
pub(super) fn token(text: &str, at: usize) -> Token<'_> {
    let bytes = text.as_bytes();
    let mut start = at;
    while bytes.get(start).is_some_and(u8::is_ascii_whitespace) {
        start += 1;
    }
    let rest = &text[start..];
    let (tok, len) = match rest.chars().next() {
        None => (Tok::End, 0),
        Some(c @ (',' | '=' | '|' | '(' | ')')) => (Tok::Mark(c), 1),
        Some(c) if c.is_ascii_digit() || matches!(c, '+' | '-' | '.') => number(rest),
        Some(c) if c.is_ascii_alphabetic() || c == '_' => word(rest),
        Some(c) => (Tok::Bad("character has no meaning in a root signature"), c.len_utf8()),
    };
    Token { tok, start, end: start + len }
}

fn word(rest: &str) -> (Tok<'_>, usize) {
    let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let word = &rest[..len];
    let digits = word[1..].bytes().take_while(u8::is_ascii_digit).count();
    let digits = &word[1..=digits];
    if let Some(c @ ('b' | 't' | 'u' | 's')) = word.chars().next()
        && !digits.is_empty()
    {
        let tok = match digits.parse() {
            Ok(n) => Tok::Register(c, n),
            Err(_) => Tok::Bad("register number does not fit in 32 bits"),
        };
        return (tok, len);
    }
    (Tok::Word(word), len)
}

fn number(rest: &str) -> (Tok<'_>, usize) {
    let b = rest.as_bytes();
    let digits_from = |from: usize| b[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut len = usize::from(matches!(b[0], b'+' | b'-'));
    let whole = digits_from(len);
    len += whole;
    let mut float = false;
    let mut fraction = 0;
    if b.get(len) == Some(&b'.') {
        float = true;
        fraction = digits_from(len + 1);
        len += 1 + fraction;
    }
    if whole + fraction == 0 {
        return (Tok::Bad("number without digits"), len.max(1));
    }
    if matches!(b.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(b.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits_from((len + 1 + sign).min(b.len()));
        if exponent == 0 {
            return (Tok::Bad("exponent without digits"), len + 1 + sign);
        }
        float = true;
        len += 1 + sign + exponent;
    }
    let text = &rest[..len];
    if matches!(b.get(len), Some(b'f' | b'F')) {
        float = true;
        len += 1;
    }
    if b.get(len).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_') {
        return (Tok::Bad("number runs into a word"), len + 1);
    }
    let tok = if float {
        match text.parse::<f64>() {
            Ok(v) if v.abs() <= f64::from(f32::MAX) => Tok::Float(v as f32),
            _ => Tok::Bad("number is out of the range of float"),
        }
    } else {
        text.parse().map_or(Tok::Bad("number is out of the range of integers"), Tok::Int)
    };
    (tok, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Tok<'_>> {
        let mut out = Vec::new();
        let mut at = 0;
        loop {
            let t = token(text, at);
            if t.tok == Tok::End {
                return out;
            }
            assert!(t.end > at, "no progress at {at} of {text:?}");
            at = t.end;
            out.push(t.tok);
        }
    }

    #[test]
    fn words_registers_numbers() {
        assert_eq!(
            all(" CBV(b0,\n space = 3)"),
            [
                Tok::Word("CBV"),
                Tok::Mark('('),
                Tok::Register('b', 0),
                Tok::Mark(','),
                Tok::Word("space"),
                Tok::Mark('='),
                Tok::Int(3),
                Tok::Mark(')'),
            ]
        );
        assert_eq!(
            all("t t1x 1. .5f -2 +3e2"),
            [Tok::Word("t"), Tok::Register('t', 1), Tok::Float(1.0), Tok::Float(0.5), Tok::Int(-2), Tok::Float(300.0),]
        );
    }

    #[test]
    fn nonsense_is_a_token() {
        for text in ["é", "1e", "1e+", "-", ".", "b99999999999", "1e99", "12x", "\u{0}", "99999999999999999999"] {
            assert!(matches!(token(text, 0).tok, Tok::Bad(_)), "{text}");
            all(text);
        }
    }
}
