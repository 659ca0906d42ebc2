//! Kinds of preprocessing tokens, with the regular expressions from which logos generates the lexer's automaton.

use logos::{Lexer, Logos};
use rtc_tables::identifiers;

/// The kind of a preprocessing token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Kind {
    /// End of the file.
    Eof,
    /// End of a line; never in a token vector.
    #[regex(r"\r?\n|\r")]
    Newline,
    /// White space, also that of other scripts, byte order marks inside of a file, and the NUL and ^Z that end old files; never in a
    /// token vector.
    #[regex(r"[ \t\x0b\x0c\x00\x1a\u{85}\u{a0}\u{2000}-\u{200b}\u{202f}\u{205f}\u{3000}\u{feff}]+")]
    Blank,
    /// `// …`; never in a token vector.
    #[regex(r"//[^\n\r]*", allow_greedy = true)]
    LineComment,
    /// `/* … */`; never in a token vector.
    #[token("/*", block_comment)]
    BlockComment,
    /// `/*` without an end.
    OpenComment,
    /// An identifier or keyword.
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*", identifier)]
    Ident,
    /// A number: C's pp-number, a hexadecimal one, or `1.#INF`.
    #[regex(r"\.?[0-9][0-9._]*([eE][+-])?[0-9A-Za-z_.]*", priority = 10)]
    #[regex(r"0[xX][0-9A-Za-z_]*", priority = 20)]
    #[regex(r"0[xX][0-9A-Fa-f]*\.?[0-9A-Fa-f]*[pP][+-]?[0-9]+[A-Za-z]*", priority = 25)]
    #[regex(r"[0-9]+\.#(INF|IND|QNAN|SNAN)[fFhHlL]?", priority = 30)]
    Number,
    /// `"text"`.
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*""#)]
    Str,
    /// `"text` without the second quote.
    #[regex(r#""([^"\\\n\r]|\\[^\n\r])*\\?"#)]
    OpenStr,
    /// `“text”`: typographic quotes.
    #[regex("[\u{201c}\u{201d}\u{201e}][^\u{201c}\u{201d}\u{201e}\"\n\r]*[\u{201c}\u{201d}\"]?")]
    SmartStr,
    /// `'c'`.
    #[regex(r"'([^'\\\n\r]|\\[^\n\r])+'")]
    Char,
    /// A single quote that starts no character literal.
    #[regex(r"'([^'\\\n\r]|\\[^\n\r])*", priority = 1)]
    #[token("''")]
    OpenChar,
    /// A character that no token starts with.
    #[regex("[^\u{0}-\u{7f}]", other, priority = 1)]
    Unknown,
    /// `(`
    #[token("(")]
    LParen,
    /// `)`
    #[token(")")]
    RParen,
    /// `{`
    #[token("{")]
    LBrace,
    /// `}`
    #[token("}")]
    RBrace,
    /// `[`
    #[token("[")]
    LBracket,
    /// `]`
    #[token("]")]
    RBracket,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semi,
    /// `:`
    #[token(":")]
    Colon,
    /// `::`
    #[token("::")]
    ColonColon,
    /// `.`
    #[token(".")]
    Dot,
    /// `...`
    #[token("...")]
    Ellipsis,
    /// `->`
    #[token("->")]
    Arrow,
    /// `?`
    #[token("?")]
    Question,
    /// `#`
    #[token("#")]
    Hash,
    /// `##`
    #[token("##")]
    HashHash,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%`
    #[token("%")]
    Percent,
    /// `&`
    #[token("&")]
    Amp,
    /// `|`
    #[token("|")]
    Pipe,
    /// `^`
    #[token("^")]
    Caret,
    /// `~`
    #[token("~")]
    Tilde,
    /// `!`
    #[token("!")]
    Not,
    /// `=`
    #[token("=")]
    Assign,
    /// `<`
    #[token("<")]
    Lt,
    /// `>`
    #[token(">")]
    Gt,
    /// `<<`
    #[token("<<")]
    Shl,
    /// `>>`
    #[token(">>")]
    Shr,
    /// `<=`
    #[token("<=")]
    Le,
    /// `>=`
    #[token(">=")]
    Ge,
    /// `==`
    #[token("==")]
    EqEq,
    /// `!=`
    #[token("!=")]
    NotEq,
    /// `&&`
    #[token("&&")]
    AndAnd,
    /// `||`
    #[token("||")]
    OrOr,
    /// `++`
    #[token("++")]
    Inc,
    /// `--`
    #[token("--")]
    Dec,
    /// `+=`
    #[token("+=")]
    PlusEq,
    /// `-=`
    #[token("-=")]
    MinusEq,
    /// `*=`
    #[token("*=")]
    StarEq,
    /// `/=`
    #[token("/=")]
    SlashEq,
    /// `%=`
    #[token("%=")]
    PercentEq,
    /// `&=`
    #[token("&=")]
    AmpEq,
    /// `|=`
    #[token("|=")]
    PipeEq,
    /// `^=`
    #[token("^=")]
    CaretEq,
    /// `<<=`
    #[token("<<=")]
    ShlEq,
    /// `>>=`
    #[token(">>=")]
    ShrEq,
}

/// The rest of an identifier, where letters beyond ASCII are in it.
fn identifier(lexer: &mut Lexer<'_, Kind>) {
    if lexer.remainder().as_bytes().first().is_some_and(|b| !b.is_ascii()) {
        go_on(lexer);
    }
}

/// A character beyond ASCII: it may begin an identifier.
fn other(lexer: &mut Lexer<'_, Kind>) -> Kind {
    if !lexer.slice().chars().all(identifiers::may_begin) {
        return Kind::Unknown;
    }
    go_on(lexer);
    Kind::Ident
}

/// Consumes what may be in an identifier.
fn go_on(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || identifiers::may_continue(c);
    lexer.bump(rest.find(|c| !inside(c)).unwrap_or(rest.len()));
}

/// Consumes everything up to `*/`; without one, the rest of the file.
fn block_comment(lexer: &mut Lexer<'_, Kind>) -> Kind {
    match lexer.remainder().find("*/") {
        Some(n) => {
            lexer.bump(n + 2);
            Kind::BlockComment
        }
        None => {
            lexer.bump(lexer.remainder().len());
            Kind::OpenComment
        }
    }
}

impl Kind {
    /// Whether tokens of this kind carry their spelling as a symbol.
    pub fn has_spelling(self) -> bool {
        matches!(self, Kind::Ident | Kind::Number | Kind::Str | Kind::Char) || self.is_bad()
    }

    /// Whether it is an error token.
    pub fn is_bad(self) -> bool {
        matches!(self, Kind::OpenStr | Kind::SmartStr | Kind::OpenChar | Kind::Unknown | Kind::OpenComment)
    }

    /// Its spelling; empty if tokens of the kind differ in it.
    #[rustfmt::skip]
    pub fn text(self) -> &'static str {
        use Kind::*;
        match self {
            LParen => "(", RParen => ")", LBrace => "{", RBrace => "}", LBracket => "[", RBracket => "]",
            Comma => ",", Semi => ";", Colon => ":", ColonColon => "::", Dot => ".", Ellipsis => "...", Arrow => "->",
            Question => "?", Hash => "#", HashHash => "##", Plus => "+", Minus => "-", Star => "*", Slash => "/",
            Percent => "%", Amp => "&", Pipe => "|", Caret => "^", Tilde => "~", Not => "!", Assign => "=",
            Lt => "<", Gt => ">", Shl => "<<", Shr => ">>", Le => "<=", Ge => ">=", EqEq => "==", NotEq => "!=",
            AndAnd => "&&", OrOr => "||", Inc => "++", Dec => "--", PlusEq => "+=", MinusEq => "-=", StarEq => "*=",
            SlashEq => "/=", PercentEq => "%=", AmpEq => "&=", PipeEq => "|=", CaretEq => "^=", ShlEq => "<<=", ShrEq => ">>=",
            Eof | Newline | Blank | LineComment | BlockComment | OpenComment | Ident | Number | Str | OpenStr | SmartStr | Char
            | OpenChar | Unknown => "",
        }
    }
}
