//! Classification of identifiers: keyword, specifier, type, scope, or name.

use rtc_base::{Diagnostic, Symbol};
use rtc_tables::diagnostics as codes;
use rtc_tables::types::{Scalar, numeric};

use super::names::{Binding, Class, NO_SCOPE, Reserved, ScopeKind, Word};
use super::token::{Brace, Tok};
use super::{BracketKind, Classifier, Head};
use crate::lex::Kind;

/// The lookahead limit for template arguments that only decide between two readings.
const LONGEST_ARGUMENTS: usize = 200;

impl Classifier<'_> {
    /// The identifier `sym` at the current token; `annotation` says that it follows a declarator's colon.
    pub(super) fn word(&mut self, sym: Symbol, annotation: bool) {
        let next = self.kind(self.kept(self.at + 1));
        if matches!(self.prev(), Tok::Dot | Tok::Arrow) {
            return self.member(sym, next);
        }
        if self.top() == Some(BracketKind::PlainWords) {
            return self.emit(Tok::Ident);
        }
        if self.effect(sym) {
            return;
        }
        let after_type = std::mem::take(&mut self.after_type);
        if annotation {
            let call = next == Kind::LParen;
            if !call {
                self.check_name(sym);
            }
            return self.emit(match () {
                () if call && sym == self.own.register => Tok::Register,
                () if call && sym == self.own.packoffset => Tok::PackOffset,
                () if call => Tok::Access,
                () => Tok::Ident,
            });
        }
        let in_header = self.top() == Some(BracketKind::Header) && matches!(self.prev(), Tok::TOpen | Tok::Comma | Tok::TClose);
        match self.names.word(sym, self.interner) {
            Word::Keyword(tok) => self.keyword(tok, after_type),
            Word::Class | Word::Typename if in_header => self.emit(Tok::Typename),
            Word::Class => self.keyword(Tok::Record, after_type),
            Word::Typename => {
                self.force_type = true;
                self.after_type = after_type;
            }
            Word::Spec(_, reserved) if reserved == Reserved::Always || next == Kind::Ident => {
                self.emit(Tok::Spec);
                self.after_type = after_type;
            }
            Word::Spec(_, Reserved::ByMeaning) => {
                self.refuse_name(sym, self.at);
                self.name(sym, next, after_type);
            }
            Word::Signedness => {
                self.start_path(after_type);
                // `unsigned int2` is one type; the builder reads the preceding identifier.
                let next = self.sym(self.at + 1).map(|s| self.interner.str(s));
                use Scalar::{Int, Int16, Int64, Min12Int, Min16Int, Min16Uint, Uint, Uint16, Uint64};
                let integer = |s| matches!(s, Int | Uint | Int16 | Uint16 | Int64 | Uint64 | Min12Int | Min16Int | Min16Uint);
                if next.and_then(numeric).is_some_and(|n| integer(n.0)) {
                    self.at += 1;
                }
                self.emit(Tok::Type);
                self.after_type = true;
            }
            Word::Inheritance if self.head.is_some() => {
                if self.interner.str(sym) != "final" {
                    self.access_specifier(sym);
                }
            }
            Word::Inheritance if next == Kind::Colon && matches!(self.top(), Some(BracketKind::Brace(Brace::Record))) => {
                self.access_specifier(sym);
                self.at += 1;
            }
            Word::Spec(..) | Word::Inheritance | Word::Foreign | Word::Name | Word::Unseen => self.name(sym, next, after_type),
        }
    }

    /// Reports `public:` and the like, which mean nothing.
    fn access_specifier(&mut self, sym: Symbol) {
        let text = self.interner.str(sym);
        let d = Diagnostic::new(&codes::E0338, self.span(self.at), format!("HLSL has no access specifiers such as `{text}`"));
        self.report.add(d.note("everything in a class is public: leave it out"));
    }

    /// Reports a word as the name `sym` of what is declared that cannot be one.
    fn check_name(&mut self, sym: Symbol) {
        let word = self.names.word(sym, self.interner);
        let access = matches!(self.interner.str(sym), "public" | "private" | "protected");
        if matches!(word, Word::Spec(_, Reserved::ByMeaning) | Word::Foreign) || access && word == Word::Inheritance {
            self.refuse_name(sym, self.at);
        }
    }

    /// Reports, once, that the word `sym` at the token `at` is used as a name. It is read as one nevertheless.
    fn refuse_name(&mut self, sym: Symbol, at: usize) {
        if self.top() == Some(BracketKind::Attribute) || self.refused.contains(&sym) {
            return;
        }
        self.refused.push(sym);
        let text = self.interner.str(sym);
        let modifier = matches!(self.names.word(sym, self.interner), Word::Spec(..));
        let d = match modifier {
            true => Diagnostic::new(&codes::E0201, self.span(at), format!("`{text}` is a modifier of declarations and cannot be a name")).note(
                "choose another name; `sample`, `center`, `precise`, `vertices`, `indices` and the like are names where no type follows",
            ),
            false => Diagnostic::new(&codes::E0201, self.span(at), format!("`{text}` is a reserved word and cannot be a name")),
        };
        self.report.add(d);
    }

    /// A name after `.`
    fn member(&mut self, sym: Symbol, next: Kind) {
        if self.names.word(sym, self.interner) == Word::Keyword(Tok::Template) {
            // `x.template f<int>()`: `template` is ignored here. The dot stays the last terminal.
            return;
        }
        if next == Kind::ColonColon {
            self.start_path(false);
            self.path.qualifier = self.names.lookup(sym, self.interner).inner;
            return self.emit(Tok::Scope);
        }
        self.emit(Tok::Ident);
        if next == Kind::Lt
            && let Some(close) = self.template_end(self.at + 1)
        {
            let call = self.kind(close + 1) == Kind::LParen;
            if call && (self.names.is_template_method(sym) || self.starts_type(self.at + 2)) {
                self.open_angle = self.at + 1;
                self.angle_of = Class::FnTemplate;
            }
        }
    }

    fn keyword(&mut self, tok: Tok, after_type: bool) {
        let local = self.names.is_local() && self.at_start();
        if local && matches!(tok, Tok::Namespace | Tok::CBuffer | Tok::Template) {
            self.close_missing(self.out.len());
        }
        let start = self.prev();
        if tok == Tok::Template && start == Tok::ColonColon {
            return; // `T::template f<int>()`
        }
        self.emit(tok);
        let depth = self.brackets.len();
        match tok {
            Tok::Const => self.after_type = after_type,
            Tok::Auto => self.after_type = true,
            Tok::Record if start == Tok::Enum => {}
            Tok::Record | Tok::Enum => {
                let brace = if tok == Tok::Enum { Brace::Enum } else { Brace::Record };
                self.head = Some(Head { brace, brackets: depth, scope: NO_SCOPE, name: None, base: NO_SCOPE, bases: false });
            }
            Tok::Typedef => self.typedef = true,
            Tok::Using => self.using(),
            Tok::Namespace if start == Tok::Using => self.using_namespace = true,
            Tok::Namespace => self.namespace_head(),
            Tok::Template if self.kind(self.at + 1) == Kind::Lt => {
                self.names.push(ScopeKind::Template, depth, NO_SCOPE);
                self.open_angle = self.at + 1;
                self.angle_of = Class::Value;
            }
            Tok::Operator => self.operator(),
            Tok::CBuffer => {
                self.buffer = true;
                if let Some(sym) = self.sym(self.at + 1) {
                    self.at += 1;
                    self.emit(Tok::Ident);
                    self.check_name(sym);
                }
            }
            Tok::Case | Tok::Default => {
                if let Some(b) = self.brackets.last_mut() {
                    b.label = true;
                }
            }
            _ => {}
        }
    }

    /// After `using`: the name of an alias is declared immediately.
    fn using(&mut self) {
        if let Some(sym) = self.sym(self.at + 1)
            && self.kind(self.at + 2) == Kind::Assign
        {
            self.at += 1;
            self.emit(Tok::Ident);
            self.names.lookup(sym, self.interner);
            let class = if self.names.in_template() { Class::TypeTemplate } else { Class::Type };
            self.names.bind(sym, class, NO_SCOPE);
            self.alias = true;
        }
    }

    /// After `namespace`: its names.
    fn namespace_head(&mut self) {
        let mut scope = NO_SCOPE;
        while let Some(sym) = self.sym(self.at + 1) {
            self.at += 1;
            self.emit(Tok::Ident);
            self.check_name(sym);
            let known = match scope {
                NO_SCOPE => Some(self.names.lookup(sym, self.interner)),
                outer => self.names.lookup_in(outer, sym),
            };
            scope = match known.filter(|b| b.class == Class::Namespace) {
                Some(b) => b.inner,
                None => {
                    let new = self.names.new_named();
                    let binding = Binding { class: Class::Namespace, inner: new };
                    self.names.lookup(sym, self.interner);
                    if scope == NO_SCOPE {
                        self.names.bind(sym, binding.class, binding.inner);
                    } else {
                        self.names.add_to(scope, sym, binding);
                    }
                    new
                }
            };
            if self.kind(self.at + 1) == Kind::ColonColon {
                self.at += 1;
                self.emit(Tok::ColonColon);
            }
        }
        self.namespace = Some(scope);
    }

    /// After `operator`: what it overloads.
    fn operator(&mut self) {
        let (a, b) = (self.kind(self.at + 1), self.kind(self.at + 2));
        let count = match (a, b) {
            (Kind::LParen, Kind::RParen) | (Kind::LBracket, Kind::RBracket) => 2,
            (Kind::Ident | Kind::LParen | Kind::Eof | Kind::ColonColon, _) => return,
            _ => 1,
        };
        for _ in 0..count {
            self.at += 1;
            self.emit(Tok::of(self.kind(self.at)));
        }
        if !self.names.is_local() {
            self.fn_paren = self.at + 1;
            self.out_of_line = self.path.qualifier;
        }
    }

    // ------------------------------------------------------------ names

    /// Records the start of a path.
    pub(super) fn start_path(&mut self, after_type: bool) {
        self.path.certain = !after_type && self.type_position();
        self.path.begins = self.path.certain || self.decl_position();
        self.path.type_only = std::mem::take(&mut self.force_type) || self.path.certain;
        self.path.decl = self.path.type_only || self.path.begins;
        self.path.name = after_type;
        self.path.qualifier = NO_SCOPE;
        self.path.global = false;
    }

    /// Whether only a type is allowed here.
    fn type_position(&self) -> bool {
        if self.alias && self.prev() == Tok::Assign || self.head.is_some_and(|h| h.bases && h.brackets == self.brackets.len()) {
            return true;
        }
        match self.prev() {
            Tok::Spec | Tok::Const | Tok::Typedef | Tok::Operator => true,
            Tok::LParen | Tok::Comma | Tok::RSquare => {
                matches!(self.top(), Some(BracketKind::FnParams | BracketKind::TypeParams))
                    && (self.prev() != Tok::RSquare || self.after_attribute)
            }
            Tok::TypeParen => true,
            Tok::TOpen => self.top() == Some(BracketKind::Header),
            _ => false,
        }
    }

    /// Whether a declaration may begin here.
    pub(super) fn decl_position(&self) -> bool {
        let header = matches!(self.top(), Some(BracketKind::ForHeader | BracketKind::Control));
        self.at_start() || self.prev() == Tok::LParen && header || self.top() == Some(BracketKind::Header) && self.prev() == Tok::Comma
    }

    fn name(&mut self, sym: Symbol, next: Kind, after_type: bool) {
        let begins = self.prev() != Tok::ColonColon;
        if begins && self.constructor(self.at) {
            return;
        }
        if begins {
            self.start_path(after_type);
        }
        match self.top() {
            Some(BracketKind::Attribute) => {
                return self.emit(if next == Kind::ColonColon { Tok::Scope } else { Tok::Ident });
            }
            Some(BracketKind::Brace(Brace::Enum)) if matches!(self.prev(), Tok::LBrace | Tok::Comma) => {
                return self.variable(sym);
            }
            _ => {}
        }
        if self.prev() == Tok::Typename {
            // After the parameters of its own it is a template.
            let own = self.out.len().checked_sub(2).is_some_and(|i| self.out[i].tok == Tok::TClose);
            self.emit(Tok::Ident);
            self.names.lookup(sym, self.interner);
            return self.names.bind_param(sym, if own { Class::TypeTemplate } else { Class::Type });
        }
        if sym == self.own.sampler_state && self.prev() == Tok::Assign && next == Kind::LBrace {
            self.out.pop();
            return self.skip_state_block(self.at + 1);
        }
        let unknown = Binding { class: Class::Value, inner: NO_SCOPE };
        let visible = self.names.lookup(sym, self.interner);
        let first = begins || std::mem::take(&mut self.path.global);
        let binding = if first { visible } else { self.names.lookup_in(self.path.qualifier, sym).unwrap_or(unknown) };
        if next == Kind::ColonColon {
            self.path.qualifier = binding.inner;
            return self.emit(Tok::Scope);
        }
        let template = matches!(binding.class, Class::TypeTemplate | Class::FnTemplate);
        if next == Kind::Lt && (template || self.path.decl && !self.path.name) {
            let close = self.arguments_end(self.at + 1, template);
            if close.is_some_and(|c| self.kind(c + 1) == Kind::ColonColon) {
                self.path.qualifier = binding.inner;
                self.emit(Tok::Scope);
                self.open_angle = self.at + 1;
                self.angle_of = Class::Value;
                return;
            }
        }
        let depth = self.brackets.len();
        if self.head.is_some_and(|h| h.brackets == depth && !h.bases && h.name.is_none()) {
            return self.record_name(sym, next, begins, binding);
        }
        if self.path.name {
            return self.declare(sym, next, visible, begins);
        }
        if self.using_namespace || self.prev() == Tok::Using || !begins && self.is_using_path() {
            return self.using_path(sym, binding);
        }
        self.type_or_value(sym, next, binding);
    }

    /// Whether the path that ends here began after `using`.
    fn is_using_path(&self) -> bool {
        let mut tokens = self.out.iter().rev().map(|c| c.tok);
        tokens.find(|t| !matches!(t, Tok::ColonColon | Tok::Scope)) == Some(Tok::Using)
    }

    fn using_path(&mut self, sym: Symbol, binding: Binding) {
        self.emit(if binding.class.is_type() { Tok::Type } else { Tok::Ident });
        if self.using_namespace {
            self.names.import(binding.inner);
        } else {
            self.names.lookup(sym, self.interner);
            self.names.bind(sym, binding.class, binding.inner);
        }
    }

    fn type_or_value(&mut self, sym: Symbol, next: Kind, binding: Binding) {
        let force = self.path.type_only;
        let is_type = binding.class.is_type()
            || force
            || self.path.decl && self.begins_declaration()
            || self.is_cast(next)
            || binding.class != Class::FnTemplate && self.is_nested_template(next);
        let next_is_angle = next == Kind::Lt;
        if is_type {
            self.emit(Tok::Type);
            if let Some(h) = &mut self.head
                && h.bases
            {
                h.base = binding.inner;
            }
            if next_is_angle && binding.class != Class::Type {
                self.open_angle = self.at + 1;
                self.angle_of = Class::TypeTemplate;
            } else {
                self.after_type = true;
            }
            return;
        }
        self.emit(Tok::Ident);
        if next_is_angle {
            let opens = binding.class == Class::FnTemplate
                || self.template_end(self.at + 1).is_some_and(|close| {
                    self.kind(close + 1) == Kind::LParen && (self.starts_type(self.at + 2) || self.names.is_template_method(sym))
                });
            if opens {
                self.open_angle = self.at + 1;
                self.angle_of = Class::FnTemplate;
            }
        }
    }

    /// Whether the name here, which is unknown, is followed by what makes it the type of a declaration.
    fn begins_declaration(&self) -> bool {
        // A condition declares a variable only with an initialiser.
        let in_condition = self.prev() == Tok::LParen && self.top() == Some(BracketKind::Control);
        match self.kind(self.at + 1) {
            Kind::Ident => !in_condition || self.kind(self.at + 2) == Kind::Assign,
            Kind::Lt => self.template_end(self.at + 1).is_some_and(|close| self.kind(close + 1) == Kind::Ident),
            _ => false,
        }
    }

    /// Whether the name here, which is unknown, is a template argument with template arguments of its own.
    fn is_nested_template(&self, next: Kind) -> bool {
        let inside = matches!(self.top(), Some(BracketKind::Angle(_))) && matches!(self.prev(), Tok::TOpen | Tok::Comma | Tok::ColonColon);
        let close = if inside && next == Kind::Lt { self.template_end(self.at + 1) } else { None };
        close.is_some_and(|c| self.kind(c) == Kind::Shr || matches!(self.kind(c + 1), Kind::Comma | Kind::Gt | Kind::Shr))
    }

    /// Whether the name here, alone in parentheses, is an unknown type in a cast: `= (T) x`.
    fn is_cast(&self, next: Kind) -> bool {
        if next != Kind::RParen || self.prev() != Tok::LParen || self.top() != Some(BracketKind::Paren) {
            return false;
        }
        let operand = matches!(self.kind(self.at + 2), Kind::Ident | Kind::Number);
        let before = self.out.len().checked_sub(2).map(|i| self.out[i].tok);
        let operator = matches!(
            before,
            Some(
                Tok::Assign
                    | Tok::OpAssign
                    | Tok::Return
                    | Tok::Comma
                    | Tok::LParen
                    | Tok::Plus
                    | Tok::Minus
                    | Tok::Star
                    | Tok::DivOp
                    | Tok::Question
                    | Tok::Colon
            )
        );
        operand && operator
    }

    /// The name in the head of a record or enumeration.
    fn record_name(&mut self, sym: Symbol, next: Kind, begins: bool, binding: Binding) {
        self.emit(Tok::Type);
        self.check_name(sym);
        let defines = matches!(next, Kind::LBrace | Kind::Colon | Kind::Semi);
        let known = binding.class.is_type() && binding.inner != NO_SCOPE;
        // A variable has the name; it keeps it.
        let hidden = binding.class == Class::Value && binding.inner != NO_SCOPE;
        let scope = if known && next != Kind::Lt { binding.inner } else { self.names.new_named() };
        if next == Kind::Lt {
            // An explicit specialisation.
            self.open_angle = self.at + 1;
            self.angle_of = Class::Value;
        } else if begins && (defines || !(binding.class.is_type() || hidden)) {
            let class = if self.names.in_template() { Class::TypeTemplate } else { Class::Type };
            self.names.bind(sym, class, scope);
        }
        let has_body = matches!(next, Kind::LBrace | Kind::Colon | Kind::Lt);
        match &mut self.head {
            Some(h) if has_body => (h.scope, h.name) = (scope, Some(sym)),
            _ => {
                self.head = None;
                self.after_type = true;
            }
        }
    }

    /// The name of a variable: hides a type of that name.
    fn variable(&mut self, sym: Symbol) {
        self.emit(Tok::Ident);
        let hidden = self.names.lookup(sym, self.interner);
        if hidden.class != Class::Value {
            self.names.bind(sym, Class::Value, hidden.inner);
        }
    }

    /// The name that a declaration declares.
    fn declare(&mut self, sym: Symbol, next: Kind, visible: Binding, begins: bool) {
        self.path.name = false;
        self.check_name(sym);
        let top = self.top();
        let nested = matches!(top, Some(BracketKind::FnParams | BracketKind::Header | BracketKind::Angle(_)));
        // The names of parameters of a type mean nothing.
        if top == Some(BracketKind::TypeParams) {
            return self.emit(Tok::Ident);
        }
        if self.typedef {
            self.emit(Tok::Ident);
            self.names.bind(sym, Class::Type, NO_SCOPE);
            self.declarators = Some(self.brackets.len());
            self.type_paren = self.kept(self.at + 1);
            return;
        }
        let in_block = top == Some(BracketKind::Brace(Brace::Block));
        let paren = self.kept(self.at + 1);
        if in_block && next == Kind::LParen && self.names.is_local() && self.is_definition(paren) {
            self.close_missing(self.statement);
        } else if in_block && next == Kind::LParen && self.names.is_local() && self.declares_function(paren) {
            return self.function(sym, visible, begins, paren);
        }
        let outer = !self.names.is_local() && matches!(self.top(), None | Some(BracketKind::Brace(_)));
        if outer && next == Kind::LParen {
            return self.function(sym, visible, begins, paren);
        }
        if outer
            && next == Kind::Lt
            && let Some(close) = self.arguments_end(self.at + 1, visible.class == Class::FnTemplate).map(|close| self.kept(close + 1))
            && self.kind(close) == Kind::LParen
        {
            // An explicit specialisation of a function.
            self.function(sym, visible, begins, close);
            self.open_angle = self.at + 1;
            self.angle_of = Class::FnTemplate;
            return;
        }
        self.variable(sym);
        if !nested {
            self.declarators = Some(self.brackets.len());
        }
        if outer && begins && !nested {
            self.variable_template(sym, next, visible);
        }
    }

    /// The name of a variable that is a template, or a specialisation of one: what follows its `<` are template arguments.
    fn variable_template(&mut self, sym: Symbol, next: Kind, visible: Binding) {
        if next != Kind::Lt && self.names.in_template() {
            return self.names.bind(sym, Class::FnTemplate, NO_SCOPE);
        }
        if next != Kind::Lt || visible.class != Class::FnTemplate {
            return;
        }
        let Some(close) = self.arguments_end(self.at + 1, true) else {
            return;
        };
        if matches!(self.kind(close + 1), Kind::Assign | Kind::Semi | Kind::LBracket) {
            self.names.bind(sym, Class::FnTemplate, NO_SCOPE);
            self.open_angle = self.at + 1;
            self.angle_of = Class::FnTemplate;
        }
    }

    fn function(&mut self, sym: Symbol, visible: Binding, begins: bool, paren: usize) {
        self.emit(Tok::Ident);
        self.fn_paren = paren;
        self.declarators = None;
        if !begins {
            self.out_of_line = self.path.qualifier;
            return;
        }
        if self.names.in_template() {
            self.names.bind(sym, Class::FnTemplate, NO_SCOPE);
            if self.top() == Some(BracketKind::Brace(Brace::Record)) {
                self.names.add_template_method(sym);
            }
        } else if visible.class.is_type() {
            self.names.bind(sym, Class::Value, visible.inner);
        }
    }

    // ------------------------------------------------------------ looking ahead

    /// Whether the parentheses that open at `paren`, after a name in a function, hold parameters: none, or a type first.
    pub(super) fn declares_function(&mut self, paren: usize) -> bool {
        self.kind(paren + 1) == Kind::RParen || self.starts_type(paren + 1)
    }

    /// Index of the `>` that closes the `<` at `open`, if the tokens between them can be template arguments. A `>>` counts as its end.
    pub(super) fn template_end(&self, open: usize) -> Option<usize> {
        self.arguments_end(open, false)
    }

    /// As [`Self::template_end`]. After the name of a template, `known`, they are template arguments, whatever operators they have.
    fn arguments_end(&self, open: usize, known: bool) -> Option<usize> {
        let (mut angles, mut parens) = (0i32, 0i32);
        for i in open..(open + LONGEST_ARGUMENTS).min(self.tokens.len()) {
            match self.tokens[i].kind {
                Kind::LParen | Kind::LBracket => parens += 1,
                Kind::RParen | Kind::RBracket => {
                    parens -= 1;
                    if parens < 0 {
                        return None;
                    }
                }
                Kind::Lt if parens == 0 => angles += 1,
                Kind::Gt if parens == 0 => angles -= 1,
                Kind::Shr if parens == 0 => angles -= 2,
                Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::Assign | Kind::Eof => return None,
                Kind::AndAnd | Kind::OrOr | Kind::Question if parens == 0 && !known => return None,
                _ => {}
            }
            if angles <= 0 {
                return Some(i);
            }
        }
        None
    }

    /// Whether the token at `i` starts a type.
    fn starts_type(&mut self, i: usize) -> bool {
        let Some(sym) = self.sym(i) else { return false };
        match self.names.word(sym, self.interner) {
            Word::Spec(..) | Word::Signedness | Word::Typename | Word::Keyword(Tok::Const | Tok::Record) => true,
            Word::Name => {
                let binding = self.names.lookup(sym, self.interner);
                if binding.class == Class::Namespace && self.kind(i + 1) == Kind::ColonColon {
                    let inner = self.sym(i + 2).and_then(|s| self.names.lookup_in(binding.inner, s));
                    return inner.is_some_and(|b| b.class.is_type());
                }
                binding.class.is_type()
            }
            _ => false,
        }
    }
}
