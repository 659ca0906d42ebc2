//! Initialisers: an initialiser list is flattened to expressions and these to scalars; inner braces have no effect.
//! The number of scalars must be that of the type.

use rtc_base::Span;

use super::context::Sema;
use super::conversion::ConversionKind;
use super::errors::{exprs as err, types as err_types};
use crate::hir::{ExprId, ExprKind, Ty, TyKind, Types};
use crate::syntax::{Ast, ast};

/// The largest number of scalars in an initialised aggregate.
const MAX_LEAVES: u64 = 1 << 22;

impl Sema<'_> {
    /// The value of `init` as an initialiser of something of type `ty`.
    pub fn initialiser(&mut self, ty: Ty, init: ast::ExprId) -> ExprId {
        let span = self.ast.exprs[init].span;
        if let ast::ExprKind::InitList(items) = self.ast.exprs[init].kind {
            let mut sources = Vec::new();
            self.flatten(items, &mut sources);
            if ty == Ty::ERROR || sources.iter().any(|&e| self.is_error(e)) {
                return self.error_expr(span);
            }
            return self.initialise_from(ty, &sources, span);
        }
        let e = self.expr(init);
        if self.is_error(e) || ty == Ty::ERROR {
            return self.error_expr(span);
        }
        if let TyKind::Record(_) = self.kind(self.ty(e))
            && self.implicit_cost(self.ty(e), ty).is_none()
            && let Some(e) = self.call_conversion(e, ty, span)
        {
            return e;
        }
        if let (TyKind::Array(a, None), TyKind::Array(b, Some(_))) = (self.kind(ty), self.kind(self.ty(e)))
            && self.same_value(a, b)
        {
            return e;
        }
        self.coerce(e, ty)
    }

    fn flatten(&mut self, items: ast::List<ast::ExprId>, out: &mut Vec<ExprId>) {
        if !self.nesting.enter() {
            let first = self.ast.list(items).first().map_or(Span::NONE, |&e| self.ast.exprs[e].span);
            self.report(super::errors::types::too_deep(first));
            self.nesting.leave();
            return;
        }
        for i in 0..items.len() {
            let id = self.ast.list(items)[i];
            match self.ast.exprs[id].kind {
                ast::ExprKind::InitList(inner) => self.flatten(inner, out),
                _ => {
                    let e = self.expr(id);
                    out.push(e);
                }
            }
        }
        self.nesting.leave();
    }

    /// A value of type `ty` from the scalars of `sources`.
    fn initialise_from(&mut self, ty: Ty, sources: &[ExprId], span: Span) -> ExprId {
        let ty = self.m.types.value_ty(ty);
        if let &[one] = sources
            && self.same_value(self.ty(one), ty)
        {
            return one;
        }
        if self.m.types.strip_arrays(ty).1.is_some()
            && let TyKind::Void | TyKind::Function(_) | TyKind::Subobject(_) | TyKind::String | TyKind::RayQuery { .. } = self.kind(ty)
        {
            let d = err::no_list_init(span, &self.show(ty));
            self.report(d);
            return self.error_expr(span);
        }
        let have: u64 = sources.iter().map(|&e| self.m.types.leaf_count(self.ty(e))).sum();
        let ty = match self.kind(ty) {
            TyKind::Array(elem, None) => {
                let per = self.m.types.leaf_count(elem).max(1);
                if have == 0 || !have.is_multiple_of(per) {
                    let d = err::initialiser_count(span, &self.show(ty), have.div_ceil(per).max(1) * per, have);
                    self.report(d);
                    return self.error_expr(span);
                }
                self.m.types.array(elem, Some((have / per) as u32))
            }
            _ => ty,
        };
        let want = self.m.types.leaf_count(ty);
        if want != have {
            let d = err::initialiser_count(span, &self.show(ty), want, have);
            self.report(d);
            return self.error_expr(span);
        }
        if want > MAX_LEAVES {
            self.report(super::errors::types::array_size(span, want as i128));
            return self.error_expr(span);
        }
        let leaves = self.m.types.leaf_types(ty);
        let mut parts = Vec::with_capacity(sources.len());
        let mut at = 0usize;
        for &e in sources {
            let n = self.m.types.leaf_count(self.ty(e)) as usize;
            let Some(covered) = leaves.get(at..at + n) else {
                return self.error_expr(span);
            };
            at += n;
            match self.init_part(e, covered) {
                Some(e) => parts.push(e),
                None => return self.error_expr(span),
            }
        }
        if let &[one] = &parts[..]
            && self.ty(one) == ty
        {
            return one;
        }
        let parts = self.list(&parts);
        self.value(ExprKind::Construct(parts), ty, span)
    }

    /// One source of a list, converted if all scalars that it fills are of one type.
    fn init_part(&mut self, e: ExprId, fills: &[Ty]) -> Option<ExprId> {
        let from = self.ty(e);
        let span = self.span(e);
        let own = self.m.types.leaf_types(from);
        for (&a, &b) in own.iter().zip(fills) {
            if self.implicit_cost(a, b).is_none() {
                let d = err::no_conversion(span, &self.show(a), &self.show(b));
                self.report(d);
                return None;
            }
        }
        let first = *fills.first()?;
        if matches!(self.kind(from), TyKind::HeapElement(_)) {
            return Some(self.convert(e, first, ConversionKind::Implicit));
        }
        let Some(s) = self.m.types.elem(first) else {
            return Some(e);
        };
        if self.m.types.elem(from).is_none() {
            return Some(e);
        }
        if fills.iter().all(|&t| t == first) {
            let to = match self.kind(first) {
                TyKind::Enum(_) if fills.len() == 1 => first,
                _ => self.m.types.with_elem(from, s),
            };
            return Some(self.convert(e, to, ConversionKind::Implicit));
        }
        Some(self.settle(e))
    }

    /// The type of a variable that is declared `auto`: that of its initialiser.
    pub fn deduced_type(&mut self, v: &ast::Var) -> Ty {
        let span = self.ast.types[v.ty].span;
        let init = v.init.filter(|&i| v.dims.is_empty() && !matches!(self.ast.exprs[i].kind, ast::ExprKind::InitList(_)));
        let Some(init) = init else {
            self.report(err_types::misplaced_auto(span));
            return Ty::ERROR;
        };
        if !self.opts.is_202x() {
            self.report(err_types::newer(span, "`auto`", "202x"));
        }
        // The initialiser is checked again with the type.
        let e = self.muted(|s| {
            let e = s.expr(init);
            s.settle(e)
        });
        let ty = self.m.types.with_packing(self.ty(e), self.opts.row_major);
        match self.kind(ty) {
            TyKind::Error => _ = self.expr(init),
            TyKind::Void | TyKind::String | TyKind::Heap(_) | TyKind::HeapElement(_) | TyKind::MipsOf(..) | TyKind::MipOf(..) => {
                let text = self.show(ty);
                self.report(err_types::auto_without_type(span, &text));
                return Ty::ERROR;
            }
            _ => {}
        }
        ty
    }

    /// `__decltype(e)`: the expression is not evaluated.
    pub fn type_of_expr(&mut self, e: ast::ExprId, span: Span) -> Ty {
        if let Some(ty) = self.type_of_function(e) {
            return ty;
        }
        let uses = self.f.count_uses();
        let e = self.expr(e);
        let e = self.settle(e);
        self.f.forget_uses(uses);
        let ty = self.m.types.with_packing(self.ty(e), self.opts.row_major);
        match self.kind(ty) {
            TyKind::String | TyKind::Heap(_) | TyKind::HeapElement(_) | TyKind::MipsOf(..) | TyKind::MipOf(..) => {
                let text = self.show(ty);
                self.report(err_types::auto_without_type(span, &text));
                Ty::ERROR
            }
            _ => ty,
        }
    }

    /// `T(args)`
    pub fn construct(&mut self, ty: Ty, type_span: Span, args: ast::List<ast::ExprId>, span: Span) -> ExprId {
        let sources: Vec<ExprId> = (0..args.len()).map(|i| self.expr(self.ast.list(args)[i])).collect();
        if ty == Ty::ERROR || sources.iter().any(|&e| self.is_error(e)) {
            return self.error_expr(span);
        }
        // `dx::HitObject()` is the hit object of a variable without an initialiser.
        if sources.is_empty() && self.kind(ty) == TyKind::HitObject {
            return self.make_nop(type_span, span);
        }
        self.construct_from(ty, type_span, &sources, span)
    }

    /// `T(sources)` with the arguments checked.
    pub fn construct_from(&mut self, ty: Ty, type_span: Span, sources: &[ExprId], span: Span) -> ExprId {
        if let &[one] = sources {
            if let TyKind::Record(_) = self.kind(self.ty(one))
                && let Some(e) = self.call_conversion(one, ty, span)
            {
                return e;
            }
            let components = |t| self.m.types.components(t).filter(|_| self.m.types.is_numeric(t));
            if let (Some(have), Some(want)) = (components(self.ty(one)), components(ty))
                && have != want
            {
                self.report(err_types::extension(span, "constructors of one value with another number of components"));
            }
            return self.cast(one, ty, span);
        }
        if !self.m.types.is_numeric(ty) {
            let d = err::no_constructor(type_span, &self.show(ty));
            self.report(d);
            return self.error_expr(span);
        }
        if sources.is_empty() {
            let d = err::initialiser_count(span, &self.show(ty), self.m.types.leaf_count(ty), 0);
            self.report(d);
            return self.error_expr(span);
        }
        for &e in sources {
            let t = self.ty(e);
            if self.m.types.has_objects(t) || matches!(self.kind(t), TyKind::Void | TyKind::String | TyKind::HeapElement(_)) {
                let d = err::no_conversion(self.span(e), &self.show(t), &self.show(ty));
                self.report(d);
                return self.error_expr(span);
            }
        }
        let outer = std::mem::replace(&mut self.nesting.in_constructor, true);
        let made = self.initialise_from(ty, sources, span);
        self.nesting.in_constructor = outer;
        made
    }
}

impl Types {
    /// The types of the scalars and objects in `ty`, depth first.
    fn leaf_types(&self, ty: Ty) -> Vec<Ty> {
        let mut out = Vec::new();
        let mut todo = vec![ty];
        while let Some(t) = todo.pop() {
            match self.kind(t) {
                TyKind::Array(e, n) => todo.extend(std::iter::repeat_n(e, n.unwrap_or(0) as usize)),
                TyKind::Record(r) => todo.extend(self.records[r].fields.iter().rev().map(|f| f.ty)),
                TyKind::Vector(s, n) => out.extend(std::iter::repeat_n(Ty::scalar(s), n as usize)),
                TyKind::Matrix { scalar, rows, cols, .. } => {
                    out.extend(std::iter::repeat_n(Ty::scalar(scalar), rows as usize * cols as usize));
                }
                _ => out.push(t),
            }
            if out.len() as u64 > MAX_LEAVES {
                break;
            }
        }
        out
    }
}

impl Ast {
    /// Whether a variable is declared `auto`.
    pub(crate) fn is_auto(&self, v: &ast::Var) -> bool {
        matches!(self.types[v.ty].kind, ast::TypeKind::Auto)
    }
}
