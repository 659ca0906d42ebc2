//! Terminal symbols of the grammar.

use crate::lex::Kind;

/// The terminal symbol of a token. The token itself tells operators, specifiers and literals of one terminal apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Tok {
    // Names
    Ident,
    Type,
    /// A name before `::`, also with template arguments between them.
    Scope,
    // Literals
    Num,
    Str,
    Char,
    Bool,
    // Template brackets
    TOpen,
    TClose,
    // Words
    Spec,
    Const,
    Auto,
    Record,
    Enum,
    Typedef,
    Using,
    Namespace,
    Template,
    Typename,
    Operator,
    CBuffer,
    Register,
    PackOffset,
    Access,
    StaticAssert,
    If,
    Else,
    For,
    While,
    Do,
    Switch,
    Case,
    Default,
    Break,
    Continue,
    Discard,
    Return,
    This,
    Sizeof,
    /// `__decltype`
    Decltype,
    // Punctuation
    LParen,
    /// `(` before the parameters of a type of functions: `S<float(int)>`, `typedef float F(int);`.
    TypeParen,
    RParen,
    LBrace,
    RBrace,
    LSquare,
    /// `[` of an attribute after a type: `T [[attribute]] name`.
    TypeSquare,
    RSquare,
    Comma,
    Semi,
    Colon,
    /// The colon before bases and underlying types.
    BaseColon,
    /// The colon before the width of a bit-field.
    WidthColon,
    ColonColon,
    Dot,
    Arrow,
    Question,
    Plus,
    Minus,
    Star,
    /// `/` and `%`
    DivOp,
    Amp,
    Pipe,
    Caret,
    Tilde,
    Not,
    Assign,
    /// `+=` and its like
    OpAssign,
    /// `<`, `>`, `<=`, `>=`
    RelOp,
    /// `==`, `!=`
    EqOp,
    /// `<<`, `>>`
    ShiftOp,
    AndAnd,
    OrOr,
    /// `++`, `--`
    IncDec,
    // Recovery
    /// Stands for a statement or declaration that was reported.
    Error,
    /// Stands for an expression that was reported.
    BadExpr,
    /// In no production: `#`, `...`.
    Junk,
}

impl Tok {
    /// The terminal of a token that is not an identifier.
    #[rustfmt::skip]
    pub fn of(kind: Kind) -> Tok {
        match kind {
            Kind::Ident => Tok::Ident,
            Kind::Number => Tok::Num,
            Kind::Str | Kind::OpenStr | Kind::SmartStr => Tok::Str,
            Kind::Char | Kind::OpenChar => Tok::Char,
            Kind::LParen => Tok::LParen, Kind::RParen => Tok::RParen, Kind::LBrace => Tok::LBrace, Kind::RBrace => Tok::RBrace,
            Kind::LBracket => Tok::LSquare, Kind::RBracket => Tok::RSquare, Kind::Comma => Tok::Comma, Kind::Semi => Tok::Semi,
            Kind::Colon => Tok::Colon, Kind::ColonColon => Tok::ColonColon, Kind::Dot => Tok::Dot, Kind::Arrow => Tok::Arrow,
            Kind::Question => Tok::Question, Kind::Plus => Tok::Plus, Kind::Minus => Tok::Minus, Kind::Star => Tok::Star,
            Kind::Slash | Kind::Percent => Tok::DivOp, Kind::Amp => Tok::Amp, Kind::Pipe => Tok::Pipe, Kind::Caret => Tok::Caret,
            Kind::Tilde => Tok::Tilde, Kind::Not => Tok::Not, Kind::Assign => Tok::Assign,
            Kind::Lt | Kind::Gt | Kind::Le | Kind::Ge => Tok::RelOp,
            Kind::Shl | Kind::Shr => Tok::ShiftOp, Kind::EqEq | Kind::NotEq => Tok::EqOp,
            Kind::AndAnd => Tok::AndAnd, Kind::OrOr => Tok::OrOr, Kind::Inc | Kind::Dec => Tok::IncDec,
            Kind::PlusEq | Kind::MinusEq | Kind::StarEq | Kind::SlashEq | Kind::PercentEq | Kind::AmpEq | Kind::PipeEq
            | Kind::CaretEq | Kind::ShlEq | Kind::ShrEq => Tok::OpAssign,
            Kind::Ellipsis | Kind::Hash | Kind::HashHash | Kind::Eof | Kind::Newline | Kind::Blank | Kind::LineComment
            | Kind::BlockComment | Kind::OpenComment | Kind::Unknown => Tok::Junk,
        }
    }
}

/// What a pair of braces encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[repr(u8)]
pub enum Brace {
    /// No brace.
    #[default]
    None,
    /// Statements.
    Block,
    /// Declarations of a namespace.
    Namespace,
    /// Members of a record.
    Record,
    /// Members of a constant buffer.
    Buffer,
    /// Enumerators.
    Enum,
    /// An initialiser list.
    Init,
}

impl Brace {
    /// Whether it encloses statements or declarations.
    pub fn is_list(self) -> bool {
        matches!(self, Brace::Block | Brace::Namespace | Brace::Record | Brace::Buffer)
    }
    /// Whether its end ends a statement or declaration.
    pub fn ends_item(self) -> bool {
        matches!(self, Brace::Block | Brace::Namespace | Brace::Buffer)
    }
}

/// A classified token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CTok {
    /// Its terminal symbol.
    pub tok: Tok,
    /// For a brace, what it encloses.
    pub brace: Brace,
    /// Index of its token; of a neighbour if the terminal was inserted.
    pub at: u32,
}
