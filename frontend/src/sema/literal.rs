//! Types and values of literals.

use rtc_base::Span;

use super::context::Sema;
use crate::hir::{Const, ExprId, ExprKind, Scalar, Ty, TyKind};
use crate::syntax::ast::{FloatSuffix, IntSuffix};

impl Sema<'_> {
    /// `42`, `42u`…
    pub fn int_literal(&mut self, n: u64, suffix: IntSuffix, span: Span) -> ExprId {
        let scalar = match suffix {
            IntSuffix::None => Scalar::LitInt,
            IntSuffix::U if n > u32::MAX as u64 => Scalar::Uint64,
            IntSuffix::U => Scalar::Uint,
            IntSuffix::L if n > i32::MAX as u64 => Scalar::Int64,
            IntSuffix::L => Scalar::Int,
            IntSuffix::UL if n > u32::MAX as u64 => Scalar::Uint64,
            IntSuffix::UL => Scalar::Uint,
            IntSuffix::LL => Scalar::Int64,
            IntSuffix::ULL => Scalar::Uint64,
        };
        // A literal beyond the signed range is unsigned.
        let scalar = match scalar {
            Scalar::LitInt | Scalar::Int64 if n > i64::MAX as u64 => Scalar::Uint64,
            s => s,
        };
        self.constant(Const::int(scalar, n as i128), span)
    }

    /// `1.5`, `1.5h`…
    pub fn float_literal(&mut self, x: f64, suffix: FloatSuffix, span: Span) -> ExprId {
        let scalar = match suffix {
            FloatSuffix::None => Scalar::LitFloat,
            FloatSuffix::H if self.opts.native_16bit => Scalar::Float16,
            FloatSuffix::H | FloatSuffix::F => Scalar::Float,
            FloatSuffix::L => Scalar::Double,
        };
        self.constant(Const::float(scalar, x), span)
    }

    /// `"text"`
    pub fn string_literal(&mut self, text: rtc_base::Symbol, span: Span) -> ExprId {
        let ty = self.m.types.intern(TyKind::String);
        self.value(ExprKind::Str(text), ty, span)
    }

    /// `true`, `false`
    pub fn bool_literal(&mut self, b: bool, span: Span) -> ExprId {
        self.value(ExprKind::Const(b as u64), Ty::BOOL, span)
    }
}
