//! Diagnostics of statements and attributes.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// `break` or `continue` that is not in a loop or switch.
pub fn misplaced_jump(span: Span, what: &str, context: &str) -> Diagnostic {
    Diagnostic::new(&c::E0401, span, format!("`{what}` is only allowed in {context}"))
}

/// A label that is not directly in the body of a switch.
pub fn misplaced_label(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "a label must be in the body of a `switch`: directly, in a block or in a branch")
}

/// A label of a switch in too many branches in each other.
pub fn label_too_deep(span: Span, most: usize) -> Diagnostic {
    let text = format!("a label of the `switch` is in more than {most} branches in each other");
    Diagnostic::new(&c::E0402, span, text).note("each `else if` is a branch in the one before; put what follows the label into a function")
}

/// A duplicate label.
pub fn doubled_label(span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, "duplicate label in the `switch`").label(first, "first used here")
}

/// An unreachable statement before the first label.
pub fn before_first_label(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0310, span, "this is never executed: it precedes the first label of the `switch`")
}

/// A switch on a floating-point number.
pub fn switch_on_float(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::W0311, span, format!("the `switch` converts this `{ty}` to `int`, rounded towards zero"))
}

/// `case 0: int x = 1; … case 1:`
pub fn jump_past_initialiser(span: Span, variable: &str, at: Span) -> Diagnostic {
    Diagnostic::new(&c::E0402, span, format!("the `switch` jumps to this label past the initialiser of `{variable}`"))
        .label(at, "initialised here")
        .note("put the statements of the other label in a block of their own, or declare the variable before the `switch`")
}

/// A switch on a value that is not an integer.
pub fn switch_value(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, format!("a `switch` requires an integer, found `{ty}`"))
}

/// `return;` in a function with a result.
pub fn return_without_value(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0403, span, format!("`return` without a value in a function that returns `{ty}`"))
}

/// `return x;` in a function without.
pub fn return_with_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0403, span, "`return` with a value in a function that returns `void`")
}

/// A function that can end without returning a value.
pub fn missing_return(name_span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0401, name_span, format!("control can reach the end of `{name}` without returning a value"))
}

/// A declaration that is not allowed in functions.
pub fn cannot_stand_in_function(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0404, span, format!("{what} cannot be declared inside of a function"))
}

/// An attribute of loops on an `if`, and the like: which has no effect.
pub fn idle_attribute(span: Span, name: &str, context: &str) -> Diagnostic {
    Diagnostic::new(&c::W0660, span, format!("the attribute `{name}` has no effect here; it applies to {context}"))
}

/// An attribute with an argument that it cannot use.
pub fn idle_argument(span: Span, name: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(&c::W0661, span, format!("the attribute `{name}` takes {expected}; this one is ignored"))
}

/// `if (a = b)`
pub fn assignment_as_condition(span: Span, op: Span) -> Diagnostic {
    Diagnostic::new(&c::W0664, span, "an assignment is used as a condition")
        .note("use `==` to compare, or parentheses around the assignment to silence this warning")
        .fix(op, "==")
}

/// `if ((a == b))`
pub fn superfluous_parentheses(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0316, span, "an equality comparison in a second pair of parentheses")
        .note("one pair is enough; two say that an assignment is meant")
}

/// `for (int i = 0; …) …; for (int i = 0; …) …;` before HLSL 2021.
pub fn loop_variable_again(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::W0315, span, format!("`{name}` hides a variable of this block from here on"))
        .label(first, "declared here")
        .note("before HLSL 2021 the variable of a `for` belongs to the block around it")
}

/// `a & b == c`
pub fn surprising_precedence(span: Span, op: &str, inner: &str) -> Diagnostic {
    let message = format!("`{inner}` binds tighter than `{op}`: it is evaluated first");
    Diagnostic::new(&c::W0664, span, message).note("use parentheses to silence this warning")
}

/// `a || b && c`
pub fn and_in_or(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0665, span, "`&&` inside of `||` is evaluated first").note("use parentheses to silence this warning")
}

/// `if (c);`
pub fn empty_body(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&c::W0663, span, format!("this `{what}` has an empty body"))
        .note("put the semicolon on a line of its own to silence this warning")
}

/// `for (uint i = 7; i >= 0; --i)`
pub fn loop_without_end(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0669, span, "this comparison of an unsigned number is always true and does not end the loop")
        .note("count with an `int`, or down with `i-- > 0`")
}

/// `static const uint W = 5; struct S { uint a : W; };`
pub fn semantic_named_as_variable(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0313, span, format!("`{name}` is a semantic here, not the variable of this name"))
        .note(format!("the width of a bit-field is a number or an expression that begins with none, as in `({name})`"))
}

/// A local variable with the name of another variable.
pub fn shadows(span: Span, name: &str, hidden: Span) -> Diagnostic {
    Diagnostic::new(&c::W0668, span, format!("`{name}` shadows another variable")).label(hidden, "the shadowed declaration")
}

/// Two attributes that exclude each other.
pub fn contradicting_attributes(span: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("the attributes `{a}` and `{b}` are mutually exclusive"))
}

/// An argument that the attribute does not take.
pub fn attribute_argument(span: Span, name: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("the attribute `{name}` takes {expected}"))
}

/// An attribute on something that it does not apply to.
pub fn misplaced_attribute(span: Span, name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("the attribute `vk::{name}` applies only to {what}"))
}

/// An unknown attribute.
pub fn unknown_attribute(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0402, span, format!("unknown attribute `{name}` is ignored"))
}
