//! Intrinsics of literals: like operators of literals they are computed in 64 bits, and their value is a literal, or has no type if a condition chooses
//! between the literals.
//!
//! Language version 2016 has constants of every type rounded away from zero at a tie; devices round to the even number.

use rtc_base::Span;
use rtc_ir::{Opcode as O, eval};
use rtc_tables::intrinsics::{Class, Expander as X, Intrinsic, Lower, Mode, Pat, Scope, Shape};

use super::context::Sema;
use super::conversion_rank::common;
use crate::hir::{Const, ExprId, ExprKind, Scalar, Ty, TyKind};

impl Sema<'_> {
    /// The value of a call whose arguments are literals, or of a choice between what has no type; `None` where it is computed as for other constants.
    pub(super) fn literal_call(&mut self, row: &Intrinsic, args: &[ExprId], params: &[Ty], span: Span) -> Option<ExprId> {
        if !matches!(row.scope, Scope::Free) {
            return None;
        }
        if row.lowers == Lower::Expand(X::Select) {
            return self.untyped_select(args, params, span);
        }
        let literal =
            |&e: &ExprId| self.as_const(e).filter(|c| c.scalar.is_literal() && matches!(self.kind(self.ty(e)), TyKind::Scalar(_)));
        let args: Vec<Const> = args.iter().map(literal).collect::<Option<_>>()?;
        let away_from_zero = self.opts.hlsl_version <= 2016;
        let value = evaluate(row, &args, away_from_zero)?;
        Some(self.constant(value, span))
    }

    /// Types of parameters and result of a call whose result is of the type of values without one.
    pub(super) fn untyped_call(&mut self, row: &Intrinsic, args: &[ExprId], params: &[Ty], ret: Ty) -> Option<(Vec<Ty>, Ty)> {
        let tied = |n: usize| row.params.get(n).is_some_and(|p| of_first(n, p.pat));
        let untyped: Vec<ExprId> = args.iter().enumerate().filter(|&(n, _)| tied(n)).map(|(_, &e)| e).collect();
        let values = row.params.iter().all(|p| p.mode == Mode::In);
        if !matches!(row.scope, Scope::Free) || !values || untyped.is_empty() || !of_first(1, row.ret) || !self.stays_untyped(&untyped) {
            return None;
        }
        let literal = match row.params.first()?.pat {
            Pat::Num(_, Class::Numeric) => untyped.iter().filter_map(|&e| self.m.types.elem(self.ty(e))).reduce(common)?,
            Pat::Num(_, Class::FloatLike | Class::AnyFloat) => Scalar::LitFloat,
            _ => return None,
        };
        let params = params.iter().enumerate().map(|(n, &ty)| if tied(n) { self.m.types.with_elem(ty, literal) } else { ty }).collect();
        Some((params, self.m.types.with_elem(ret, literal)))
    }

    /// `round` of a constant of any other type in language version 2016.
    pub(super) fn round_constant(&mut self, row: &Intrinsic, arg: ExprId, ty: Ty, span: Span) -> Option<ExprId> {
        if self.opts.hlsl_version > 2016 || row.lowers != Lower::Op(O::round_ne) {
            return None;
        }
        let scalar = self.m.types.elem(ty)?;
        let parts = self.evaluate(arg)?;
        let is_scalar = matches!(self.kind(ty), TyKind::Scalar(_));
        let round = |c: Const| self.constant(Const::float(scalar, c.as_f64().round()), span);
        let mut parts: Vec<ExprId> = parts.into_iter().map(round).collect();
        if is_scalar {
            return parts.pop();
        }
        let parts = self.list(&parts);
        Some(self.value(ExprKind::Construct(parts), ty, span))
    }
}

/// Whether components of parameter `n` (or the result) are of the type of those of the first parameter.
pub(super) fn of_first(n: usize, pat: Pat) -> bool {
    n == 0 || matches!(pat, Pat::Same(0) | Pat::Num(_, Class::Like(0)))
}

/// The type in which `row` computes what has no type, where `wanted` would do.
pub(super) fn computed_class(row: &Intrinsic, wanted: Scalar) -> Scalar {
    let whole = matches!(row.params.first().map(|p| p.pat), Some(Pat::Num(_, Class::FloatLike | Class::AnyFloat)));
    // Of the functions whose row has no `double`, these are products, sums and comparisons alone.
    let of_doubles = !matches!(row.params.first().map(|p| p.pat), Some(Pat::Num(_, Class::FloatLike)))
        || matches!(row.lowers, Lower::Expand(X::Lerp | X::Step | X::SmoothStep | X::Degrees | X::Radians));
    match wanted {
        Scalar::Double if !of_doubles => Scalar::Float,
        s if whole && s.is_int() => Scalar::Float,
        s => s,
    }
}

/// The value of `row`, a literal unless the row gives its result a type.
fn evaluate(row: &Intrinsic, args: &[Const], away_from_zero: bool) -> Option<Const> {
    let Pat::Num(shape, class) = row.params.first()?.pat else { return None };
    if matches!(shape, Shape::Mat(..) | Shape::Vec(rtc_tables::intrinsics::Dim::N(_))) {
        return None;
    }
    let given = args.iter().map(|c| c.scalar).reduce(common)?;
    let scalar = match class {
        Class::FloatLike | Class::AnyFloat => Scalar::LitFloat,
        Class::Numeric => given,
        _ => return None,
    };
    let of_type = match row.ret {
        Pat::Same(0) | Pat::Num(Shape::Scalar, Class::Like(0)) => scalar,
        Pat::Num(Shape::Like(0), Class::Bool) => Scalar::Bool,
        Pat::Num(Shape::Like(0), Class::Int) => Scalar::Int,
        _ => return None,
    };
    let args: Vec<u64> = args.iter().map(|c| c.convert(scalar).bits).collect();
    let number = |n: usize| args.get(n).map(|&bits| f64::from_bits(bits));
    if scalar == Scalar::LitFloat {
        return match row.lowers {
            Lower::Op(O::round_ne) if away_from_zero => Some(Const::float(of_type, number(0)?.round())),
            Lower::Op(op) | Lower::ByClass { float: op, .. } => {
                eval::scalar(op, scalar.ir(), of_type.ir(), &args).map(|bits| Const { scalar: of_type, bits })
            }
            Lower::Expand(x) => real(x, number(0)?, number(1), number(2)).map(|x| Const::float(of_type, x)),
            Lower::Immediate(_) => None,
        };
    }
    let whole = |n: usize| args.get(n).map(|&bits| bits as i64);
    let value = match row.lowers {
        Lower::ByClass { signed, .. } => {
            return eval::scalar(signed, scalar.ir(), of_type.ir(), &args).map(|bits| Const { scalar: of_type, bits });
        }
        Lower::Expand(X::Abs) => whole(0)?.wrapping_abs(),
        Lower::Expand(X::Clamp) => whole(0)?.max(whole(1)?).min(whole(2)?),
        Lower::Expand(X::Sign) => whole(0)?.signum(),
        Lower::Expand(X::Mul | X::Dot) => whole(0)?.wrapping_mul(whole(1)?),
        _ => return None,
    };
    Some(Const::int(of_type, value.into()))
}

/// An intrinsic that is more than one instruction, of `a` and perhaps `b` and `c`.
fn real(x: X, a: f64, b: Option<f64>, c: Option<f64>) -> Option<f64> {
    Some(match x {
        X::Abs | X::Length => a.abs(),
        X::Atan2 => a.atan2(b?),
        X::Clamp => a.max(b?).min(c?),
        X::Degrees => a * (180.0 / std::f64::consts::PI),
        X::Radians => a * (std::f64::consts::PI / 180.0),
        X::Distance => (a - b?).abs(),
        X::Dot | X::Mul => a * b?,
        X::Exp => a.exp(),
        X::Fmod => a % b?,
        X::Ldexp => a * b?.exp2(),
        X::Lerp => a + c? * (b? - a),
        X::Log => a.ln(),
        X::Log10 => a.log10(),
        X::Pow => a.powf(b?),
        X::Rcp => 1.0 / a,
        // Without a sign for zero and not-a-number.
        X::Sign => f64::from(i8::from(a > 0.0) - i8::from(a < 0.0)),
        X::SmoothStep => {
            let t = ((c? - a) / (b? - a)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }
        X::Step => f64::from(u8::from(b? >= a)),
        _ => return None,
    })
}
