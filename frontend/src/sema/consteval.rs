//! Constant expressions: a recursive walk over the typed tree that evaluates constants, operators, intrinsics, vectors and
//! constant variables.
//!
//! A value is the list of its scalars, depth first; `None` if the expression is not constant. [`fold`](super::fold) computes
//! operators and intrinsics.

use rtc_base::Span;
use rtc_ir::Denormals;

use super::SemaOptions;
use super::context::Sema;
use super::conversion::ConversionKind;
use super::errors::exprs as err;
use super::fold::{fold, intrinsic, unary};
use crate::hir::{BinaryOp, Const, ExprId, ExprKind, GlobalKind, Scalar, Ty, TyKind, Types};
use crate::syntax::ast;

/// The limit of scalars in a constant.
const MAX_SCALARS: u64 = 1 << 16;

impl Sema<'_> {
    /// The integer constant that `id` is; reports when it is none.
    pub fn constant_int(&mut self, id: ast::ExprId) -> Option<i128> {
        let e = self.unused_value(id);
        self.constant_int_of(e)
    }

    /// An expression that is evaluated now: what it names is not used by the function.
    pub fn unused_value(&mut self, id: ast::ExprId) -> ExprId {
        let uses = self.f.count_uses();
        let e = self.expr(id);
        self.f.forget_uses(uses);
        e
    }

    /// The integer constant that `e` is; reports when it is none.
    pub fn constant_int_of(&mut self, e: ExprId) -> Option<i128> {
        if self.is_error(e) {
            return None;
        }
        let span = self.span(e);
        let ty = self.ty(e);
        let is_int =
            self.m.types.components(ty) == Some(1) && self.m.types.elem(ty).is_some_and(|s| !s.is_float() || s == Scalar::LitFloat);
        if !is_int {
            let d = err::not_constant_int(span, &self.show(ty));
            self.report(d);
            return None;
        }
        self.warn_of_parts(e);
        match self.evaluate(e).as_deref() {
            Some([c]) if c.as_int().is_some() => c.as_int(),
            Some([c]) if c.as_f64().fract() == 0.0 => Some(c.as_f64() as i128),
            Some([_]) => {
                let d = err::not_constant_int(span, &self.show(ty));
                self.report(d);
                None
            }
            _ => {
                self.report(err::not_constant(span, self.why_not_constant(e)));
                None
            }
        }
    }

    /// Warns of a constant integer that is a part of a vector, structure or array, which other compilers do not take.
    fn warn_of_parts(&mut self, e: ExprId) {
        let mut rest = vec![e];
        while let Some(at) = rest.pop() {
            match self.e(at).kind {
                ExprKind::Swizzle(..) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Component(..) | ExprKind::Row(..) => {
                    let span = self.span(e);
                    return self.report(super::errors::types::extension(span, "constants that are parts of vectors, structures or arrays"));
                }
                _ => self.body.for_each_operand(at, &mut |operand| rest.push(operand)),
            }
        }
    }

    /// The first part of `e` that is not a constant.
    fn why_not_constant(&self, e: ExprId) -> Option<Span> {
        let mut found = None;
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match self.e(e).kind {
                ExprKind::Binary(_, a, b) => todo.extend([b, a]),
                ExprKind::Convert(a) | ExprKind::Unary(_, a) | ExprKind::Splat(a) | ExprKind::Truncate(a) => todo.push(a),
                _ if self.evaluate(e).is_none() => {
                    found = Some(self.span(e));
                    break;
                }
                _ => {}
            }
        }
        found
    }

    /// The value of `e`, if it is a constant expression.
    pub fn evaluate(&self, e: ExprId) -> Option<Vec<Const>> {
        self.evaluate_at(e, 0)
    }

    fn evaluate_at(&self, e: ExprId, depth: u32) -> Option<Vec<Const>> {
        if depth > 256 {
            return None;
        }
        let expr = self.e(e);
        let types = &self.m.types;
        if types.leaf_count(expr.ty) > MAX_SCALARS {
            return None;
        }
        let go = |e| self.evaluate_at(e, depth + 1);
        let scalar = types.elem(expr.ty);
        match expr.kind {
            ExprKind::Const(bits) => Some(vec![Const { scalar: scalar?, bits }]),
            ExprKind::Local(l) => self.f.consts.get(&l).cloned(),
            ExprKind::Global(g) if self.m.globals[g].spec.is_some() => None,
            ExprKind::Global(g) => match &self.m.globals[g].kind {
                GlobalKind::Static { is_const: true, value, .. } => value.clone(),
                _ => None,
            },
            ExprKind::Field(base, n) => {
                let v = go(base)?;
                let r = types.as_record(self.ty(base))?;
                let fields = &types.records[r].fields;
                let start: u64 = fields[..n as usize].iter().map(|f| types.leaf_count(f.ty)).sum();
                let mut value = part(v, start, types.leaf_count(expr.ty))?;
                if let (Some(width), [c]) = (fields[n as usize].bits, &mut value[..]) {
                    *c = c.bit_field(width);
                }
                Some(value)
            }
            ExprKind::AsBase(base) => part(go(base)?, 0, types.leaf_count(expr.ty)),
            ExprKind::Index(base, i) | ExprKind::Component(base, i) | ExprKind::Row(base, i) => {
                let at = go(i)?.first()?.as_int()?;
                let n = types.leaf_count(expr.ty);
                part(go(base)?, u64::try_from(at).ok()?.checked_mul(n)?, n)
            }
            ExprKind::Swizzle(base, comps) => {
                let v = go(base)?;
                let n = types.components(expr.ty)? as usize;
                comps[..n].iter().map(|&c| v.get(c as usize).copied()).collect()
            }
            ExprKind::MatrixSwizzle(base, comps) => {
                let v = go(base)?;
                let (_, cols) = types.shape(self.ty(base))?;
                let n = types.components(expr.ty)? as usize;
                comps[..n].iter().map(|&c| v.get((c / 4) as usize * cols as usize + (c % 4) as usize).copied()).collect()
            }
            ExprKind::Unary(op, a) => Some(go(a)?.into_iter().map(|c| unary(op, c)).collect()),
            ExprKind::Binary(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                let (first, rest) = self.body.left_spine(e);
                let mut left = go(first)?;
                for (whole, right) in rest {
                    left = match self.e(whole).kind {
                        ExprKind::Binary(op, ..) => {
                            let pairs = left.into_iter().zip(go(right)?);
                            pairs.map(|(x, y)| self.opts.folded(op, x, y)).collect::<Option<_>>()?
                        }
                        ExprKind::Or(..) if left.first()?.is_true() => left,
                        ExprKind::And(..) if !left.first()?.is_true() => left,
                        _ => go(right)?,
                    };
                }
                Some(left)
            }
            ExprKind::Conditional(c, a, b) => {
                if go(c)?.first()?.is_true() {
                    go(a)
                } else {
                    go(b)
                }
            }
            ExprKind::Select(c, a, b) => {
                let c = go(c)?;
                if let [one] = c[..] {
                    return go(if one.is_true() { a } else { b });
                }
                let (a, b) = (go(a)?, go(b)?);
                (0..a.len()).map(|i| Some(if c.get(i)?.is_true() { a[i] } else { *b.get(i)? })).collect()
            }
            ExprKind::Convert(a) => {
                let s = scalar?;
                go(a)?.into_iter().map(|c| self.opts.converted(c, s)).collect()
            }
            ExprKind::Splat(a) => {
                let c = *go(a)?.first()?;
                self.m.types.leaf_scalars(expr.ty)?.into_iter().map(|s| Some(c.convert(s))).collect()
            }
            ExprKind::Truncate(a) => {
                let v = go(a)?;
                match (types.kind(self.ty(a)), types.kind(expr.ty)) {
                    (TyKind::Matrix { cols, .. }, TyKind::Matrix { rows: r, cols: c, .. }) => Some(
                        (0..r as usize)
                            .flat_map(|i| (0..c as usize).map(move |j| (i, j)))
                            .filter_map(|(i, j)| v.get(i * cols as usize + j).copied())
                            .collect(),
                    ),
                    _ => {
                        let leaves = self.m.types.leaf_scalars(expr.ty)?;
                        Some(v.into_iter().zip(leaves).map(|(c, s)| c.convert(s)).collect())
                    }
                }
            }
            ExprKind::Construct(parts) => {
                let mut all = Vec::new();
                for &p in self.body.list(parts) {
                    all.extend(go(p)?);
                }
                let leaves = self.m.types.leaf_scalars(expr.ty)?;
                (leaves.len() == all.len()).then(|| all.into_iter().zip(leaves).map(|(c, s)| c.convert(s)).collect())
            }
            ExprKind::Comma(_, b) => go(b),
            ExprKind::Intrinsic { row, args, .. } => {
                let mut values = Vec::new();
                for a in self.body.list(args) {
                    values.push(go(a.expr)?);
                }
                let components = values.iter().map(Vec::len).min().unwrap_or(0);
                let component = |i: usize| {
                    let args: Vec<Const> = values.iter().map(|v| v[i]).collect();
                    intrinsic(self.opts.denormals(), row, &args, scalar?)
                };
                row.constexpr.then(|| (0..components).map(component).collect())?
            }
            _ => None,
        }
    }

    /// `id` as a constant of type `to`; reports when it is none.
    pub fn constant_as(&mut self, id: ast::ExprId, to: Ty) -> Option<Vec<Const>> {
        let e = self.expr(id);
        if self.is_error(e) {
            return None;
        }
        let e = self.convert(e, to, ConversionKind::Implicit);
        let v = self.evaluate(e);
        if v.is_none() && !self.is_error(e) {
            self.report(err::not_constant(self.span(e), self.why_not_constant(e)));
        }
        v
    }
}

impl SemaOptions {
    /// The treatment of denormals by the device, as far as the options determine it.
    fn denormals(&self) -> Option<Denormals> {
        self.flush_denormals.then_some(Denormals::Flush)
    }

    /// The value of an operator on constants of one type; `None` where it is undefined or the device decides.
    pub(crate) fn folded(&self, op: BinaryOp, a: Const, b: Const) -> Option<Const> {
        fold(self.denormals(), op, a, b)
    }

    /// The constant as another type; `None` where the device decides.
    pub(crate) fn converted(&self, c: Const, to: Scalar) -> Option<Const> {
        c.convert_under(self.denormals(), to)
    }
}

impl Types {
    /// The types of the scalars in a value of type `ty`, depth first; `None` if it holds objects or is too large.
    pub(crate) fn leaf_scalars(&self, ty: Ty) -> Option<Vec<Scalar>> {
        if self.leaf_count(ty) > MAX_SCALARS {
            return None;
        }
        let mut out = Vec::new();
        let mut todo = vec![ty];
        while let Some(t) = todo.pop() {
            match self.kind(t) {
                TyKind::Array(e, n) => todo.extend(std::iter::repeat_n(e, n? as usize)),
                TyKind::Record(r) => todo.extend(self.records[r].fields.iter().rev().map(|f| f.ty)),
                _ => {
                    let s = self.elem(t)?;
                    out.extend(std::iter::repeat_n(s, self.components(t)? as usize));
                }
            }
        }
        Some(out)
    }
}

fn part(v: Vec<Const>, start: u64, n: u64) -> Option<Vec<Const>> {
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(usize::try_from(n).ok()?)?;
    v.get(start..end).map(<[Const]>::to_vec)
}
