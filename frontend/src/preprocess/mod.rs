//! The preprocessor: that of C99, with the extensions that HLSL code relies on.
//!
//! Files are lexed once ([`crate::lex`]); preprocessing walks their raw tokens with a stack of files and, above it, a
//! stack of *contexts*: token lists that macros and arguments prepend to the input. A macro is
//! disabled while a context of its own is on the stack, and its name is painted when it is read then: C's rule against
//! recursion. Arguments are expanded separately, below a barrier, before they are substituted.
//!
//! The output is one flat vector of tokens. A token of a macro's body has an expansion position of the source map; a token
//! of an argument keeps its source position, so that a diagnostic points at the argument and not at the use of the macro.
//!
//! Not here: trigraphs and digraphs. `__DATE__` and `__TIME__` are those of the epoch: the output depends on the input only.

mod condition;
mod directive;
mod expand;
pub(crate) mod headers;
mod include;
mod macros;
mod pragma;
pub(crate) mod preamble;
mod predefined;
pub(crate) mod print;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rtc_base::{Diagnostic, EntitySet, FileId, Interner, SourceMap, Span, Symbol};
use rtc_tables::diagnostics as codes;
use rustc_hash::FxHashMap;

use crate::lex::{Flags, Kind, RawFile, Token, TokenCache, lex_file};
use crate::report::Report;

pub use headers::is_inside as is_built_in;
pub use include::{Both, Callback, Disk, Files, Includes, NoIncludes, Virtual};
pub use macros::{Define, TargetMacros};
pub use pragma::{DiagnosticState, Packing, Pragmas, WarningAction};
pub use print::print;

use include::Cached;
use macros::Macro;
use pragma::PragmaState;

/// Options of the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreprocessOptions {
    /// Macros given by the user, in order (`-D`).
    pub defines: Vec<Define>,
    /// Directories to search for includes, in order (`-I`).
    pub include_dirs: Vec<String>,
    /// Whether to warn of undefined names in conditions. (Most code has many, so the warning is off by default.)
    pub report_undefined: bool,
    /// Whether `#line` is read but changes nothing.
    pub ignore_line: bool,
    /// The values of the predefined macros.
    pub target: TargetMacros,
    /// Macros to expand once the source is over.
    pub expand: Vec<String>,
}

/// An inclusion that happened.
#[derive(Clone, Debug)]
pub struct Included {
    /// The path it was found under.
    pub path: String,
    /// How deep: 1 for the files that the main file includes.
    pub depth: u32,
}

/// The result of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The value of an expression: its bits, and whether they are an unsigned number.
    Value(u64, bool),
    /// Whether there is such a macro.
    Defined(bool),
}

/// A condition that was evaluated. Those in groups that are skipped, and after a group that was taken, are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluated {
    /// The directive, from its `#` to the end of the condition.
    pub span: Span,
    /// Its result.
    pub outcome: Outcome,
}

/// The output of the preprocessor.
#[derive(Debug, Default)]
pub struct Preprocessed {
    /// The tokens, the last of kind [`Kind::Eof`]. No error tokens.
    pub tokens: Vec<Token>,
    /// The `#pragma`s, with their positions.
    pub pragmas: Pragmas,
    /// Every inclusion in order, repeated ones included.
    pub includes: Vec<Included>,
    /// What those of [`PreprocessOptions::expand`] that exist expand to.
    pub expanded: Vec<(String, Vec<Token>)>,
    /// The conditions in the order of their evaluation. A file that is included several times has several results.
    pub conditions: Vec<Evaluated>,
}

/// What `name` expands to, one of [`Preprocessed::expanded`]; `None` if there is no such macro.
pub fn expansion<'a>(all: &'a [(String, Vec<Token>)], name: &str) -> Option<&'a [Token]> {
    all.iter().find(|e| e.0 == name).map(|e| &e.1[..])
}

/// Preprocesses `main`, which is in `sources` already.
pub fn preprocess(
    sources: &mut SourceMap,
    interner: &mut Interner,
    main: FileId,
    options: &PreprocessOptions,
    includes: &mut dyn Includes,
    report: &mut Report,
) -> Preprocessed {
    let mut p = Preprocessor::new(sources, interner, options, includes, report);
    p.define_predefined();
    p.define_command_line();
    p.in_main = true;
    let name = p.sources.file(main).name.clone();
    p.enter(main, name);
    p.run();
    p.finish(main)
}

/// Where the files of the source begin is a multiple of this, so that the macros of the command line seldom change it.
const COMMAND_LINE_UNIT: u32 = 4096;

/// A file being read.
struct Frame {
    file: FileId,
    /// Position of its first byte.
    start: u32,
    raw: Arc<RawFile>,
    /// The next token.
    at: usize,
    /// How many conditionals were open when it was entered.
    conditions: usize,
    path: String,
    /// The position after the `#include` in the including file, for the diagnostic state.
    after: Span,
}

/// An open `#if`.
#[derive(Clone)]
struct Condition {
    span: Span,
    /// Whether one of its groups was taken.
    taken: bool,
    /// The position of its `#else`.
    has_else: Option<Span>,
}

/// Tokens prepended to the input.
struct Context {
    tokens: Vec<Token>,
    at: usize,
    /// The macro to enable again at its end.
    of: Option<u32>,
    /// Reading stops here.
    barrier: bool,
}

/// Names with a special meaning.
#[derive(Clone)]
struct Names {
    defined: Symbol,
    va_args: Symbol,
    va_opt: Symbol,
    pragma: Symbol,
    has: Vec<Symbol>,
    empty: Symbol,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    interner: &'a mut Interner,
    options: &'a PreprocessOptions,
    loader: &'a mut dyn Includes,
    /// Tokens that compilations share.
    tokens: Option<Arc<TokenCache>>,
    report: &'a mut Report,
    out: Vec<Token>,
    frames: Vec<Frame>,
    contexts: Vec<Context>,
    conditions: Vec<Condition>,
    macros: Vec<Macro>,
    /// By symbol: the macro of that name, or [`NO_MACRO`].
    macro_of: Vec<u32>,
    cache: FxHashMap<String, Cached>,
    included: Vec<Included>,
    /// The folders of `-I` whose names have letters of another case, and which were reported.
    misspelled_dirs: Vec<usize>,
    evaluated: Vec<Evaluated>,
    pragmas: PragmaState,
    names: Names,
    counter: u32,
    /// The remaining limit on expansion.
    budget: u32,
    /// Nesting of argument expansion.
    nesting: u32,
    in_main: bool,
    /// Emptied vectors, reused for contexts.
    spare: Vec<Vec<Token>>,
    /// The names for which it mattered whether there is such a macro, while a preamble is made.
    queried: Option<EntitySet<Symbol>>,
    /// The raw token of the main file at which reading ends.
    stop: usize,
}

const NO_MACRO: u32 = u32::MAX;

/// The number of tokens that macro expansion may produce: an exponential macro gives an error.
const MAX_EXPANDED: u32 = 1 << 22;

/// The nesting limit of macro calls in arguments of macro calls.
const DEEPEST_ARGUMENTS: u32 = 200;

/// The number of inclusions: files that include each other twice are exponential too.
const MAX_INCLUDES: usize = 50_000;

/// The nesting limit of includes.
const MAX_INCLUDE_DEPTH: usize = 200;

impl<'a> Preprocessor<'a> {
    fn new(
        sources: &'a mut SourceMap,
        interner: &'a mut Interner,
        options: &'a PreprocessOptions,
        loader: &'a mut dyn Includes,
        report: &'a mut Report,
    ) -> Self {
        let names = Names {
            defined: interner.intern("defined"),
            va_args: interner.intern("__VA_ARGS__"),
            pragma: interner.intern("_Pragma"),
            va_opt: interner.intern("__VA_OPT__"),
            has: condition::HAS_OPERATORS.iter().map(|n| interner.intern(n)).collect(),
            empty: interner.intern(""),
        };
        let tokens = loader.tokens();
        let mut p = Preprocessor {
            sources,
            interner,
            options,
            loader,
            tokens,
            report,
            out: Vec::new(),
            frames: Vec::new(),
            contexts: Vec::new(),
            conditions: Vec::new(),
            macros: Vec::new(),
            macro_of: Vec::new(),
            cache: FxHashMap::default(),
            included: Vec::new(),
            misspelled_dirs: Vec::new(),
            evaluated: Vec::new(),
            pragmas: PragmaState::default(),
            names,
            counter: 0,
            budget: MAX_EXPANDED,
            nesting: 0,
            in_main: false,
            spare: Vec::new(),
            queried: None,
            stop: usize::MAX,
        };
        p.define_magic();
        p
    }

    /// The macros that the compiler defines.
    fn define_predefined(&mut self) {
        let text = self.predefined();
        if let Some(file) = self.sources.add_file("<built-in>", text.as_str(), None) {
            self.enter(file, String::new());
            self.run();
        }
    }

    /// The macros of the command line. The files of the source come after it.
    fn define_command_line(&mut self) {
        let text = self.command_line();
        if let Some(file) = self.sources.add_file("<command line>", text.as_str(), None) {
            self.enter(file, String::new());
            self.run();
        }
        self.sources.align(COMMAND_LINE_UNIT);
    }

    /// The result, once the main file was read.
    fn finish(mut self, main: FileId) -> Preprocessed {
        let end = self.sources.file(main);
        let end = end.start.offset(end.text.len() as u32);
        let eof = self.bare(Kind::Eof, Span::new(end, end));
        self.out.push(eof);
        let names = &self.options.expand;
        let expanded = names.iter().filter_map(|name| Some((name.clone(), self.at_end(name)?))).collect();
        Preprocessed { tokens: self.out, pragmas: self.pragmas.finish(), includes: self.included, expanded, conditions: self.evaluated }
    }

    /// The expansion of a macro after the source.
    fn at_end(&mut self, name: &str) -> Option<Vec<Token>> {
        let symbol = self.interner.intern(name);
        self.macro_named(symbol)?;
        let file = self.sources.add_file(format!("<{name}>"), name, None)?;
        let tokens = std::mem::take(&mut self.out);
        self.enter(file, String::new());
        self.run();
        Some(std::mem::replace(&mut self.out, tokens))
    }

    /// Starts reading `file`, which was found under `path`.
    fn enter(&mut self, file: FileId, path: String) {
        let text = self.sources.file(file).text.clone();
        let raw = match self.cache.get(&path) {
            Some(c) => c.raw.clone(),
            None => match &self.tokens {
                // Predefined macros are few tokens, and those of the command line differ.
                Some(tokens) if !path.is_empty() => Arc::new(tokens.file(&text).tokens(self.interner)),
                _ => Arc::new(lex_file(&text, self.interner)),
            },
        };
        self.enter_raw(file, path, raw, Span::NONE);
    }

    fn enter_raw(&mut self, file: FileId, path: String, raw: Arc<RawFile>, after: Span) {
        let start = self.sources.file(file).start.raw();
        if raw.too_long {
            let at = Span::new(self.sources.file(file).start, self.sources.file(file).start);
            let most = crate::lex::MAX_TOKENS;
            self.report.fatal(Diagnostic::new(&codes::E0109, at, format!("this file has more than {most} tokens")));
        }
        self.pragmas.enter(start);
        self.frames.push(Frame { file, start, raw, at: 0, conditions: self.conditions.len(), path, after });
    }

    /// Ends the innermost file.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let [.., last, _eof] = frame.raw.tokens.as_slice()
            && last.kind == Kind::OpenComment
        {
            let at = |o: u32| rtc_base::Pos(frame.start + o);
            self.report.emit(&codes::E0105, Span::new(at(last.lo), at(last.lo + 2)), "this comment does not end");
        }
        for c in self.conditions.drain(frame.conditions..).rev() {
            self.report.emit(&codes::E0121, c.span, "this conditional has no `#endif`");
        }
        if !frame.after.is_none() {
            self.pragmas.resume(frame.after.hi.raw());
        }
    }

    /// Everything until the end of the outermost file, into `out`.
    fn run(&mut self) {
        let mut count = 0_u32;
        loop {
            count = count.wrapping_add(1);
            if count.is_multiple_of(1024) {
                rtc_base::control::checkpoint();
            }
            let t = self.next();
            match t.kind {
                Kind::Eof => break,
                Kind::Ident => {
                    if let Some(t) = self.expand(t) {
                        if t.sym == self.names.pragma {
                            self.pragma_operator(t);
                        } else {
                            self.out.push(t);
                        }
                    }
                }
                k if k.is_bad() => self.bad_token(t),
                _ => self.out.push(t),
            }
            if self.out.len() >= crate::lex::MAX_TOKENS {
                self.report.fatal(Diagnostic::new(&codes::E0109, t.span, "the source is too large after preprocessing"));
                break;
            }
            if self.report.is_full() {
                break;
            }
        }
        if self.stop == usize::MAX {
            while !self.frames.is_empty() {
                self.leave();
            }
        }
        self.contexts.clear();
    }

    /// The next token before expansion: of the innermost context, else of the file, directives done.
    fn next(&mut self) -> Token {
        while let Some(c) = self.contexts.last_mut() {
            if let Some(&t) = c.tokens.get(c.at) {
                c.at += 1;
                return t;
            }
            if c.barrier {
                return self.bare(Kind::Eof, Span::NONE);
            }
            self.pop_context();
        }
        self.file_token()
    }

    fn file_token(&mut self) -> Token {
        loop {
            let outermost = self.frames.len() == 1;
            let Some(frame) = self.frames.last_mut() else {
                return self.bare(Kind::Eof, Span::NONE);
            };
            let raw = frame.raw.tokens[frame.at];
            if raw.kind == Kind::Eof || outermost && frame.at >= self.stop {
                if outermost {
                    return self.bare(Kind::Eof, Span::NONE);
                }
                self.leave();
                continue;
            }
            frame.at += 1;
            if raw.kind == Kind::Hash && raw.flags.contains(Flags::BOL) {
                self.directive();
                if self.report.is_full() {
                    self.frames.truncate(1);
                    if let Some(f) = self.frames.last_mut() {
                        f.at = f.raw.tokens.len() - 1;
                    }
                }
                continue;
            }
            return token_at(frame.start, raw);
        }
    }

    /// Keeps the memory of a vector for the next one.
    fn recycle(&mut self, mut tokens: Vec<Token>) {
        if self.spare.len() < 16 {
            tokens.clear();
            self.spare.push(tokens);
        }
    }

    /// A token that needs no spelling.
    fn bare(&self, kind: Kind, span: Span) -> Token {
        Token { kind, flags: Flags::empty(), sym: self.names.empty, span }
    }

    /// The spelling of a token.
    fn spelling(&self, t: Token) -> &str {
        if t.kind.has_spelling() { self.interner.str(t.sym) } else { t.kind.text() }
    }

    /// An error token that reached the output: reports it and replaces it by the token that was probably meant.
    fn bad_token(&mut self, t: Token) {
        let text = self.interner.str(t.sym);
        match t.kind {
            Kind::OpenComment => {}
            Kind::SmartStr => {
                let mut inner = String::new();
                crate::lex::parse_string(text, &mut inner);
                let d = rtc_base::Diagnostic::new(&codes::E0102, t.span, "typographic quotation marks do not delimit a string")
                    .here("use plain `\"`")
                    .fix(t.span, format!("\"{inner}\""));
                self.report.add(d);
                self.out.push(Token { kind: Kind::Str, ..t });
            }
            Kind::OpenStr => {
                self.report.emit(&codes::E0103, t.span, "this string does not end on its line");
                self.out.push(Token { kind: Kind::Str, ..t });
            }
            Kind::OpenChar => {
                let what = if text == "''" { "this character literal is empty" } else { "this character literal does not end on its line" };
                self.report.emit(&codes::E0104, t.span, what);
            }
            _ => {
                // One report is enough for a run of invalid characters.
                let again = self.pragmas.last_bad == t.span.lo && !t.span.lo.is_expanded();
                self.pragmas.last_bad = t.span.hi;
                if !again {
                    let c = text.chars().next().unwrap_or('\0');
                    let shown = if c.is_control() || c == '\u{fffd}' { String::new() } else { format!("`{c}` ") };
                    let message = format!("character {shown}(U+{:04X}) is not allowed in HLSL", u32::from(c));
                    let mut d = rtc_base::Diagnostic::new(&codes::E0101, t.span, message);
                    let plain = match c {
                        '\u{2018}' | '\u{2019}' => Some("'"),
                        '\u{2013}' | '\u{2212}' => Some("-"),
                        '\u{d7}' => Some("*"),
                        '\u{37e}' => Some(";"),
                        _ => None,
                    };
                    if let Some(p) = plain {
                        d = d.fix(t.span, p);
                    }
                    self.report.add(d);
                }
            }
        }
    }
}

/// The token `raw` of the file that starts at `start`.
fn token_at(start: u32, raw: crate::lex::RawToken) -> Token {
    let at = |o: u32| rtc_base::Pos(start + o);
    Token { kind: raw.kind, flags: raw.flags, sym: raw.sym, span: Span::new(at(raw.lo), at(raw.hi)) }
}
