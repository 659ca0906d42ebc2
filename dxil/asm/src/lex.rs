//! Tokens of LLVM assembly. Comments and white space separate them and mean nothing.

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A keyword, a type or a number of a type: `define`, `i32`, `x`.
    Word(String),
    /// A name with a colon: a block, or a field of a node.
    Label(String),
    /// `%name` or `%1`.
    Local(String),
    /// `@name` or `@1`.
    Global(String),
    /// `!name` or `!1`.
    Meta(String),
    /// `!` before a brace or a string.
    Bang,
    /// `#1`.
    Group(String),
    /// `"text"`.
    Text(Vec<u8>),
    /// `c"text"`.
    Bytes(Vec<u8>),
    /// A decimal number.
    Int(String),
    /// A number with a point, or bits in hexadecimal.
    Float(String),
    /// One character, or `...`.
    Punct(&'static str),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(w) | Token::Int(w) | Token::Float(w) => f.write_str(w),
            Token::Label(w) => write!(f, "{w}:"),
            Token::Local(w) => write!(f, "%{w}"),
            Token::Global(w) => write!(f, "@{w}"),
            Token::Meta(w) => write!(f, "!{w}"),
            Token::Bang => f.write_str("!"),
            Token::Group(w) => write!(f, "#{w}"),
            Token::Text(t) | Token::Bytes(t) => write!(f, "\"{}\"", t.escape_ascii()),
            Token::Punct(p) => f.write_str(p),
        }
    }
}

/// A token and the line that it is in, from 1.
pub type Placed = (Token, u32);

const PUNCTUATION: [&str; 13] = ["(", ")", "[", "]", "{", "}", "<", ">", ",", "=", "*", ":", "|"];

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'$' | b'.' | b'_')
}

/// Why a character begins no token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LexError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

/// The tokens of a text.
///
/// # Errors
/// A character that no token begins with, a string that does not end.
pub fn tokens(text: &str) -> Result<Vec<Placed>, LexError> {
    let mut lexer = Lexer { bytes: text.as_bytes(), at: 0, line: 1 };
    let mut out = Vec::new();
    while let Some(token) = lexer.next()? {
        out.push(token);
    }
    Ok(out)
}

impl Lexer<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, LexError> {
        Err(LexError { line: self.line, message: message.into() })
    }

    fn blanks(&mut self) {
        while let Some(&b) = self.bytes.get(self.at) {
            match b {
                b'\n' => self.line += 1,
                b';' => {
                    while self.at < self.bytes.len() && self.peek() != b'\n' {
                        self.at += 1;
                    }
                    continue;
                }
                _ if b.is_ascii_whitespace() => {}
                _ => break,
            }
            self.at += 1;
        }
    }

    fn while_name(&mut self) -> String {
        let from = self.at;
        while is_name(self.peek()) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[from..self.at]).into_owned()
    }

    /// The inside of a string, whose first quotation mark is next.
    fn string(&mut self) -> Result<Vec<u8>, LexError> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            match self.bytes.get(self.at..) {
                None | Some([]) => return self.wrong("a string does not end"),
                Some([b'"', ..]) => break,
                Some([b'\\', a, b, ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
                    out.push(digit(*a) << 4 | digit(*b));
                    self.at += 3;
                }
                Some([b'\\', b'\\', ..]) => {
                    out.push(b'\\');
                    self.at += 2;
                }
                Some([b, ..]) => {
                    self.line += u32::from(*b == b'\n');
                    out.push(*b);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        Ok(out)
    }

    /// A name after a sigil, quoted or not.
    fn name(&mut self) -> Result<String, LexError> {
        self.at += 1;
        match self.peek() {
            b'"' => Ok(String::from_utf8_lossy(&self.string()?).into_owned()),
            b if is_name(b) => Ok(self.while_name()),
            _ => self.wrong("a name is missing"),
        }
    }

    fn next(&mut self) -> Result<Option<Placed>, LexError> {
        self.blanks();
        let line = self.line;
        let Some(&b) = self.bytes.get(self.at) else { return Ok(None) };
        let token = match b {
            b'%' => Token::Local(self.name()?),
            b'@' => Token::Global(self.name()?),
            b'#' => Token::Group(self.name()?),
            b'!' if is_name(self.bytes.get(self.at + 1).copied().unwrap_or(0)) || self.bytes.get(self.at + 1) == Some(&b'\\') => {
                self.at += 1;
                Token::Meta(self.meta_name())
            }
            b'!' => {
                self.at += 1;
                Token::Bang
            }
            b'"' => {
                let text = self.string()?;
                match self.peek() {
                    b':' => {
                        self.at += 1;
                        Token::Label(String::from_utf8_lossy(&text).into_owned())
                    }
                    _ => Token::Text(text),
                }
            }
            b'c' if self.bytes.get(self.at + 1) == Some(&b'"') => {
                self.at += 1;
                Token::Bytes(self.string()?)
            }
            b'.' if self.bytes[self.at..].starts_with(b"...") => {
                self.at += 3;
                Token::Punct("...")
            }
            b'-' | b'+' | b'0'..=b'9' => self.number(),
            _ if is_name(b) => {
                let word = self.while_name();
                match self.peek() {
                    b':' => {
                        self.at += 1;
                        Token::Label(word)
                    }
                    _ => Token::Word(word),
                }
            }
            _ => match PUNCTUATION.iter().find(|p| p.as_bytes()[0] == b) {
                Some(p) => {
                    self.at += 1;
                    Token::Punct(p)
                }
                None => return self.wrong(format!("no token begins with `{}`", b.escape_ascii())),
            },
        };
        Ok(Some((token, line)))
    }

    fn meta_name(&mut self) -> String {
        let mut out = Vec::new();
        loop {
            match self.bytes.get(self.at..) {
                Some([b'\\', a, b, ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
                    out.push(digit(*a) << 4 | digit(*b));
                    self.at += 3;
                }
                Some([b, ..]) if is_name(*b) => {
                    out.push(*b);
                    self.at += 1;
                }
                _ => return String::from_utf8_lossy(&out).into_owned(),
            }
        }
    }

    fn number(&mut self) -> Token {
        let from = self.at;
        self.at += 1;
        while is_name(self.peek()) || (self.peek() == b'+' && self.bytes[self.at - 1].eq_ignore_ascii_case(&b'e')) {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.bytes[from..self.at]).into_owned();
        // A block may be called as a number is written.
        if self.peek() == b':' {
            self.at += 1;
            return Token::Label(text);
        }
        let digits = text.trim_start_matches(['-', '+']);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) { Token::Int(text) } else { Token::Float(text) }
    }
}
