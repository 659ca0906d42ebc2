//! Bracket matching: what each bracket encloses, and error recovery where brackets do not balance.

use rtc_base::{Diagnostic, Symbol};
use rtc_tables::diagnostics as codes;

use super::names::{NO_SCOPE, ScopeKind, Word};
use super::token::{Brace, CTok, Tok};
use super::{Bracket, BracketKind, Classifier, MAX_BRACKET_DEPTH};
use crate::lex::Kind;

/// The lookahead limit when the closing bracket only decides between two readings.
const SEARCH: usize = 2000;

impl Classifier<'_> {
    /// Opens a bracket at the current token.
    pub(super) fn open(&mut self, kind: BracketKind, tok: Tok) {
        let brace = if let BracketKind::Brace(b) = kind { b } else { Brace::None };
        self.emit_brace(tok, brace);
        if self.brackets.len() < MAX_BRACKET_DEPTH {
            let bracket =
                Bracket { kind, token: self.at as u32, questions: 0, label: false, typedef: self.typedef, record: None, path: self.path };
            return self.brackets.push(bracket);
        }
        // Too deep: the contents are skipped.
        self.report_depth();
        let close = match tok {
            Tok::LParen | Tok::TypeParen => Tok::RParen,
            Tok::LSquare | Tok::TypeSquare => Tok::RSquare,
            Tok::LBrace => Tok::RBrace,
            _ => Tok::TClose,
        };
        if tok == Tok::TOpen {
            self.at = self.template_end(self.at).unwrap_or(self.at);
        } else {
            self.at = self.matching(self.at, usize::MAX).unwrap_or(self.tokens.len() - 1);
        }
        if tok != Tok::LBrace {
            self.emit(Tok::BadExpr);
        }
        if self.kind(self.at) == Kind::Eof {
            self.at -= 1;
        }
        self.emit_brace(close, brace);
    }

    /// Index of the bracket that closes the one at `open`, at most `reach` tokens on. Template brackets do not count.
    pub(super) fn matching(&self, open: usize, reach: usize) -> Option<usize> {
        let mut depth = 0u32;
        for (i, t) in self.tokens.iter().enumerate().skip(open).take(reach) {
            match t.kind {
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether the bracket at `open` is that of `__decltype(…)`.
    fn is_type_of(&mut self, open: usize) -> bool {
        let before = open.checked_sub(1).and_then(|at| self.sym(at));
        before.is_some_and(|sym| self.names.word(sym, self.interner) == Word::Keyword(Tok::Decltype))
    }

    /// `)` or `]`.
    pub(super) fn close(&mut self, like: BracketKind) {
        self.after_header = false;
        self.after_attribute = false;
        let paren = like.is_paren();
        let fits = |k: BracketKind| {
            if paren { k.is_paren() } else { matches!(k, BracketKind::Square | BracketKind::Attribute | BracketKind::TypeAttribute) }
        };
        let opened = self.brackets.iter().rev().take_while(|b| !matches!(b.kind, BracketKind::Brace(_)));
        if let Some(n) = opened.clone().position(|b| fits(b.kind)) {
            self.brackets.truncate(self.brackets.len() - n);
            let closed = self.brackets.pop();
            self.after_type = paren && closed.as_ref().is_some_and(|b| self.is_type_of(b.token as usize));
            let kind = closed.map(|b| b.kind);
            self.after_plain_words = kind == Some(BracketKind::PlainWords);
            match kind {
                Some(BracketKind::Control | BracketKind::ForHeader) => {
                    self.after_header = true;
                    self.declarators = None;
                }
                // Inside of one after a type the name of what is declared is still to come.
                Some(BracketKind::Attribute) if self.top() == Some(BracketKind::TypeAttribute) => {}
                Some(BracketKind::Attribute) => self.after_attribute = true,
                Some(BracketKind::TypeAttribute) => self.after_type = true,
                _ => {}
            }
        }
        self.emit(if paren { Tok::RParen } else { Tok::RSquare });
    }

    /// `{`; `was_type` says that a type precedes it.
    pub(super) fn open_brace(&mut self, was_type: bool) {
        let depth = self.brackets.len();
        let prev = self.prev();
        let state_block = self.declarators == Some(depth) && matches!(prev, Tok::Ident | Tok::RSquare | Tok::RParen);
        if state_block && !was_type {
            return self.skip_state_block(self.at);
        }
        let head = self.head.filter(|h| h.brackets == depth);
        let brace = match head {
            Some(h) => h.brace,
            None if self.namespace.is_some() => Brace::Namespace,
            None if self.buffer => Brace::Buffer,
            None if self.top() == Some(BracketKind::Brace(Brace::Init)) => Brace::Init,
            None => match prev {
                Tok::Assign | Tok::OpAssign | Tok::Comma | Tok::LParen | Tok::Return | Tok::LSquare | Tok::Question => Brace::Init,
                _ => Brace::Block,
            },
        };
        let typedef = self.typedef;
        self.open(BracketKind::Brace(brace), Tok::LBrace);
        if self.brackets.len() == depth {
            return; // too deep and skipped
        }
        let inside = self.brackets.len();
        match brace {
            Brace::Block => self.names.push(ScopeKind::Local, inside, NO_SCOPE),
            Brace::Namespace => {
                // The names of an anonymous namespace belong to the scope around it.
                let scope = self.namespace.take().unwrap_or(NO_SCOPE);
                if scope != NO_SCOPE {
                    self.names.push(ScopeKind::Outer, inside, scope);
                }
            }
            Brace::Record => {
                let (scope, base) = head.map_or((NO_SCOPE, NO_SCOPE), |h| (h.scope, h.base));
                self.names.push(ScopeKind::Outer, inside, scope);
                self.names.import(base);
                if let Some(b) = self.brackets.last_mut() {
                    b.record = head.and_then(|h| h.name);
                    b.typedef = typedef;
                }
                self.typedef = false;
                self.declarators = None;
            }
            Brace::Buffer => self.buffer = false,
            Brace::Enum | Brace::Init | Brace::None => {}
        }
        if brace != Brace::Init {
            self.head = None;
            self.declarators = None;
        }
    }

    /// `}`
    pub(super) fn close_brace(&mut self) {
        self.after_header = false;
        self.after_attribute = false;
        let is_brace = |b: &Bracket| matches!(b.kind, BracketKind::Brace(_));
        let Some(n) = self.brackets.iter().rposition(is_brace) else {
            if std::mem::take(&mut self.closed_missing) {
                // The braces balance after all: the supposedly missing brace is a declaration inside of a function.
                self.report.amend(&codes::E0203, |d| {
                    d.code = &codes::E0404;
                    d.message = "this cannot be declared inside of a function".into();
                    d.fixits.clear();
                    if let Some(l) = d.labels.get_mut(1) {
                        l.message = "the function begins here".into();
                    }
                });
                self.brackets.clear();
                return;
            }
            let d = Diagnostic::new(&codes::E0204, self.span(self.at), "unmatched `}`");
            self.report.add(d);
            self.brackets.clear();
            return;
        };
        let typedef = self.brackets[n].typedef;
        let BracketKind::Brace(brace) = self.brackets[n].kind else {
            return;
        };
        self.brackets.truncate(n);
        self.emit_brace(Tok::RBrace, brace);
        self.names.close_to(n);
        match brace {
            Brace::Block | Brace::Namespace | Brace::Buffer => self.end_declaration(),
            Brace::Record | Brace::Enum => {
                self.head = None;
                self.typedef = typedef;
                // A name may follow, but two words in a row are the next declaration whose preceding semicolon is missing.
                let two_words = self.kind(self.at + 1) == Kind::Ident && self.kind(self.at + 2) == Kind::Ident;
                self.after_type = !two_words;
            }
            Brace::Init | Brace::None => {}
        }
    }

    /// A constructor or destructor whose name is at `name`: reported and removed. False if it is neither.
    pub(super) fn constructor(&mut self, name: usize) -> bool {
        let Some(b) = self.brackets.last() else {
            return false;
        };
        let fits = b.kind == BracketKind::Brace(Brace::Record) && b.record.is_some() && self.sym(name) == b.record;
        if !fits || !self.at_start() || self.kind(name + 1) != Kind::LParen {
            return false;
        }
        let Some(mut end) = self.matching(name + 1, SEARCH) else {
            return false;
        };
        let d = Diagnostic::new(&codes::E0209, self.span(name), "HLSL has no constructors and no destructors")
            .note("initialise with `= { … }`, or write a function that returns the struct");
        self.report.add(d);
        while !matches!(self.kind(end), Kind::Semi | Kind::Eof | Kind::LBrace | Kind::RBrace) {
            end += 1;
        }
        if self.kind(end) == Kind::LBrace {
            end = self.matching(end, usize::MAX).unwrap_or(self.tokens.len() - 2);
        }
        self.at = if matches!(self.kind(end), Kind::Eof | Kind::RBrace) && self.kind(end) != Kind::RBrace { end - 1 } else { end };
        true
    }

    // ------------------------------------------------------------ missing braces

    /// Inside a function, at a `[`: an attribute that only entry points have means that the function was not closed.
    pub(super) fn check_missing_brace_at_attribute(&mut self) {
        let entry = |s: Symbol| s == self.own.shader || s == self.own.numthreads;
        if self.names.is_local() && self.sym(self.at + 1).is_some_and(entry) && self.kind(self.at + 2) == Kind::LParen {
            self.close_missing(self.out.len());
        }
    }

    /// Whether the parameter list that opens at `paren` belongs to the definition of a function.
    pub(super) fn is_definition(&self, paren: usize) -> bool {
        let Some(close) = self.matching(paren, SEARCH) else {
            return false;
        };
        let next = self.kept(close + 1);
        match self.kind(next) {
            Kind::LBrace => true,
            Kind::Colon => self.kind(next + 1) == Kind::Ident && self.kind(next + 2) == Kind::LBrace,
            _ => false,
        }
    }

    /// Closes all blocks before the terminal `index`, because a declaration that cannot be in a function starts there.
    pub(super) fn close_missing(&mut self, index: usize) {
        let is_block = |b: &Bracket| b.kind == BracketKind::Brace(Brace::Block);
        let Some(first) = self.brackets.iter().position(is_block) else {
            return;
        };
        let opened = self.brackets[first].token as usize;
        let at = self.out.get(index).map_or(self.at, |c| c.at as usize);
        let d = Diagnostic::new(&codes::E0203, self.span(at), "missing `}` before this declaration")
            .label(self.span(opened), "this `{` is not closed")
            .fix(rtc_base::Span::new(self.span(at).lo, self.span(at).lo), "}\n");
        self.report.add(d);
        self.closed_missing = true;
        let closers: Vec<CTok> = self.brackets[first..]
            .iter()
            .rev()
            .filter_map(|b| match b.kind {
                BracketKind::Brace(brace) => Some(CTok { tok: Tok::RBrace, brace, at: at as u32 }),
                _ => None,
            })
            .collect();
        let count = closers.len();
        self.out.splice(index..index, closers);
        self.brackets.truncate(first);
        self.names.close_to(first);
        self.end_declaration();
        self.statement = index + count;
    }

    /// Closes the brackets that are still open.
    pub(super) fn end_of_file(&mut self) {
        let open: Vec<(u32, Brace)> = self
            .brackets
            .iter()
            .rev()
            .filter_map(|b| match b.kind {
                BracketKind::Brace(brace) => Some((b.token, brace)),
                _ => None,
            })
            .collect();
        if let Some(&(outermost, _)) = open.last() {
            let mut d = Diagnostic::new(&codes::E0203, self.span(outermost as usize), "unterminated `{`");
            if let Some(&(innermost, _)) = open.first().filter(|_| open.len() > 1) {
                d = d.label(self.span(innermost as usize), "the innermost unterminated `{`");
            }
            self.report.add(d);
        }
        self.at = self.tokens.len() - 1;
        for (_, brace) in open {
            if self.prev() == Tok::RBrace && self.out.last().is_some_and(|c| matches!(c.brace, Brace::Record | Brace::Enum)) {
                self.emit(Tok::Semi);
            }
            self.emit_brace(Tok::RBrace, brace);
        }
        if self.out.last().is_some_and(|c| c.tok == Tok::RBrace && matches!(c.brace, Brace::Record | Brace::Enum))
            && !self.brackets.is_empty()
        {
            self.emit(Tok::Semi);
        }
    }
}
