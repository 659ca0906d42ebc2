//! L-values: writability checks, and the conversions of `out` and `inout` arguments.

use super::context::Sema;
use super::conversion::ConversionKind;
use super::errors::{exprs as err, types as err_types};
use crate::hir::{Arg, Body, Category, ExprId, ExprKind, Pass, Ty, TyKind, Types};

/// Why an expression is not writable.
enum Refusal {
    /// It is a value.
    Value,
    /// It is constant, with a description.
    Constant(&'static str),
    /// A swizzle names a component twice.
    Repeated,
}

impl Sema<'_> {
    /// Checks that `e` is a writable l-value, and reports the reason otherwise. `doing`: "assign to", "pass to an out parameter".
    pub fn check_writable(&mut self, e: ExprId, doing: &str) -> bool {
        if self.is_error(e) {
            return false;
        }
        self.see_casts_as_lvalues(e);
        let Some(why) = self.refusal(e) else {
            self.note_write(e);
            return true;
        };
        let span = self.span(e);
        self.report(match why {
            Refusal::Value => err::not_an_lvalue(span, doing),
            Refusal::Constant(what) => err::constant_lvalue(span, doing, what),
            Refusal::Repeated => err::repeated_component(span, doing),
        });
        false
    }

    /// Whether `e` is a writable l-value, or may be one as a cast.
    pub fn may_be_written(&self, e: ExprId) -> bool {
        let mut at = e;
        while self.e(at).category == Category::Rvalue {
            match self.f.casts.get(&at).copied().or_else(|| self.body.whole_of(at)) {
                Some(inner) => at = inner,
                None => return false,
            }
        }
        self.refusal(at).is_none()
    }

    fn refusal(&self, e: ExprId) -> Option<Refusal> {
        let expr = self.e(e);
        if let ExprKind::Swizzle(_, comps) = expr.kind
            && self.m.types.repeats(expr.ty, &comps)
        {
            return Some(Refusal::Repeated);
        }
        if let ExprKind::MatrixSwizzle(_, comps) = expr.kind
            && self.m.types.repeats(expr.ty, &comps)
        {
            return Some(Refusal::Repeated);
        }
        match expr.category {
            Category::Lvalue => None,
            Category::Rvalue => Some(Refusal::Value),
            Category::Constant => Some(Refusal::Constant(self.body.what_constant(e))),
        }
    }

    /// Whether the expression is a number because the variable that it names is.
    fn is_named_number(&self, e: ExprId) -> bool {
        let text = self.sources.snippet(self.span(e));
        let named = text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':'));
        let name = named && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
        matches!(self.e(e).kind, ExprKind::Const(_)) && name && !matches!(text, "true" | "false")
    }

    /// The argument of a parameter of type `ty` passed as `pass`; the conversions must exist.
    pub fn pass_argument(&mut self, e: ExprId, ty: Ty, pass: Pass, name: &str) -> Arg {
        self.pass_argument_to(e, ty, pass, name, false)
    }

    /// As [`Sema::pass_argument`]. `constants`: an `inout` or `out` parameter takes a constant, with a warning: a local one
    /// is written, of another one the callee has a copy.
    pub fn pass_argument_to(&mut self, e: ExprId, ty: Ty, pass: Pass, name: &str, constants: bool) -> Arg {
        let plain = |expr| Arg { expr, pass, into: None, back: None, ty };
        // A resource of the program for an `inout` parameter: nothing is copied back.
        let resource = self.m.types.is_resource(ty) && self.m.types.is_resource(self.ty(e));
        if resource && pass == Pass::InOut && self.refusal(e).is_some() {
            let expr = self.convert(e, ty, ConversionKind::Implicit);
            return Arg { pass: Pass::In, ..plain(expr) };
        }
        if pass == Pass::In {
            let expr = self.convert(e, ty, ConversionKind::Implicit);
            return plain(expr);
        }
        let parameter = format!("the {} parameter `{name}`", if pass == Pass::Out { "out" } else { "inout" });
        let refused = match self.refusal(e) {
            // The number that a constant variable is known to be.
            Some(Refusal::Value) if constants && self.is_named_number(e) => Some("a constant"),
            Some(Refusal::Constant(what)) if constants => Some(what),
            _ => None,
        };
        if let Some(what) = refused {
            self.report(err::constant_argument(self.span(e), &parameter, what));
            let root = self.body.root_of(e);
            if !matches!(self.e(root).kind, ExprKind::Local(_)) {
                let expr = self.convert(e, ty, ConversionKind::Implicit);
                return Arg { pass: Pass::In, ..plain(expr) };
            }
        } else if !self.check_writable(e, &format!("pass it to {parameter}")) {
            return plain(self.error_expr(self.span(e)));
        }
        let from = self.ty(e);
        let span = self.span(e);
        if self.same_value(from, ty) {
            return plain(e);
        }
        let into = (pass == Pass::InOut).then(|| {
            let was = self.m.types.value_ty(from);
            let hole = self.value(ExprKind::Hole, was, span);
            self.convert(hole, ty, ConversionKind::Implicit)
        });
        let back = match (self.kind(from), self.kind(ty)) {
            // A derived record is passed as its base, by the same l-value.
            (TyKind::Record(a), TyKind::Record(b)) => {
                if self.m.types.derives_from(a, b) {
                    self.report(err_types::extension(span, "arguments of derived structures for `inout` parameters of the base"));
                }
                let expr = self.convert(e, ty, ConversionKind::Implicit);
                return plain(expr);
            }
            _ => {
                let hole = self.value(ExprKind::Hole, ty, span);
                self.convert(hole, from, ConversionKind::Implicit)
            }
        };
        Arg { expr: e, pass, into, back: Some(back), ty }
    }
}

impl Types {
    fn repeats(&self, ty: Ty, comps: &[u8; 4]) -> bool {
        let n = self.components(ty).unwrap_or(1).min(4) as usize;
        (1..n).any(|i| comps[..i].contains(&comps[i]))
    }
}

impl Body {
    /// The reason why the l-value is constant.
    fn what_constant(&self, mut e: ExprId) -> &'static str {
        loop {
            if let Some(whole) = self.whole_of(e).filter(|&whole| self.exprs[whole].category == Category::Constant) {
                e = whole;
                continue;
            }
            match self.exprs[e].kind {
                ExprKind::Contents(_) => return "a member of a constant buffer",
                ExprKind::Element(..) | ExprKind::Texel(..) => {
                    return "an element of a read-only resource";
                }
                ExprKind::This => return "a member in a const method",
                ExprKind::Global(_) => return "a constant or resource",
                _ => return "a constant",
            }
        }
    }
}
