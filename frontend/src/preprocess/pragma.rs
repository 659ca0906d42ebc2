//! Pragmas, and the state that they record for later stages.
//!
//! Whether a warning is enabled at a position depends on the diagnostic pragmas before it *in the order of reading*, which is not
//! the order of positions: an included file has other positions. So the state is recorded by position at every
//! change, at every start of a file and at every return to an includer; a lookup is then one search.

use rtc_base::{Diagnostic, Pos, Span};
use rtc_tables::diagnostics as codes;

use super::Preprocessor;
use crate::lex::{Flags, Kind, Token, lex_file, parse_string};

/// Order of matrix elements in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Rows one after another.
    RowMajor,
    /// Columns one after another.
    ColumnMajor,
}

/// The effect of a pragma on a warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WarningAction {
    /// Not reported.
    Ignored,
    /// Reported as a warning.
    Warning,
    /// Reported as an error.
    Error,
}

/// The warnings that pragmas changed, oldest change first; a later one wins. Names are groups without `-W`, or numbers of `#pragma warning`.
pub type DiagnosticState = Vec<(String, WarningAction)>;

/// The pragmas of a run.
#[derive(Clone, Debug, Default)]
pub struct Pragmas {
    /// `pack_matrix`: from the token of this index on.
    pub packing: Vec<(u32, Packing)>,
    /// Pragmas without meaning for the parser, for `-P`: before the token of this index, this line.
    pub lines: Vec<(u32, String)>,
    /// From this position on, this state; sorted.
    marks: Vec<(u32, u32)>,
    states: Vec<DiagnosticState>,
}

impl Pragmas {
    /// The changes in force at `pos`, which must not be an expanded position.
    pub fn diagnostics_at(&self, pos: Pos) -> &[(String, WarningAction)] {
        let i = self.marks.partition_point(|m| m.0 <= pos.raw());
        match i.checked_sub(1).and_then(|i| self.marks.get(i)) {
            Some(&(_, state)) => &self.states[state as usize],
            None => &[],
        }
    }

    /// All changes, in any order.
    pub fn changes(&self) -> impl Iterator<Item = &(String, WarningAction)> {
        self.states.iter().flatten()
    }

    /// The action of pragmas for the warnings of `group` at `pos`.
    pub fn action(&self, group: &str, pos: Pos) -> Option<WarningAction> {
        self.diagnostics_at(pos).iter().rev().find(|(g, _)| g == group).map(|&(_, a)| a)
    }
}

/// Pragmas while preprocessing.
#[derive(Clone, Default)]
pub(super) struct PragmaState {
    result: Pragmas,
    current: u32,
    stack: Vec<u32>,
    /// End of the last unknown character, to report a run of them once.
    pub last_bad: Pos,
}

impl PragmaState {
    fn mark(&mut self, at: u32) {
        self.result.marks.push((at, self.current));
    }

    pub(super) fn enter(&mut self, start: u32) {
        self.mark(start);
    }

    pub(super) fn resume(&mut self, at: u32) {
        self.mark(at);
    }

    fn change(&mut self, at: u32, name: String, action: WarningAction) {
        self.base();
        let mut state = self.result.states[self.current as usize].clone();
        state.retain(|(n, _)| *n != name);
        state.push((name, action));
        self.current = self.result.states.len() as u32;
        self.result.states.push(state);
        self.mark(at);
    }

    /// State 0 is the empty one.
    fn base(&mut self) {
        if self.result.states.is_empty() {
            self.result.states.push(Vec::new());
        }
    }

    /// The pragmas so far. What they say about positions is not complete.
    pub(super) fn so_far(&self) -> &Pragmas {
        &self.result
    }

    pub(super) fn finish(mut self) -> Pragmas {
        // Stable: of several marks at one position the last one counts.
        self.base();
        self.result.marks.sort_by_key(|m| m.0);
        self.result
    }
}

impl Preprocessor<'_> {
    /// `#pragma`, with the rest of its line.
    pub(super) fn pragma(&mut self, rest: &[Token], span: Span) {
        let Some(first) = rest.first() else { return };
        let word = |i: usize| rest.get(i).filter(|t| t.kind == Kind::Ident).map(|t| self.interner.str(t.sym));
        let name = word(0).unwrap_or("");
        // What the preprocessed text has: macros are expanded in it, since it defines none.
        let mut shown = rest.to_vec();
        let keep = match (name, word(1)) {
            ("once", _) => {
                self.pragma_once();
                false
            }
            ("pack_matrix", _) => {
                shown.truncate(1);
                shown.extend(self.pack_matrix(rest, span));
                true
            }
            ("warning", _) => {
                self.warning_pragma(rest, span);
                true
            }
            ("dxc" | "clang" | "GCC" | "rtc", Some("diagnostic")) => {
                self.diagnostic_pragma(rest, span);
                true
            }
            ("message" | "region" | "endregion" | "def" | "ruledisable" | "STDC" | "exclude_renderers" | "target" | "warn_unused", _) => {
                true
            }
            _ => {
                let text = self.spelling(*first).to_string();
                self.report.emit(&codes::W0103, first.span, format!("unknown pragma `{text}` is ignored"));
                true
            }
        };
        if keep {
            let mut line = String::from("#pragma");
            for (i, &t) in shown.iter().enumerate() {
                if i == 0 || t.flags.contains(Flags::SPACE) {
                    line.push(' ');
                }
                line.push_str(self.spelling(t));
            }
            self.pragmas.result.lines.push((self.out.len() as u32, line));
        }
    }

    /// `#pragma pack_matrix`; its argument after expansion.
    fn pack_matrix(&mut self, rest: &[Token], span: Span) -> Vec<Token> {
        let argument = self.expand_list(&rest[1..], false);
        let kinds: Vec<Kind> = argument.iter().map(|t| t.kind).collect();
        let value = match kinds[..] {
            [Kind::LParen, Kind::Ident, Kind::RParen, ..] => match self.interner.str(argument[1].sym) {
                "row_major" => Some(Packing::RowMajor),
                "column_major" => Some(Packing::ColumnMajor),
                _ => None,
            },
            _ => None,
        };
        match value {
            Some(v) => self.pragmas.result.packing.push((self.out.len() as u32, v)),
            None => self.report.emit(&codes::E0131, span, "`#pragma pack_matrix` takes `(row_major)` or `(column_major)`"),
        }
        argument
    }

    fn push_state(&mut self) {
        self.pragmas.base();
        let current = self.pragmas.current;
        self.pragmas.stack.push(current);
    }

    fn pop_state(&mut self, span: Span) {
        match self.pragmas.stack.pop() {
            Some(state) => {
                self.pragmas.current = state;
                let at = self.here().raw();
                self.pragmas.mark(at);
            }
            None => {
                let d = Diagnostic::new(&codes::W0108, span, "diagnostic `pop` without a matching `push`");
                self.report.add(d);
            }
        }
    }

    /// `dxc diagnostic push`, `pop`, `ignored "-Wx"`, `warning "-Wx"`, `error "-Wx"`.
    fn diagnostic_pragma(&mut self, rest: &[Token], span: Span) {
        let what = rest.get(2).filter(|t| t.kind == Kind::Ident).map_or("", |t| self.interner.str(t.sym));
        let action = match what {
            "push" => return self.push_state(),
            "pop" => return self.pop_state(span),
            "ignored" => Some(WarningAction::Ignored),
            "warning" => Some(WarningAction::Warning),
            "error" | "fatal" => Some(WarningAction::Error),
            _ => None,
        };
        let mut group = String::new();
        if let Some(t) = rest.get(3).filter(|t| t.kind == Kind::Str) {
            parse_string(self.interner.str(t.sym), &mut group);
        }
        match (action, group.strip_prefix("-W")) {
            (Some(action), Some(name)) if !name.is_empty() => {
                let at = self.here().raw();
                self.pragmas.change(at, name.to_string(), action);
            }
            _ => {
                let d = Diagnostic::new(&codes::W0108, span, "malformed diagnostic pragma is ignored")
                    .note("it is `push`, `pop`, or `ignored`, `warning` or `error` with a group in quotes: `\"-Wconversion\"`");
                self.report.add(d);
            }
        }
    }

    /// `warning(push)`, `warning(pop)`, `warning(disable: 3206 3556; error: 1234)`, `warning(disable: all)`.
    fn warning_pragma(&mut self, rest: &[Token], span: Span) {
        let mut i = 2;
        let mut action = None;
        let mut understood = rest.get(1).is_some_and(|t| t.kind == Kind::LParen);
        while let Some(&t) = rest.get(i) {
            i += 1;
            let colon = rest.get(i).is_some_and(|t| t.kind == Kind::Colon);
            match t.kind {
                Kind::Ident => match self.interner.str(t.sym) {
                    "push" => self.push_state(),
                    "pop" => self.pop_state(span),
                    "disable" | "suppress" if colon => action = Some(WarningAction::Ignored),
                    "default" | "enable" | "once" if colon => action = Some(WarningAction::Warning),
                    "error" if colon => action = Some(WarningAction::Error),
                    "all" if action.is_some() => self.change_warning(t, action),
                    _ => understood = false,
                },
                Kind::Number if action.is_some() => self.change_warning(t, action),
                Kind::Colon | Kind::Comma | Kind::Semi | Kind::RParen => {}
                _ => understood = false,
            }
        }
        if !understood {
            self.report.emit(&codes::W0108, span, "this `#pragma warning` is not understood");
        }
    }

    /// What `#pragma warning` says of one number, or of `all`.
    fn change_warning(&mut self, name: Token, action: Option<WarningAction>) {
        let at = self.here().raw();
        let name = self.interner.str(name.sym).to_string();
        if let Some(action) = action {
            self.pragmas.change(at, name, action);
        }
    }

    /// `_Pragma("…")`, whose name was just read.
    pub(super) fn pragma_operator(&mut self, name: Token) {
        let (open, text, close) = (self.next(), self.next(), self.next());
        if open.kind != Kind::LParen || text.kind != Kind::Str || close.kind != Kind::RParen {
            return self.report.emit(&codes::E0131, name.span, "`_Pragma` takes a string in parentheses");
        }
        let mut line = String::new();
        parse_string(self.interner.str(text.sym), &mut line);
        let raw = lex_file(&line, self.interner);
        let tokens: Vec<Token> = raw
            .tokens
            .iter()
            .filter(|t| t.kind != Kind::Eof)
            .map(|t| Token { kind: t.kind, flags: t.flags, sym: t.sym, span: text.span })
            .collect();
        self.pragma(&tokens, name.span);
    }
}
