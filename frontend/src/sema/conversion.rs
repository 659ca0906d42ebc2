//! Implicit conversions and casts: whether one exists, its cost, and its nodes in the typed tree.
//!
//! Numbers convert implicitly between all component types. A scalar converts to a vector or matrix by splatting; a vector or matrix
//! is truncated (with a warning); a vector and a matrix convert to each other if they have equally many components or
//! the matrix is a single row or column. [`super::conversion_rank`] ranks conversions.

use rtc_base::Span;

use rtc_tables::limits::LARGEST_RESOURCE_ARRAY;
use rtc_tables::resources::ResourceFlags;

use super::context::Sema;
use super::conversion_rank::{Cost, Extent, aspect, component_cost};
use super::errors::exprs as err;
use crate::hir::{Category, Const, ExprId, ExprKind, Scalar, Ty, TyKind, Types};

/// Records and arrays of more scalars do not convert by their scalars.
const MAX_SCALARS: u64 = 1 << 16;

/// The kind of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionKind {
    /// An implicit conversion: warns of losses.
    Implicit,
    /// A cast in the source.
    Explicit,
}

impl Sema<'_> {
    /// The cost of the implicit conversion, if there is one.
    pub fn implicit_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        let types = &self.m.types;
        let by_cast_only = match (types.kind(from), types.kind(to)) {
            (TyKind::Enum(a), TyKind::Enum(b)) => a != b,
            (_, TyKind::Enum(_)) => from != Ty::ERROR,
            (TyKind::Enum(e), _) => types.enums[e].scoped && to != Ty::ERROR,
            _ => false,
        };
        if by_cast_only {
            return None;
        }
        self.cost(from, to)
    }

    /// The cost of a conversion, implicit or not, that does not decompose records or arrays.
    fn cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        if from == to || from == Ty::ERROR || to == Ty::ERROR {
            return Some(0);
        }
        let types = &self.m.types;
        match (types.kind(from), types.kind(to)) {
            // A nearer base costs less.
            (TyKind::Record(a), TyKind::Record(b)) => match types.distance_to_base(a, b) {
                Some(steps) => Some(aspect::TRUNCATION * steps),
                None => self.same_scalars(from, to).then_some(aspect::CAST_OF_ARGUMENT),
            },
            // A constant buffer converts to its contents.
            (TyKind::Resource(r), TyKind::Record(_)) => {
                let inside = r.elem.filter(|_| super::resource::has_contents(&r))?;
                Some(aspect::CAST_OF_ARGUMENT + self.cost(inside, to)?)
            }
            (TyKind::Resource(a), TyKind::Resource(b)) => {
                let push = ResourceFlags::PUSH;
                let same =
                    a.object == b.object && a.elem == b.elem && a.samples == b.samples && a.flags.contains(push) == b.flags.contains(push);
                same.then_some(aspect::LEAST)
            }
            (TyKind::HeapElement(sampler), TyKind::Resource(r)) => {
                let is_sampler = r.class == rtc_tables::resources::ResourceClass::Sampler;
                (is_sampler == sampler).then_some(aspect::CAST_OF_ARGUMENT)
            }
            (TyKind::Array(a, n), TyKind::Array(b, m)) if n == m || m.is_none() => {
                // Arrays of matrices that differ in packing.
                match self.same_value(a, b) {
                    true => Some(0),
                    false => self.same_scalars(from, to).then_some(aspect::CAST_OF_ARGUMENT),
                }
            }
            (TyKind::Array(..), TyKind::Array(..) | TyKind::Record(_)) | (TyKind::Record(_), TyKind::Array(..)) => {
                self.same_scalars(from, to).then_some(aspect::CAST_OF_ARGUMENT)
            }
            _ => self.m.types.numeric_cost(from, to),
        }
    }

    /// Whether values of the types are the same but for the packing of matrices and the coherence of resources.
    pub fn same_value(&self, a: Ty, b: Ty) -> bool {
        if a == b {
            return true;
        }
        let t = &self.m.types;
        match (t.kind(a), t.kind(b)) {
            (TyKind::Matrix { scalar, rows, cols, .. }, TyKind::Matrix { scalar: s, rows: r, cols: c, .. }) => {
                (scalar, rows, cols) == (s, r, c)
            }
            (TyKind::Array(a, n), TyKind::Array(b, m)) => (n == m || m.is_none() && self.m.types.is_resource(a)) && self.same_value(a, b),
            (TyKind::Resource(_), TyKind::Resource(_)) => self.cost(a, b).is_some(),
            _ => false,
        }
    }

    /// Whether values of one of these records or arrays convert implicitly to the other, scalar by scalar: arrays do, records before HLSL
    /// 2021 and where a cast could not name the type.
    fn same_scalars(&self, from: Ty, to: Ty) -> bool {
        let types = &self.m.types;
        let unnamed = match types.kind(to) {
            TyKind::Record(r) => types.records[r].qualified.starts_with('<'),
            _ => false,
        };
        let arrays = matches!((types.kind(from), types.kind(to)), (TyKind::Array(..), TyKind::Array(..)));
        (self.opts.hlsl_version < 2021 || unnamed || arrays)
            && types.leaf_count(from) == types.leaf_count(to)
            && types.leaf_count(from) <= MAX_SCALARS
            && match (self.m.types.scalars_of(from), self.m.types.scalars_of(to)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            }
    }

    /// `e` as a value of type `to`, converted implicitly. Reports impossible conversions and warns of losses.
    pub fn coerce(&mut self, e: ExprId, to: Ty) -> ExprId {
        let from = self.ty(e);
        if self.implicit_cost(from, to).is_none() {
            let d = err::no_conversion(self.span(e), &self.show(from), &self.show(to));
            let d = self.m.types.explain_conversion(d, from, to);
            self.report(d);
            return self.error_expr(self.span(e));
        }
        self.convert(e, to, ConversionKind::Implicit)
    }

    /// `e` as a value of type `to`. The conversion must exist: [`Sema::cost`] is not `None`.
    pub fn convert(&mut self, e: ExprId, to: Ty, how: ConversionKind) -> ExprId {
        let from = self.ty(e);
        if from == Ty::ERROR || to == Ty::ERROR {
            return self.error_expr(self.span(e));
        }
        if how == ConversionKind::Implicit {
            self.warn_of_coherence(e, from, to);
        }
        let to = self.m.types.value_ty(to);
        if self.same_value(from, to) && !matches!(self.kind(to), TyKind::Matrix { .. }) {
            return e;
        }
        let span = self.span(e);
        match (self.kind(from), self.kind(to)) {
            (TyKind::Record(a), TyKind::Record(b)) if self.m.types.derives_from(a, b) => {
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
            // The first resources of an array of unknown size.
            (TyKind::Array(a, None), TyKind::Array(b, Some(n))) if n <= LARGEST_RESOURCE_ARRAY && self.same_value(a, b) => {
                let mut parts = Vec::new();
                for i in 0..n {
                    let index = self.value(ExprKind::Const(i.into()), Ty::UINT, span);
                    parts.push(self.push(ExprKind::Index(e, index), a, Category::Constant, span));
                }
                let parts = self.list(&parts);
                return self.value(ExprKind::Construct(parts), to, span);
            }
            (TyKind::Array(a, _), TyKind::Array(b, _)) if self.same_value(a, b) => return e,
            (TyKind::Record(_) | TyKind::Array(..), _) => return self.flat_cast(e, to, span),
            (TyKind::Resource(_), TyKind::Resource(_)) => return e,
            _ => {}
        }
        let (Some(fs), Some(ts)) = (self.m.types.elem(from), self.m.types.elem(to)) else {
            return self.error_expr(span);
        };
        if how == ConversionKind::Implicit {
            self.warn_of_loss(e, from, to);
        }
        let mut e = self.reshape_smaller(e, to);
        if fs != ts || matches!(self.kind(self.ty(e)), TyKind::Enum(_)) || matches!(self.kind(to), TyKind::Enum(_)) {
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
        // A single component is splatted, or `float` becomes `float1`.
        self.value(ExprKind::Splat(e), to, span)
    }

    /// Drops components or regroups them, so that the result has the shape of `to` or is a scalar.
    fn reshape_smaller(&mut self, e: ExprId, to: Ty) -> ExprId {
        let from = self.ty(e);
        let span = self.span(e);
        let (Some((fr, fc)), Some((tr, tc))) = (self.m.types.shape(from), self.m.types.shape(to)) else {
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
        let matrix = |s: &Self, ty| matches!(s.kind(ty), TyKind::Matrix { .. });
        if matrix(self, from) != matrix(self, to) && tr * tc > 1 {
            // A single row or column: truncated as a vector, then regrouped.
            let whole = self.m.types.vector(elem, fr * fc);
            let part = self.m.types.vector(elem, tr * tc);
            let v = self.reshape_smaller(e, whole);
            let v = self.value(ExprKind::Truncate(v), part, span);
            return self.reshape_smaller(v, ty);
        }
        self.value(ExprKind::Truncate(e), ty, span)
    }

    /// Converts the components; a constant is folded.
    pub fn component_convert(&mut self, e: ExprId, to: Ty) -> ExprId {
        let span = self.span(e);
        if let (Some(c), Some(s)) = (self.as_const(e), self.m.types.elem(to))
            && let Some(c) = self.opts.converted(c, s)
        {
            return self.value(ExprKind::Const(c.bits), to, span);
        }
        if let Some(typed) = self.typed(e, to) {
            return typed;
        }
        self.value(ExprKind::Convert(e), to, span)
    }

    fn warn_of_loss(&mut self, e: ExprId, from: Ty, to: Ty) {
        let span = self.span(e);
        let cost = self.m.types.shape_cost(from, to).unwrap_or(0);
        if cost >= aspect::TRUNCATION {
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
        let narrower = ts.precision() < fs.precision() && ts != Scalar::Bool && fs != Scalar::Bool;
        if narrower && !fs.is_literal() && !self.nesting.in_constructor {
            let d = err::narrowing(span, &self.show(from), &self.show(to));
            self.report(d);
        }
    }

    /// Warns of a constant whose value changes in the conversion.
    fn warn_of_changed_literal(&mut self, span: Span, c: Const, to: Scalar) {
        let after = c.convert(to);
        let changed = match (c.scalar.is_float(), to) {
            (_, Scalar::Bool) => false,
            (true, t) if !t.is_float() => after.as_f64() != c.as_f64(),
            (true, _) => c.scalar == Scalar::LitFloat && c.as_f64().is_finite() && !after.as_f64().is_finite(),
            (false, t) if !t.is_float() => {
                // `-1` as an unsigned number and `0xffffffff` as a signed one are idiom.
                let bits = t.bits().min(63);
                let n = c.as_int().unwrap_or(0);
                c.scalar == Scalar::LitInt && !(-(1i128 << (bits - 1))..(1i128 << bits)).contains(&n) && t.bits() < 64
            }
            _ => false,
        };
        if changed {
            let text = if c.scalar.is_float() { format!("{:?}", c.as_f64()) } else { c.as_int().unwrap_or(0).to_string() };
            let now = if to.is_float() { format!("{:?}", after.as_f64()) } else { after.as_int().unwrap_or(0).to_string() };
            self.report_if_reached(err::changed_literal(span, &text, to.name(), &now));
        }
    }

    /// `e` as a scalar `bool`, for conditions.
    pub fn condition(&mut self, e: ExprId) -> ExprId {
        let ty = self.ty(e);
        if ty == Ty::ERROR {
            return e;
        }
        match self.m.types.components(ty) {
            Some(1) if !self.m.types.is_scoped_enum(ty) => self.convert(e, Ty::BOOL, ConversionKind::Explicit),
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
        if let Some(out) = self.pointer_cast(e, to, span) {
            return out;
        }
        let out = if self.cost(from, to).is_some() { self.convert(e, to, ConversionKind::Explicit) } else { self.flat_cast(e, to, span) };
        // The span is that of the whole cast, and the result is a value.
        if out != e && self.e(out).category == Category::Rvalue {
            self.body.exprs[out].span = span;
        }
        out
    }

    /// A cast scalar by scalar: `(S)0`, `(float2[2])v`, `(float4)s`; objects are those in the same places.
    fn flat_cast(&mut self, e: ExprId, to: Ty, span: Span) -> ExprId {
        let from = self.ty(e);
        let types = &self.m.types;
        // An enumeration is made of a number alone, and a scoped one makes nothing else.
        if matches!(types.kind(to), TyKind::Enum(_)) || self.m.types.is_scoped_enum(from) {
            let d = err::bad_cast(span, &self.show(from), &self.show(to));
            self.report(d);
            return self.error_expr(span);
        }
        let numeric_leaves = |t| !types.has_objects(t) && types.kind(types.strip_arrays(t).0) != TyKind::Void;
        let sized = |t| !matches!(types.kind(t), TyKind::Function(_) | TyKind::Subobject(_) | TyKind::String | TyKind::Array(_, None));
        let (n, m) = (types.leaf_count(from), types.leaf_count(to));
        // `(S)0`: the numbers are zero; objects among them are undefined.
        if types.components(from) == Some(1) && matches!(types.kind(types.strip_arrays(to).0), TyKind::Record(_)) && sized(to) {
            if types.has_objects(to) {
                self.report(super::errors::types::extension(span, "casts of numbers to structures with objects"));
            }
            let e = self.settle(e);
            return self.value(ExprKind::Splat(e), to, span);
        }
        // Each conversion between numbers, vectors and matrices has a cost: without one there is no cast, as from a matrix of two rows to `float2`.
        let shaped = self.m.types.extent(from).is_some() && self.m.types.extent(to).is_some();
        let numeric = numeric_leaves(from) && numeric_leaves(to);
        if !shaped && sized(from) && sized(to) && (numeric || self.m.types.objects_match(from, to)) {
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

impl Types {
    /// Whether it is a resource, or an array of some.
    pub(crate) fn is_resource(&self, t: Ty) -> bool {
        self.as_resource(self.strip_arrays(t).0).is_some()
    }

    fn numeric_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        let t = &self;
        // A vector of one component is no number to an enumeration, nor a scoped enumeration one to vectors.
        let scalar = |x| matches!(t.kind(x), TyKind::Scalar(_) | TyKind::Enum(_));
        let shaped_only = |x| matches!(t.kind(x), TyKind::Enum(e) if x == to || t.enums[e].scoped);
        if (shaped_only(from) || shaped_only(to)) && !(scalar(from) && scalar(to)) {
            return None;
        }
        let component = match (t.elem(from)?, t.elem(to)?) {
            // An enumeration is a type of its own: it converts to numeric types with a cast.
            (f, t_) if matches!(t.kind(from), TyKind::Enum(_)) => {
                component_cost(if f == Scalar::Uint { Scalar::Int } else { f }, t_) + aspect::CAST_OF_ARGUMENT
            }
            (f, t_) => component_cost(f, t_),
        };
        Some(component + self.shape_cost(from, to)?)
    }

    fn shape_cost(&self, from: Ty, to: Ty) -> Option<Cost> {
        self.extent(from)?.cost(self.extent(to)?)
    }

    /// Rows and columns of a scalar, vector or matrix.
    pub(crate) fn extent(&self, t: Ty) -> Option<Extent> {
        let (rows, cols) = self.shape(t)?;
        let matrix = matches!(self.kind(t), TyKind::Matrix { .. });
        Some(Extent { rows, cols, matrix })
    }

    /// The types of all scalars of a type, depth first; `None` if it contains anything else.
    fn scalars_of(&self, t: Ty) -> Option<Vec<Scalar>> {
        Some(match self.kind(t) {
            TyKind::Array(e, n) => {
                let one = self.scalars_of(e)?;
                one.repeat(n? as usize)
            }
            TyKind::Record(r) => {
                let mut all = Vec::new();
                for f in &self.records[r].fields {
                    all.extend(self.scalars_of(f.ty)?);
                }
                all
            }
            _ => vec![self.elem(t)?; self.components(t)? as usize],
        })
    }

    fn explain_conversion(&self, d: rtc_base::Diagnostic, from: Ty, to: Ty) -> rtc_base::Diagnostic {
        match (self.kind(from), self.kind(to)) {
            (TyKind::Enum(_), _) | (_, TyKind::Enum(_)) => d.note("a cast converts between enumerations and numbers"),
            (TyKind::Vector(_, a), TyKind::Vector(_, b)) if a < b => {
                d.note(format!("a constructor such as `{}(…)` adds the missing components", self.show(to)))
            }
            _ => d,
        }
    }
}

/// The type of an integer literal that does not fit in 32 bits.
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
