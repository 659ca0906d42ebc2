//! Statements and attributes.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// `break` or `continue` in the wrong place.
pub fn misplaced_jump(span: Span, what: &str, place: &str) -> Diagnostic {
    Diagnostic::new(&c::E0401, span, format!("`{what}` stands only in {place}"))
}

/// A label outside of a switch, or deeper in it.
pub fn misplaced_label(span: Span) -> Diagnostic {
    Diagnostic::new(
        &c::E0402,
        span,
        "labels stand directly in the block of a `switch`",
    )
}

/// A label that was there before.
pub fn doubled_label(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "this label occurs twice in the `switch`")
        .label(first, "first here")
}

/// A statement that no label leads to.
pub fn before_first_label(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "no label leads to this statement")
}

/// `switch (x) statement;`
pub fn switch_without_block(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "the body of a `switch` is a block")
}

/// A switch on something that is no integer.
pub fn switch_value(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0312,
        span,
        format!("a `switch` looks at an integer, not at `{ty}`"),
    )
}

/// `return;` in a function with a result.
pub fn return_without_value(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0403,
        span,
        format!("the function returns `{ty}`, so a value belongs here"),
    )
}

/// `return x;` in a function without.
pub fn return_with_value(span: Span) -> Diagnostic {
    Diagnostic::new(
        &c::E0403,
        span,
        "the function returns `void`, so no value can stand here",
    )
}

/// A function that can end without a value.
pub fn missing_return(name_span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &c::W0401,
        name_span,
        format!("`{name}` can end without returning a value"),
    )
}

/// A declaration that does not belong in functions.
pub fn cannot_stand_in_function(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0404,
        span,
        format!("{what} cannot be declared inside of a function"),
    )
}

/// `const int n;`
pub fn constant_without_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0328,
        span,
        format!("the constant `{name}` has no value"),
    )
}

/// An attribute of something else.
pub fn attribute_place(span: Span, name: &str, place: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0405,
        span,
        format!("the attribute `{name}` belongs to {place}"),
    )
}

/// Attributes that exclude each other.
pub fn contradicting_attributes(span: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0405,
        span,
        format!("the attributes `{a}` and `{b}` exclude each other"),
    )
}

/// An argument that the attribute does not take.
pub fn attribute_argument(span: Span, name: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(
        &c::E0405,
        span,
        format!("the attribute `{name}` takes {wanted}"),
    )
}

/// An attribute that is not known.
pub fn unknown_attribute(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &c::W0402,
        span,
        format!("the attribute `{name}` is not known and has no effect"),
    )
}
