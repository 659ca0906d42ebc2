//! Diagnostics of matrices of linear algebra.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;
use rtc_tables::linalg::{ATTRIBUTE, ATTRIBUTE_ARGUMENTS, TYPE_NAME};

/// An attribute after a type that means nothing there.
pub fn other_attribute(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0342, span, format!("`{name}` is no attribute of a type"))
        .note(format!("after a type there is only `{ATTRIBUTE}`; other attributes come before the declaration"))
}

/// The attribute on another type.
pub fn not_a_matrix(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0342, span, format!("the attribute of a matrix on `{ty}`: it can only be applied to `{TYPE_NAME}`"))
}

/// A matrix that is no local variable.
pub fn outside(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0307, span, "a matrix of linear algebra cannot be in a static or global variable, a buffer or groupshared memory")
        .note("declare it in the function that uses it, and pass it to other functions; `Load` and `Store` keep its numbers in memory")
}

/// Too few or too many arguments.
pub fn argument_count(span: Span, found: usize) -> Diagnostic {
    Diagnostic::new(&c::E0342, span, format!("`{ATTRIBUTE}` requires exactly {ATTRIBUTE_ARGUMENTS} arguments, found {found}"))
        .note("component type, rows, columns, use, scope")
}

/// An argument that is no number.
pub fn not_whole(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0342, span, format!("an argument of `{ATTRIBUTE}` must be an integer or an enumerator, not `{ty}`"))
}

/// A number that is too large, or negative.
pub fn out_of_range(span: Span, n: i128) -> Diagnostic {
    Diagnostic::new(&c::E0342, span, format!("{n} is no argument of `{ATTRIBUTE}`: it has 32 bits and no sign"))
}

/// A variable of the type without its attribute.
pub fn no_attribute(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0342, span, format!("`{TYPE_NAME}` is no type of a variable without its attribute, which says which matrix it is"))
        .note("`dx::linalg::Matrix<component type, rows, columns, use, scope>` of `<dx/linalg.h>` has it")
}
