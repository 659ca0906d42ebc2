//! Types and values of literals.

use rtc_base::Span;

use super::context::Sema;
use super::errors::exprs as err;
use crate::hir::{Body, Category, Const, ExprId, ExprKind, GlobalKind, Scalar, Ty, TyKind};
use crate::lex::SIZED_SUFFIXES;
use crate::syntax::ast::{FloatSuffix, IntSuffix};

/// The largest 16-bit float.
const LARGEST_HALF: f64 = 65504.0;

impl Sema<'_> {
    /// `42`, `42u`…
    pub fn int_literal(&mut self, n: u64, suffix: IntSuffix, span: Span) -> ExprId {
        let scalar = match suffix {
            // Only numbers in octal and hexadecimal become unsigned.
            IntSuffix::None if self.opts.is_202x() => match n {
                _ if n <= i32::MAX as u64 => Scalar::Int,
                _ if n <= u32::MAX as u64 && self.sources.snippet(span).starts_with('0') => Scalar::Uint,
                _ => Scalar::Int64,
            },
            IntSuffix::None => Scalar::LitInt,
            IntSuffix::L if self.opts.is_202x() => Scalar::Int64,
            IntSuffix::UL if self.opts.is_202x() => Scalar::Uint64,
            // These have 32 bits, whatever the number is.
            IntSuffix::U | IntSuffix::UL => Scalar::Uint,
            IntSuffix::L if n <= i32::MAX as u64 => Scalar::Int,
            IntSuffix::L if n <= u32::MAX as u64 && !self.sources.snippet(span).starts_with('0') => Scalar::Int,
            IntSuffix::L => Scalar::Uint,
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
    pub fn float_literal(&mut self, mut x: f64, suffix: FloatSuffix, span: Span) -> ExprId {
        if suffix == FloatSuffix::None
            && self.opts.is_202x()
            && let Ok(once) = self.sources.snippet(span).parse::<f32>()
        {
            // A `float` from the beginning: rounded once.
            x = once.into();
        }
        self.check_sized_suffix(span);
        if suffix == FloatSuffix::H && self.opts.native_16bit && x.is_finite() && x > LARGEST_HALF {
            self.report(err::half_out_of_range(span));
        }
        let scalar = match suffix {
            FloatSuffix::None if self.opts.is_202x() => Scalar::Float,
            FloatSuffix::None => Scalar::LitFloat,
            FloatSuffix::H if self.opts.native_16bit => Scalar::Float16,
            FloatSuffix::H | FloatSuffix::F => Scalar::Float,
            FloatSuffix::L => Scalar::Double,
        };
        self.constant(Const::float(scalar, x), span)
    }

    /// `1.0f16`, `1.0f32`, `1.0f64`: of HLSL 202x, and 16 bits have to be there.
    fn check_sized_suffix(&mut self, span: Span) {
        let text = self.sources.snippet(span);
        let Some(suffix) = SIZED_SUFFIXES.into_iter().find(|s| text.ends_with(s)) else { return };
        if suffix.ends_with("16") && !self.opts.native_16bit {
            self.report(err::suffix_of_16_bits(span, suffix));
        } else if !self.opts.is_202x() {
            self.report(super::errors::types::newer(span, &format!("the suffix `{suffix}`"), "202x"));
        }
    }

    /// `"text"`
    pub fn string_literal(&mut self, text: rtc_base::Symbol, span: Span) -> ExprId {
        let ty = self.m.types.intern(TyKind::String);
        self.value(ExprKind::Str(text), ty, span)
    }

    /// The text that `e` is: a literal, or a variable that is one.
    pub fn text_of(&self, e: ExprId) -> Option<rtc_base::Symbol> {
        match self.e(e).kind {
            ExprKind::Str(text) => Some(text),
            ExprKind::Global(g) => match self.m.globals[g].kind {
                // While an initialiser is checked, the expressions of initialisers are in the body.
                GlobalKind::Static { init: Some(init), .. } => {
                    match self.m.inits.exprs.get(init).or_else(|| self.body.exprs.get(init))?.kind {
                        ExprKind::Str(text) => Some(text),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `"text"[index]`: the number of a character.
    pub fn character(&mut self, text: rtc_base::Symbol, index: ExprId, span: Span) -> ExprId {
        let bytes: Vec<u8> = self.str(text).bytes().chain([0]).collect();
        let index = self.scalar_index(index);
        self.check_bound(index, Some(bytes.len() as u32));
        if let Some(&byte) = self.as_const(index).and_then(|c| c.as_int()).and_then(|n| bytes.get(usize::try_from(n).ok()?)) {
            return self.constant(Const::int(Scalar::Int, byte.into()), span);
        }
        let all = self.characters(text, span);
        self.push(ExprKind::Index(all, index), Ty::INT, Category::Constant, span)
    }

    /// A text as a constant array of its characters' numbers, which ends with a zero.
    pub fn characters(&mut self, text: rtc_base::Symbol, span: Span) -> ExprId {
        let g = match self.globals.characters(text) {
            Some(g) => g,
            None => {
                let value: Vec<Const> = self.str(text).bytes().chain([0]).map(|b| Const::int(Scalar::Int, b.into())).collect();
                let ty = self.m.types.array(Ty::INT, Some(value.len() as u32));
                let name = self.anonymous_name("characters");
                let kind = GlobalKind::Static { is_const: true, init: None, value: Some(value) };
                let g = self.new_global(crate::syntax::ast::Name { sym: name, span }, ty, kind, false);
                self.m.globals[g].used = true;
                self.globals.set_characters(text, g);
                g
            }
        };
        let ty = self.m.globals[g].ty;
        self.push(ExprKind::Global(g), ty, Category::Constant, span)
    }
}

impl Body {
    /// `true`, `false`
    pub(crate) fn bool_literal(&mut self, b: bool, span: Span) -> ExprId {
        self.value(ExprKind::Const(b as u64), Ty::BOOL, span)
    }
}
