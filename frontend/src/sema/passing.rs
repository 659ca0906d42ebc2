//! Building calls: the object, the arguments and default arguments, and what signatures do not say.

use rtc_base::Span;
use rtc_tables::intrinsics::{self, Intrinsic, Mode, Scope as RowScope};
use rtc_tables::stages::StageMask;

use super::call::{Chosen, Target};
use super::context::{Sema, Use};
use super::convert::How;
use super::errors::{calls as err, exprs as err_exprs};
use crate::hir::{Arg, Category, ExprId, ExprKind, FuncId, Pass, RecordId, Ty};

impl Sema<'_> {
    /// The call that was chosen.
    pub fn build_call(&mut self, chosen: Chosen, target: Target, args: &[ExprId], span: Span) -> ExprId {
        match chosen {
            Chosen::Func(f) => self.build_function_call(f, target.object, args, span),
            Chosen::Row(row, params, ret) => self.build_row_call(row, &params, ret, target.object, args, span),
        }
    }

    fn build_function_call(&mut self, f: FuncId, object: Option<ExprId>, args: &[ExprId], span: Span) -> ExprId {
        let this = match self.call_this(f, object, span) {
            Ok(this) => this,
            Err(()) => return self.error_expr(span),
        };
        let n = self.m.funcs[f].params.len();
        let mut passed: Vec<Arg> = Vec::with_capacity(n);
        for i in 0..n {
            let p = &self.m.funcs[f].params[i];
            let (ty, pass, local) = (p.ty, p.pass, p.local);
            let arg = match args.get(i) {
                Some(&e) => {
                    let name = self.m.funcs[f].body.locals[local].name;
                    let name = self.str(name).to_string();
                    self.pass_argument(e, ty, pass, &name)
                }
                None => {
                    let Some(&Some((default, ctx))) = self.funcs[f].defaults.get(i) else {
                        return self.error_expr(span);
                    };
                    let this = self.f.this.take();
                    let expr = self.in_ctx(ctx, |s| s.initialiser(ty, default));
                    self.f.this = this;
                    Arg { expr, pass: Pass::In, into: None, back: None, ty }
                }
            };
            if self.is_error(arg.expr) {
                return self.error_expr(span);
            }
            passed.push(arg);
        }
        self.want_body(f);
        self.used(Use::Call(f, span));
        let args = self.list(&passed);
        let ret = self.m.funcs[f].ret;
        let ty = self.m.types.value_ty(ret);
        if ret == Ty::ERROR {
            return self.error_expr(span);
        }
        self.value(ExprKind::Call { func: f, this, args }, ty, span)
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
            Some(o) => o,
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

    /// `e` seen as `record`, which it is or inherits from.
    fn as_record(&mut self, e: ExprId, record: RecordId) -> ExprId {
        let ty = self.m.types.record(record);
        if self.ty(e) == ty { e } else { self.convert(e, ty, How::Implicit) }
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
        let mut names = row.param_names.split(' ');
        let mut passed: Vec<Arg> = Vec::with_capacity(args.len());
        for (i, (&e, &ty)) in args.iter().zip(params).enumerate() {
            let name = names.next().unwrap_or("");
            let pass = match row.params.get(i).map_or(Mode::In, |p| p.mode) {
                Mode::In => Pass::In,
                Mode::Out => Pass::Out,
                Mode::InOut => Pass::InOut,
                Mode::Ref => Pass::Ref,
            };
            let arg = self.pass_argument(e, ty, pass, name);
            if self.is_error(arg.expr) || !self.check_ref(row, &arg) {
                return self.error_expr(span);
            }
            passed.push(arg);
        }
        let Some(legal) = self.stages_of_call(row, &passed, span) else {
            return self.error_expr(span);
        };
        if legal.stages != StageMask::ALL || row.shader_model > self.opts.shader_model {
            self.used(Use::Intrinsic(legal, span));
        }
        if let Some(o) = object
            && !self.check_object(row, o)
        {
            return self.error_expr(span);
        }
        self.check_ray_flags(row, object, &passed);
        if !self.check_row(row, &passed, ret, span) {
            return self.error_expr(span);
        }
        let args = self.list(&passed);
        self.value(ExprKind::Intrinsic { row, object, args }, ret, span)
    }

    /// What works on a place itself needs one in shared or writable memory.
    fn check_ref(&mut self, row: &'static Intrinsic, arg: &Arg) -> bool {
        if arg.pass != Pass::Ref {
            return true;
        }
        let mut e = arg.expr;
        while let Some(whole) = self.body.whole_of(e) {
            e = whole;
        }
        match self.e(e).kind {
            ExprKind::Element(..) | ExprKind::Texel(..) => return true,
            ExprKind::Global(g) if matches!(self.m.globals[g].kind, crate::hir::GlobalKind::GroupShared) => return true,
            _ => {}
        }
        self.report(err::no_shared_place(self.span(arg.expr), row.name));
        false
    }

    /// Methods that change their object need one that can be changed.
    fn check_object(&mut self, row: &'static Intrinsic, object: ExprId) -> bool {
        let changes = match row.scope {
            RowScope::Method(intrinsics::Object::RayQuery) => {
                matches!(row.name, "TraceRayInline" | "Proceed" | "Abort")
                    || row.name.starts_with("Commit") && !row.name.starts_with("Committed")
            }
            RowScope::Method(intrinsics::Object::HitObject) => row.name.starts_with("Set"),
            _ => false,
        };
        !changes || self.check_writable(object, &format!("call `{}` on", row.name))
    }
}
