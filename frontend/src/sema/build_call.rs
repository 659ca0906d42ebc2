//! Construction of call expressions after overload resolution: the object, the arguments, default arguments.

use rtc_base::{Span, Symbol};
use rtc_tables::intrinsics::{Check, Expander, Intrinsic, Lower, Mode};
use rtc_tables::stages::StageMask;

use super::call::{Callee, Target};
use super::checks::RowCall;
use super::context::{Sema, Use};
use super::conversion::ConversionKind;
use super::errors::exprs as err_exprs;
use crate::hir::inline::InlineParam;
use crate::hir::{Arg, Body, Category, ExprId, ExprKind, FuncId, GlobalKind, Pass, RecordId, Ty};
use crate::syntax::ast;

impl Sema<'_> {
    /// The call of the selected candidate.
    pub fn build_call(&mut self, chosen: Callee, target: Target, args: &[ExprId], span: Span) -> ExprId {
        match chosen {
            Callee::Func(f) => self.build_function_call(f, target, args, span),
            Callee::Row(row, params, ret) => self.build_row_call(row, &params, ret, target.object, args, span),
        }
    }

    fn build_function_call(&mut self, f: FuncId, target: Target, args: &[ExprId], span: Span) -> ExprId {
        let this = match self.call_this(f, target.object, span) {
            Ok(this) => this,
            Err(()) => return self.error_expr(span),
        };
        let n = self.m.funcs[f].params.len();
        let mut passed: Vec<Arg> = Vec::with_capacity(n);
        for i in 0..n {
            let p = &self.m.funcs[f].params[i];
            let (ty, pass, named) = (p.ty, p.pass, self.m.funcs[f].body.locals[p.local].name);
            let inline = self.m.inline_param(f, i);
            let arg = match args.get(i) {
                Some(&e) if inline == Some(InlineParam::Reference) => self.inline_reference(e, ty),
                Some(&e) => {
                    let name = self.str(named).to_string();
                    self.pass_argument_to(e, ty, pass, &name, target.qualified)
                }
                None => {
                    let Some(&Some((default, ctx))) = self.funcs[f].defaults.get(i) else {
                        return self.error_expr(span);
                    };
                    let this = self.f.this.take();
                    let arg = self.in_ctx(ctx, |s| s.default_argument(default, ty, pass, named));
                    self.f.this = this;
                    arg
                }
            };
            let arg = match inline {
                Some(InlineParam::Literal) => self.inline_literal(arg),
                // A default argument.
                Some(InlineParam::Reference) if arg.pass == Pass::In => self.inline_reference(arg.expr, ty),
                _ => arg,
            };
            if self.is_error(arg.expr) {
                return self.error_expr(span);
            }
            passed.push(arg);
        }
        self.request_body(f);
        self.define_spirv_type(f, &passed);
        self.used(Use::Call(f, span));
        let args = self.list(&passed);
        let ret = self.m.funcs[f].ret;
        let ty = self.m.types.value_ty(ret);
        if ret == Ty::ERROR {
            return self.error_expr(span);
        }
        self.value(ExprKind::Call { func: f, this, args }, ty, span)
    }

    /// The default argument of a parameter, where a call leaves it out. What is written back must be an l-value, such as a variable outside of
    /// functions.
    fn default_argument(&mut self, default: ast::ExprId, ty: Ty, pass: Pass, name: Symbol) -> Arg {
        if pass == Pass::In {
            let expr = self.initialiser(ty, default);
            return Arg { expr, pass, into: None, back: None, ty };
        }
        let e = self.expr(default);
        if self.is_error(e) {
            return Arg { expr: e, pass, into: None, back: None, ty };
        }
        let name = self.str(name).to_string();
        self.pass_argument_to(e, ty, pass, &name, false)
    }

    /// The object that a method works on.
    fn call_this(&mut self, f: FuncId, object: Option<ExprId>, span: Span) -> Result<Option<ExprId>, ()> {
        let Some(method) = self.m.funcs[f].method else {
            return Ok(None);
        };
        if method.is_static {
            return Ok(None);
        }
        let object = match object {
            Some(o) => {
                // The method may write its object.
                if !method.is_const {
                    self.see_casts_as_lvalues(o);
                    self.note_write(o);
                }
                o
            }
            None => match self.f.this {
                Some((r, is_const)) if self.m.types.derives_from(r, method.record) => {
                    let ty = self.m.types.record(r);
                    let category = if is_const { Category::Constant } else { Category::Lvalue };
                    self.push(ExprKind::This, ty, category, span)
                }
                _ => {
                    let name = self.m.funcs[f].qualified.clone();
                    self.report(err_exprs::needs_object(span, &name));
                    return Err(());
                }
            },
        };
        Ok(Some(self.as_record(object, method.record)))
    }

    /// `e` as `record`, its type or a base of it.
    fn as_record(&mut self, e: ExprId, record: RecordId) -> ExprId {
        let ty = self.m.types.record(record);
        if self.ty(e) == ty { e } else { self.convert(e, ty, ConversionKind::Implicit) }
    }

    fn build_row_call(
        &mut self,
        row: &'static Intrinsic,
        params: &[Ty],
        ret: Ty,
        object: Option<ExprId>,
        args: &[ExprId],
        span: Span,
    ) -> ExprId {
        if let Some(e) = self.literal_call(row, args, params, span) {
            return e;
        }
        let untyped = self.untyped_call(row, args, params, ret);
        let (params, ret) = untyped.as_ref().map_or((params, ret), |(params, ret)| (&params[..], *ret));
        let mut names = row.param_names.split(' ');
        let mut passed: Vec<Arg> = Vec::with_capacity(args.len());
        for (i, (&e, &ty)) in args.iter().zip(params).enumerate() {
            let name = names.next().unwrap_or("");
            let pass = match row.params.get(i).map_or(Mode::In, |p| p.mode) {
                Mode::In => Pass::In,
                Mode::Out => Pass::Out,
                Mode::InOut => Pass::InOut,
                // A payload that is not in shared memory is copied there.
                Mode::Ref if row.checks.contains(&Check::MeshPayload) && !self.is_shared_memory(e) => Pass::In,
                Mode::Ref => Pass::Ref,
            };
            let arg = self.pass_argument(e, ty, pass, name);
            if self.is_error(arg.expr) {
                return self.error_expr(span);
            }
            if !self.check_reference(row, &arg) {
                // An error where the function is called.
                let zero = self.value(ExprKind::Const(0), Ty::INT, span);
                return self.value(ExprKind::Convert(zero), Ty::VOID, span);
            }
            passed.push(arg);
        }
        let call = RowCall { row, object, args: &passed, ret, span };
        let Some(stages) = self.check_constant_arguments(call) else {
            return self.error_expr(span);
        };
        let prints = row.lowers == Lower::Expand(Expander::Print);
        if stages.stages != StageMask::ALL || row.shader_model > self.opts.available_model() || prints {
            self.used(Use::Intrinsic(stages, span));
        }
        if !self.check_call(call) {
            return self.error_expr(span);
        }
        for check in row.checks {
            if let Check::Alignment(n) = *check {
                let n = usize::from(n);
                passed[n] = self.inline_literal(passed[n]);
            }
        }
        if let &[arg] = &passed[..]
            && let Some(e) = self.round_constant(row, arg.expr, ret, span)
        {
            return e;
        }
        let args = self.list(&passed);
        let call = self.value(ExprKind::Intrinsic { row, object, args }, ret, span);
        let value = self.m.types.value_ty(ret);
        // A matrix in memory has a packing, a value has none.
        if value == ret { call } else { self.value(ExprKind::Convert(call), value, span) }
    }

    /// Whether `e` refers to groupshared memory or to an element of a writable resource.
    pub fn is_shared_memory(&self, e: ExprId) -> bool {
        let root = self.body.root_of(e);
        self.is_groupshared(root) || matches!(self.e(root).kind, ExprKind::Element(..) | ExprKind::Texel(..) | ExprKind::Pointee(_))
    }

    /// Whether `e` refers to groupshared memory.
    pub fn is_groupshared(&self, e: ExprId) -> bool {
        match self.e(self.body.root_of(e)).kind {
            ExprKind::Global(g) => matches!(self.m.globals[g].kind, GlobalKind::GroupShared),
            ExprKind::Local(l) => {
                let function = self.f.func.map(|f| &self.m.funcs[f]);
                function.is_some_and(|f| f.params.iter().any(|p| p.local == l && p.pass == Pass::Ref))
            }
            _ => false,
        }
    }
}

impl Body {
    /// The variable or element that `e` is a part of.
    pub(crate) fn root_of(&self, mut e: ExprId) -> ExprId {
        while let Some(whole) = self.whole_of(e) {
            e = whole;
        }
        e
    }
}
