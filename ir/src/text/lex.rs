//! The lexer of the text form. The whole text is cut at once into positions; nothing is copied.

use super::ParseError;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tok {
    /// Letters, digits and underscores, starting with none of the digits.
    Word,
    /// A number: decimal, hexadecimal or floating, perhaps negative. After a dot: decimal digits.
    Num,
    /// A string with its quotes.
    Str,
    /// `->`
    Arrow,
    /// One character of `{}()[]:,=.#`.
    Punct(u8),
    /// The end of the text.
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub tok: Tok,
    pub start: u32,
    pub end: u32,
}

/// Cuts `text` into tokens; the last is [`Tok::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let b = text.as_bytes();
    if b.len() >= u32::MAX as usize / 2 {
        return Err(ParseError::at(text, 0, "text is larger than 2 GiB"));
    }
    let mut out: Vec<Token> = Vec::with_capacity(b.len() / 4 + 1);
    let mut i = 0;
    let run = |mut i: usize, ok: fn(u8) -> bool| {
        while i < b.len() && ok(b[i]) {
            i += 1;
        }
        i
    };
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    while i < b.len() {
        let start = i;
        let after_dot = matches!(out.last(), Some(t) if t.tok == Tok::Punct(b'.'));
        let tok = match b[i] {
            b' ' | b'\t' | b'\r' | b'\n' => {
                i += 1;
                continue;
            }
            b';' => {
                i = run(i, |c| c != b'\n');
                continue;
            }
            b'"' => {
                i += 1;
                while i < b.len() && b[i] != b'"' && b[i] != b'\n' {
                    i += 1 + (b[i] == b'\\') as usize;
                }
                if i >= b.len() || b[i] != b'"' {
                    return Err(ParseError::at(text, start, "unterminated string"));
                }
                i += 1;
                Tok::Str
            }
            b'0'..=b'9' if after_dot => {
                i = run(i, |c| c.is_ascii_digit());
                Tok::Num
            }
            b'0' if b.get(i + 1) == Some(&b'x') => {
                i = run(i + 2, |c| c.is_ascii_hexdigit());
                Tok::Num
            }
            c if c.is_ascii_digit() || (c == b'-' && b.get(i + 1).is_some_and(|d| d.is_ascii_digit())) => {
                let digit = |c: u8| c.is_ascii_digit();
                i = run(i + 1, digit);
                if b.get(i) == Some(&b'.') && b.get(i + 1).is_some_and(|d| d.is_ascii_digit()) {
                    i = run(i + 1, digit);
                }
                if b.get(i) == Some(&b'e') {
                    let sign = matches!(b.get(i + 1), Some(b'+' | b'-')) as usize;
                    if b.get(i + 1 + sign).is_some_and(|d| d.is_ascii_digit()) {
                        i = run(i + 1 + sign, digit);
                    }
                }
                Tok::Num
            }
            b'-' if b.get(i + 1) == Some(&b'>') => {
                i += 2;
                Tok::Arrow
            }
            c if word(c) => {
                i = run(i, word);
                Tok::Word
            }
            c @ (b'{' | b'}' | b'(' | b')' | b'[' | b']' | b':' | b',' | b'=' | b'.' | b'#') => {
                i += 1;
                Tok::Punct(c)
            }
            _ => {
                let c = text[start..].chars().next().unwrap_or('?');
                let what = format!("unexpected character {c:?}");
                return Err(ParseError::at(text, start, what));
            }
        };
        out.push(Token { tok, start: start as u32, end: i as u32 });
    }
    out.push(Token { tok: Tok::End, start: b.len() as u32, end: b.len() as u32 });
    Ok(out)
}

/// The text of a string token, escapes resolved. `None` if an escape is wrong.
pub(super) fn unquote(quoted: &str) -> Option<String> {
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next()? {
            '"' => out.push('"'),
            '\\' => out.push('\\'),
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'u' => {
                let (hex, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
                rest = after.chars();
            }
            _ => return None,
        }
    }
    Some(out)
}

/// `text` as a string token.
pub(super) fn quote(text: &str, out: &mut String) {
    use std::fmt::Write;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
