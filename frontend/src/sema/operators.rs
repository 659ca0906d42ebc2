//! Operators: operand types, usual arithmetic conversions, constant folding, overloaded operators.

use rtc_base::Span;

use super::context::Sema;
use super::conversion::ConversionKind;
use super::conversion_rank::{Extent, OperandElem, common, concrete};
use super::errors::{exprs as err, types as err_types};
use crate::hir::{BinaryOp, Body, Category, Const, ExprId, ExprKind, Scalar, Ty, TyKind, Types, UnaryOp};
use crate::syntax::ast::{self, BinaryOp as AstOp, UnaryOp as AstUnary};

/// The typed form of a binary operator other than `&&` and `||`.
pub fn binary_op(op: AstOp) -> BinaryOp {
    match op {
        AstOp::Mul => BinaryOp::Mul,
        AstOp::Div => BinaryOp::Div,
        AstOp::Rem => BinaryOp::Rem,
        AstOp::Add => BinaryOp::Add,
        AstOp::Sub => BinaryOp::Sub,
        AstOp::Shl => BinaryOp::Shl,
        AstOp::Shr => BinaryOp::Shr,
        AstOp::Lt => BinaryOp::Lt,
        AstOp::Gt => BinaryOp::Gt,
        AstOp::Le => BinaryOp::Le,
        AstOp::Ge => BinaryOp::Ge,
        AstOp::Eq => BinaryOp::Eq,
        AstOp::Ne => BinaryOp::Ne,
        AstOp::BitAnd | AstOp::LogAnd => BinaryOp::And,
        AstOp::BitXor => BinaryOp::Xor,
        AstOp::BitOr | AstOp::LogOr => BinaryOp::Or,
    }
}

/// Whether it works on integers only.
fn is_bitwise(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr)
}

/// Matrices and vectors of one shape.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Scalar,
    Vector(u32),
    Matrix(u32, u32),
}

impl Sema<'_> {
    /// The shape that operands of shapes `a` and `b` get: scalars are splatted, the larger vector or matrix is truncated.
    fn common_shape(a: Shape, b: Shape) -> Option<Shape> {
        let extent = |s| {
            let (rows, cols) = match s {
                Shape::Scalar => (1, 1),
                Shape::Vector(n) => (1, n),
                Shape::Matrix(r, c) => (r, c),
            };
            let matrix = matches!(s, Shape::Matrix(..));
            Extent { rows, cols, matrix }
        };
        let common = extent(a).common(extent(b))?;
        Some(if common == extent(a) { a } else { b })
    }

    /// The type in which a component-wise operation on `a` and `b` happens, literals stay untyped. `None`: there is none.
    fn common_type(&mut self, a: Ty, b: Ty) -> Option<(Shape, Scalar)> {
        let shape = Self::common_shape(self.m.types.op_shape(a)?, self.m.types.op_shape(b)?)?;
        Some((shape, self.m.types.operand_elem(a)?.common(self.m.types.operand_elem(b)?).scalar))
    }

    /// `a op b` for everything but assignments.
    pub fn binary(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        if self.is_error(a) || self.is_error(b) {
            return self.error_expr(span);
        }
        if let Some(e) = self.overloaded_binary(op, a, b, span) {
            return e;
        }
        if matches!(op, AstOp::LogAnd | AstOp::LogOr) {
            return self.logical(op, a, b, span);
        }
        self.arithmetic(op, a, b, span)
    }

    fn bad_operands(&mut self, op: &str, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let d = err::operands(span, op, &self.show(ta), &self.show(tb), self.span(a), self.span(b));
        self.report(d);
        self.error_expr(span)
    }

    fn arithmetic(&mut self, ast_op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let op = binary_op(ast_op);
        let literals = self.as_const(a).is_some() && self.as_const(b).is_some();
        let untyped = !literals && !op.is_comparison() && self.stays_untyped(&[a, b]);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let (a, b) = match (self.is_untyped(a) && self.is_untyped(b), is_shift) {
            (true, false) if !untyped => self.settle_compared(a, b),
            (true, true) if !untyped => (self.settle_computed(a), self.settle_computed(b)),
            _ => (a, b),
        };
        let (ta, tb) = (self.ty(a), self.ty(b));
        // Enumerations of one type compare as they are.
        if let (TyKind::Enum(e), TyKind::Enum(f)) = (self.kind(ta), self.kind(tb))
            && e == f
            && op.is_comparison()
            && (!self.m.types.is_scoped_enum(ta) || matches!(op, BinaryOp::Eq | BinaryOp::Ne))
        {
            let under = Ty::scalar(self.m.types.enums[e].underlying);
            let a = self.component_convert(a, under);
            let b = self.component_convert(b, under);
            return self.fold_binary(op, a, b, Ty::BOOL, span);
        }
        if self.m.types.is_scoped_enum(ta) || self.m.types.is_scoped_enum(tb) {
            return self.bad_operands(ast_op.text(), a, b, span);
        }
        // Flags combined stay flags: the result is of the enumeration.
        if let (TyKind::Enum(e), true) = (self.kind(ta), ta == tb) {
            let under = Ty::scalar(self.m.types.enums[e].underlying);
            let a = self.component_convert(a, under);
            let b = self.component_convert(b, under);
            let result = self.arithmetic(ast_op, a, b, span);
            return if self.is_error(result) { result } else { self.component_convert(result, ta) };
        }
        let Some((shape, scalar)) = self.common_type(ta, tb) else {
            return self.bad_operands(ast_op.text(), a, b, span);
        };
        let scalar = match scalar {
            // Booleans are added and ordered as int.
            Scalar::Bool if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) => Scalar::Int,
            s => s,
        };
        if is_bitwise(op) && scalar.is_float() {
            return self.bad_operands(ast_op.text(), a, b, span);
        }
        if is_shift && !untyped {
            return self.shift(op, a, b, shape, span);
        }
        let scalar = match scalar {
            s if literals || untyped || !s.is_literal() => s,
            // With a `bool`.
            _ => [a, b].into_iter().filter(|&e| self.is_untyped(e)).find_map(|e| self.default_scalar(e)).unwrap_or(concrete(scalar)),
        };
        let ty = self.m.types.shape_ty(shape, scalar);
        let a = self.operand(a, ty);
        let b = self.operand(b, ty);
        self.check_division(op, b, scalar, span);
        if untyped {
            return self.value(ExprKind::Binary(op, a, b), ty, span);
        }
        let result = if op.is_comparison() { self.m.types.shape_ty(shape, Scalar::Bool) } else { ty };
        self.fold_binary(op, a, b, result, span)
    }

    /// An operand in the type of the operation.
    fn operand(&mut self, e: ExprId, ty: Ty) -> ExprId {
        self.convert(e, ty, ConversionKind::Implicit)
    }

    fn check_division(&mut self, op: BinaryOp, b: ExprId, scalar: Scalar, span: Span) {
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            return;
        }
        if op == BinaryOp::Rem && scalar == Scalar::Double {
            self.report(err::remainder_of_doubles(span));
        }
        if scalar.is_float() {
            return;
        }
        // DXIL divides such numbers in 16 bits, whatever precision a device has.
        if matches!(scalar, Scalar::Min12Int | Scalar::Min16Int) {
            let name = self.show(Ty::scalar(scalar));
            self.report(err::minimum_precision_division(span, &name));
        }
        if self.evaluate(b).is_some_and(|v| v.iter().any(|c| c.as_int() == Some(0))) {
            self.report_if_reached(err::division_by_zero(span));
        }
    }

    fn shift(&mut self, op: BinaryOp, a: ExprId, b: ExprId, shape: Shape, span: Span) -> ExprId {
        let left = self.m.types.elem(self.ty(a)).unwrap_or(Scalar::Int);
        let both_constant = self.as_const(a).is_some() && self.as_const(b).is_some();
        let right = self.m.types.operand_elem(self.ty(b)).map_or(Scalar::Int, |e| e.scalar);
        let scalar = match left {
            Scalar::Bool => Scalar::Int,
            Scalar::LitInt if both_constant && right.is_literal() => left,
            Scalar::LitInt if right.is_literal() => {
                self.as_const(a).and_then(|c| c.as_int()).map_or(Scalar::Int, super::conversion::literal_int)
            }
            // What a literal is shifted by decides its type, but makes it no wider than 32 bits.
            Scalar::LitInt => {
                self.report(err::shifted_literal(span));
                if right == Scalar::Uint { Scalar::Uint } else { Scalar::Int }
            }
            s => s,
        };
        let ty = self.m.types.shape_ty(shape, scalar);
        let a = self.operand(a, ty);
        let b = self.operand(b, ty);
        self.fold_binary(op, a, b, ty, span)
    }

    /// `a && b`, `a || b`.
    fn logical(&mut self, ast_op: AstOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let (Some(sa), Some(sb)) = (self.m.types.op_shape(ta), self.m.types.op_shape(tb)) else {
            return self.bad_operands(ast_op.text(), a, b, span);
        };
        if self.m.types.is_scoped_enum(ta) || self.m.types.is_scoped_enum(tb) {
            return self.bad_operands(ast_op.text(), a, b, span);
        }
        let single = |s: &Self, t| s.m.types.components(t) == Some(1);
        if self.opts.short_circuit() {
            if !single(self, ta) || !single(self, tb) {
                let which = if single(self, ta) { b } else { a };
                let at = self.span(which);
                let ty = self.show(self.ty(which));
                let name = if ast_op == AstOp::LogAnd { "and" } else { "or" };
                self.report(err::logical_of_vectors(at, ast_op.text(), &ty, name));
                return self.error_expr(span);
            }
            let a = self.convert(a, Ty::BOOL, ConversionKind::Explicit);
            let b = self.convert(b, Ty::BOOL, ConversionKind::Explicit);
            if let Some(known) = self.known_logical(ast_op, a, b) {
                return self.constant(Const::bool(known), span);
            }
            let kind = if ast_op == AstOp::LogAnd { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
            return self.value(kind, Ty::BOOL, span);
        }
        let Some(shape) = Self::common_shape(sa, sb) else {
            return self.bad_operands(ast_op.text(), a, b, span);
        };
        let ty = self.m.types.shape_ty(shape, Scalar::Bool);
        let a = self.operand(a, ty);
        let b = self.operand(b, ty);
        // Both are evaluated, whatever the left one is.
        if let (Shape::Scalar, Some(known)) = (shape, self.known_logical(ast_op, a, b))
            && !self.body.may_have_effects(b)
        {
            return self.constant(Const::bool(known), span);
        }
        self.fold_binary(binary_op(ast_op), a, b, ty, span)
    }

    /// `a && b` or `a || b` of scalars, if constants decide it: the left one alone, or both.
    fn known_logical(&self, op: AstOp, a: ExprId, b: ExprId) -> Option<bool> {
        let decisive = op == AstOp::LogOr;
        match self.as_const(a)?.is_true() {
            left if left == decisive => Some(left),
            _ => Some(self.as_const(b)?.is_true()),
        }
    }

    /// `c ? a : b`
    pub fn conditional(&mut self, c: ExprId, a: ExprId, b: ExprId, span: Span) -> ExprId {
        if self.is_error(c) || self.is_error(a) || self.is_error(b) {
            return self.error_expr(span);
        }
        let cond_components = self.m.types.components(self.ty(c));
        if cond_components.is_none() || self.m.types.is_scoped_enum(self.ty(c)) {
            let d = err::condition_not_scalar(self.span(c), &self.show(self.ty(c)));
            self.report(d);
            return self.error_expr(span);
        }
        let (ta, tb) = (self.ty(a), self.ty(b));
        if let (ExprKind::Heap(x, i), ExprKind::Heap(y, j)) = (self.e(a).kind, self.e(b).kind)
            && x == y
            && matches!(self.kind(ta), TyKind::HeapElement(_))
        {
            // Descriptors are chosen by their index.
            let index = self.conditional(c, i, j, span);
            return self.value(ExprKind::Heap(x, index), ta, span);
        }
        let scalar = matches!(self.kind(self.ty(c)), TyKind::Scalar(_) | TyKind::Enum(_));
        if self.opts.short_circuit() && !scalar {
            let d = err::conditional_of_vector(self.span(c), &self.show(self.ty(c)));
            self.report(d);
            return self.error_expr(span);
        }
        let numeric = self.m.types.op_shape(ta).is_some() && self.m.types.op_shape(tb).is_some();
        if !numeric || (ta == tb && matches!(self.kind(ta), TyKind::Enum(_))) {
            // Records, arrays, resources, enumerations: both of one type.
            let ty = if self.implicit_cost(tb, ta).is_some() {
                ta
            } else if self.implicit_cost(ta, tb).is_some() {
                tb
            } else {
                return self.bad_operands("?:", a, b, span);
            };
            if matches!(self.kind(self.m.types.strip_arrays(ty).0), TyKind::Record(_))
                || matches!(self.kind(ty), TyKind::Array(..)) && !self.m.types.is_resource(ty)
            {
                self.report(err_types::extension(span, "choices between structures or arrays"));
            }
            let c = self.condition(c);
            let a = self.convert(a, ty, ConversionKind::Implicit);
            let b = self.convert(b, ty, ConversionKind::Implicit);
            return self.value(ExprKind::Conditional(c, a, b), ty, span);
        }
        let Some((mut shape, scalar)) = self.common_type(ta, tb) else {
            return self.bad_operands("?:", a, b, span);
        };
        if !self.opts.short_circuit() && cond_components != Some(1) {
            let cs = self.m.types.op_shape(self.ty(c)).unwrap_or(Shape::Scalar);
            match Self::common_shape(cs, shape) {
                Some(s) => shape = s,
                None => return self.bad_operands("?:", a, b, span),
            }
        }
        let (a, b) = match shape {
            _ if self.stays_untyped(&[a, b]) => (a, b),
            _ if scalar.is_literal() => (self.settle(a), self.settle(b)),
            _ => (a, b),
        };
        let scalar = match (self.m.types.elem(self.ty(a)), self.m.types.elem(self.ty(b))) {
            (Some(a), Some(b)) if scalar.is_literal() => common(a, b),
            _ => scalar,
        };
        let ty = self.m.types.shape_ty(shape, scalar);
        if let Some(k) = self.as_const(c)
            && self.as_const(a).is_some()
            && self.as_const(b).is_some()
            && shape == Shape::Scalar
        {
            let e = if k.is_true() { a } else { b };
            return self.convert(e, ty, ConversionKind::Implicit);
        }
        let a = self.operand(a, ty);
        let b = self.operand(b, ty);
        // In any version of HLSL a constant chooses what is evaluated.
        if self.opts.short_circuit() || self.known_condition(c).is_some() {
            let c = self.condition(c);
            return self.value(ExprKind::Conditional(c, a, b), ty, span);
        }
        let cond_ty = if cond_components == Some(1) { Ty::BOOL } else { self.m.types.shape_ty(shape, Scalar::Bool) };
        let c = self.convert(c, cond_ty, ConversionKind::Implicit);
        self.value(ExprKind::Select(c, a, b), ty, span)
    }

    /// A component-wise operation on operands of one type, folded if both are constants.
    pub fn fold_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: Ty, span: Span) -> ExprId {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b))
            && let Some(c) = self.opts.folded(op, x, y)
        {
            return self.value(ExprKind::Const(c.bits), ty, span);
        }
        let (a, b) = (self.settle(a), self.settle(b));
        let ty = match self.m.types.elem(ty) {
            Some(s) if s.is_literal() => self.ty(a),
            _ => ty,
        };
        self.value(ExprKind::Binary(op, a, b), ty, span)
    }

    /// A prefix or postfix operator.
    pub fn unary(&mut self, op: AstUnary, e: ExprId, span: Span) -> ExprId {
        if self.is_error(e) {
            return self.error_expr(span);
        }
        if let Some(r) = self.overloaded_unary(op, e, span) {
            self.report(err_types::extension(span, "uses of overloaded operators with one operand"));
            return r;
        }
        let e = if self.stays_untyped(&[e]) { e } else { self.settle_computed(e) };
        let ty = self.ty(e);
        let text = unary_text(op);
        if matches!(op, AstUnary::Deref | AstUnary::AddrOf) {
            let what = if op == AstUnary::Deref { "dereferencing of pointers" } else { "addresses" };
            self.report(super::errors::types::not_in_hlsl(span, what));
            return self.error_expr(span);
        }
        let Some(elem) = self.m.types.elem(ty) else {
            let d = err::operand(span, text, &self.show(ty));
            self.report(d);
            return self.error_expr(span);
        };
        if self.m.types.is_scoped_enum(ty) {
            let d = err::operand(span, text, &self.show(ty));
            self.report(d);
            return self.error_expr(span);
        }
        match op {
            AstUnary::PreInc | AstUnary::PreDec | AstUnary::PostInc | AstUnary::PostDec => self.step(op, e, span),
            AstUnary::Not => {
                let to = self.m.types.with_elem(ty, Scalar::Bool);
                let e = self.convert(e, to, ConversionKind::Explicit);
                if let Some(c) = self.as_const(e) {
                    return self.constant(Const::bool(!c.is_true()), span);
                }
                self.value(ExprKind::Unary(UnaryOp::Not, e), to, span)
            }
            AstUnary::Plus | AstUnary::Neg | AstUnary::BitNot => {
                if let TyKind::Enum(en) = self.kind(ty) {
                    let under = Ty::scalar(self.m.types.enums[en].underlying);
                    let e = self.component_convert(e, under);
                    let result = self.unary(op, e, span);
                    return if self.is_error(result) { result } else { self.component_convert(result, ty) };
                }
                let elem = if elem == Scalar::Bool { Scalar::Int } else { elem };
                if op == AstUnary::BitNot && elem.is_float() {
                    let d = err::operand(span, text, &self.show(ty));
                    self.report(d);
                    return self.error_expr(span);
                }
                let to = self.m.types.with_elem(ty, elem);
                let e = if to == ty { e } else { self.convert(e, to, ConversionKind::Implicit) };
                if op == AstUnary::Plus {
                    return self.body.value_copy(e, to, span);
                }
                let unary = if op == AstUnary::Neg { UnaryOp::Neg } else { UnaryOp::BitNot };
                if let Some(c) = self.as_const(e) {
                    let r = super::fold::unary(unary, c);
                    let e = self.value(ExprKind::Const(r.bits), to, span);
                    if elem == Scalar::LitInt && unary == UnaryOp::Neg {
                        self.f.negated.insert(e);
                    }
                    return e;
                }
                self.value(ExprKind::Unary(unary, e), to, span)
            }
            AstUnary::Deref | AstUnary::AddrOf => self.error_expr(span),
        }
    }

    /// `++`, `--`.
    fn step(&mut self, op: AstUnary, to: ExprId, span: Span) -> ExprId {
        let up = matches!(op, AstUnary::PreInc | AstUnary::PostInc);
        if !self.check_writable(to, if up { "increment" } else { "decrement" }) {
            return self.error_expr(span);
        }
        let ty = self.ty(to);
        let elem = self.m.types.elem(ty).unwrap_or(Scalar::Int);
        if elem == Scalar::Bool || matches!(self.kind(ty), TyKind::Enum(_)) {
            let d = err::operand(span, unary_text(op), &self.show(ty));
            self.report(d);
            return self.error_expr(span);
        }
        let one = self.constant(Const::int(elem, 1), span);
        let ty = self.m.types.value_ty(ty);
        let value = self.convert(one, ty, ConversionKind::Explicit);
        let post = matches!(op, AstUnary::PostInc | AstUnary::PostDec);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let update = ExprKind::Update { to, op, value, into: None, back: None, post };
        if post { self.value(update, ty, span) } else { self.body.assignment(update, to, ty, span) }
    }

    /// `to = value`
    pub fn assign(&mut self, to: ExprId, value: ExprId, span: Span) -> ExprId {
        if self.is_error(to) || self.is_error(value) {
            return self.error_expr(span);
        }
        if !self.check_writable(to, "assign to") {
            return self.error_expr(span);
        }
        let ty = self.ty(to);
        if matches!(self.kind(ty), TyKind::Resource(_))
            && let ExprKind::Global(g) = self.e(to).kind
            && matches!(self.m.globals[g].kind, crate::hir::GlobalKind::Resource(_))
        {
            self.report(err::constant_lvalue(self.span(to), "assign to", "a resource of the program"));
            return self.error_expr(span);
        }
        let value = self.coerce(value, ty);
        if self.is_error(value) {
            return self.error_expr(span);
        }
        let ty = self.m.types.value_ty(ty);
        self.body.assignment(ExprKind::Assign(to, value), to, ty, span)
    }

    /// `to op= value`
    pub fn assign_op(&mut self, ast_op: AstOp, to: ExprId, value: ExprId, span: Span) -> ExprId {
        if self.is_error(to) || self.is_error(value) {
            return self.error_expr(span);
        }
        if let Some(e) = self.overloaded_assign_op(ast_op, to, value, span) {
            return e;
        }
        let text = format!("{}=", ast_op.text());
        if !self.check_writable(to, "assign to") {
            return self.error_expr(span);
        }
        let op = binary_op(ast_op);
        let (tt, tv) = (self.ty(to), self.ty(value));
        let (Some(shape), Some(_)) = (self.m.types.op_shape(tt), self.m.types.op_shape(tv)) else {
            return self.bad_operands(&text, to, value, span);
        };
        let (Some(st), Some(sv)) = (self.m.types.elem(tt), self.m.types.elem(tv)) else {
            return self.bad_operands(&text, to, value, span);
        };
        let is_enum =
            (matches!(self.kind(tt), TyKind::Enum(_)) && tt != tv) || self.m.types.is_scoped_enum(tt) || self.m.types.is_scoped_enum(tv);
        let scalar = match op {
            BinaryOp::Shl | BinaryOp::Shr => st,
            _ => concrete(common(st, sv)),
        };
        let scalar = if scalar == Scalar::Bool { Scalar::Int } else { scalar };
        let compute = self.m.types.shape_ty(shape, scalar);
        // Operators on a boolean l-value are logical.
        let counts = st == Scalar::Bool && !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        if is_enum || counts || (is_bitwise(op) && (scalar.is_float() || sv.is_float())) || self.implicit_cost(tv, compute).is_none() {
            return self.bad_operands(&text, to, value, span);
        }
        let value = self.convert(value, compute, ConversionKind::Implicit);
        self.check_division(op, value, scalar, span);
        let place_ty = self.m.types.value_ty(tt);
        let (into, back) = if place_ty == compute {
            (None, None)
        } else {
            let hole = self.value(ExprKind::Hole, place_ty, self.span(to));
            let into = self.convert(hole, compute, ConversionKind::Implicit);
            let hole = self.value(ExprKind::Hole, compute, span);
            let how = match self.kind(place_ty) {
                TyKind::Enum(_) => ConversionKind::Explicit,
                _ => ConversionKind::Implicit,
            };
            let back = self.convert(hole, place_ty, how);
            (Some(into), Some(back))
        };
        self.body.assignment(ExprKind::Update { to, op, value, into, back, post: false }, to, place_ty, span)
    }

    // Operators of records ----------------------------------------------------------------------

    fn is_record(&self, e: ExprId) -> bool {
        matches!(self.kind(self.ty(e)), TyKind::Record(_))
    }

    fn overloaded_binary(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> Option<ExprId> {
        if !self.is_record(a) && !self.is_record(b) {
            return None;
        }
        let name = format!("operator{}", op.text());
        self.call_operator(&name, a, &[b], span)
    }

    fn overloaded_assign_op(&mut self, op: AstOp, a: ExprId, b: ExprId, span: Span) -> Option<ExprId> {
        if !self.is_record(a) {
            return None;
        }
        let name = format!("operator{}=", op.text());
        if let Some(e) = self.call_operator(&name, a, &[b], span) {
            return Some(e);
        }
        // `a += b` means `a = a + b` where only `+` is defined.
        let name = format!("operator{}", op.text());
        let sum = self.call_operator(&name, a, &[b], span)?;
        Some(self.assign(a, sum, span))
    }

    fn overloaded_unary(&mut self, op: AstUnary, e: ExprId, span: Span) -> Option<ExprId> {
        if !self.is_record(e) {
            return None;
        }
        let name = format!("operator{}", unary_text(op));
        self.call_operator(&name, e, &[], span)
    }
}

impl Types {
    fn op_shape(&self, t: Ty) -> Option<Shape> {
        Some(match self.kind(t) {
            TyKind::Scalar(_) | TyKind::Enum(_) => Shape::Scalar,
            TyKind::Vector(_, n) => Shape::Vector(n),
            TyKind::Matrix { rows, cols, .. } => Shape::Matrix(rows as u32, cols as u32),
            _ => return None,
        })
    }

    fn shape_ty(&mut self, shape: Shape, s: Scalar) -> Ty {
        match shape {
            Shape::Scalar => Ty::scalar(s),
            Shape::Vector(n) => self.vector(s, n),
            Shape::Matrix(r, c) => self.matrix(s, r as u8, c as u8),
        }
    }

    /// The component type of an operand in an operation with another type: an enumeration is an `int`, unless it has 64 bits.
    pub(super) fn operand_elem(&self, t: Ty) -> Option<OperandElem> {
        let elem = self.elem(t)?;
        let wide = matches!(elem, Scalar::Int64 | Scalar::Uint64);
        let narrows = matches!(self.kind(t), TyKind::Enum(_)) && !wide;
        Some(OperandElem { scalar: if narrows { Scalar::Int } else { elem }, narrows })
    }

    pub(super) fn is_scoped_enum(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Enum(e) if self.enums[e].scoped)
    }
}

impl Body {
    /// `+e`: the value, not the l-value.
    fn value_copy(&mut self, e: ExprId, ty: Ty, span: Span) -> ExprId {
        let expr = self.exprs[e];
        if expr.category == Category::Rvalue {
            return e;
        }
        match expr.kind {
            ExprKind::Const(bits) => self.value(ExprKind::Const(bits), ty, span),
            _ => self.value(ExprKind::Convert(e), ty, span),
        }
    }

    /// The value of an assignment, which is the l-value that is assigned to, unless its type is that of a value: a matrix of another packing.
    fn assignment(&mut self, kind: ExprKind, to: ExprId, ty: Ty, span: Span) -> ExprId {
        let category = if self.exprs[to].ty == ty { Category::Lvalue } else { Category::Rvalue };
        self.push(kind, ty, category, span)
    }
}

/// As written.
pub fn unary_text(op: ast::UnaryOp) -> &'static str {
    match op {
        AstUnary::Plus => "+",
        AstUnary::Neg => "-",
        AstUnary::Not => "!",
        AstUnary::BitNot => "~",
        AstUnary::PreInc | AstUnary::PostInc => "++",
        AstUnary::PreDec | AstUnary::PostDec => "--",
        AstUnary::Deref => "*",
        AstUnary::AddrOf => "&",
    }
}
