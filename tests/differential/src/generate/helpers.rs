//! The functions `bound_TYPE` and `tame_TYPE` of a generated program, for the types that use them.

use super::Generator;
use super::types::{Bits, Numeric, Scalar};

/// What `tame` returns, in bits.
pub fn tamed(scalar: Scalar) -> Bits {
    match scalar {
        Scalar::F16 => Bits { magnitude: 2, fraction: 2 },
        Scalar::F64 => Bits { magnitude: 7, fraction: 2 },
        _ => Bits { magnitude: 4, fraction: 2 },
    }
}

impl Generator {
    /// Notes that a helper is used for a type.
    pub(super) fn need(&mut self, helper: &'static str, ty: Numeric) {
        if self.helpers.insert((helper, ty.name())) {
            self.helper_types.push((helper, ty));
        }
    }

    /// The helpers that are used.
    pub(super) fn helper_text(&self) -> String {
        let one = |&(helper, ty): &(&str, Numeric)| if helper == "bound" { bound(ty) } else { tame(ty) };
        self.helper_types.iter().map(one).collect()
    }
}

/// Brings a value into [`Scalar::stored`].
fn bound(ty: Numeric) -> String {
    let (t, int, wide) = (ty.name(), ty.of(Scalar::Int).name(), ty.of(Scalar::I64).name());
    let s = ty.scalar.name();
    let body = match ty.scalar {
        Scalar::Float => format!("({t})((({int})(x * 16.0f) & 4095) - 2048) * 0.0625f"),
        Scalar::F16 | Scalar::MinFloat => format!("({t})((({int})(x * ({s})4.0f) & 63) - 32) * ({s})0.25f"),
        Scalar::F64 => format!("({t})((({wide})(x * (double)256.0f) & 65535) - 32768) * (double)0.00390625f"),
        Scalar::MinInt => format!("({t})((({int})(x) & 255) - 128)"),
        _ => format!("({t})(({int})(x) & 127)"),
    };
    format!("{t} bound_{t}({t} x) {{ return {body}; }}\n")
}

/// Makes a small number of arbitrary bits.
fn tame(ty: Numeric) -> String {
    let t = ty.name();
    if ty.is_matrix() {
        let rows: Vec<String> = (0..ty.rows).map(|r| format!("tame_{}(x[{r}])", ty.row().name())).collect();
        return format!("{}{t} tame_{t}({t} x) {{ return {t}({}); }}\n", tame_again(ty.row()), rows.join(", "));
    }
    if ty.scalar == Scalar::F64 && ty.columns > 1 {
        let parts: Vec<String> = "xyzw".chars().take(ty.columns as usize).map(|c| format!("tame_double(x.{c})")).collect();
        return format!("{}{t} tame_{t}({t} x) {{ return {t}({}); }}\n", tame_again(Numeric::scalar(Scalar::F64)), parts.join(", "));
    }
    let int = ty.of(Scalar::Int).name();
    let body = match ty.scalar {
        Scalar::F16 => format!("return ({t})((({int})(asuint16(x)) >> 4 & 31) - 16) * (float16_t)0.25f;"),
        Scalar::F64 => "uint lo, hi; asuint(x, lo, hi); return (double)((int)(hi >> 8 & 1023u) - 512) * (double)0.25f;".to_string(),
        _ => format!("return ({t})((asint(x) >> 16 & 127) - 64) * 0.25f;"),
    };
    format!("{t} tame_{t}({t} x) {{ {body} }}\n")
}

/// A declaration of the function that another helper calls: its definition may come later.
fn tame_again(ty: Numeric) -> String {
    let t = ty.name();
    format!("{t} tame_{t}({t} x);\n")
}
