//! Declarators in parentheses: `int (q)[3];`, `float (x) = 1;`, `void (f)(int);`.
//!
//! As there are neither pointers nor references, such parentheses change nothing: `int (q[2])[3]` is `int q[2][3]`. So they are
//! dropped here, both of a pair, and the grammar knows nothing of them. What remains is C++'s question whether `T (x)` begins a
//! declaration or an expression: where a statement begins with a type, it is a declaration if it can be one ([stmt.ambig]).

use super::token::Tok;
use super::{BracketKind, Classifier};
use crate::lex::Kind;

/// The lookahead limit of a declarator.
const LONGEST_DECLARATOR: usize = 500;

impl Classifier<'_> {
    /// Whether the `(` here, after a type, only encloses a declarator. If so, it and its counterpart are dropped.
    pub(super) fn drop_parenthesis(&mut self) -> bool {
        if self.fn_paren == self.at || !self.encloses_declarator() {
            return false;
        }
        let Some(close) = self.matching(self.at, LONGEST_DECLARATOR) else {
            return false;
        };
        self.dropped.push(close);
        self.dropped_open = self.at;
        self.after_type = true;
        true
    }

    /// Whether the `(` here begins the parameters of a type of functions: after the name of a `typedef`, and after a type among template
    /// arguments, in a default of them and in an alias. `S<int(3)>` has a value.
    pub(super) fn begins_function_type(&mut self, was_type: bool) -> bool {
        if self.type_paren == self.at {
            return true;
        }
        let place = self.alias || matches!(self.top(), Some(BracketKind::Angle(_) | BracketKind::Header));
        was_type && place && self.fn_paren != self.at && self.parameter_types_follow(self.at)
    }

    /// Whether the parentheses that open at `open` are empty, or a type is first in them that is not called.
    fn parameter_types_follow(&mut self, open: usize) -> bool {
        if !self.declares_function(open) {
            return false;
        }
        let mut at = open + 1;
        while self.kind(at) == Kind::Ident || self.kind(at) == Kind::ColonColon {
            at += 1;
            if self.kind(at) == Kind::Lt {
                at = self.template_end(at).unwrap_or(at) + 1;
            }
        }
        self.kind(at) != Kind::LParen || at == open + 1 || self.parameter_types_follow(at)
    }

    /// Drops the `)` here if its counterpart was dropped.
    pub(super) fn drop_closing(&mut self) -> bool {
        match self.dropped.iter().position(|&d| d == self.at) {
            Some(i) => {
                self.dropped.truncate(i);
                true
            }
            None => false,
        }
    }

    /// Index of the first token from `at` on that is not dropped.
    pub(super) fn kept(&self, mut at: usize) -> usize {
        while self.dropped.contains(&at) {
            at += 1;
        }
        at
    }

    fn encloses_declarator(&mut self) -> bool {
        // The dimensions of a type without a name: `sizeof(float ([3]))`.
        if self.kind(self.inside(self.at)) == Kind::LBracket {
            return true;
        }
        let prev = self.prev();
        let listed = prev == Tok::Comma && self.declarators == Some(self.brackets.len());
        let nested = self.at > 0 && self.dropped_open == self.at - 1;
        if listed || nested || matches!(prev, Tok::RBrace | Tok::Auto) {
            return self.declarator(self.at).is_some();
        }
        if !self.path.begins || self.converts() {
            return false;
        }
        let certain = self.path.certain || !self.names.is_local();
        match self.top() {
            // A condition declares a variable only with an initialiser.
            Some(BracketKind::Control) => self.declarator(self.at).is_some_and(|end| self.kind(end) == Kind::Assign),
            Some(BracketKind::FnParams | BracketKind::TypeParams | BracketKind::Header) => self.declarator(self.at).is_some(),
            // After specifiers, and outside of functions, only a declaration can follow.
            _ if certain => self.declarator(self.at).is_some(),
            _ => self.declarators_follow(self.at),
        }
    }

    /// Whether the type before belongs to a conversion operator: `operator float()`.
    fn converts(&self) -> bool {
        let of_type = |t: Tok| {
            matches!(
                t,
                Tok::Type | Tok::Scope | Tok::ColonColon | Tok::Const | Tok::Spec | Tok::TOpen | Tok::TClose | Tok::Num | Tok::Comma
            )
        };
        let before = self.out.iter().rev().map(|c| c.tok).find(|&t| !of_type(t));
        before == Some(Tok::Operator)
    }

    /// Index of the first token from `open` on that is not a `(`.
    fn inside(&self, open: usize) -> usize {
        (open..).find(|&i| self.kind(i) != Kind::LParen).unwrap_or(open)
    }

    /// Whether the tokens from `at` on are declarators up to the end of a declaration.
    fn declarators_follow(&mut self, mut at: usize) -> bool {
        loop {
            let Some(end) = self.declarator(at) else {
                return false;
            };
            match self.kind(end) {
                Kind::Semi | Kind::Assign | Kind::Colon => return true,
                Kind::Comma => at = end + 1,
                _ => return false,
            }
        }
    }

    /// Index of the token after the declarator at `at`: a name, perhaps in parentheses, with dimensions and parameters.
    fn declarator(&mut self, at: usize) -> Option<usize> {
        let mut i = self.inside(at);
        let open = i - at;
        i = self.declared_name(i)?;
        let mut left = open;
        loop {
            match self.kind(i) {
                Kind::RParen if left > 0 => {
                    left -= 1;
                    i += 1;
                }
                Kind::LBracket => i = self.matching(i, LONGEST_DECLARATOR)? + 1,
                Kind::LParen if self.declares_function(i) => i = self.matching(i, LONGEST_DECLARATOR)? + 1,
                _ => return (left == 0).then_some(i),
            }
        }
    }

    /// Index of the token after the name at `at`, which may be that of a member: `S::f`.
    fn declared_name(&self, mut at: usize) -> Option<usize> {
        if self.kind(at) == Kind::ColonColon {
            at += 1;
        }
        loop {
            if self.kind(at) != Kind::Ident {
                return None;
            }
            at += 1;
            if self.kind(at) == Kind::Lt {
                at = self.template_end(at)? + 1;
            }
            if self.kind(at) != Kind::ColonColon {
                return Some(at);
            }
            at += 1;
        }
    }
}
