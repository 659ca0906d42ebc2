//! Values without a type: literals, choices between them, and arithmetic among those.
//!
//! A literal is of the type that it is used for, and so is what is computed of literals only: `double d = c ? 0.1 : 0.2` is not rounded to `float`
//! first, and `int64_t n = -(c ? 1 : 2)` has 64 bits. Such an expression is made with a literal type; a conversion gives its parts their type.

use rtc_base::Span;

use super::context::Sema;
use super::conversion::{ConversionKind, literal_int};
use super::conversion_rank::{common, concrete};
use crate::hir::{BinaryOp, ExprId, ExprKind, Scalar, Ty, TyKind};

/// Expressions that a value without a type consists of, at most: a larger one gets its default type at once.
const MAX_PARTS: usize = 64;

impl Sema<'_> {
    /// Whether `e` is a value without a type.
    pub fn is_untyped(&self, e: ExprId) -> bool {
        matches!(self.kind(self.ty(e)), TyKind::Scalar(s) if s.is_literal())
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
                ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::Comma(_, a) if self.is_untyped(a) => self.count_parts(a, parts),
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
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) | ExprKind::Unary(_, a) | ExprKind::Comma(_, a) => self.default_scalar(a),
            ExprKind::Conditional(_, a, b) | ExprKind::Select(_, a, b) | ExprKind::Binary(_, a, b) => {
                Some(common(self.default_scalar(a)?, self.default_scalar(b)?))
            }
            _ => Some(concrete(s)),
        }
    }

    /// Gives a value without a type its default type.
    pub fn settle(&mut self, e: ExprId) -> ExprId {
        match self.default_scalar(e) {
            Some(to) if self.is_untyped(e) => self.component_convert(e, Ty::scalar(to)),
            _ => e,
        }
    }

    /// The same, but literals stay as they are.
    pub fn settle_computed(&mut self, e: ExprId) -> ExprId {
        if self.as_const(e).is_some() { e } else { self.settle(e) }
    }

    /// `select(c, a, b)` of values without a type.
    pub(super) fn untyped_select(&mut self, args: &[ExprId], span: Span) -> Option<ExprId> {
        let &[c, a, b] = args else { return None };
        if !self.stays_untyped(&[a, b]) || !matches!(self.kind(self.ty(c)), TyKind::Scalar(_)) {
            return None;
        }
        let ty = Ty::scalar(common(self.m.types.elem(self.ty(a))?, self.m.types.elem(self.ty(b))?));
        let c = self.convert(c, Ty::BOOL, ConversionKind::Explicit);
        let (a, b) = (self.convert(a, ty, ConversionKind::Implicit), self.convert(b, ty, ConversionKind::Implicit));
        Some(self.value(ExprKind::Select(c, a, b), ty, span))
    }

    /// A value without a type that is not a literal, as `to`: what it is made of is converted. `None` of anything else.
    pub(super) fn typed(&mut self, e: ExprId, to: Ty) -> Option<ExprId> {
        if !self.is_untyped(e) {
            return None;
        }
        let span = self.span(e);
        let (kind, ty) = match self.e(e).kind {
            ExprKind::Conditional(c, a, b) => (ExprKind::Conditional(c, self.component_convert(a, to), self.component_convert(b, to)), to),
            ExprKind::Select(c, a, b) => (ExprKind::Select(c, self.component_convert(a, to), self.component_convert(b, to)), to),
            ExprKind::Comma(a, b) => (ExprKind::Comma(a, self.component_convert(b, to)), to),
            ExprKind::Unary(op, a) => {
                let ty = self.computed_as(e, to, true)?;
                (ExprKind::Unary(op, self.component_convert(a, ty)), ty)
            }
            ExprKind::Binary(op, a, b) => {
                use BinaryOp::{Add, And, Mul, Or, Sub, Xor};
                let ty = self.computed_as(e, to, matches!(op, Add | Sub | Mul | And | Or | Xor))?;
                (ExprKind::Binary(op, self.component_convert(a, ty), self.component_convert(b, ty)), ty)
            }
            // An integer among floating-point numbers.
            ExprKind::Convert(a) => {
                let inside = self.settle(a);
                return Some(self.component_convert(inside, to));
            }
            _ => return None,
        };
        let value = self.value(kind, ty, span);
        Some(if ty == to { value } else { self.component_convert(value, to) })
    }

    /// The type that `e`, arithmetic without a type, is computed in where `to` is required of it. The lower bits of a `modular` operation need no
    /// others; of the other ones all bits count, and the sign that literals have.
    fn computed_as(&self, e: ExprId, to: Ty, modular: bool) -> Option<Ty> {
        let own = self.default_scalar(e)?;
        let wanted = self.m.types.elem(to)?;
        let scalar = match wanted {
            Scalar::Double if own.is_float() => wanted,
            Scalar::Int | Scalar::Uint | Scalar::Int64 | Scalar::Uint64 if own.is_int() && modular => wanted,
            Scalar::Int64 | Scalar::Uint64 if own.is_int() && own != Scalar::Uint64 => Scalar::Int64,
            _ => own,
        };
        Some(Ty::scalar(scalar))
    }
}
