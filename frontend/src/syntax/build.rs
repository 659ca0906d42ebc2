//! Construction of the syntax tree: the semantic actions of the grammar.
//!
//! Actions get locations, which are indices of terminals; the builder maps them to tokens. It also limits the depth of the
//! tree, so that later stages can recurse, and keeps the diagnostics of one attempt separate, because a declaration with a
//! syntax error is parsed more than once.

use rtc_base::{Diagnostic, EntityRef, Interner, Span, Symbol};
use rtc_tables::diagnostics as codes;

use super::ast::*;
use super::chain::{Chain, Chains, Level, Operand};
use crate::classify::{CTok, Tok, specifier};
use crate::lex::{Escapes, Kind, Number, Token, parse_char, parse_number, parse_string};
use crate::preprocess::Packing;

/// Expressions and statements nest at most this deep. The left operands of binary operators do not count: walks
/// over a tree handle `a + b + c + …` iteratively.
pub const MAX_TREE_DEPTH: u16 = 512;

/// The depth of each node, by index.
#[derive(Clone, Default)]
pub struct Depths {
    exprs: Vec<u16>,
    stmts: Vec<u16>,
    /// Whether it was reported.
    reported: bool,
}

/// Builds the tree of one declaration.
pub struct Builder<'t, 'r> {
    /// The tree.
    pub ast: &'r mut Ast,
    /// Names.
    pub interner: &'r mut Interner,
    /// The tokens of the terminals.
    pub tokens: &'r [Token],
    /// `#pragma pack_matrix`.
    pub packing: &'r [(u32, Packing)],
    /// Depths of the nodes of the tree.
    pub depths: &'r mut Depths,
    /// The diagnostics of this attempt.
    pub diags: Vec<Diagnostic>,
    /// The terminals being parsed.
    pub toks: &'t [CTok],
    /// Chains of binary operators that are open.
    pub chains: Chains,
}

/// The qualifier before `::`.
pub struct Qualifier {
    /// Starts with `::`.
    pub global: bool,
    /// The names.
    pub segments: Vec<Segment>,
}

impl Builder<'_, '_> {
    // ------------------------------------------------------------ tokens

    pub(super) fn token(&self, l: u32) -> Token {
        self.tokens[self.toks[l as usize].at as usize]
    }

    pub(super) fn text(&self, l: u32) -> &str {
        self.interner.str(self.token(l).sym)
    }

    fn kind(&self, l: u32) -> Kind {
        let kind = self.token(l).kind;
        // The second `>` of a `>>` whose first closed template arguments.
        if kind == Kind::Shr && self.toks[l as usize].tok == Tok::RelOp { Kind::Gt } else { kind }
    }

    /// The span of the terminals `l` up to, not including, `r`.
    pub fn span(&self, l: u32, r: u32) -> Span {
        if r > l {
            return self.token(l).span.to(self.token(r - 1).span);
        }
        match self.toks.get(l as usize) {
            Some(c) => {
                let s = self.tokens[c.at as usize].span;
                Span::new(s.lo, s.lo)
            }
            None => Span::NONE,
        }
    }

    pub(super) fn report(&mut self, d: Diagnostic) {
        self.diags.push(d);
    }

    // ------------------------------------------------------------ names

    /// The identifier at `l`.
    pub fn name(&self, l: u32) -> Name {
        let t = self.token(l);
        Name { sym: t.sym, span: t.span }
    }

    /// The name of the type at `l`; `unsigned` and `signed` are joined with it, or denote `uint` and `int`.
    fn type_name(&mut self, l: u32) -> Name {
        let mut name = self.name(l);
        let at = self.toks[l as usize].at as usize;
        let word = |i: usize| self.tokens.get(i).filter(|t| t.kind == Kind::Ident).map_or("", |t| self.interner.str(t.sym));
        let joined = match (at.checked_sub(1).map_or("", word), word(at)) {
            ("unsigned", text) if !text.contains("uint") => Some(text.replacen("int", "uint", 1)),
            (_, "unsigned") => Some("uint".to_string()),
            (_, "signed") => Some("int".to_string()),
            _ => None,
        };
        if let Some(text) = joined.filter(|_| self.toks[l as usize].tok == Tok::Type) {
            name.sym = self.interner.intern(&text);
        }
        name
    }

    /// A path of one name.
    pub fn simple_path(&mut self, l: u32, r: u32, args: Option<List<TemplateArg>>) -> PathId {
        let name = self.type_name(l);
        let span = self.span(l, r);
        let segments = self.ast.make_list([Segment { name, args }]);
        self.ast.paths.push(Path { global: false, segments, span })
    }

    /// A path of several names, the last at `n`.
    pub fn qualified_path(&mut self, l: u32, r: u32, mut q: Qualifier, n: u32, args: Option<List<TemplateArg>>) -> PathId {
        q.segments.push(Segment { name: self.name(n), args });
        self.path(l, r, q)
    }

    /// A path that is all qualifier.
    pub fn path(&mut self, l: u32, r: u32, q: Qualifier) -> PathId {
        let span = self.span(l, r);
        let segments = self.ast.make_list(q.segments);
        self.ast.paths.push(Path { global: q.global, segments, span })
    }

    // ------------------------------------------------------------ types

    /// The specifier at `l`.
    pub fn spec(&self, l: u32) -> Spec {
        Spec { what: specifier(self.text(l)), span: self.token(l).span }
    }

    /// A type of `kind` at `l..m`, with specifiers before and after.
    pub fn ty(
        &mut self,
        l: u32,
        m: u32,
        mut before: Vec<Spec>,
        kind: TypeKind,
        after: Option<Vec<Spec>>,
        indirect: Option<bool>,
    ) -> TypeId {
        before.extend(after.into_iter().flatten());
        let mut specs = before.iter().fold(Specs::empty(), |a, s| a | s.what);
        if !self.packing.is_empty() {
            // A pragma counts up to what follows the type, which the reference compiler has read by then.
            let at = self.toks.get(m as usize).unwrap_or(&self.toks[l as usize]).at;
            let i = self.packing.partition_point(|p| p.0 <= at);
            specs |= match i.checked_sub(1).map(|i| self.packing[i].1) {
                Some(Packing::RowMajor) => Specs::PRAGMA_ROW_MAJOR,
                Some(Packing::ColumnMajor) => Specs::PRAGMA_COLUMN_MAJOR,
                None => Specs::empty(),
            };
        }
        let span = self.span(l, m);
        let spec_list = self.ast.make_list(before);
        let ty = self.ast.types.push(Type { kind, specs, spec_list, span });
        match indirect {
            Some(reference) => self.ast.types.push(Type { kind: TypeKind::Indirect(ty, reference), specs, spec_list, span }),
            None => ty,
        }
    }

    /// `ty` with dimensions after it.
    pub fn array_type(&mut self, l: u32, r: u32, ty: TypeId, dims: List<ArrayDim>) -> TypeId {
        if dims.is_empty() {
            return ty;
        }
        let Type { specs, spec_list, .. } = self.ast.types[ty];
        let span = self.span(l, r);
        self.ast.types.push(Type { kind: TypeKind::Array(ty, dims), specs, spec_list, span })
    }

    /// The type of functions with these parameters and the result `ret`.
    pub fn function_type(&mut self, l: u32, r: u32, ret: TypeId, params: List<Param>) -> TypeId {
        let span = self.span(l, r);
        self.ast.types.push(Type { kind: TypeKind::Function(ret, params), specs: Specs::empty(), spec_list: List::EMPTY, span })
    }

    // ------------------------------------------------------------ expressions

    fn depth_of(&self, e: ExprId) -> u16 {
        self.depths.exprs[e.index()]
    }

    fn deepest(&self, list: List<ExprId>) -> u16 {
        self.ast.list(list).iter().map(|&e| self.depth_of(e)).max().unwrap_or(0)
    }

    fn too_deep(&mut self, span: Span) {
        if !self.depths.reported {
            self.depths.reported = true;
            let message = format!("expressions and statements are nested more than {MAX_TREE_DEPTH} deep");
            self.report(Diagnostic::new(&codes::E0205, span, message));
        }
    }

    /// An expression.
    pub fn expr(&mut self, l: u32, r: u32, kind: ExprKind) -> ExprId {
        let span = self.span(l, r);
        let d = |e| self.depth_of(e);
        let depth = 1 + match kind {
            ExprKind::Member(e, _) | ExprKind::Arrow(e, _) | ExprKind::Cast(_, e) | ExprKind::Unary(_, e) | ExprKind::SizeofExpr(e) => d(e),
            ExprKind::Index(a, b) | ExprKind::Assign(a, b) | ExprKind::AssignOp(_, a, b) => d(a).max(d(b)),
            ExprKind::Comma(a, b) => match self.ast.exprs[a].kind {
                ExprKind::Comma(..) => (d(a) - 1).max(d(b)),
                _ => d(a).max(d(b)),
            },
            ExprKind::Binary(_, a, b) => match self.ast.exprs[a].kind {
                ExprKind::Binary(..) => (d(a) - 1).max(d(b)),
                _ => d(a).max(d(b)),
            },
            ExprKind::Conditional(a, b, c) => d(a).max(d(b)).max(d(c)),
            ExprKind::Call(e, list) => d(e).max(self.deepest(list)),
            ExprKind::Construct(_, list) | ExprKind::InitList(list) => self.deepest(list),
            _ => 0,
        };
        let (kind, depth) = if depth > MAX_TREE_DEPTH {
            self.too_deep(span);
            (ExprKind::Error, 1)
        } else {
            (kind, depth)
        };
        let id = self.ast.exprs.push(Expr { kind, span });
        self.depths.exprs.push(depth);
        id
    }

    /// A call.
    pub fn call(&mut self, l: u32, r: u32, callee: ExprId, args: Vec<ExprId>) -> ExprId {
        let args = self.ast.make_list(args);
        self.expr(l, r, ExprKind::Call(callee, args))
    }

    /// A call of the type at `l..m`.
    pub fn construct(&mut self, l: u32, m: u32, r: u32, path: PathId, args: Vec<ExprId>) -> ExprId {
        let ty = self.ty(l, m, Vec::new(), TypeKind::Named(path), None, None);
        let args = self.ast.make_list(args);
        self.expr(l, r, ExprKind::Construct(ty, args))
    }

    /// An initialiser list.
    pub fn init_list(&mut self, l: u32, r: u32, items: Vec<ExprId>) -> ExprId {
        let items = self.ast.make_list(items);
        self.expr(l, r, ExprKind::InitList(items))
    }

    fn operator(&self, o: u32) -> BinaryOp {
        use BinaryOp::*;
        match self.kind(o) {
            Kind::Star | Kind::StarEq => Mul,
            Kind::Slash | Kind::SlashEq => Div,
            Kind::Percent | Kind::PercentEq => Rem,
            Kind::Plus | Kind::PlusEq => Add,
            Kind::Minus | Kind::MinusEq => Sub,
            Kind::Shl | Kind::ShlEq => Shl,
            Kind::Shr | Kind::ShrEq => Shr,
            Kind::Lt => Lt,
            Kind::Gt => Gt,
            Kind::Le => Le,
            Kind::Ge => Ge,
            Kind::EqEq => Eq,
            Kind::NotEq => Ne,
            Kind::Amp | Kind::AmpEq => BitAnd,
            Kind::Caret | Kind::CaretEq => BitXor,
            Kind::Pipe | Kind::PipeEq => BitOr,
            Kind::AndAnd => LogAnd,
            Kind::OrOr => LogOr,
            k => rtc_base::bug!("{k:?} is not a binary operator"),
        }
    }

    /// A chain of binary operators begins.
    pub fn begin_chain(&mut self, first: Operand) -> Chain {
        self.chains.begin(first)
    }

    /// The operator at `o` follows `chain`: operands before it that bind at least as tightly are joined.
    pub fn operator_after(&mut self, chain: Chain, o: u32) -> Chain {
        let level = Level::of(self.toks[o as usize].tok);
        let last = self.join(chain, level);
        self.chains.push(last, o, level);
        chain
    }

    /// The expression of a chain that ends.
    pub fn end_chain(&mut self, chain: Chain) -> ExprId {
        self.join(chain, Level::END).e
    }

    fn join(&mut self, chain: Chain, level: Level) -> Operand {
        let mut last = chain.last;
        while let Some(w) = self.chains.pop(chain, level) {
            let op = self.operator(w.operator);
            let e = self.expr(w.left.l, last.r, ExprKind::Binary(op, w.left.e, last.e));
            last = Operand { l: w.left.l, r: last.r, e };
        }
        last
    }

    /// A compound assignment whose operator is at `o`.
    pub fn assign_op(&mut self, l: u32, r: u32, o: u32, x: ExprId, y: ExprId) -> ExprId {
        let op = self.operator(o);
        self.expr(l, r, ExprKind::AssignOp(op, x, y))
    }

    /// `++` or `--` at `o`.
    pub fn inc_dec(&mut self, l: u32, r: u32, o: u32, after: bool, e: ExprId) -> ExprId {
        let op = match (self.kind(o), after) {
            (Kind::Inc, false) => UnaryOp::PreInc,
            (Kind::Inc, true) => UnaryOp::PostInc,
            (_, false) => UnaryOp::PreDec,
            (_, true) => UnaryOp::PostDec,
        };
        self.expr(l, r, ExprKind::Unary(op, e))
    }

    /// What `operator` at `l` overloads.
    pub fn overload(&self, l: u32) -> OverloadOp {
        match (self.toks[l as usize].tok, self.kind(l)) {
            (Tok::OpAssign, _) => OverloadOp::AssignOp(self.operator(l)),
            (_, Kind::Inc) => OverloadOp::Inc,
            (_, Kind::Dec) => OverloadOp::Dec,
            _ => OverloadOp::Binary(self.operator(l)),
        }
    }

    /// The number at `l`.
    pub fn number(&mut self, l: u32) -> ExprId {
        let text = self.text(l);
        let kind = match parse_number(text) {
            Number::Int(v, s) => ExprKind::Int(v, s),
            Number::Float(v, s) => ExprKind::Float(v, s),
            bad => {
                let (code, message) = if bad == Number::TooLarge {
                    (&codes::E0107, format!("integer literal `{text}` does not fit in 64 bits"))
                } else {
                    (&codes::E0106, format!("invalid number `{text}`"))
                };
                self.report(Diagnostic::new(code, self.token(l).span, message));
                ExprKind::Error
            }
        };
        self.expr(l, l + 1, kind)
    }

    /// The character literal at `l`.
    pub fn character(&mut self, l: u32) -> ExprId {
        let (value, escapes) = parse_char(self.text(l));
        self.check_escapes(l, escapes, "a character literal must have exactly one character");
        self.expr(l, l + 1, ExprKind::Char(value))
    }

    /// `true` or `false` at `l`.
    pub fn boolean(&mut self, l: u32) -> ExprId {
        let value = self.text(l) == "true";
        self.expr(l, l + 1, ExprKind::Bool(value))
    }

    /// Reports what is wrong with the escapes of the literal at `l`.
    fn check_escapes(&mut self, l: u32, escapes: Escapes, invalid: &str) {
        let span = self.token(l).span;
        match escapes {
            Escapes::Right => {}
            Escapes::Unknown => {
                let text = "unknown escape sequence: the backslash has no effect";
                self.report(Diagnostic::new(&codes::W0110, span, text));
            }
            Escapes::Invalid => self.report(Diagnostic::new(&codes::E0108, span, invalid)),
        }
    }

    /// The string literals from `l` to `r`, joined.
    pub fn strings(&mut self, l: u32, r: u32) -> Symbol {
        let mut text = String::new();
        let mut pieces = Vec::with_capacity((r - l) as usize);
        for i in l..r {
            pieces.push((text.len() as u32, self.token(i).span));
            let escapes = parse_string(self.text(i), &mut text);
            self.check_escapes(i, escapes, "invalid escape sequence in a string literal");
        }
        self.ast.literals.insert(self.span(l, r), pieces);
        self.interner.intern(&text)
    }

    // ------------------------------------------------------------ statements

    /// A statement.
    pub fn stmt(&mut self, l: u32, r: u32, kind: StmtKind) -> StmtId {
        let span = self.span(l, r);
        let d = |s: StmtId| self.depths.stmts[s.index()];
        let depth = 1 + match kind {
            // `else if` goes on with a chain.
            StmtKind::If { then, other, .. } => d(then).max(other.map_or(0, |s| match self.ast.stmts[s].kind {
                StmtKind::If { .. } => d(s) - 1,
                _ => d(s),
            })),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Do { body, .. } | StmtKind::Switch { body, .. } => {
                d(body)
            }
            StmtKind::Block(list) => self.ast.list(list).iter().map(|&s| d(s)).max().unwrap_or(0),
            _ => 0,
        };
        let (kind, depth) = if depth > MAX_TREE_DEPTH {
            self.too_deep(span);
            (StmtKind::Error, 1)
        } else {
            (kind, depth)
        };
        let id = self.ast.stmts.push(Stmt { kind, attrs: List::EMPTY, span });
        self.depths.stmts.push(depth);
        id
    }

    /// A block.
    pub fn block(&mut self, l: u32, r: u32, stmts: Vec<StmtId>) -> StmtId {
        let list = self.ast.make_list(stmts);
        self.stmt(l, r, StmtKind::Block(list))
    }

    /// `stmt` with preceding attributes.
    pub fn stmt_attrs(&mut self, attrs: Vec<Attr>, stmt: StmtId) -> StmtId {
        // On a declaration they belong to the declared entity.
        if let StmtKind::Decl(list) = self.ast.stmts[stmt].kind {
            self.attributed(attrs, list);
        } else {
            let list = self.ast.make_list(attrs);
            self.ast.stmts[stmt].attrs = list;
        }
        stmt
    }
}
