//! Construction of the syntax tree: declarations, annotations and attributes.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as codes;

use super::ast::*;
use super::build::Builder;

/// What follows a declarator's colon.
pub enum Note {
    /// An annotation.
    Is(Annotation),
    /// The width of a bit-field.
    Bits(ExprId),
}

/// A declarator, before the kind of the declaration is known.
pub struct Declarator {
    l: u32,
    r: u32,
    name: Option<(Option<PathId>, Name)>,
    args: Option<List<TemplateArg>>,
    params: Option<List<Param>>,
    dims: List<ArrayDim>,
    notes: Vec<Note>,
    init: Option<ExprId>,
}

impl Declarator {
    /// The declarator at `l..r`.
    pub fn new(l: u32, r: u32, name: Option<(Option<PathId>, Name)>, dims: List<ArrayDim>, notes: Vec<Note>, init: Option<ExprId>) -> Self {
        Declarator { l, r, name, args: None, params: None, dims, notes, init }
    }

    /// The declarator with template arguments after its name.
    pub fn with_args(self, args: List<TemplateArg>) -> Self {
        Declarator { args: Some(args), ..self }
    }

    /// The declarator of a type of functions with these parameters.
    pub fn with_params(self, params: List<Param>) -> Self {
        Declarator { params: Some(params), ..self }
    }
}

/// The parts of a function's declaration.
pub struct FnParts {
    /// Return type.
    pub ret: TypeId,
    /// Name with its scope.
    pub name: (Option<PathId>, FnName),
    /// Template arguments of a specialisation.
    pub args: Option<List<TemplateArg>>,
    /// Parameters.
    pub params: Vec<Param>,
    /// `const` after them.
    pub is_const: bool,
    /// Dimensions of the result: `int f()[2]`.
    pub dims: List<ArrayDim>,
    /// Semantics of the result.
    pub notes: Vec<Note>,
    /// The body.
    pub body: Option<StmtId>,
}

impl Builder<'_, '_> {
    fn push_decl(&mut self, span: Span, kind: DeclKind) -> DeclId {
        self.ast.decls.push(Decl { kind, attrs: List::EMPTY, template: None, outer: List::EMPTY, span })
    }

    /// A declaration by itself.
    pub fn decl(&mut self, l: u32, r: u32, kind: DeclKind) -> List<DeclId> {
        let span = self.span(l, r);
        let id = self.push_decl(span, kind);
        self.ast.make_list([id])
    }

    /// The node of a declaration that could not be parsed.
    pub fn error_decl(&mut self, l: u32) -> List<DeclId> {
        self.decl(l, l + 1, DeclKind::Error)
    }

    /// The record or enumeration that `ty` declares.
    fn inline(&self, ty: TypeId, forward: bool) -> Option<DeclId> {
        let mut ty = ty;
        while let TypeKind::Indirect(inner, _) = self.ast.types[ty].kind {
            ty = inner;
        }
        let TypeKind::Inline(id) = self.ast.types[ty].kind else {
            return None;
        };
        (self.ast.decls[id].kind.defines_a_type() || forward).then_some(id)
    }

    /// `struct S { … };` and other types without a declarator.
    pub fn bare_type(&mut self, l: u32, r: u32, ty: TypeId) -> List<DeclId> {
        match self.inline(ty, true) {
            Some(id) => {
                if let DeclKind::Record(record) = &mut self.ast.decls[id].kind {
                    record.alone = true;
                }
                self.ast.make_list([id])
            }
            None => {
                let span = self.span(l, r);
                self.report(Diagnostic::new(&codes::E0201, span, "this declaration declares nothing").here("a name is missing"));
                List::EMPTY
            }
        }
    }

    fn split_notes(&mut self, notes: Vec<Note>) -> (List<Annotation>, Option<ExprId>) {
        let mut bits = None;
        let mut list = Vec::new();
        for n in notes {
            match n {
                Note::Is(Annotation { kind: AnnotationKind::Semantic(name), span })
                    if matches!(self.interner.str(name), "register" | "packoffset") =>
                {
                    let text = self.interner.str(name).to_string();
                    self.report(Diagnostic::new(&codes::E0206, span, format!("expected `(` after `{text}`")));
                }
                Note::Is(a) => list.push(a),
                Note::Bits(e) if bits.is_none() => bits = Some(e),
                Note::Bits(e) => {
                    let span = self.ast.exprs[e].span;
                    self.report(Diagnostic::new(&codes::E0201, span, "duplicate width of a bit-field"));
                }
            }
        }
        (self.ast.make_list(list), bits)
    }

    /// Annotations where no bit-field can be.
    fn only_annotations(&mut self, notes: Vec<Note>) -> List<Annotation> {
        let (list, bits) = self.split_notes(notes);
        if let Some(e) = bits {
            let span = self.ast.exprs[e].span;
            self.report(Diagnostic::new(&codes::E0201, span, "expected a semantic, found a number"));
        }
        list
    }

    /// Variables of type `ty`.
    pub fn vars(&mut self, l: u32, _r: u32, ty: TypeId, declarators: Vec<Declarator>) -> List<DeclId> {
        let mut ids: Vec<DeclId> = self.inline(ty, false).into_iter().collect();
        for (i, d) in declarators.into_iter().enumerate() {
            let (annotations, bits) = self.split_notes(d.notes);
            let (scope, name) = d.name.map_or((None, None), |(s, n)| (s, Some(n)));
            // The first one's span starts at the type.
            let span = self.span(if i == 0 { l } else { d.l }, d.r);
            let var = Var { name, scope, args: d.args, ty, dims: d.dims, bits, annotations, init: d.init };
            ids.push(self.push_decl(span, DeclKind::Var(var)));
        }
        self.ast.make_list(ids)
    }

    /// New names of type `ty`.
    pub fn typedefs(&mut self, l: u32, r: u32, ty: TypeId, declarators: Vec<Declarator>) -> List<DeclId> {
        let mut ids: Vec<DeclId> = self.inline(ty, false).into_iter().collect();
        let span = self.span(l, r);
        for d in declarators {
            let Some((_, name)) = d.name else { continue };
            if d.args.is_some() {
                self.report(Diagnostic::new(&codes::E0201, name.span, "a typedef has no template arguments"));
            }
            if let Some(e) = d.init {
                let at = self.ast.exprs[e].span;
                self.report(Diagnostic::new(&codes::E0201, at, "a typedef cannot have an initialiser"));
            }
            let ty = match d.params {
                Some(params) => self.function_type(d.l, d.r, ty, params),
                None => self.array_type(d.l, d.r, ty, d.dims),
            };
            ids.push(self.push_decl(span, DeclKind::Alias { name, ty }));
        }
        self.ast.make_list(ids)
    }

    /// `using name = ty;`
    pub fn alias(&mut self, l: u32, r: u32, name: Name, ty: TypeId) -> List<DeclId> {
        self.decl(l, r, DeclKind::Alias { name, ty })
    }

    /// A variable declared in a condition.
    pub fn condition_decl(&mut self, l: u32, r: u32, ty: TypeId, name: Name, init: ExprId) -> ExprId {
        let span = self.span(l, r);
        let var = Var {
            name: Some(name),
            scope: None,
            args: None,
            ty,
            dims: List::EMPTY,
            bits: None,
            annotations: List::EMPTY,
            init: Some(init),
        };
        let id = self.push_decl(span, DeclKind::Var(var));
        self.expr(l, r, ExprKind::Decl(id))
    }

    /// A parameter.
    #[allow(clippy::too_many_arguments)]
    pub fn param(
        &mut self,
        l: u32,
        r: u32,
        attrs: Vec<Attr>,
        ty: TypeId,
        name: Option<Name>,
        dims: List<ArrayDim>,
        notes: Vec<Note>,
        default: Option<ExprId>,
    ) -> Param {
        let attrs = self.ast.make_list(attrs);
        let annotations = self.only_annotations(notes);
        Param { attrs, ty, name, dims, annotations, default, span: self.span(l, r) }
    }

    fn is_void(&self, p: &Param) -> bool {
        let ty = &self.ast.types[p.ty];
        let TypeKind::Named(path) = ty.kind else {
            return false;
        };
        let named_void = self.ast.simple_name(path).is_some_and(|n| self.interner.str(n.sym) == "void");
        named_void && p.name.is_none() && p.dims.is_empty() && ty.spec_list.is_empty()
    }

    /// The parameters of a type of functions.
    pub fn type_params(&mut self, params: Vec<Param>) -> List<Param> {
        for e in params.iter().filter_map(|p| p.default).collect::<Vec<_>>() {
            let span = self.ast.exprs[e].span;
            self.report(Diagnostic::new(&codes::E0201, span, "parameters of a type have no default arguments"));
        }
        match &params[..] {
            [p] if self.is_void(p) => List::EMPTY,
            _ => self.ast.make_list(params),
        }
    }

    /// A function.
    pub fn function(&mut self, l: u32, r: u32, f: FnParts) -> List<DeclId> {
        let annotations = self.only_annotations(f.notes);
        let params = match &f.params[..] {
            [p] if self.is_void(p) => List::EMPTY,
            _ => self.ast.make_list(f.params),
        };
        let (scope, name) = f.name;
        let ret = self.array_type(l, r, f.ret, f.dims);
        let function = Function { ret, scope, name, args: f.args, params, is_const: f.is_const, annotations, body: f.body };
        let span = self.span(l, r);
        let id = self.push_decl(span, DeclKind::Function(function));
        let ids: Vec<DeclId> = self.inline(f.ret, false).into_iter().chain([id]).collect();
        self.ast.make_list(ids)
    }

    /// `operator T() { … }`
    pub fn conversion(
        &mut self,
        l: u32,
        r: u32,
        specs: Vec<Spec>,
        (scope, ty): (Option<PathId>, TypeId),
        is_const: bool,
        body: Option<StmtId>,
    ) -> List<DeclId> {
        if !specs.is_empty() {
            let all = specs.iter().fold(Specs::empty(), |a, s| a | s.what);
            let list = self.ast.make_list(specs);
            let ty = &mut self.ast.types[ty];
            ty.specs |= all;
            ty.spec_list = list;
        }
        let span = self.ast.types[ty].span;
        let name = FnName::Conversion(ty, span);
        self.function(
            l,
            r,
            FnParts { ret: ty, name: (scope, name), args: None, params: Vec::new(), is_const, dims: List::EMPTY, notes: Vec::new(), body },
        )
    }

    /// A constant buffer.
    pub fn buffer(&mut self, l: u32, r: u32, name: Option<Name>, notes: Vec<Note>, members: Vec<DeclId>) -> List<DeclId> {
        let texture = self.text(l) == "tbuffer";
        let annotations = self.only_annotations(notes);
        let members = self.ast.make_list(members);
        self.decl(l, r, DeclKind::Buffer(Buffer { texture, misplaced: None, name, annotations, members }))
    }

    /// A constant buffer with specifiers, of which it can have `shared` alone.
    pub fn specified_buffer(&mut self, specs: Vec<Spec>, decls: List<DeclId>) -> List<DeclId> {
        let first = specs.into_iter().find(|s| s.what != Specs::SHARED);
        for id in self.ast.list(decls).to_vec() {
            if let DeclKind::Buffer(buffer) = &mut self.ast.decls[id].kind {
                buffer.misplaced = first;
            }
        }
        decls
    }

    /// A namespace; several names nest.
    pub fn namespace(&mut self, l: u32, r: u32, names: Vec<Name>, members: Vec<DeclId>) -> List<DeclId> {
        let mut list = self.ast.make_list(members);
        if names.is_empty() {
            return self.decl(l, r, DeclKind::Namespace(None, list));
        }
        for name in names.into_iter().rev() {
            list = self.decl(l, r, DeclKind::Namespace(Some(name), list));
        }
        list
    }

    /// A record, or a reference to one.
    pub fn record(
        &mut self,
        l: u32,
        r: u32,
        attrs: Option<Vec<Attr>>,
        name: Option<PathId>,
        bases: Option<Vec<TypeId>>,
        members: Option<Vec<DeclId>>,
    ) -> TypeKind {
        let kind = match self.text(l) {
            "class" => RecordKind::Class,
            "interface" => RecordKind::Interface,
            "union" => RecordKind::Union,
            _ => RecordKind::Struct,
        };
        let defined = members.is_some();
        let bases = self.ast.make_list(bases.unwrap_or_default());
        let members = self.ast.make_list(members.unwrap_or_default());
        let span = self.span(l, r);
        let id = self.push_decl(span, DeclKind::Record(Record { kind, name, defined, alone: false, bases, members }));
        self.ast.decls[id].attrs = self.ast.make_list(attrs.unwrap_or_default());
        TypeKind::Inline(id)
    }

    /// An enumeration, or a reference to one.
    pub fn enumeration(
        &mut self,
        l: u32,
        r: u32,
        scoped: bool,
        name: Option<Name>,
        underlying: Option<TypeId>,
        items: Option<Vec<Enumerator>>,
    ) -> TypeKind {
        let defined = items.is_some();
        let items = self.ast.make_list(items.unwrap_or_default());
        let span = self.span(l, r);
        TypeKind::Inline(self.push_decl(span, DeclKind::Enum(Enum { name, scoped, underlying, defined, items })))
    }

    /// `template <class, int> class T = Default` among the parameters of a template.
    pub fn template_param(
        &mut self,
        l: u32,
        r: u32,
        params: Vec<TemplateParam>,
        name: Option<Name>,
        default: Option<TypeId>,
    ) -> TemplateParam {
        let params = self.ast.make_list(params);
        TemplateParam { name, kind: TemplateParamKind::Template(params, default), span: self.span(l, r) }
    }

    /// `template <params>` before declarations.
    pub fn template(&mut self, l: u32, r: u32, params: Vec<TemplateParam>, list: List<DeclId>) -> List<DeclId> {
        let params = self.ast.make_list(params);
        let span = self.span(l, r);
        let is_var = |&&d: &&DeclId| matches!(self.ast.decls[d].kind, DeclKind::Var(_));
        if let Some(&second) = self.ast.list(list).iter().filter(is_var).nth(1) {
            let at = self.ast.decls[second].span;
            self.report(Diagnostic::new(&codes::E0201, at, "a template declares one variable only"));
        }
        for i in 0..list.len() {
            let id = self.ast.list(list)[i];
            let decl = &mut self.ast.decls[id];
            match decl.template {
                None => (decl.template, decl.span) = (Some(params), span),
                Some(_) => {
                    let inner = decl.outer;
                    let inner = self.ast.list(inner).to_vec();
                    let outer = self.ast.make_list(std::iter::once(params).chain(inner));
                    let decl = &mut self.ast.decls[id];
                    (decl.outer, decl.span) = (outer, span);
                }
            }
        }
        list
    }

    /// Attributes before declarations. Those with a scope are of the variables where a type is defined with them, as in C++.
    pub fn attributed(&mut self, attrs: Vec<Attr>, list: List<DeclId>) -> List<DeclId> {
        for i in 0..list.len() {
            let id = self.ast.list(list)[i];
            let of_variables = list.len() > 1 && matches!(self.ast.decls[id].kind, DeclKind::Record(_) | DeclKind::Enum(_));
            let own = self.ast.list(self.ast.decls[id].attrs).to_vec();
            let before = attrs.iter().copied().filter(|a| !of_variables || a.scope.is_none());
            self.ast.decls[id].attrs = self.ast.make_list(before.chain(own));
        }
        list
    }

    /// An attribute.
    pub fn attribute(&mut self, l: u32, r: u32, (scope, name): (Option<Name>, Name), args: Option<Vec<ExprId>>) -> Attr {
        let parens = args.is_some();
        let args = self.ast.make_list(args.unwrap_or_default());
        Attr { scope, name, args, parens, span: self.span(l, r) }
    }

    // ------------------------------------------------------------ annotations

    fn malformed(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::new(&codes::E0206, span, message));
    }

    /// `register(…)`
    pub fn register(&mut self, l: u32, r: u32, args: Vec<(Name, Option<ExprId>)>) -> Note {
        let mut register = Register { slot: None, space: None, profile: None };
        let count = args.len();
        for (i, (name, index)) in args.into_iter().enumerate() {
            let text = self.interner.str(name.sym);
            let letter = text.chars().next().map_or('?', |c| c.to_ascii_lowercase());
            let number = |digits: &str| {
                if digits.is_empty() { Some(0) } else { digits.parse::<u32>().ok() }
            };
            if let Some(space) = text.strip_prefix("space").map(str::parse::<u32>) {
                match space {
                    Ok(n) if register.space.is_none() && index.is_none() => register.space = Some(n),
                    _ => self.malformed(name.span, "a register has one space, `space0` or higher"),
                }
            } else if let Some(n) = number(&text[letter.len_utf8()..]).filter(|_| letter.is_ascii_alphabetic()) {
                let extra = index.map_or(Some(0), |e| self.register_index(e)).and_then(|v| u32::try_from(v).ok());
                match extra.and_then(|x| n.checked_add(x)) {
                    Some(n) if register.slot.is_none() => register.slot = Some((letter, n)),
                    Some(_) => self.malformed(name.span, "there is a register number already"),
                    None => self.malformed(name.span, "a register number must be an integer that fits 32 bits"),
                }
            } else if i == 0 && count > 1 && index.is_none() {
                register.profile = Some(name.sym);
            } else {
                let message = format!("invalid register `{text}`: expected a letter and a number, like `t0`, or a space, like `space1`");
                self.malformed(name.span, &message);
            }
        }
        Note::Is(Annotation { kind: AnnotationKind::Register(register), span: self.span(l, r) })
    }

    /// The value of an index of a register, which consists of numbers; its fraction does not count.
    fn register_index(&self, e: ExprId) -> Option<i64> {
        use BinaryOp as B;
        match self.ast.exprs[e].kind {
            ExprKind::Int(v, _) => i64::try_from(v).ok(),
            ExprKind::Float(v, _) => (0.0..=f64::from(u32::MAX)).contains(&v).then_some(v as i64),
            ExprKind::Unary(UnaryOp::Plus, x) => self.register_index(x),
            ExprKind::Unary(UnaryOp::Neg, x) => self.register_index(x)?.checked_neg(),
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (self.register_index(x)?, self.register_index(y)?);
                match op {
                    B::Add => x.checked_add(y),
                    B::Sub => x.checked_sub(y),
                    B::Mul => x.checked_mul(y),
                    B::Div => x.checked_div(y),
                    B::Rem => x.checked_rem(y),
                    B::Shl => u32::try_from(y).ok().filter(|&y| y < 32).and_then(|y| x.checked_mul(1 << y)),
                    B::Shr => u32::try_from(y).ok().and_then(|y| x.checked_shr(y)),
                    B::BitAnd => Some(x & y),
                    B::BitOr => Some(x | y),
                    B::BitXor => Some(x ^ y),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `packoffset(…)`
    pub fn packoffset(&mut self, l: u32, r: u32, reg: Name, component: Option<Name>) -> Note {
        let span = self.span(l, r);
        let digits = self.interner.str(reg.sym).strip_prefix(['c', 'C']);
        let number = digits.and_then(|d| if d.is_empty() { Some(0) } else { d.parse::<u32>().ok() });
        let letter = component.map(|c| self.interner.str(c.sym));
        let index = match letter {
            None | Some("x" | "r") => Some(0),
            Some("y" | "g") => Some(1),
            Some("z" | "b") => Some(2),
            Some("w" | "a") => Some(3),
            Some(_) => None,
        };
        if number.is_none() || index.is_none() {
            self.malformed(span, "a packoffset is a constant register and perhaps a component, like `c3.y`");
        }
        let kind = AnnotationKind::PackOffset { reg: number.unwrap_or(0), component: index.unwrap_or(0), explicit: component.is_some() };
        Note::Is(Annotation { kind, span })
    }

    /// `read(…)`, `write(…)`
    pub fn access(&mut self, l: u32, r: u32, stages: Vec<Name>) -> Note {
        let word = self.text(l);
        let write = match word {
            "read" | "write" => word == "write",
            other => {
                let span = self.span(l, l + 1);
                let d = Diagnostic::new(&codes::E0709, span, format!("expected `read(…)` or `write(…)`, found `{other}(…)`"));
                let lower = other.to_ascii_lowercase();
                let near = match &*lower {
                    "read" | "write" => Some(lower),
                    _ => rtc_base::similar::nearest(&lower, ["read", "write", "register", "packoffset"]),
                };
                let d = match &near {
                    Some(n) => d.fix(span, n.clone()),
                    None => d,
                };
                let write = near.as_deref() == Some("write");
                self.report(d);
                write
            }
        };
        let stages = self.ast.make_list(stages);
        Note::Is(Annotation { kind: AnnotationKind::Access { write, stages }, span: self.span(l, r) })
    }
}
