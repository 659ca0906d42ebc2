//! Inline SPIR-V: attributes of functions, parameters, statements and variables, and the checks of calls.
//!
//! A function with `[[vk::ext_instruction(…)]]` has no body; its calls are the instruction. Where the target is DXIL, its attributes are
//! read, so that a call is refused for what it is; all others are ignored, as the reference compiler does.

use rtc_base::Span;
use rtc_ir::inline::{Decoration, DecorationOperands, InlineAction, Requirements};
use rtc_tables::inline_spirv as numbers;
use rtc_tables::intrinsics::Scope as RowScope;
use rtc_tables::vk_builtins::{PIXEL_MODES, PixelMode};

use super::context::{Sema, Use};
use super::conversion::ConversionKind;
use super::errors::{inline as err, stmts as err_stmts};
use super::scope::{Binding, Qualifier};
use crate::hir::inline::{InlineFunction, InlineGlobal, InlineParam, words};
use crate::hir::{Arg, Body, Category, Entry, ExprId, ExprKind, FuncId, Function, GlobalKind, Module, Pass, StmtId, StmtKind, Ty};
use crate::syntax::ast;

impl Sema<'_> {
    /// The number that attribute `a` has as argument `n`.
    pub fn inline_number(&mut self, a: &ast::Attr, n: usize, what: &str) -> Option<u32> {
        let name = format!("vk::{}", self.str(a.name.sym));
        let args = self.ast.list(a.args).to_vec();
        let Some(&e) = args.get(n) else {
            self.report(err_stmts::attribute_argument(a.span, &name, what));
            return None;
        };
        match self.outside_body(|s| s.constant_int(e)) {
            Some(v) => match u32::try_from(v) {
                Ok(v) => Some(v),
                Err(_) => {
                    let span = self.ast.exprs[e].span;
                    self.report(err_stmts::attribute_argument(span, &name, what));
                    None
                }
            },
            None => None,
        }
    }

    /// Checks expressions that are no part of the function around.
    fn outside_body<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let uses = self.f.count_uses();
        let out = check(self);
        self.f.forget_uses(uses);
        out
    }

    /// The text that is argument `n` of `a`.
    fn inline_text(&mut self, a: &ast::Attr, n: usize, what: &str) -> Option<String> {
        let text = self.ast.list(a.args).get(n).and_then(|&e| match self.ast.exprs[e].kind {
            ast::ExprKind::Str(s) => Some(self.str(s).to_string()),
            _ => None,
        });
        if text.is_none() {
            let name = format!("vk::{}", self.str(a.name.sym));
            self.report(err_stmts::attribute_argument(a.span, &name, what));
        }
        text
    }

    fn is_vk(&self, a: &ast::Attr, name: &str) -> bool {
        a.scope.is_some_and(|s| self.str(s.sym) == "vk") && self.str(a.name.sym) == name
    }

    /// Reports more arguments than an attribute takes.
    pub fn inline_arity(&mut self, a: &ast::Attr, most: usize, what: &str) -> bool {
        if self.ast.list(a.args).len() <= most {
            return true;
        }
        let name = format!("vk::{}", self.str(a.name.sym));
        self.report(err_stmts::attribute_argument(a.span, &name, what));
        false
    }

    /// What `[[vk::ext_capability(n)]]` and `[[vk::ext_extension("…")]]` ask for.
    pub fn requirements(&mut self, attrs: &[ast::Attr]) -> Requirements {
        let mut out = Requirements::default();
        if !self.opts.spirv {
            return out;
        }
        for a in attrs {
            if self.is_vk(a, "ext_capability") {
                let what = "the number of a capability";
                if self.inline_arity(a, 1, what)
                    && let Some(n) = self.inline_number(a, 0, what)
                {
                    out.capabilities.insert(n, a.span);
                }
            } else if self.is_vk(a, "ext_extension") {
                let what = "the name of an extension in quotation marks";
                if self.inline_arity(a, 1, what)
                    && let Some(text) = self.inline_text(a, 0, what)
                {
                    out.extensions.insert(text);
                }
            }
        }
        out
    }

    /// The attributes of a pixel shader that are execution modes, of which some contradict each other.
    fn pixel_modes(&mut self, func: FuncId, attrs: &[ast::Attr]) {
        if !self.opts.spirv {
            return;
        }
        let found = |row: &'static PixelMode| attrs.iter().find(|a| self.is_vk(a, row.name)).map(|a| (row, a.span));
        let found: Vec<_> = PIXEL_MODES.iter().filter_map(found).collect();
        for (n, &(row, span)) in found.iter().enumerate() {
            if let Some((other, _)) = found[..n].iter().find(|(o, _)| o.group.is_some() && o.group == row.group) {
                self.report(super::errors::types::contradiction(span, row.name, other.name));
            } else if !self.m.funcs[func].execution_modes.contains(&row.mode) {
                self.m.funcs[func].execution_modes.push(row.mode);
            }
        }
    }

    /// The attributes of a function that may be an instruction.
    pub fn inline_function(&mut self, func: FuncId, f: &ast::Function, attrs: &[ast::Attr]) {
        let needs = self.requirements(attrs);
        self.m.funcs[func].requirements.add(&needs);
        for a in attrs.iter().filter(|a| self.opts.spirv && self.is_vk(a, "spvexecutionmode")).copied().collect::<Vec<_>>() {
            let what = "the number of an execution mode";
            if self.inline_arity(&a, 1, what)
                && let Some(n) = self.inline_number(&a, 0, what)
                && !self.m.funcs[func].execution_modes.contains(&n)
            {
                self.m.funcs[func].execution_modes.push(n);
            }
        }
        self.pixel_modes(func, attrs);
        if let Some(a) = attrs.iter().find(|a| self.is_vk(a, "ext_type_def")).copied() {
            return self.spirv_type_function(func, f, &a);
        }
        let mut found = attrs.iter().filter(|a| self.is_vk(a, "ext_instruction")).copied();
        let Some(a) = found.next() else { return };
        if let Some(second) = found.next() {
            return self.report(err::attribute_twice(second.span, "vk::ext_instruction", a.span));
        }
        let what = "an opcode and optionally the name of an instruction set in quotation marks";
        if !self.inline_arity(&a, 2, what) {
            return;
        }
        if f.body.is_some() {
            return self.report(err::instruction_with_body(f.name.span(), a.span));
        }
        if self.m.funcs[func].method.is_some_and(|m| !m.is_static) {
            return self.report(err::instruction_of_object(f.name.span(), a.span));
        }
        let Some(opcode) = self.inline_number(&a, 0, what) else { return };
        let set = match a.args.len() {
            2 => match self.inline_text(&a, 1, what) {
                Some(text) => text,
                None => return,
            },
            _ => String::new(),
        };
        let action = if set.is_empty() { InlineAction::Core(opcode) } else { InlineAction::Extended(set, opcode) };
        let params = self.inline_params(f);
        self.m.funcs[func].inline = Some(Box::new(InlineFunction { action, params, fixed: Vec::new(), defines: None }));
    }

    /// What the parameters of an instruction are.
    pub fn inline_params(&mut self, f: &ast::Function) -> Vec<InlineParam> {
        let mut out = Vec::new();
        for p in self.ast.list(f.params).to_vec() {
            let attrs = self.ast.list(p.attrs).to_vec();
            let literal = attrs.iter().find(|a| self.is_vk(a, "ext_literal"));
            let reference = attrs.iter().find(|a| self.is_vk(a, "ext_reference"));
            out.push(match (literal, reference) {
                (Some(a), Some(b)) => {
                    let (a, b) = (a.span, b.span);
                    self.report(err::literal_and_reference(b, a));
                    InlineParam::Value
                }
                (Some(_), None) => InlineParam::Literal,
                (None, Some(_)) => InlineParam::Reference,
                (None, None) => InlineParam::Value,
            });
        }
        out
    }

    /// An argument for `[[vk::ext_reference]]`: an l-value of the parameter's type.
    pub fn inline_reference(&mut self, e: ExprId, ty: Ty) -> Arg {
        let plain = |expr| Arg { expr, pass: Pass::InOut, into: None, back: None, ty };
        if self.is_error(e) {
            return plain(e);
        }
        let span = self.span(e);
        let whole =
            !matches!(self.e(e).kind, ExprKind::Swizzle(..) | ExprKind::MatrixSwizzle(..)) || self.m.types.components(ty) == Some(1);
        if !self.e(e).category.is_lvalue() || !whole {
            self.report(err::not_a_reference(span));
            return plain(self.error_expr(span));
        }
        if !self.same_value(self.ty(e), ty) {
            let (found, wanted) = (self.show(self.ty(e)), self.show(ty));
            self.report(err::reference_type(span, &wanted, &found));
            return plain(self.error_expr(span));
        }
        plain(e)
    }

    /// The argument of a parameter with `[[vk::ext_literal]]`: a constant.
    pub fn inline_literal(&mut self, arg: Arg) -> Arg {
        if self.is_error(arg.expr) {
            return arg;
        }
        let span = self.span(arg.expr);
        let expr = match (self.evaluate(arg.expr).as_deref(), self.m.types.components(arg.ty)) {
            (Some(&[c]), Some(1)) => self.value(ExprKind::Const(c.bits), Ty::scalar(c.scalar), span),
            _ => {
                self.report(err::not_a_literal(span));
                self.error_expr(span)
            }
        };
        Arg { expr, ..arg }
    }

    /// A call of a function of namespace `vk` that is no row: execution modes.
    pub fn inline_call(
        &mut self,
        qualifier: Option<Qualifier>,
        last: ast::Segment,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        let name = last.name;
        let Some(Qualifier::Namespace(ns)) = qualifier else { return None };
        if self.scopes.namespaces[ns].rows != Some(RowScope::Vk) {
            return None;
        }
        let ids = match self.str(name.sym) {
            "ext_execution_mode" => false,
            "ext_execution_mode_id" => true,
            "static_pointer_cast" => return Some(self.named_pointer_cast(last, args, true, span)),
            "reinterpret_pointer_cast" => return Some(self.named_pointer_cast(last, args, false, span)),
            _ => return None,
        };
        let mut numbers = Vec::new();
        for e in self.ast.list(args).to_vec() {
            let e = self.expr(e);
            let ty = self.ty(e);
            if self.is_error(e) {
                return Some(self.error_expr(span));
            }
            let to = match self.m.types.elem(ty) {
                Some(s) if s.is_literal() => self.convert(e, Ty::INT, ConversionKind::Implicit),
                _ => e,
            };
            match self.evaluate(to).as_deref() {
                Some(&[c]) if c.as_int().is_some() => numbers.extend(words(c)),
                _ => {
                    self.report(err::not_a_literal(self.span(e)));
                    return Some(self.error_expr(span));
                }
            }
        }
        let Some((&mode, fixed)) = numbers.split_first() else {
            self.report(err::no_execution_mode(span));
            return Some(self.error_expr(span));
        };
        let func = self.m.funcs.push(Function {
            name: name.sym,
            qualified: format!("vk::{}", self.str(name.sym)),
            symbol: format!("{}.{}", self.str(name.sym), self.m.funcs.len()),
            span: name.span,
            ret: Ty::VOID,
            ret_semantic: None,
            params: Vec::new(),
            method: None,
            stage: rtc_tables::stages::Stage::Library,
            exported: false,
            entry: Entry::default(),
            interface: None,
            precise: false,
            inline: Some(Box::new(InlineFunction {
                action: InlineAction::ExecutionMode(mode, ids),
                params: Vec::new(),
                fixed: fixed.to_vec(),
                defines: None,
            })),
            execution_modes: Vec::new(),
            partitioning: None,
            requirements: Requirements::default(),
            attributes: Default::default(),
            body: Body::default(),
        });
        self.used(Use::Call(func, span));
        let args = self.list::<Arg>(&[]);
        Some(self.value(ExprKind::Call { func, this: None, args }, Ty::VOID, span))
    }

    /// Attributes of a statement: what it requires counts for the function.
    pub fn inline_statement(&mut self, attrs: &[ast::Attr]) {
        let needs = self.requirements(attrs);
        if let Some(f) = self.f.func {
            self.m.funcs[f].requirements.add(&needs);
        }
    }

    /// Whether an attribute is one of inline SPIR-V that statements and local variables may have.
    pub fn is_inline_attribute(&self, a: &ast::Attr) -> bool {
        a.scope.is_some_and(|s| self.str(s.sym) == "vk") && self.str(a.name.sym).starts_with("ext_")
    }

    // Variables ---------------------------------------------------------------------------------

    /// What the attributes of a variable ask for; none if they ask for nothing.
    pub fn inline_variable(&mut self, attrs: &[ast::Attr], is_static: bool, is_const: bool) -> Option<InlineGlobal> {
        let attachment = self.find_vk_attr(attrs, "input_attachment_index").is_some();
        if !self.opts.spirv || !attachment && !attrs.iter().any(|a| self.is_inline_attribute(a)) {
            return None;
        }
        let mut out = InlineGlobal { requirements: self.requirements(attrs), ..InlineGlobal::default() };
        let mut class: Option<ast::Attr> = None;
        for a in attrs {
            let (builtin, storage) = match self.str(a.name.sym) {
                "ext_builtin_input" if self.is_inline_attribute(a) => (true, Some(numbers::INPUT)),
                "ext_builtin_output" if self.is_inline_attribute(a) => (true, Some(numbers::OUTPUT)),
                "ext_storage_class" if self.is_inline_attribute(a) => (false, None),
                _ => continue,
            };
            let name = format!("vk::{}", self.str(a.name.sym));
            let what = if builtin { "the number of a built-in variable" } else { "the number of a storage class" };
            if !self.inline_arity(a, 1, what) {
                continue;
            }
            let Some(n) = self.inline_number(a, 0, what) else { continue };
            if let Some(first) = class {
                self.report(err::attribute_excludes(a.span, &name, first.span));
                continue;
            }
            class = Some(*a);
            if builtin && !is_static {
                self.report(err::builtin_not_static(a.span, &name));
            } else if storage == Some(numbers::INPUT) && !is_const {
                self.report(err::input_not_const(a.span, &name));
            }
            if builtin {
                self.builtin_twice(a, n, storage);
                out.decorations.push(Decoration { span: a.span, number: numbers::BUILT_IN, operands: DecorationOperands::Words(vec![n]) });
            }
            out.class = Some(storage.unwrap_or(n));
        }
        out.decorations.extend(self.decorations(attrs));
        if let Some(a) = self.find_vk_attr(attrs, "input_attachment_index")
            && let Some(n) = self.inline_number(&a, 0, "the number of an input attachment")
        {
            let operands = DecorationOperands::Words(vec![n]);
            out.decorations.push(Decoration { span: a.span, number: numbers::INPUT_ATTACHMENT_INDEX, operands });
        }
        Some(out)
    }

    /// Reports a built-in variable that is both an input and an output.
    fn builtin_twice(&mut self, a: &ast::Attr, n: u32, storage: Option<u32>) {
        let built_in = |g: &InlineGlobal| {
            g.decorations.iter().any(|d| d.number == numbers::BUILT_IN && d.operands == DecorationOperands::Words(vec![n]))
        };
        let other = self.m.globals.values().find_map(|g| g.inline.as_ref().filter(|i| built_in(i) && i.class != storage).map(|_| g.span));
        if let Some(at) = other {
            self.report(err::builtin_redefined(a.span, n, storage == Some(numbers::OUTPUT), at));
        }
    }

    /// Attributes of a member of a structure.
    pub fn inline_member(&mut self, attrs: ast::List<ast::Attr>) -> Option<Box<InlineGlobal>> {
        let attrs = self.ast.list(attrs).to_vec();
        if !self.opts.spirv || !attrs.iter().any(|a| self.is_inline_attribute(a)) {
            return None;
        }
        let out = InlineGlobal { class: None, decorations: self.decorations(&attrs), requirements: self.requirements(&attrs) };
        Some(Box::new(out))
    }

    /// `[[vk::ext_decorate(n, literals…)]]`, `[[vk::ext_decorate_id(n, constants…)]]`, `[[vk::ext_decorate_string(n, "…"…)]]`.
    pub fn decorations(&mut self, attrs: &[ast::Attr]) -> Vec<Decoration> {
        let mut out = Vec::new();
        if !self.opts.spirv {
            return out;
        }
        for a in attrs {
            let kind = match self.str(a.name.sym) {
                _ if !self.is_inline_attribute(a) => continue,
                "ext_decorate" => 0,
                "ext_decorate_id" => 1,
                "ext_decorate_string" => 2,
                _ => continue,
            };
            let Some(number) = self.inline_number(a, 0, "the number of a decoration and its operands") else { continue };
            let rest = self.ast.list(a.args).len().max(1);
            let operands = match kind {
                2 => {
                    let texts: Option<Vec<String>> = (1..rest).map(|n| self.inline_text(a, n, "strings after the decoration")).collect();
                    texts.map(DecorationOperands::Texts)
                }
                _ => {
                    let all: Option<Vec<u32>> = (1..rest).map(|n| self.inline_number(a, n, "constants after the decoration")).collect();
                    all.map(if kind == 0 { DecorationOperands::Words } else { DecorationOperands::Ids })
                }
            };
            out.extend(operands.map(|operands| Decoration { span: a.span, number, operands }));
        }
        out
    }

    /// Attributes that say nothing about the storage class of the variables from number `before` on, which a declaration made.
    pub fn inline_of_globals(&mut self, before: usize, attrs: ast::List<ast::Attr>) {
        let attrs = self.ast.list(attrs).to_vec();
        let Some(inline) = self.inline_variable(&attrs, true, true) else { return };
        let mut new = self.m.globals.keys().skip(before).peekable();
        if new.peek().is_none() {
            // A member of `$Globals`, which exists already.
            if let Some((g, _)) = self.globals.loose {
                self.m.globals[g].inline.get_or_insert_default().requirements.add(&inline.requirements);
            }
            return;
        }
        for g in new.collect::<Vec<_>>() {
            let global = &mut self.m.globals[g];
            if global.inline.is_none() {
                let decorations = if global.is_block { Vec::new() } else { inline.decorations.clone() };
                global.inline = Some(Box::new(InlineGlobal { class: None, decorations, requirements: inline.requirements.clone() }));
            }
        }
    }

    /// A variable of a function. Whether its attributes make it a variable of the module.
    pub fn inline_local(
        &mut self,
        v: &ast::Var,
        name: ast::Name,
        ty: Ty,
        attrs: ast::List<ast::Attr>,
        span: Span,
        out: &mut Vec<StmtId>,
    ) -> bool {
        let attrs = self.ast.list(attrs).to_vec();
        self.inline_statement(&attrs);
        let specs = self.ast.types[v.ty].specs;
        let is_const = specs.intersects(ast::Specs::CONST | ast::Specs::CONSTEXPR);
        let Some(inline) = self.inline_variable(&attrs, specs.contains(ast::Specs::STATIC), is_const) else { return false };
        if inline.class.is_none() || ty == Ty::ERROR {
            return false;
        }
        if !self.check_variable_type(ty, name.span) {
            self.declare(name, Binding::Error);
            return true;
        }
        let g = self.new_global(name, ty, GlobalKind::Static { is_const, init: None, value: None }, is_const);
        self.m.globals[g].inline = Some(Box::new(inline));
        let text = self.str(name.sym).to_string();
        self.belongs_to_function(g, &text);
        self.declare(name, Binding::Global(g));
        if let Some(init) = v.init {
            let e = self.initialiser(ty, init);
            if !self.is_error(e) {
                self.m.globals[g].used = true;
                let to = self.push(ExprKind::Global(g), ty, Category::Lvalue, name.span);
                let value_ty = self.m.types.value_ty(ty);
                let set = self.value(ExprKind::Assign(to, e), value_ty, name.span);
                out.push(self.stmt_node(StmtKind::Expr(set), span));
            }
        }
        true
    }
}

impl Module {
    /// What parameter `n` of `f` is, if `f` is an instruction.
    pub(crate) fn inline_param(&self, f: FuncId, n: usize) -> Option<InlineParam> {
        self.funcs[f].inline.as_ref()?.params.get(n).copied()
    }
}
