//! Conversions: whether one exists, how good it is, and the nodes that do it.
//!
//! Numbers convert implicitly between all component types. A scalar becomes a vector or matrix by repetition; a vector or matrix
//! loses components (with a warning); vectors and matrices of equally many components become each other only when one of
//! them is a single row or column, or by a cast. The *cost* of a conversion orders overloads: each aspect counts in a digit of its own, so
//! one worse aspect outweighs any number of lesser ones, and the costs of all arguments are added.

use rtc_base::Span;

use super::context::Sema;
use super::errors::exprs as err;
use crate::hir::{Category, Const, ExprId, ExprKind, Scalar, Ty, TyKind};

/// The cost of a conversion; smaller is better.
pub type Cost = u64;

/// One unit of each aspect, least bad first. Five bits each.
mod aspect {
    pub const PROMOTION: u64 = 1;
    pub const SIGN: u64 = 1 << 5;
    pub const BASE: u64 = 1 << 5;
    pub const NARROWING: u64 = 1 << 10;
    pub const TO_FLOAT: u64 = 1 << 15;
    pub const TO_INT: u64 = 1 << 20;
    pub const BOOL: u64 = 1 << 25;
    pub const SPLAT: u64 = 1 << 30;
    pub const RESHAPE: u64 = 1 << 35;
    pub const TRUNCATION: u64 = 1 << 40;
    pub const CAST_ONLY: u64 = 1 << 45;
}

/// Who asks for a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// The language: warnings where something is lost.
    Implicit,
    /// A cast in the source.
    Explicit,
}

/// Size order of component types of one sort, for widening and narrowing.
fn rank(s: Scalar) -> u32 {
    use Scalar::*;
    match s {
        Bool => 0,
        Min10Float | Min12Int => 1,
        Min16Float | Min16Int | Min16Uint => 2,
        Float16 | Int16 | Uint16 => 3,
        Half => 4,
        Int | Uint | Float | Int8x4 | Uint8x4 => 5,
        Int64 | Uint64 | Double => 6,
        LitInt | LitFloat => 5,
    }
}

/// The cost of converting components.
pub fn component_cost(from: Scalar, to: Scalar) -> Cost {
    use Scalar::*;
    if from == to {
        return 0;
    }
    match from {
        LitInt => {
            return match to {
                Int => 0,
                Uint => aspect::PROMOTION,
                Int64 => 2 * aspect::PROMOTION,
                Uint64 => 3 * aspect::PROMOTION,
                Bool => aspect::BOOL,
                t if t.is_float() => aspect::TO_FLOAT + component_cost(LitFloat, t),
                _ => aspect::NARROWING,
            };
        }
        LitFloat => {
            return match to {
                Float => 0,
                Half => aspect::PROMOTION,
                Float16 | Min16Float => 2 * aspect::PROMOTION,
                Min10Float => 3 * aspect::PROMOTION,
                Double => 4 * aspect::PROMOTION,
                Bool => aspect::BOOL + aspect::TO_INT,
                _ => aspect::TO_INT,
            };
        }
        _ => {}
    }
    if to == Bool {
        return aspect::BOOL + if from.is_float() { aspect::TO_INT } else { 0 };
    }
    if from == Bool {
        return match to {
            Int => aspect::PROMOTION,
            Uint => aspect::SIGN,
            t if t.is_float() => aspect::TO_FLOAT,
            _ => aspect::SIGN + aspect::PROMOTION,
        };
    }
    let steps = rank(to).abs_diff(rank(from)) as u64;
    let size = match rank(to).cmp(&rank(from)) {
        std::cmp::Ordering::Less => aspect::NARROWING * steps,
        std::cmp::Ordering::Greater => aspect::PROMOTION * steps,
        std::cmp::Ordering::Equal => 0,
    };
    match (from.is_float(), to.is_float()) {
        (true, true) => size.max(aspect::PROMOTION),
        (false, false) => {
            let sign = if from.is_signed() != to.is_signed() {
                aspect::SIGN
            } else {
                0
            };
            (size + sign).max(aspect::PROMOTION)
        }
        (false, true) => aspect::TO_FLOAT + size,
        (true, false) => aspect::TO_INT + size,
    }
}

/// The component type of an operation on components of types `a` and `b`.
pub fn common(a: Scalar, b: Scalar) -> Scalar {
    use Scalar::*;
    if a == b {
        return a;
    }
    match (a, b) {
        (LitInt, LitFloat) | (LitFloat, LitInt) => return LitFloat,
        (LitInt, Bool) | (Bool, LitInt) => return Int,
        (LitFloat, Bool) | (Bool, LitFloat) => return Float,
        (LitInt, x) | (x, LitInt) => return x,
        (LitFloat, x) | (x, LitFloat) if x.is_float() => return x,
        (LitFloat, Int64 | Uint64) | (Int64 | Uint64, LitFloat) => return Float,
        (LitFloat, Int16 | Uint16) | (Int16 | Uint16, LitFloat) => return Float,
        (LitFloat, x) | (x, LitFloat) if x.is_min_precision() => return Min16Float,
        (LitFloat, _) | (_, LitFloat) => return Float,
        (Bool, x) | (x, Bool) => return x,
        _ => {}
    }
    match (a.is_float(), b.is_float()) {
        (true, false) => a,
        (false, true) => b,
        _ if rank(a) != rank(b) => {
            if rank(a) > rank(b) {
                a
            } else {
                b
            }
        }
        // Equally wide integers: unsigned wins. Packed types count as numbers of 32 bits.
        (false, false) => match (a, b) {
            (Int8x4 | Uint8x4, x) | (x, Int8x4 | Uint8x4) => x,
            _ if a.is_signed() => b,
            _ => a,
        },
        (true, true) => a,
    }
}

/// What a literal is when nothing says otherwise.
pub fn concrete(s: Scalar) -> Scalar {
    match s {
        Scalar::LitInt => Scalar::Int,
        Scalar::LitFloat => Scalar::Float,
        s => s,
    }
}

impl Sema<'_> {
    /// The cost of the implicit conversion, if there is one.
    pub fn implicit_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        let c = self.cost(from, to)?;
        (c < aspect::CAST_ONLY).then_some(c)
    }

    /// The cost of a conversion of whatever kind that does not take records or arrays apart.
    fn cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        if from == to || from == Ty::ERROR || to == Ty::ERROR {
            return Some(0);
        }
        let types = &self.m.types;
        match (types.kind(from), types.kind(to)) {
            (TyKind::Record(a), TyKind::Record(b)) if types.derives_from(a, b) => {
                Some(aspect::BASE)
            }
            // Constant buffers stand for what is in them.
            (TyKind::Resource(r), TyKind::Record(_)) => {
                let inside = r.elem.filter(|_| super::resource::has_contents(&r))?;
                Some(aspect::PROMOTION + self.cost(inside, to)?)
            }
            (TyKind::Resource(a), TyKind::Resource(b)) => {
                let same = a.object == b.object && a.elem == b.elem && a.samples == b.samples;
                same.then_some(aspect::PROMOTION)
            }
            (TyKind::HeapElement(sampler), TyKind::Resource(r)) => {
                let is_sampler = r.class == rtc_tables::resources::ResourceClass::Sampler;
                (is_sampler == sampler).then_some(aspect::PROMOTION)
            }
            (TyKind::Array(a, n), TyKind::Array(b, m)) if n == m || m.is_none() => {
                // Arrays of matrices that differ in packing.
                (self.same_value(a, b)).then_some(0)
            }
            (TyKind::Enum(_), TyKind::Enum(_)) => Some(aspect::CAST_ONLY),
            (_, TyKind::Enum(_)) => self.numeric_cost(from, to).map(|c| c | aspect::CAST_ONLY),
            (TyKind::Enum(e), _) if types.enums[e].scoped => {
                self.numeric_cost(from, to).map(|c| c | aspect::CAST_ONLY)
            }
            _ => self.numeric_cost(from, to),
        }
    }

    /// Whether values of the types are the same but for the packing of matrices.
    pub fn same_value(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        let t = &self.m.types;
        match (t.kind(a), t.kind(b)) {
            (
                TyKind::Matrix {
                    scalar, rows, cols, ..
                },
                TyKind::Matrix {
                    scalar: s,
                    rows: r,
                    cols: c,
                    ..
                },
            ) => (scalar, rows, cols) == (s, r, c),
            (TyKind::Array(a, n), TyKind::Array(b, m)) => n == m && self.same_value(a, b),
            _ => false,
        }
    }

    fn numeric_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        let t = &self.m.types;
        let component = component_cost(t.elem(from)?, t.elem(to)?);
        Some(component + self.shape_cost(from, to)?)
    }

    fn shape_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        let t = &self.m.types;
        let (fr, fc) = t.shape(from)?;
        let (tr, tc) = t.shape(to)?;
        let vector = |ty| matches!(t.kind(ty), TyKind::Vector(..));
        if (fr, fc) == (tr, tc) {
            // `float1` and `float` are different types.
            return Some(if vector(from) == vector(to) {
                0
            } else {
                aspect::PROMOTION
            });
        }
        if fr * fc == 1 {
            return Some(aspect::SPLAT);
        }
        if tr * tc == 1 {
            // Of all losses the largest.
            return Some(4 * aspect::TRUNCATION);
        }
        let matrix = |ty| matches!(t.kind(ty), TyKind::Matrix { .. });
        match (matrix(from), matrix(to)) {
            (false, false) => (fc > tc).then_some(aspect::TRUNCATION),
            (true, true) => (fr >= tr && fc >= tc).then_some(aspect::TRUNCATION),
            _ if fr * fc == tr * tc => {
                let line = if matrix(from) {
                    fr == 1 || fc == 1
                } else {
                    tr == 1 || tc == 1
                };
                Some(if line {
                    aspect::RESHAPE
                } else {
                    aspect::CAST_ONLY
                })
            }
            _ => None,
        }
    }

    /// `e` as a value of type `to`, converted implicitly. Reports what is impossible, and warns of losses.
    pub fn coerce(&mut self, e: ExprId, to: Ty) -> ExprId {
        let from = self.ty(e);
        if self.implicit_cost(from, to).is_none() {
            let d = err::no_conversion(self.span(e), &self.show(from), &self.show(to));
            let d = self.explain_conversion(d, from, to);
            self.report(d);
            return self.error_expr(self.span(e));
        }
        self.convert(e, to, How::Implicit)
    }

    fn explain_conversion(
        &self,
        d: rtc_base::Diagnostic,
        from: Ty,
        to: Ty,
    ) -> rtc_base::Diagnostic {
        match (self.kind(from), self.kind(to)) {
            (TyKind::Enum(_), _) | (_, TyKind::Enum(_)) => {
                d.note("a cast converts between enumerations and numbers")
            }
            (TyKind::Vector(_, a), TyKind::Vector(_, b)) if a < b => d.note(format!(
                "a constructor such as `{}(…)` adds the missing components",
                self.show(to)
            )),
            _ => d,
        }
    }

    /// `e` as a value of type `to`. There must be a conversion: [`Sema::cost`] gave a number.
    pub fn convert(&mut self, e: ExprId, to: Ty, how: How) -> ExprId {
        let from = self.ty(e);
        if from == Ty::ERROR || to == Ty::ERROR {
            return self.error_expr(self.span(e));
        }
        let to = self.m.types.value_ty(to);
        if self.same_value(from, to) && !matches!(self.kind(to), TyKind::Matrix { .. }) {
            return e;
        }
        let span = self.span(e);
        match (self.kind(from), self.kind(to)) {
            (TyKind::Record(_), TyKind::Record(_)) => {
                let category = self.e(e).category;
                return self.push(ExprKind::AsBase(e), to, category, span);
            }
            (TyKind::Resource(_), TyKind::Record(_)) => {
                let inside = self.contents(e);
                return self.convert(inside, to, how);
            }
            (TyKind::HeapElement(_), TyKind::Resource(_)) => {
                if let ExprKind::Heap(sampler, index) = self.e(e).kind {
                    return self.value(ExprKind::Heap(sampler, index), to, span);
                }
                return self.error_expr(span);
            }
            (TyKind::Resource(_), TyKind::Resource(_)) | (TyKind::Array(..), _) => return e,
            _ => {}
        }
        let (Some(fs), Some(ts)) = (self.m.types.elem(from), self.m.types.elem(to)) else {
            return self.error_expr(span);
        };
        if how == How::Implicit {
            self.warn_of_loss(e, from, to);
        }
        let mut e = self.reshape_smaller(e, to);
        if fs != ts
            || matches!(self.kind(self.ty(e)), TyKind::Enum(_))
            || matches!(self.kind(to), TyKind::Enum(_))
        {
            let ty = match self.kind(to) {
                TyKind::Enum(_) => to,
                _ => {
                    let now = self.ty(e);
                    self.m.types.with_elem(now, ts)
                }
            };
            e = self.component_convert(e, ty);
        }
        if self.ty(e) == to || self.same_value(self.ty(e), to) {
            return e;
        }
        // A single component becomes many, or `float` becomes `float1`.
        self.value(ExprKind::Splat(e), to, span)
    }

    /// Drops components or regroups them, so that what is left has the shape of `to` or is a scalar.
    fn reshape_smaller(&mut self, e: ExprId, to: Ty) -> ExprId {
        let from = self.ty(e);
        let span = self.span(e);
        let (Some((fr, fc)), Some((tr, tc))) = (self.m.types.shape(from), self.m.types.shape(to))
        else {
            return e;
        };
        let Some(elem) = self.m.types.elem(from) else {
            return e;
        };
        if fr * fc == 1 {
            // `float1` to `float` or anything else: its component.
            if matches!(self.kind(from), TyKind::Scalar(_) | TyKind::Enum(_)) {
                return e;
            }
            return self.value(ExprKind::Truncate(e), Ty::scalar(elem), span);
        }
        let vector = |s: &Self, ty| matches!(s.kind(ty), TyKind::Vector(..));
        if (fr, fc) == (tr, tc) && vector(self, from) == vector(self, to) {
            return e;
        }
        let ty = match self.kind(to) {
            TyKind::Enum(_) => Ty::scalar(elem),
            _ => self.m.types.with_elem(to, elem),
        };
        if fr * fc == tr * tc {
            let parts = self.list(&[e]);
            return self.value(ExprKind::Construct(parts), ty, span);
        }
        self.value(ExprKind::Truncate(e), ty, span)
    }

    /// Components converted; a constant at once.
    pub fn component_convert(&mut self, e: ExprId, to: Ty) -> ExprId {
        let span = self.span(e);
        if let (Some(c), Some(s)) = (self.as_const(e), self.m.types.elem(to)) {
            let c = c.convert(s);
            return self.value(ExprKind::Const(c.bits), to, span);
        }
        self.value(ExprKind::Convert(e), to, span)
    }

    fn warn_of_loss(&mut self, e: ExprId, from: Ty, to: Ty) {
        let span = self.span(e);
        let cost = self.shape_cost(from, to).unwrap_or(0);
        if (aspect::TRUNCATION..aspect::CAST_ONLY).contains(&cost) {
            let d = err::truncation(span, &self.show(from), &self.show(to));
            self.report(d);
            return;
        }
        let (Some(fs), Some(ts)) = (self.m.types.elem(from), self.m.types.elem(to)) else {
            return;
        };
        if let Some(c) = self.as_const(e) {
            self.warn_of_changed_literal(span, c, ts);
            return;
        }
        let minimum = fs == Scalar::Float && ts.is_min_precision() && ts.is_float();
        let narrower = rank(ts) < rank(fs) && rank(fs) == 6 && ts != Scalar::Bool || minimum;
        if narrower && !fs.is_literal() {
            let d = err::narrowing(span, &self.show(from), &self.show(to));
            self.report(d);
        }
    }

    /// A constant that is another number after the conversion.
    fn warn_of_changed_literal(&mut self, span: Span, c: Const, to: Scalar) {
        let after = c.convert(to);
        let changed = match (c.scalar.is_float(), to) {
            (_, Scalar::Bool) => false,
            (true, t) if !t.is_float() => after.as_f64() != c.as_f64(),
            (true, _) => {
                c.scalar == Scalar::LitFloat && c.as_f64().is_finite() && !after.as_f64().is_finite()
            }
            (false, t) if !t.is_float() => {
                // `-1` as an unsigned number and `0xffffffff` as a signed one are idiom.
                let bits = t.bits().min(63);
                let n = c.as_int().unwrap_or(0);
                c.scalar == Scalar::LitInt
                    && !(-(1i128 << (bits - 1))..(1i128 << bits)).contains(&n)
                    && t.bits() < 64
            }
            _ => false,
        };
        if changed {
            let text = if c.scalar.is_float() {
                format!("{:?}", c.as_f64())
            } else {
                c.as_int().unwrap_or(0).to_string()
            };
            let now = if to.is_float() {
                format!("{:?}", after.as_f64())
            } else {
                after.as_int().unwrap_or(0).to_string()
            };
            self.report(err::changed_literal(span, &text, to.name(), &now));
        }
    }

    /// A literal gets the type that it has when nothing says otherwise.
    pub fn settle(&mut self, e: ExprId) -> ExprId {
        let Some(s) = self.m.types.elem(self.ty(e)) else {
            return e;
        };
        if !s.is_literal() || !matches!(self.kind(self.ty(e)), TyKind::Scalar(_)) {
            return e;
        }
        let to = match (s, self.as_const(e).and_then(|c| c.as_int())) {
            (Scalar::LitInt, Some(n)) => literal_int(n),
            _ => concrete(s),
        };
        self.component_convert(e, Ty::scalar(to))
    }

    /// `e` as a scalar `bool`, for conditions.
    pub fn condition(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        if ty == Ty::ERROR {
            return e;
        }
        match self.m.types.components(ty) {
            Some(1) => self.convert(e, Ty::BOOL, How::Explicit),
            _ => {
                let d = err::condition_not_scalar(self.span(e), &self.show(ty));
                self.report(d);
                self.error_expr(self.span(e))
            }
        }
    }

    /// `(to)e`
    pub fn cast(&mut self, e: ExprId, to: Ty, span: Span) -> ExprId {
        let from = self.ty(e);
        if from == Ty::ERROR || to == Ty::ERROR {
            return self.error_expr(span);
        }
        if to == Ty::VOID {
            return self.value(ExprKind::Convert(e), Ty::VOID, span);
        }
        let out = if self.cost(from, to).is_some() {
            self.convert(e, to, How::Explicit)
        } else {
            self.flat_cast(e, to, span)
        };
        // What the user sees is the whole cast, and it is a value.
        if out != e && self.e(out).category == Category::Rvalue {
            self.body.exprs[out].span = span;
        }
        out
    }

    /// A cast that goes by the scalars: `(S)0`, `(float2[2])v`, `(float4)s`.
    fn flat_cast(&mut self, e: ExprId, to: Ty, span: Span) -> ExprId {
        let from = self.ty(e);
        let types = &self.m.types;
        let numeric_leaves =
            |t| !types.has_objects(t) && types.kind(types.strip_arrays(t).0) != TyKind::Void;
        let sized = |t| {
            !matches!(
                types.kind(t),
                TyKind::Subobject(_) | TyKind::String | TyKind::Array(_, None)
            )
        };
        let (n, m) = (types.leaf_count(from), types.leaf_count(to));
        if numeric_leaves(from) && numeric_leaves(to) && sized(from) && sized(to) {
            if types.components(from) == Some(1) {
                let e = self.settle(e);
                return self.value(ExprKind::Splat(e), to, span);
            }
            if n == m {
                let parts = self.list(&[e]);
                return self.value(ExprKind::Construct(parts), to, span);
            }
            if n > m {
                return self.value(ExprKind::Truncate(e), to, span);
            }
        }
        let d = err::bad_cast(span, &self.show(from), &self.show(to));
        self.report(d);
        self.error_expr(span)
    }
}

/// The type of an integer literal that fits nothing smaller.
pub fn literal_int(n: i128) -> Scalar {
    if n >= i32::MIN as i128 && n <= i32::MAX as i128 {
        Scalar::Int
    } else if n >= 0 && n <= u32::MAX as i128 {
        Scalar::Uint
    } else if n <= i64::MAX as i128 {
        Scalar::Int64
    } else {
        Scalar::Uint64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_adapt() {
        assert_eq!(common(Scalar::LitInt, Scalar::Uint), Scalar::Uint);
        assert_eq!(common(Scalar::LitFloat, Scalar::Int), Scalar::Float);
        assert_eq!(common(Scalar::LitFloat, Scalar::Float16), Scalar::Float16);
        assert_eq!(common(Scalar::LitInt, Scalar::Bool), Scalar::Int);
    }

    #[test]
    fn floats_win_then_width_then_no_sign() {
        assert_eq!(common(Scalar::Int64, Scalar::Float), Scalar::Float);
        assert_eq!(common(Scalar::Float, Scalar::Double), Scalar::Double);
        assert_eq!(common(Scalar::Int, Scalar::Uint), Scalar::Uint);
        assert_eq!(common(Scalar::Uint16, Scalar::Int), Scalar::Int);
        assert_eq!(common(Scalar::Bool, Scalar::Min16Float), Scalar::Min16Float);
    }

    #[test]
    fn better_conversions_cost_less() {
        let order = [
            component_cost(Scalar::LitInt, Scalar::Int),
            component_cost(Scalar::LitInt, Scalar::Uint),
            component_cost(Scalar::LitInt, Scalar::Float),
            component_cost(Scalar::LitInt, Scalar::Bool),
        ];
        assert!(order.windows(2).all(|w| w[0] < w[1]));
        assert!(
            component_cost(Scalar::Float, Scalar::Double)
                < component_cost(Scalar::Float, Scalar::Half)
        );
        assert!(
            component_cost(Scalar::Float, Scalar::Half)
                < component_cost(Scalar::Float, Scalar::Int)
        );
    }
}
