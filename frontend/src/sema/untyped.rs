//! Values without a type: literals, choices between them, and what operators, swizzles and intrinsics make of those.
//!
//! A literal is of the type that it is used for, and so is what is computed of literals only: `double d = c ? 0.1 : 0.2` is not rounded to `float`
//! first, and `int64_t n = -(c ? 1 : 2)` has 64 bits. Such an expression is made with a literal type; a conversion gives its parts their type.

use rtc_base::Span;

use super::context::Sema;
use super::conversion::{ConversionKind, literal_int};
use super::conversion_rank::{common, concrete};
use super::literal_calls::computed_class;
use crate::hir::{Arg, BinaryOp, ExprId, ExprKind, List, Scalar, Ty};

/// Expressions that a value without a type consists of, at most: a larger one gets its default type at once.
const MAX_PARTS: usize = 64;

impl Sema<'_> {
    /// Whether `e` is a value without a type, or several in a vector.
    pub fn is_untyped(&self, e: ExprId) -> bool {
        self.m.types.elem(self.ty(e)).is_some_and(Scalar::is_literal)
    }

    /// Whether what is computed of these operands stays without a type.
    pub(super) fn stays_untyped(&self, operands: &[ExprId]) -> bool {
        let mut parts = 0;
        operands.iter().all(|&e| self.is_untyped(e) && self.count_parts(e, &mut parts))
    }

    /// Adds the expressions of `e` to `parts`; `false` once these are too many.
    fn count_parts(&self, e: ExprId, parts: &mut usize) -> bool {
        *parts += 1;
        *parts <= MAX_PARTS
            && match self.e(e).kind {
                ExprKind::Conditional(_, a, b) | ExprKind::Select(_, a, b) | ExprKind::Binary(_, a, b) => {
                    self.count_parts(a, parts) && self.count_parts(b, parts)
                }
                ExprKind::Unary(_, a)
                | ExprKind::Convert(a)
                | ExprKind::Comma(_, a)
                | ExprKind::Splat(a)
                | ExprKind::Truncate(a)
                | ExprKind::Swizzle(a, _)
                | ExprKind::Component(a, _)
                    if self.is_untyped(a) =>
                {
                    self.count_parts(a, parts)
                }
                ExprKind::Intrinsic { args, .. } => self.body.list(args).iter().all(|a| self.count_parts(a.expr, parts)),
                _ => true,
            }
    }

    /// The type of `e` where nothing else gives it one: of a literal `int` or `float`, or a wider one that holds its number.
    pub fn default_scalar(&self, e: ExprId) -> Option<Scalar> {
        let s = self.m.types.elem(self.ty(e))?;
        if s != Scalar::LitInt {
            return Some(concrete(s));
        }
        if let Some(n) = self.as_const(e).and_then(|c| c.as_int()) {
            return Some(literal_int(n));
        }
        match self.e(e).kind {
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Comma(_, a)
            | ExprKind::Splat(a)
            | ExprKind::Truncate(a)
            | ExprKind::Swizzle(a, _)
            | ExprKind::Component(a, _) => self.default_scalar(a),
            ExprKind::Conditional(_, a, b) | ExprKind::Select(_, a, b) | ExprKind::Binary(_, a, b) => {
                Some(common(self.default_scalar(a)?, self.default_scalar(b)?))
            }
            ExprKind::Intrinsic { args, .. } => {
                let untyped = self.body.list(args).iter().filter(|a| self.is_untyped(a.expr));
                untyped.filter_map(|a| self.default_scalar(a.expr)).reduce(common)
            }
            _ => Some(concrete(s)),
        }
    }

    /// The type in which `e`, an integer, is the number that it is: literals have a sign, so `uint` holds no choice between a negative one and one that is
    /// no `int`.
    fn exact_int(&self, e: ExprId) -> Option<Scalar> {
        let own = self.default_scalar(e)?;
        Some(if own == Scalar::Uint && self.may_be_negative(e) { Scalar::Int64 } else { own })
    }

    fn may_be_negative(&self, e: ExprId) -> bool {
        if let Some(n) = self.as_const(e).and_then(|c| c.as_int()) {
            return n < 0;
        }
        match self.e(e).kind {
            ExprKind::Conditional(_, a, b) | ExprKind::Select(_, a, b) => self.may_be_negative(a) || self.may_be_negative(b),
            ExprKind::Binary(op, a, b) => op == BinaryOp::Sub || self.may_be_negative(a) || self.may_be_negative(b),
            ExprKind::Unary(..) => true,
            ExprKind::Comma(_, a) | ExprKind::Splat(a) | ExprKind::Truncate(a) | ExprKind::Swizzle(a, _) | ExprKind::Component(a, _) => {
                self.may_be_negative(a)
            }
            ExprKind::Intrinsic { args, .. } => self.body.list(args).iter().any(|a| self.may_be_negative(a.expr)),
            _ => false,
        }
    }

    /// Whether `e` is a literal below zero, or a choice between such.
    pub(super) fn is_negative_literal(&self, e: ExprId) -> bool {
        if self.m.types.elem(self.ty(e)) != Some(Scalar::LitInt) {
            return false;
        }
        if let Some(n) = self.as_const(e).and_then(|c| c.as_int()) {
            return n < 0;
        }
        match self.e(e).kind {
            ExprKind::Conditional(_, a, b) | ExprKind::Select(_, a, b) => self.is_negative_literal(a) && self.is_negative_literal(b),
            _ => false,
        }
    }

    /// Gives a value without a type its default type.
    pub fn settle(&mut self, e: ExprId) -> ExprId {
        match self.default_scalar(e) {
            Some(to) if self.is_untyped(e) => self.as_elem(e, to),
            _ => e,
        }
    }

    /// The type of `e` where nothing else gives it one.
    pub fn default_type(&mut self, e: ExprId) -> Ty {
        let ty = self.ty(e);
        match self.default_scalar(e) {
            Some(s) if self.is_untyped(e) => self.m.types.with_elem(ty, s),
            _ => ty,
        }
    }

    /// The components of `e` as `to`.
    pub(super) fn as_elem(&mut self, e: ExprId, to: Scalar) -> ExprId {
        let ty = self.ty(e);
        let ty = self.m.types.with_elem(ty, to);
        self.component_convert(e, ty)
    }

    /// The same, but literals stay as they are.
    pub fn settle_computed(&mut self, e: ExprId) -> ExprId {
        if self.as_const(e).is_some() { e } else { self.settle(e) }
    }

    /// Operands of a comparison: integers keep their sign.
    pub(super) fn settle_compared(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let int = |s: &Self, e| s.exact_int(e).filter(|t| t.is_int());
        let (Some(x), Some(y)) = (int(self, a), int(self, b)) else {
            return (self.settle_computed(a), self.settle_computed(b));
        };
        let mixed = common(x, y) == Scalar::Uint && (self.may_be_negative(a) || self.may_be_negative(b));
        if mixed || common(x, y) == Scalar::Int64 {
            return (self.as_elem(a, Scalar::Int64), self.as_elem(b, Scalar::Int64));
        }
        (self.settle_computed(a), self.settle_computed(b))
    }

    /// `select(c, a, b)` of values without a type, which the row gives the types `params`.
    pub(super) fn untyped_select(&mut self, args: &[ExprId], params: &[Ty], span: Span) -> Option<ExprId> {
        let (&[c, a, b], &[condition, shape, _]) = (args, params) else { return None };
        if !self.stays_untyped(&[a, b]) {
            return None;
        }
        let scalar = common(self.m.types.elem(self.ty(a))?, self.m.types.elem(self.ty(b))?);
        let ty = self.m.types.with_elem(shape, scalar);
        let c = self.convert(c, condition, ConversionKind::Explicit);
        let (a, b) = (self.convert(a, ty, ConversionKind::Implicit), self.convert(b, ty, ConversionKind::Implicit));
        Some(self.value(ExprKind::Select(c, a, b), ty, span))
    }

    /// A value without a type that is not a literal, as `to`: what it is made of is converted. `None` of anything else.
    pub(super) fn typed(&mut self, e: ExprId, to: Ty) -> Option<ExprId> {
        if !self.is_untyped(e) {
            return None;
        }
        let span = self.span(e);
        let wanted = self.m.types.elem(to)?;
        let (kind, elem) = match self.e(e).kind {
            ExprKind::Conditional(c, a, b) => (ExprKind::Conditional(c, self.as_elem(a, wanted), self.as_elem(b, wanted)), wanted),
            ExprKind::Select(c, a, b) => (ExprKind::Select(c, self.as_elem(a, wanted), self.as_elem(b, wanted)), wanted),
            ExprKind::Comma(a, b) => (ExprKind::Comma(a, self.as_elem(b, wanted)), wanted),
            ExprKind::Swizzle(a, components) => (ExprKind::Swizzle(self.as_elem(a, wanted), components), wanted),
            ExprKind::Component(a, n) => (ExprKind::Component(self.as_elem(a, wanted), n), wanted),
            ExprKind::Splat(a) => (ExprKind::Splat(self.as_elem(a, wanted)), wanted),
            ExprKind::Truncate(a) => (ExprKind::Truncate(self.as_elem(a, wanted)), wanted),
            ExprKind::Construct(parts) => {
                let parts: Vec<ExprId> = self.body.list(parts).to_vec();
                let parts: Vec<ExprId> = parts.into_iter().map(|p| self.as_elem(p, wanted)).collect();
                (ExprKind::Construct(self.list(&parts)), wanted)
            }
            ExprKind::Unary(op, a) => {
                let elem = self.computed_as(e, wanted, true)?;
                (ExprKind::Unary(op, self.as_elem(a, elem)), elem)
            }
            ExprKind::Binary(op, a, b) => {
                let elem = self.computed_as(e, wanted, op.is_modular())?;
                (ExprKind::Binary(op, self.as_elem(a, elem), self.as_elem(b, elem)), elem)
            }
            ExprKind::Intrinsic { row, object, args } => {
                let elem = computed_class(row, self.computed_as(e, wanted, false)?);
                let args = self.typed_args(args, elem);
                (ExprKind::Intrinsic { row, object, args }, elem)
            }
            // An integer among floating-point numbers.
            ExprKind::Convert(a) => {
                let inside = self.settle(a);
                return Some(self.component_convert(inside, to));
            }
            _ => return None,
        };
        let own = self.ty(e);
        let ty = self.m.types.with_elem(own, elem);
        let value = self.value(kind, ty, span);
        Some(if elem == wanted { value } else { self.component_convert(value, to) })
    }

    /// The arguments of a call, those without a type as `elem`.
    fn typed_args(&mut self, args: List<Arg>, elem: Scalar) -> List<Arg> {
        let mut args: Vec<Arg> = self.body.list(args).to_vec();
        for arg in &mut args {
            if self.is_untyped(arg.expr) {
                arg.expr = self.as_elem(arg.expr, elem);
                arg.ty = self.ty(arg.expr);
            }
        }
        self.list(&args)
    }

    /// The type that `e`, arithmetic without a type, is computed in where `wanted` is required of it. The lower bits of a `modular` operation need no
    /// others; of the other ones all bits count, and the sign that literals have.
    fn computed_as(&self, e: ExprId, wanted: Scalar, modular: bool) -> Option<Scalar> {
        let own = self.exact_int(e)?;
        Some(match wanted {
            Scalar::Double if own.is_float() => wanted,
            Scalar::Int | Scalar::Uint | Scalar::Int64 | Scalar::Uint64 if own.is_int() && modular => wanted,
            Scalar::Int64 | Scalar::Uint64 if own.is_int() && own != Scalar::Uint64 => Scalar::Int64,
            _ => own,
        })
    }
}
