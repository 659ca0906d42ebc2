//! Token classification between lexer and parser: which identifiers name types, and which `<` opens template arguments.
//!
//! HLSL, like C, cannot be parsed without knowing which names are types, and the parser reads its lookahead
//! before its actions run, so actions cannot tell the lexer. This pass runs between the two. It walks the tokens once, with
//! random access in both directions, keeps the scopes of type and template names itself, and turns every token into a
//! terminal of the grammar, which then has no conflicts. It also records what each brace encloses, which the parser's recovery
//! uses, and repairs unbalanced braces, which a parser recovers from badly.
//!
//! Where a program uses a name that is declared nowhere, the surrounding tokens decide (two identifiers in a row are a type and a
//! name), so that an undeclared type is reported as such by sema and not as a syntax error here.
//!
//! Not here: semantic checks. A wrong guess at worst gives a syntax error in an invalid program.

mod brackets;
mod declarators;
mod effects;
mod identifiers;
mod names;
mod token;

pub use token::{Brace, CTok, Tok};

pub(crate) use names::specifier;

use rtc_base::{Diagnostic, Interner, Span, Symbol};
use rtc_tables::attributes::AttributeId;
use rtc_tables::{diagnostics as codes, identifiers as letters};

use crate::lex::{Kind, Token};
use crate::report::Report;
use effects::EffectNames;
use names::{Class, NO_SCOPE, NamedScope, Names, ScopeKind, Word};

/// Brackets of all kinds nest at most this deep.
pub const MAX_BRACKET_DEPTH: usize = 256;

/// Turns `tokens`, which end with [`Kind::Eof`], into terminals.
pub fn classify(tokens: &[Token], interner: &mut Interner, report: &mut Report) -> Vec<CTok> {
    let state = State::new(interner);
    let mut c = Classifier::new(state, Vec::with_capacity(tokens.len()), tokens, interner, report);
    c.run();
    c.end_of_file();
    c.out
}

/// What the classifier knows between two declarations at file scope.
#[derive(Clone)]
pub(crate) struct State {
    names: Names,
    own: PendingOwner,
    effects: EffectNames,
    /// The next token.
    at: usize,
    /// The last terminal.
    last: Option<CTok>,
}

impl State {
    fn new(interner: &mut Interner) -> State {
        let names = Names::new(interner);
        let own = PendingOwner {
            register: interner.intern("register"),
            packoffset: interner.intern("packoffset"),
            sampler_state: interner.intern("sampler_state"),
            shader: interner.intern(AttributeId::Shader.row().name),
            numthreads: interner.intern(AttributeId::NumThreads.row().name),
        };
        State { names, own, effects: EffectNames::new(interner), at: 0, last: None }
    }
}

/// Turns the first declarations of a file, which end with `tokens` before a [`Kind::Eof`], into terminals. `None` where these are no whole
/// declarations, or where there is something to report.
pub(crate) fn classify_first(tokens: &[Token], interner: &mut Interner) -> Option<(Vec<CTok>, State)> {
    let (state, mut report) = (State::new(interner), Report::new());
    let mut c = Classifier::new(state, Vec::with_capacity(tokens.len()), tokens, interner, &mut report);
    c.run();
    let last = c.out.last().copied();
    // After a semicolon or the end of a body, what follows never changed how the tokens before it were read.
    let ends = last.is_some_and(|l| match l.tok {
        Tok::Semi => true,
        Tok::RBrace => l.brace.ends_item(),
        _ => false,
    });
    let pending = c.after_type
        || c.head.is_some()
        || c.typedef
        || c.alias
        || c.declarators.is_some()
        || c.annotation
        || c.out_of_line != NO_SCOPE
        || c.force_type
        || c.using_namespace
        || c.namespace.is_some()
        || c.buffer
        || c.after_header
        || c.after_attribute;
    if !ends || pending || !c.brackets.is_empty() || !c.names.is_outer() || !c.report.is_empty() {
        return None;
    }
    let (out, state) = (c.out, State { names: c.names, own: c.own, effects: c.effects, at: c.at, last });
    Some((out, state))
}

/// Turns the declarations after those of [`classify_first`] into terminals; the first one is repeated.
pub(crate) fn classify_rest(state: &State, tokens: &[Token], interner: &Interner, report: &mut Report) -> Vec<CTok> {
    let mut out = Vec::with_capacity(tokens.len() - state.at + 1);
    out.extend(state.last);
    let mut c = Classifier::new(state.clone(), out, tokens, interner, report);
    c.run();
    c.end_of_file();
    c.out
}

/// Contextual keywords.
#[derive(Clone)]
struct PendingOwner {
    register: Symbol,
    packoffset: Symbol,
    sampler_state: Symbol,
    shader: Symbol,
    numthreads: Symbol,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BracketKind {
    Paren,
    /// Parameters of a function declaration.
    FnParams,
    /// Parameters of a type of functions.
    TypeParams,
    /// The parentheses of `for`: semicolons inside.
    ForHeader,
    /// Of `if`, `while`, `switch`: a statement follows.
    Control,
    /// Of `register` and the like: every identifier is a name.
    PlainWords,
    Square,
    Attribute,
    /// Of an attribute after a type.
    TypeAttribute,
    /// Template arguments, of a type or of something else.
    Angle(bool),
    /// Template parameters.
    Header,
    Brace(Brace),
}

impl BracketKind {
    fn is_angle(self) -> bool {
        matches!(self, BracketKind::Angle(_) | BracketKind::Header)
    }
    fn is_paren(self) -> bool {
        use BracketKind::*;
        matches!(self, Paren | FnParams | TypeParams | ForHeader | Control | PlainWords)
    }
}

struct Bracket {
    kind: BracketKind,
    /// Index of the opening token in the source.
    token: u32,
    /// Question marks that wait for their colon.
    questions: u32,
    /// A `case` or `default` that waits for its colon.
    label: bool,
    /// Whether it is inside a `typedef`.
    typedef: bool,
    /// The name of the record whose members it encloses.
    record: Option<Symbol>,
    /// The path before it, which continues after the template arguments.
    path: Path,
}

/// The state of the path that is being read.
#[derive(Clone, Copy)]
struct Path {
    /// The scope before `::`.
    qualifier: NamedScope,
    /// It begins with `::`, and its first name is to come.
    global: bool,
    /// It is where a declaration may begin.
    decl: bool,
    /// … where only a type is allowed.
    type_only: bool,
    /// It names what is declared.
    name: bool,
    /// It is where a declaration may begin, or follows what begins one.
    begins: bool,
    /// It follows what only a declaration has.
    certain: bool,
}

/// The head of a record or enumeration, between its keyword and its brace.
#[derive(Clone, Copy)]
struct Head {
    brace: Brace,
    brackets: usize,
    /// The scope of the name, once seen.
    scope: NamedScope,
    /// The name, once seen.
    name: Option<Symbol>,
    /// The scope of a base.
    base: NamedScope,
    /// After the colon.
    bases: bool,
}

struct Classifier<'a> {
    effects: EffectNames,
    tokens: &'a [Token],
    interner: &'a Interner,
    report: &'a mut Report,
    /// Braces were inserted for a declaration inside of a function.
    closed_missing: bool,
    names: Names,
    own: PendingOwner,
    out: Vec<CTok>,
    brackets: Vec<Bracket>,
    /// Index of the current token.
    at: usize,
    /// A type is complete: the next identifier is the declared name.
    after_type: bool,
    head: Option<Head>,
    /// Inside `typedef`.
    typedef: bool,
    /// After the `=` of `using X =`.
    alias: bool,
    /// In a declaration whose declarators are at this bracket depth.
    declarators: Option<usize>,
    /// After the colon of an annotation.
    annotation: bool,
    /// How many `?` outside of brackets have no colon yet.
    questions: u32,
    /// The `<` at this index opens template arguments.
    open_angle: usize,
    /// Of what.
    angle_of: Class,
    /// The path that is being read.
    path: Path,
    /// The class of the function that is being defined out of line.
    out_of_line: NamedScope,
    /// The `(` at this index opens a function's parameters.
    fn_paren: usize,
    /// The `(` at this index opens the parameters of the type of functions that a `typedef` names.
    type_paren: usize,
    /// `typename` was read.
    force_type: bool,
    using_namespace: bool,
    /// The namespace whose head was read last.
    namespace: Option<NamedScope>,
    /// In the head of a constant buffer.
    buffer: bool,
    /// Where in `out` the current statement starts.
    statement: usize,
    /// After the `)` of `if (…)`, `while (…)` and so on.
    after_header: bool,
    /// After the `]` of an attribute.
    after_attribute: bool,
    /// The last `)` closed an annotation's parentheses.
    after_plain_words: bool,
    /// Indices of the `)` whose `(` was dropped, outermost first, and of the last such `(`.
    dropped: Vec<usize>,
    dropped_open: usize,
    /// Words that were refused as names.
    refused: Vec<Symbol>,
    too_deep: bool,
}

impl<'a> Classifier<'a> {
    fn new(state: State, out: Vec<CTok>, tokens: &'a [Token], interner: &'a Interner, report: &'a mut Report) -> Self {
        Classifier {
            effects: state.effects,
            tokens,
            interner,
            report,
            closed_missing: false,
            names: state.names,
            own: state.own,
            out,
            brackets: Vec::new(),
            at: state.at,
            after_type: false,
            head: None,
            typedef: false,
            alias: false,
            declarators: None,
            annotation: false,
            questions: 0,
            open_angle: usize::MAX,
            angle_of: Class::Value,
            path: Path { qualifier: NO_SCOPE, global: false, decl: false, type_only: false, name: false, begins: false, certain: false },
            dropped: Vec::new(),
            dropped_open: usize::MAX,
            refused: Vec::new(),
            out_of_line: NO_SCOPE,
            fn_paren: usize::MAX,
            type_paren: usize::MAX,
            force_type: false,
            using_namespace: false,
            namespace: None,
            buffer: false,
            statement: 0,
            after_header: false,
            after_attribute: false,
            after_plain_words: false,
            too_deep: false,
        }
    }
}

impl Classifier<'_> {
    fn run(&mut self) {
        while self.kind(self.at) != Kind::Eof {
            let before = self.at;
            self.step();
            self.at = self.at.max(before) + 1;
            if self.report.is_full() {
                break;
            }
        }
    }

    fn kind(&self, i: usize) -> Kind {
        self.tokens.get(i).map_or(Kind::Eof, |t| t.kind)
    }

    fn sym(&self, i: usize) -> Option<Symbol> {
        self.tokens.get(i).filter(|t| t.kind == Kind::Ident).map(|t| t.sym)
    }

    fn span(&self, i: usize) -> Span {
        self.tokens.get(i).or(self.tokens.last()).map_or(Span::NONE, |t| t.span)
    }

    /// The last terminal.
    fn prev(&self) -> Tok {
        self.out.last().map_or(Tok::Semi, |t| t.tok)
    }

    fn top(&self) -> Option<BracketKind> {
        self.brackets.last().map(|b| b.kind)
    }

    fn emit(&mut self, tok: Tok) {
        self.emit_brace(tok, Brace::None);
    }

    fn emit_brace(&mut self, tok: Tok, brace: Brace) {
        self.out.push(CTok { tok, brace, at: self.at as u32 });
    }

    /// Whether a statement or declaration can begin here.
    fn at_start(&self) -> bool {
        match self.out.last() {
            None => true,
            Some(c) => match c.tok {
                Tok::Semi | Tok::Else | Tok::Do => !matches!(self.top(), Some(BracketKind::ForHeader)),
                Tok::LBrace => c.brace.is_list(),
                Tok::RBrace => c.brace.ends_item(),
                Tok::RParen => self.after_header,
                Tok::RSquare => self.after_attribute,
                Tok::TClose => self.after_header_close(),
                Tok::Colon => self.out.len() == self.statement,
                _ => false,
            },
        }
    }

    /// After the `>` of template parameters.
    fn after_header_close(&self) -> bool {
        self.names.in_template() && self.out.len() == self.statement
    }

    fn step(&mut self) {
        let t = self.tokens[self.at];
        if self.at_start() && !self.after_attribute && !self.after_header && !self.after_header_close() {
            self.statement = self.out.len();
        }
        if t.kind == Kind::Ident {
            self.check_spelling(t.sym);
            let annotation = std::mem::take(&mut self.annotation);
            self.word(t.sym, annotation);
            self.after_header = false;
            self.after_attribute = false;
            return;
        }
        self.annotation = false;
        let was_type = std::mem::take(&mut self.after_type);
        let (header, attribute) = (self.after_header, self.after_attribute);
        match t.kind {
            Kind::LParen if self.begins_function_type(was_type) => self.open(BracketKind::TypeParams, Tok::TypeParen),
            Kind::LParen if was_type && self.drop_parenthesis() => {}
            Kind::LParen => self.open_paren(),
            Kind::RParen if self.drop_closing() => {}
            Kind::RParen => return self.close(BracketKind::Paren),
            Kind::LBracket if was_type && self.kind(self.at + 1) == Kind::LBracket => {
                self.open(BracketKind::TypeAttribute, Tok::TypeSquare);
            }
            Kind::LBracket => {
                let operand = match self.prev() {
                    Tok::Ident | Tok::Type | Tok::TClose | Tok::Str | Tok::Num | Tok::This => true,
                    Tok::RParen => !header,
                    Tok::RSquare => !attribute,
                    _ => false,
                };
                let inner = self.top() == Some(BracketKind::Attribute) && self.prev() == Tok::LSquare
                    || self.top() == Some(BracketKind::TypeAttribute) && self.prev() == Tok::TypeSquare;
                let kind = if operand && !inner { BracketKind::Square } else { BracketKind::Attribute };
                if kind == BracketKind::Attribute && !inner {
                    self.check_missing_brace_at_attribute();
                }
                self.open(kind, Tok::LSquare);
                // An attribute between a record's keyword and its name changes nothing.
            }
            Kind::RBracket => return self.close(BracketKind::Square),
            Kind::LBrace => self.open_brace(was_type),
            Kind::RBrace => return self.close_brace(),
            Kind::Lt if self.open_angle == self.at => {
                let of_type = self.angle_of.is_type();
                let kind = if self.prev() == Tok::Template { BracketKind::Header } else { BracketKind::Angle(of_type) };
                self.open(kind, Tok::TOpen);
            }
            Kind::Lt if self.effect_annotation() => {}
            Kind::Gt if self.top().is_some_and(BracketKind::is_angle) => return self.close_angle(),
            Kind::Shr if self.top().is_some_and(BracketKind::is_angle) => {
                self.close_angle();
                if self.top().is_some_and(BracketKind::is_angle) {
                    self.close_angle();
                } else {
                    self.emit(Tok::RelOp);
                }
                return;
            }
            Kind::Semi => {
                self.emit(Tok::Semi);
                self.semicolon();
            }
            Kind::Colon => self.colon(),
            Kind::Question => {
                match self.brackets.last_mut() {
                    Some(b) => b.questions += 1,
                    None => self.questions += 1,
                }
                self.emit(Tok::Question);
            }
            Kind::Comma => {
                self.emit(Tok::Comma);
                // The next name is declared as well.
                self.after_type = self.declarators == Some(self.brackets.len());
            }
            Kind::ColonColon => {
                if self.prev() != Tok::Scope && !self.after_scope_args() {
                    // A global name: `::a`.
                    self.start_path(was_type);
                    self.path.global = true;
                }
                self.emit(Tok::ColonColon);
            }
            Kind::Star | Kind::Amp => {
                self.after_type = was_type;
                self.emit(Tok::of(t.kind));
            }
            Kind::Tilde if self.constructor(self.at + 1) => {}
            kind => self.emit(Tok::of(kind)),
        }
        self.after_header = false;
        self.after_attribute = false;
    }

    /// Warns of a name, where it is first used, that readers take for another one.
    fn check_spelling(&mut self, sym: Symbol) {
        let text = self.interner.str(sym);
        if !self.names.is_new(sym) || text.is_ascii() {
            return;
        }
        let span = self.span(self.at);
        let code = |c: char| format!("U+{:04X}", u32::from(c));
        if let Some(c) = letters::unseen(text) {
            let message = format!("this name has a character that is not seen ({})", code(c));
            self.report.add(Diagnostic::new(&codes::W0109, span, message));
        } else if let Some((own, latin)) = letters::lookalike(text) {
            let message = format!("the letter `{own}` ({}) of `{text}` looks like `{latin}`", code(own));
            self.report.add(Diagnostic::new(&codes::W0109, span, message));
        }
    }

    /// After `scope<…>`.
    fn after_scope_args(&self) -> bool {
        self.prev() == Tok::TClose
    }

    fn open_paren(&mut self) {
        let kind = if self.fn_paren == self.at {
            BracketKind::FnParams
        } else {
            match self.prev() {
                Tok::For => BracketKind::ForHeader,
                // The parentheses of the `while` after the body of `do` are treated the same way; a semicolon follows.
                Tok::If | Tok::While | Tok::Switch => BracketKind::Control,
                Tok::Register | Tok::PackOffset | Tok::Access => BracketKind::PlainWords,
                _ => BracketKind::Paren,
            }
        };
        if kind == BracketKind::FnParams {
            self.names.push(ScopeKind::Params, self.brackets.len(), NO_SCOPE);
            if self.out_of_line != NO_SCOPE {
                self.names.import(self.out_of_line);
                self.out_of_line = NO_SCOPE;
            }
        }
        self.open(kind, Tok::LParen);
    }

    fn colon(&mut self) {
        if self.brackets.is_empty() && self.questions > 0 {
            self.questions -= 1;
            return self.emit(Tok::Colon);
        }
        if let Some(b) = self.brackets.last_mut() {
            if b.questions > 0 {
                b.questions -= 1;
                return self.emit(Tok::Colon);
            }
            if b.label {
                b.label = false;
                self.emit(Tok::Colon);
                self.statement = self.out.len();
                return;
            }
        }
        if let Some(h) = &mut self.head
            && h.brackets == self.brackets.len()
        {
            h.bases = true;
            return self.emit(Tok::BaseColon);
        }
        if self.top() == Some(BracketKind::Brace(Brace::Record)) && self.is_width() {
            return self.emit(Tok::WidthColon);
        }
        self.emit(Tok::Colon);
        self.annotation = true;
    }

    /// Whether what follows the colon of a member is an expression: anything but a name, which is an annotation.
    fn is_width(&mut self) -> bool {
        match self.sym(self.at + 1) {
            Some(sym) => matches!(self.names.word(sym, self.interner), Word::Keyword(Tok::Sizeof | Tok::Bool)),
            None => true,
        }
    }

    fn semicolon(&mut self) {
        if self.top() == Some(BracketKind::ForHeader) {
            self.declarators = None;
            return;
        }
        // Brackets that are still open will not be closed any more.
        while self.top().is_some_and(|k| !matches!(k, BracketKind::Brace(_))) {
            self.brackets.pop();
        }
        self.questions = 0;
        self.dropped.clear();
        if let Some(b) = self.brackets.last_mut() {
            b.questions = 0;
            b.label = false;
        }
        self.end_declaration();
    }

    fn end_declaration(&mut self) {
        let depth = self.brackets.len();
        self.names.close_to(depth);
        self.names.end_declaration(depth);
        self.declarators = None;
        self.typedef = false;
        self.alias = false;
        self.head = None;
        self.using_namespace = false;
        self.force_type = false;
        self.out_of_line = NO_SCOPE;
        self.path.name = false;
    }

    fn close_angle(&mut self) {
        let kind = self.top();
        if let Some(b) = self.brackets.pop() {
            self.path = b.path;
        }
        self.emit(Tok::TClose);
        match kind {
            // Parameters of a parameter end with it.
            Some(BracketKind::Header) if self.top() == Some(BracketKind::Header) => self.names.end_header(),
            Some(BracketKind::Header) => self.statement = self.out.len(),
            // `scope<…>::` continues the path.
            Some(BracketKind::Angle(of_type)) => self.after_type = of_type && self.kind(self.at + 1) != Kind::ColonColon,
            _ => {}
        }
    }

    /// Reports that something is nested too deeply, once.
    fn report_depth(&mut self) {
        if !self.too_deep {
            self.too_deep = true;
            let span = self.span(self.at);
            let message = format!("brackets are nested more than {MAX_BRACKET_DEPTH} deep");
            self.report.add(Diagnostic::new(&codes::E0205, span, message));
        }
    }
}

#[cfg(test)]
mod tests;
