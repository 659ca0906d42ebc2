//! Pretty-printer of the syntax tree, for tests and debugging: HLSL with every operator in parentheses, so that the structure
//! is visible. Its output is not meant to be compiled.

use rtc_base::{Interner, Symbol};

use super::ast::*;
use crate::lex::escape_string;

/// The text of `ast`.
pub fn print(ast: &Ast, interner: &Interner) -> String {
    let mut p = Printer { ast, interner, out: String::new(), indent: 0 };
    p.decls(ast.items);
    p.out
}

struct Printer<'a> {
    ast: &'a Ast,
    interner: &'a Interner,
    out: String,
    indent: usize,
}

/// Names of specifiers in the order in which they print.
#[rustfmt::skip]
const SPECS: &[(Specs, &str)] = &[
    (Specs::STATIC, "static"), (Specs::EXTERN, "extern"), (Specs::CONST, "const"), (Specs::VOLATILE, "volatile"),
    (Specs::UNIFORM, "uniform"), (Specs::SHARED, "shared"), (Specs::GROUPSHARED, "groupshared"), (Specs::PRECISE, "precise"),
    (Specs::INLINE, "inline"), (Specs::EXPORT, "export"), (Specs::IN, "in"), (Specs::OUT, "out"),
    (Specs::ROW_MAJOR, "row_major"), (Specs::COLUMN_MAJOR, "column_major"), (Specs::UNORM, "unorm"), (Specs::SNORM, "snorm"),
    (Specs::NOINTERPOLATION, "nointerpolation"), (Specs::LINEAR, "linear"), (Specs::CENTROID, "centroid"),
    (Specs::NOPERSPECTIVE, "noperspective"), (Specs::SAMPLE, "sample"), (Specs::GLOBALLYCOHERENT, "globallycoherent"),
    (Specs::REORDERCOHERENT, "reordercoherent"), (Specs::POINT, "point"), (Specs::LINE, "line"), (Specs::TRIANGLE, "triangle"),
    (Specs::LINEADJ, "lineadj"), (Specs::TRIANGLEADJ, "triangleadj"), (Specs::VERTICES, "vertices"),
    (Specs::PRIMITIVES, "primitives"), (Specs::INDICES, "indices"), (Specs::PAYLOAD, "payload"),
    (Specs::CONSTEXPR, "constexpr"), (Specs::VIRTUAL, "virtual"), (Specs::CENTER, "center"), (Specs::C_REGISTER, "register"),
    (Specs::PRAGMA_ROW_MAJOR, "#row_major"), (Specs::PRAGMA_COLUMN_MAJOR, "#column_major"),
];

impl Printer<'_> {
    fn put(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn sym(&mut self, s: Symbol) {
        let text = self.interner.str(s);
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    fn comma<T: Copy>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, T)) {
        for (i, &x) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            each(self, x);
        }
    }

    // ------------------------------------------------------------ names and types

    fn path(&mut self, id: PathId) {
        let ast = self.ast;
        let p = &ast.paths[id];
        if p.global {
            self.put("::");
        }
        for (i, s) in ast.list(p.segments).iter().enumerate() {
            if i > 0 {
                self.put("::");
            }
            self.sym(s.name.sym);
            self.template_args(s.args);
        }
    }

    fn template_args(&mut self, args: Option<List<TemplateArg>>) {
        let Some(args) = args else { return };
        self.put("<");
        self.comma(self.ast.list(args), |p, a| match a {
            TemplateArg::Type(t) => p.ty(t),
            TemplateArg::Expr(e) => p.expr(e),
        });
        self.put(">");
    }

    fn ty(&mut self, id: TypeId) {
        let t = &self.ast.types[id];
        if !matches!(t.kind, TypeKind::Array(..) | TypeKind::Function(..) | TypeKind::Indirect(..)) {
            for (s, name) in SPECS {
                if t.specs.contains(*s) {
                    self.put(name);
                    self.put(" ");
                }
            }
        }
        match t.kind {
            TypeKind::Error => self.put("<error>"),
            TypeKind::Named(p) => self.path(p),
            TypeKind::Attributed(p, attrs) => {
                self.path(p);
                self.put(" ");
                self.type_attrs(attrs);
            }
            TypeKind::Auto => self.put("auto"),
            TypeKind::Of(e) => {
                self.put("__decltype(");
                self.expr(e);
                self.put(")");
            }
            TypeKind::Inline(d) => self.inline(d),
            TypeKind::Array(e, dims) => {
                self.ty(e);
                self.dims(dims);
            }
            TypeKind::Function(ret, params) => {
                self.ty(ret);
                self.put("(");
                self.comma(self.ast.list(params), Self::param);
                self.put(")");
            }
            TypeKind::Indirect(e, reference) => {
                self.ty(e);
                self.put(if reference { "&" } else { "*" });
            }
        }
    }

    fn inline(&mut self, d: DeclId) {
        match self.ast.decls[d].kind {
            DeclKind::Record(r) => {
                self.put(record_word(r.kind));
                match r.name {
                    Some(n) => {
                        self.put(" ");
                        self.path(n);
                    }
                    None => self.put(&format!(" #{}", d.as_u32())),
                }
            }
            DeclKind::Enum(e) => {
                self.put("enum ");
                match e.name {
                    Some(n) => self.sym(n.sym),
                    None => self.put(&format!("#{}", d.as_u32())),
                }
            }
            _ => self.put("<error>"),
        }
    }

    fn dims(&mut self, dims: List<ArrayDim>) {
        for d in self.ast.list(dims) {
            self.put("[");
            if let Some(e) = d.size {
                self.expr(e);
            }
            self.put("]");
        }
    }

    // ------------------------------------------------------------ expressions

    fn exprs(&mut self, list: List<ExprId>) {
        self.comma(self.ast.list(list), Self::expr);
    }

    fn expr(&mut self, id: ExprId) {
        match self.ast.exprs[id].kind {
            ExprKind::Error => self.put("<error>"),
            ExprKind::Int(v, s) => {
                let suffix = match s {
                    IntSuffix::None => "",
                    IntSuffix::U => "u",
                    IntSuffix::L => "l",
                    IntSuffix::UL => "ul",
                    IntSuffix::LL => "ll",
                    IntSuffix::ULL => "ull",
                };
                self.put(&format!("{v}{suffix}"));
            }
            ExprKind::Float(v, s) => {
                let suffix = match s {
                    FloatSuffix::None => "",
                    FloatSuffix::H => "h",
                    FloatSuffix::F => "f",
                    FloatSuffix::L => "l",
                };
                self.put(&format!("{v:?}{suffix}"));
            }
            ExprKind::Bool(v) => self.put(if v { "true" } else { "false" }),
            ExprKind::Str(s) => {
                let text = escape_string(self.interner.str(s));
                self.put(&text);
            }
            ExprKind::Char(c) => self.put(&format!("'\\x{c:x}'")),
            ExprKind::Path(p) => self.path(p),
            ExprKind::This => self.put("this"),
            ExprKind::Member(e, p) => {
                self.expr(e);
                self.put(".");
                self.path(p);
            }
            ExprKind::Arrow(e, p) => {
                self.expr(e);
                self.put("->");
                self.path(p);
            }
            ExprKind::Index(e, i) => {
                self.expr(e);
                self.put("[");
                self.expr(i);
                self.put("]");
            }
            ExprKind::Call(e, args) => {
                self.expr(e);
                self.put("(");
                self.exprs(args);
                self.put(")");
            }
            ExprKind::Construct(t, args) => {
                self.ty(t);
                self.put("!(");
                self.exprs(args);
                self.put(")");
            }
            ExprKind::Cast(t, e) => {
                self.put("((");
                self.ty(t);
                self.put(") ");
                self.expr(e);
                self.put(")");
            }
            ExprKind::InitList(items) => {
                self.put("{");
                self.exprs(items);
                self.put("}");
            }
            ExprKind::Unary(op, e) => {
                let (before, after) = match op {
                    UnaryOp::Plus => ("+", ""),
                    UnaryOp::Neg => ("-", ""),
                    UnaryOp::Not => ("!", ""),
                    UnaryOp::BitNot => ("~", ""),
                    UnaryOp::PreInc => ("++", ""),
                    UnaryOp::PreDec => ("--", ""),
                    UnaryOp::PostInc => ("", "++"),
                    UnaryOp::PostDec => ("", "--"),
                    UnaryOp::Deref => ("*", ""),
                    UnaryOp::AddrOf => ("&", ""),
                };
                self.put("(");
                self.put(before);
                self.expr(e);
                self.put(after);
                self.put(")");
            }
            ExprKind::Binary(..) => {
                let mut spine = Vec::new();
                let mut at = id;
                while let ExprKind::Binary(op, a, b) = self.ast.exprs[at].kind {
                    self.put("(");
                    spine.push((op, b));
                    at = a;
                }
                self.expr(at);
                for (op, b) in spine.into_iter().rev() {
                    self.put(" ");
                    self.put(op.text());
                    self.put(" ");
                    self.expr(b);
                    self.put(")");
                }
            }
            ExprKind::Assign(a, b) => self.two(a, "=", b),
            ExprKind::AssignOp(op, a, b) => self.two(a, &format!("{}=", op.text()), b),
            ExprKind::Comma(..) => {
                let mut rest = Vec::new();
                let mut at = id;
                while let ExprKind::Comma(a, b) = self.ast.exprs[at].kind {
                    self.put("(");
                    rest.push(b);
                    at = a;
                }
                self.expr(at);
                for b in rest.into_iter().rev() {
                    self.put(" , ");
                    self.expr(b);
                    self.put(")");
                }
            }
            ExprKind::Conditional(c, a, b) => {
                self.put("(");
                self.expr(c);
                self.put(" ? ");
                self.expr(a);
                self.put(" : ");
                self.expr(b);
                self.put(")");
            }
            ExprKind::SizeofType(t) => {
                self.put("sizeof(");
                self.ty(t);
                self.put(")");
            }
            ExprKind::SizeofExpr(e) => {
                self.put("(sizeof ");
                self.expr(e);
                self.put(")");
            }
            ExprKind::Decl(d) => self.decl(d),
        }
    }

    fn two(&mut self, a: ExprId, op: &str, b: ExprId) {
        self.put("(");
        self.expr(a);
        self.put(" ");
        self.put(op);
        self.put(" ");
        self.expr(b);
        self.put(")");
    }

    // ------------------------------------------------------------ statements

    fn attrs(&mut self, list: List<Attr>) {
        for a in self.ast.list(list) {
            self.put("[");
            if let Some(s) = a.scope {
                self.sym(s.sym);
                self.put("::");
            }
            self.sym(a.name.sym);
            if a.parens {
                self.put("(");
                self.exprs(a.args);
                self.put(")");
            }
            self.put("] ");
        }
    }

    /// Attributes after a type.
    fn type_attrs(&mut self, list: List<Attr>) {
        self.put("[[");
        for (n, a) in self.ast.list(list).iter().enumerate() {
            self.put(if n > 0 { ", " } else { "" });
            self.sym(a.name.sym);
            self.put("(");
            self.exprs(a.args);
            self.put(")");
        }
        self.put("]]");
    }

    fn nested(&mut self, id: StmtId) {
        if matches!(self.ast.stmts[id].kind, StmtKind::Block(_)) {
            self.put(" ");
            self.stmt(id);
        } else {
            self.indent += 1;
            self.line();
            self.stmt(id);
            self.indent -= 1;
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let ast = self.ast;
        let s = &ast.stmts[id];
        self.attrs(s.attrs);
        match s.kind {
            StmtKind::Error => self.put("<error>;"),
            StmtKind::Empty => self.put(";"),
            StmtKind::Expr(e) => {
                self.expr(e);
                self.put(";");
            }
            StmtKind::Decl(list) => self.comma_decls(list),
            StmtKind::Block(list) => {
                self.put("{");
                self.indent += 1;
                for &s in ast.list(list) {
                    self.line();
                    self.stmt(s);
                }
                self.indent -= 1;
                self.line();
                self.put("}");
            }
            StmtKind::If { .. } => {
                // Chains may be too long for recursion.
                let mut at = id;
                while let StmtKind::If { cond, then, other } = ast.stmts[at].kind {
                    self.put("if ");
                    self.condition(cond);
                    self.nested(then);
                    let Some(o) = other else {
                        break;
                    };
                    self.line();
                    self.put("else");
                    if !matches!(ast.stmts[o].kind, StmtKind::If { .. }) || !ast.stmts[o].attrs.is_empty() {
                        self.nested(o);
                        break;
                    }
                    self.put(" ");
                    at = o;
                }
            }
            StmtKind::For { init, cond, step, body } => {
                self.put("for (");
                match init {
                    Some(s) => self.stmt(s),
                    None => self.put(";"),
                }
                self.put(" ");
                if let Some(e) = cond {
                    self.expr(e);
                }
                self.put("; ");
                if let Some(e) = step {
                    self.expr(e);
                }
                self.put(")");
                self.nested(body);
            }
            StmtKind::While { cond, body } => {
                self.put("while ");
                self.condition(cond);
                self.nested(body);
            }
            StmtKind::Do { body, cond } => {
                self.put("do");
                self.nested(body);
                self.line();
                self.put("while ");
                self.condition(cond);
                self.put(";");
            }
            StmtKind::Switch { value, body } => {
                self.put("switch ");
                self.condition(value);
                self.nested(body);
            }
            StmtKind::Case(e) => {
                self.put("case ");
                self.expr(e);
                self.put(":");
            }
            StmtKind::Default => self.put("default:"),
            StmtKind::Break => self.put("break;"),
            StmtKind::Continue => self.put("continue;"),
            StmtKind::Discard => self.put("discard;"),
            StmtKind::Return(None) => self.put("return;"),
            StmtKind::Return(Some(e)) => {
                self.put("return ");
                self.expr(e);
                self.put(";");
            }
        }
    }

    fn condition(&mut self, e: ExprId) {
        self.put("(");
        self.expr(e);
        self.put(")");
    }

    // ------------------------------------------------------------ declarations

    fn decls(&mut self, list: List<DeclId>) {
        for &d in self.ast.list(list) {
            self.decl(d);
            self.line();
        }
    }

    fn comma_decls(&mut self, list: List<DeclId>) {
        for (i, &d) in self.ast.list(list).iter().enumerate() {
            if i > 0 {
                self.put(" ");
            }
            self.decl(d);
        }
    }

    fn members(&mut self, list: List<DeclId>) {
        self.put(" {");
        self.indent += 1;
        for &d in self.ast.list(list) {
            self.line();
            self.decl(d);
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn name(&mut self, name: Option<Name>) {
        if let Some(n) = name {
            self.put(" ");
            self.sym(n.sym);
        }
    }

    fn param(&mut self, p: Param) {
        self.attrs(p.attrs);
        self.ty(p.ty);
        self.name(p.name);
        self.dims(p.dims);
        self.annotations(p.annotations);
        if let Some(e) = p.default {
            self.put(" = ");
            self.expr(e);
        }
    }

    fn template(&mut self, params: List<TemplateParam>) {
        self.put("template<");
        self.comma(self.ast.list(params), |p, t| match t.kind {
            TemplateParamKind::Type(d) => {
                p.put("typename");
                p.name(t.name);
                if let Some(d) = d {
                    p.put(" = ");
                    p.ty(d);
                }
            }
            TemplateParamKind::Value(ty, d) => {
                p.ty(ty);
                p.name(t.name);
                if let Some(d) = d {
                    p.put(" = ");
                    p.expr(d);
                }
            }
            TemplateParamKind::Template(own, d) => {
                p.template(own);
                p.put("class");
                p.name(t.name);
                if let Some(d) = d {
                    p.put(" = ");
                    p.ty(d);
                }
            }
        });
        self.put("> ");
    }

    fn decl(&mut self, id: DeclId) {
        let ast = self.ast;
        let d = &ast.decls[id];
        self.attrs(d.attrs);
        for &params in ast.list(d.outer) {
            self.template(params);
        }
        if let Some(params) = d.template {
            self.template(params);
        }
        match d.kind {
            DeclKind::Error => self.put("<error>;"),
            DeclKind::Var(v) => {
                self.ty(v.ty);
                if let Some(n) = v.name {
                    self.put(" ");
                    if let Some(s) = v.scope {
                        self.path(s);
                        self.put("::");
                    }
                    self.sym(n.sym);
                }
                self.template_args(v.args);
                self.dims(v.dims);
                if let Some(b) = v.bits {
                    self.put(" : ");
                    self.expr(b);
                }
                self.annotations(v.annotations);
                if let Some(e) = v.init {
                    self.put(" = ");
                    self.expr(e);
                }
                self.put(";");
            }
            DeclKind::Function(f) => self.function(&f),
            DeclKind::Record(r) => {
                self.inline(id);
                if !r.bases.is_empty() {
                    self.put(" : ");
                    self.comma(ast.list(r.bases), Self::ty);
                }
                if r.defined {
                    self.members(r.members);
                }
                self.put(";");
            }
            DeclKind::Enum(e) => {
                self.inline(id);
                if e.scoped {
                    self.put(" class");
                }
                if let Some(t) = e.underlying {
                    self.put(" : ");
                    self.ty(t);
                }
                if e.defined {
                    self.put(" { ");
                    self.comma(ast.list(e.items), |p, i| {
                        p.sym(i.name.sym);
                        if let Some(v) = i.value {
                            p.put(" = ");
                            p.expr(v);
                        }
                    });
                    self.put(" }");
                }
                self.put(";");
            }
            DeclKind::Alias { name, ty } => {
                self.put("using ");
                self.sym(name.sym);
                self.put(" = ");
                self.ty(ty);
                self.put(";");
            }
            DeclKind::Buffer(b) => {
                self.put(if b.texture { "tbuffer" } else { "cbuffer" });
                self.name(b.name);
                self.annotations(b.annotations);
                self.members(b.members);
            }
            DeclKind::Namespace(name, members) => {
                self.put("namespace");
                self.name(name);
                self.members(members);
            }
            DeclKind::UsingNamespace(p) => {
                self.put("using namespace ");
                self.path(p);
                self.put(";");
            }
            DeclKind::Using(p) => {
                self.put("using ");
                self.path(p);
                self.put(";");
            }
            DeclKind::StaticAssert(e, m) => {
                self.put("static_assert(");
                self.expr(e);
                if let Some(m) = m {
                    let text = escape_string(self.interner.str(m));
                    self.put(", ");
                    self.put(&text);
                }
                self.put(");");
            }
        }
    }

    fn function(&mut self, f: &Function) {
        let conversion = matches!(f.name, FnName::Conversion(..));
        if !conversion {
            self.ty(f.ret);
            self.put(" ");
        }
        if let Some(s) = f.scope {
            self.path(s);
            self.put("::");
        }
        match f.name {
            FnName::Ident(n) => self.sym(n.sym),
            FnName::Conversion(t, _) => {
                self.put("operator ");
                self.ty(t);
            }
            FnName::Operator(op, _) => {
                let text = match op {
                    OverloadOp::Binary(b) => b.text().to_string(),
                    OverloadOp::Assign => "=".into(),
                    OverloadOp::AssignOp(b) => format!("{}=", b.text()),
                    OverloadOp::Unary(UnaryOp::Not) => "!".into(),
                    OverloadOp::Unary(_) => "~".into(),
                    OverloadOp::Inc => "++".into(),
                    OverloadOp::Dec => "--".into(),
                    OverloadOp::Call => "()".into(),
                    OverloadOp::Index => "[]".into(),
                    OverloadOp::Comma => ",".into(),
                };
                self.put(&format!("operator{text}"));
            }
        }
        self.template_args(f.args);
        self.put("(");
        self.comma(self.ast.list(f.params), Self::param);
        self.put(")");
        if f.is_const {
            self.put(" const");
        }
        self.annotations(f.annotations);
        match f.body {
            Some(b) => {
                self.put(" ");
                self.stmt(b);
            }
            None => self.put(";"),
        }
    }

    fn annotations(&mut self, list: List<Annotation>) {
        for a in self.ast.list(list) {
            self.put(" : ");
            match a.kind {
                AnnotationKind::Semantic(s) => self.sym(s),
                AnnotationKind::Register(r) => {
                    let mut parts = Vec::new();
                    parts.extend(r.profile.map(|p| self.interner.str(p).to_string()));
                    parts.extend(r.slot.map(|(c, n)| format!("{c}{n}")));
                    parts.extend(r.space.map(|n| format!("space{n}")));
                    self.put(&format!("register({})", parts.join(", ")));
                }
                AnnotationKind::PackOffset { reg, component, explicit } => {
                    let letter = if explicit { format!(".{}", ["x", "y", "z", "w"][usize::from(component & 3)]) } else { String::new() };
                    self.put(&format!("packoffset(c{reg}{letter})"));
                }
                AnnotationKind::Access { write, stages } => {
                    self.put(if write { "write(" } else { "read(" });
                    self.comma(self.ast.list(stages), |p, n| p.sym(n.sym));
                    self.put(")");
                }
            }
        }
    }
}

fn record_word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Class => "class",
        RecordKind::Interface => "interface",
        RecordKind::Union => "union",
    }
}
