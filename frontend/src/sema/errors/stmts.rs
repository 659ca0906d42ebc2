//! Statements and attributes.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// `break` or `continue` in the wrong place.
pub fn misplaced_jump(span: Span, what: &str, place: &str) -> Diagnostic {
    Diagnostic::new(&c::E0401, span, format!("`{what}` stands only in {place}"))
}

/// A label outside of a switch, or deeper in it.
pub fn misplaced_label(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "labels stand directly in the block of a `switch`")
}

/// A label that was there before.
pub fn doubled_label(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "this label occurs twice in the `switch`").label(first, "first here")
}

/// A statement that no label leads to.
pub fn before_first_label(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0310, span, "no label of the `switch` leads to this, so it is never executed")
}

/// A switch on a fraction.
pub fn switch_on_float(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::W0311, span, format!("the `switch` looks at this `{ty}` rounded towards zero to an `int`"))
}

/// `switch (x) statement;`
pub fn switch_without_block(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "the body of a `switch` is a block")
}

/// A switch on something that is no integer.
pub fn switch_value(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, format!("a `switch` looks at an integer, not at `{ty}`"))
}

/// `return;` in a function with a result.
pub fn return_without_value(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0403, span, format!("the function returns `{ty}`, so a value belongs here"))
}

/// `return x;` in a function without.
pub fn return_with_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0403, span, "the function returns `void`, so no value can stand here")
}

/// A function that can end without a value.
pub fn missing_return(name_span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0401, name_span, format!("`{name}` can end without returning a value"))
}

/// A declaration that does not belong in functions.
pub fn cannot_stand_in_function(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0404, span, format!("{what} cannot be declared inside of a function"))
}

/// `const int n;`
pub fn constant_without_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0328, span, format!("the constant `{name}` has no value"))
}

/// An attribute of loops on an `if`, and the like: without effect.
pub fn idle_attribute(span: Span, name: &str, place: &str) -> Diagnostic {
    Diagnostic::new(&c::W0660, span, format!("the attribute `{name}` has no effect here; it belongs to {place}"))
}

/// An attribute with an argument that it cannot use.
pub fn idle_argument(span: Span, name: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(&c::W0661, span, format!("the attribute `{name}` takes {wanted}; this one is ignored"))
}

/// `if (a = b)`
pub fn assignment_as_condition(span: Span, op: Span) -> Diagnostic {
    Diagnostic::new(&c::W0664, span, "an assignment is used as a condition")
        .note("a comparison is `==`; parentheses around the assignment say that it is meant")
        .fix(op, "==")
}

/// `a & b == c`
pub fn surprising_precedence(span: Span, op: &str, inner: &str) -> Diagnostic {
    let message = format!("`{inner}` binds tighter than `{op}`: it is evaluated first");
    Diagnostic::new(&c::W0664, span, message).note("parentheses say what is meant")
}

/// `a || b && c`
pub fn and_in_or(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0665, span, "`&&` inside of `||` is evaluated first").note("parentheses say what is meant")
}

/// `if (c);`
pub fn empty_body(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::W0663, span, format!("this `{what}` has an empty body"))
        .note("a semicolon on a line of its own says that it is meant")
}

/// `for (uint i = 7; i >= 0; --i)`
pub fn loop_without_end(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0669, span, "an unsigned number is never negative, so this does not end the loop")
        .note("count with an `int`, or down with `i-- > 0`")
}

/// A local variable with the name of another variable.
pub fn shadows(span: Span, name: &str, hidden: Span) -> Diagnostic {
    Diagnostic::new(&c::W0668, span, format!("`{name}` hides another variable of that name")).label(hidden, "hidden here")
}

/// Two attributes that exclude each other.
pub fn contradicting_attributes(span: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("the attributes `{a}` and `{b}` exclude each other"))
}

/// An argument that the attribute does not take.
pub fn attribute_argument(span: Span, name: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("the attribute `{name}` takes {wanted}"))
}

/// An attribute that is not known.
pub fn unknown_attribute(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0402, span, format!("the attribute `{name}` is not known and has no effect"))
}
