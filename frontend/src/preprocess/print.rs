//! Output of `-P`: preprocessed tokens as text that has the same meaning when it is compiled again.
//!
//! Line numbers follow the source with empty lines where that is shorter, otherwise with `#line`.

use rtc_base::{FileId, Interner, SourceMap};

use super::{Pragmas, Preprocessed};
use crate::lex::{Flags, Kind, Token, escape_string};

/// Up to this many empty lines are shorter than a `#line`.
const EMPTY_LINES: u32 = 8;

/// The text of `pre`.
pub fn print(pre: &Preprocessed, sources: &SourceMap, interner: &Interner) -> String {
    let mut printer = Printer::default();
    printer.add(&pre.tokens, &pre.pragmas, sources, interner);
    printer.finish()
}

/// The text of the tokens so far.
#[derive(Clone, Default)]
pub(crate) struct Printer {
    out: String,
    /// How many tokens and pragmas are written.
    tokens: usize,
    pragmas: usize,
    file: Option<FileId>,
    line: u32,
    name: String,
    /// Whether the current line has a token.
    open: bool,
    last: Option<Token>,
}

impl Printer {
    /// Writes the tokens of `all` that are not written yet.
    pub fn add(&mut self, all: &[Token], pragmas: &Pragmas, sources: &SourceMap, interner: &Interner) {
        let Printer { out, tokens, pragmas: written, file, line, name, open, last } = self;
        for (i, &t) in all.iter().enumerate().skip(*tokens) {
            while let Some((_, text)) = pragmas.lines.get(*written).filter(|(at, _)| *at as usize <= i) {
                *written += 1;
                if *open {
                    out.push('\n');
                    *line += 1;
                }
                out.push_str(text);
                out.push('\n');
                *line += 1;
                *open = false;
            }
            if t.kind == Kind::Eof {
                break;
            }
            let begins = t.flags.contains(Flags::BOL) || !*open;
            let here = sources.range(t.span).map(|r| r.0);
            if begins || here != *file {
                if *open {
                    out.push('\n');
                    *line += 1;
                }
                if let Some(loc) = sources.loc(t.span) {
                    if here == *file && loc.file == *name && loc.line >= *line && loc.line - *line <= EMPTY_LINES {
                        out.extend(std::iter::repeat_n('\n', (loc.line - *line) as usize));
                    } else if here != *file || loc.file != *name || loc.line != *line {
                        out.push_str(&format!("#line {} {}\n", loc.line, escape_string(&loc.file)));
                    }
                    (*file, *line, *name) = (here, loc.line, loc.file);
                    out.extend(std::iter::repeat_n(' ', (loc.column as usize - 1).min(80)));
                }
            } else if t.flags.contains(Flags::SPACE) || last.is_some_and(|l| would_join(l, t)) {
                out.push(' ');
            }
            out.push_str(if t.kind.has_spelling() { interner.str(t.sym) } else { t.kind.text() });
            *open = true;
            *last = Some(t);
        }
        *tokens = all.len();
    }

    /// The text.
    pub fn finish(mut self) -> String {
        if self.open {
            self.out.push('\n');
        }
        self.out
    }
}

/// Whether two tokens written side by side could be read as something else.
fn would_join(a: Token, b: Token) -> bool {
    let word = |k: Kind| matches!(k, Kind::Ident | Kind::Number | Kind::Str | Kind::Char);
    let bracket = |k: Kind| {
        use Kind::*;
        matches!(k, LParen | RParen | LBrace | RBrace | LBracket | RBracket | Comma | Semi)
    };
    if bracket(a.kind) || bracket(b.kind) {
        return false;
    }
    match (word(a.kind), word(b.kind)) {
        (true, true) | (false, false) => true,
        // `1.` and `.5` touch dots; everything else next to an identifier is safe.
        _ => matches!(a.kind, Kind::Number) || matches!(b.kind, Kind::Number) && a.kind == Kind::Dot,
    }
}
