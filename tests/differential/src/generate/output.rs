//! How a program writes its values: each as whole words, so that they are compared exactly.

use super::types::{Numeric, Scalar};
use super::{Generator, Variable, WORDS};

/// Parts of one variable that are written at most, evenly spread.
const PATHS: usize = 12;

impl Generator {
    /// Writes the variables in scope: locals, the last ones first, then those globals that are this thread's.
    pub(super) fn write_out(&mut self) {
        let mut word = 0;
        let all: Vec<Variable> = self.locals.iter().rev().chain(self.globals.iter().filter(|v| v.writable)).cloned().collect();
        for v in all {
            let paths = self.all_paths(&v);
            let apart = paths.len().div_ceil(PATHS);
            for path in paths.into_iter().step_by(apart) {
                let e = self.read(path);
                for component in components(&e.text, e.ty) {
                    for value in words(&component, e.ty.scalar) {
                        if word == WORDS {
                            return;
                        }
                        self.line(format!("Out.Store((T * {WORDS}u + {word}u) * 4u, {value});"));
                        word += 1;
                    }
                }
            }
        }
    }
}

/// The components of a value.
fn components(text: &str, ty: Numeric) -> Vec<String> {
    if ty.is_scalar() {
        return vec![text.to_string()];
    }
    if ty.is_matrix() {
        return (0..ty.rows).flat_map(|r| (0..ty.columns).map(move |c| (r, c))).map(|(r, c)| format!("{text}[{r}][{c}]")).collect();
    }
    (0..ty.columns).map(|c| format!("{text}[{c}]")).collect()
}

/// The words of a scalar. Floats are multiples of a power of two.
fn words(text: &str, scalar: Scalar) -> Vec<String> {
    match scalar {
        Scalar::Uint => vec![text.to_string()],
        Scalar::Bool => vec![format!("({text} ? 1u : 0u)")],
        Scalar::Int | Scalar::U16 | Scalar::MinUint => vec![format!("(uint){text}")],
        Scalar::I16 | Scalar::MinInt => vec![format!("(uint)(int){text}")],
        Scalar::Float => vec![format!("(uint)(int)({text} * 16.0f)")],
        Scalar::F16 | Scalar::MinFloat => vec![format!("(uint)(int)((float){text} * 16.0f)")],
        Scalar::F64 => vec![format!("(uint)(int)({text} * (double)256.0f)")],
        Scalar::I64 | Scalar::U64 => vec![format!("(uint){text}"), format!("(uint)({text} >> ({})32)", scalar.name())],
    }
}
