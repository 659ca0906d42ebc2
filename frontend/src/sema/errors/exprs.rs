//! Expressions: conversions, operators, places, constants.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// No conversion between the types.
pub fn no_conversion(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, format!("there is no implicit conversion from `{from}` to `{to}`"))
}

/// A value of type `void`.
pub fn void_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, "this has no value")
}

/// Components get lost.
pub fn truncation(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::W0301, span, format!("the conversion from `{from}` to `{to}` drops components"))
}

/// 64 bits become fewer.
pub fn narrowing(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::W0302, span, format!("the conversion from `{from}` to `{to}` can lose information"))
}

/// A literal becomes another number.
pub fn changed_literal(span: Span, value: &str, to: &str, now: &str) -> Diagnostic {
    let code = match (value.contains(['.', 'e']), now.contains("inf")) {
        (true, true) => &c::W0662,
        (true, false) => &c::W0303,
        _ => &c::W0667,
    };
    Diagnostic::new(code, span, format!("{value} becomes {now} as `{to}`"))
}

/// `if (v)` with a vector.
pub fn condition_not_scalar(span: Span, ty: &str) -> Diagnostic {
    let d = Diagnostic::new(&c::E0319, span, format!("a condition is a scalar, not `{ty}`"));
    if ty.ends_with(|c: char| c.is_ascii_digit()) { d.note("`any(…)` and `all(…)` make one condition of many") } else { d }
}

/// `v && w` in HLSL 2021.
pub fn logical_of_vectors(span: Span, op: &str, ty: &str, function: &str) -> Diagnostic {
    Diagnostic::new(&c::E0319, span, format!("from HLSL 2021 on `{op}` takes scalars, not `{ty}`"))
        .note(format!("`{function}(a, b)` works on vectors, component by component"))
}

/// `v ? a : b` in HLSL 2021.
pub fn conditional_of_vector(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0319, span, format!("from HLSL 2021 on the condition of `?:` is a scalar, not `{ty}`"))
        .note("`select(c, a, b)` chooses component by component")
}

/// A binary operator with impossible operands.
pub fn operands(span: Span, op: &str, a: &str, b: &str, at_a: Span, at_b: Span) -> Diagnostic {
    Diagnostic::new(&c::E0318, span, format!("`{op}` does not take `{a}` and `{b}`"))
        .label(at_a, format!("this is `{a}`"))
        .label(at_b, format!("this is `{b}`"))
}

/// A unary operator with an impossible operand.
pub fn operand(span: Span, op: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0318, span, format!("`{op}` does not take `{ty}`"))
}

/// `n / 0`
pub fn division_by_zero(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0325, span, "this divides an integer by zero")
}

/// A write to a value.
pub fn not_a_place(span: Span, doing: &str) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, format!("cannot {doing}: this is a value or a constant, not a variable"))
}

/// A write to a constant.
pub fn constant_place(span: Span, doing: &str, what: &str) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, format!("cannot {doing}: this is {what}"))
}

/// A write to `v.xx`.
pub fn repeated_component(span: Span, doing: &str) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, format!("cannot {doing}: a component occurs twice"))
}

/// `a->b`
pub fn arrow(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0308, span, "HLSL does not have pointers, so there is no `->`").fix(span, ".")
}

/// `{ … }` where an expression belongs.
pub fn list_is_no_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, "a list in braces initialises a variable; it is no value by itself")
}

/// `this` outside of methods.
pub fn this_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0326, span, "there is no `this` outside of methods")
}

/// A member without an object.
pub fn needs_object(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0327, span, format!("`{name}` belongs to an object; there is none here"))
}

/// Indexing what has no elements.
pub fn no_elements(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0320, span, format!("`{ty}` has no elements to index"))
}

/// An index that is no integer.
pub fn index_not_scalar(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0320, span, format!("an index is an integer, not `{ty}`"))
}

/// A constant index that is out of range.
pub fn out_of_range(span: Span, i: i128, n: Option<u32>) -> Diagnostic {
    let message = match n {
        Some(n) => format!("index {i} is out of range: the indices are 0 to {}", n.saturating_sub(1)),
        None => format!("index {i} is negative"),
    };
    Diagnostic::new(&c::E0320, span, message)
}

/// Too few coordinates.
pub fn texel_coordinates(span: Span, want: u32, have: u32) -> Diagnostic {
    Diagnostic::new(&c::E0320, span, format!("a texel of this resource has {want} coordinates, not {have}"))
}

/// A swizzle that is none.
pub fn bad_swizzle(span: Span, text: &str, ty: &str, why: &str) -> Diagnostic {
    Diagnostic::new(&c::E0321, span, format!("`{text}` names no components of `{ty}`")).here(why)
}

/// Too many or too few values.
pub fn initialiser_count(span: Span, ty: &str, want: u64, have: u64) -> Diagnostic {
    let few = if have < want { "few" } else { "many" };
    Diagnostic::new(&c::E0322, span, format!("too {few} values for `{ty}`: it has {want}, here are {have}"))
}

/// A list for what takes none.
pub fn no_list_init(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0322, span, format!("`{ty}` is not initialised by a list"))
}

/// `S(1, 2)`
pub fn no_constructor(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0316, span, format!("`{ty}` has no constructor")).note("a list in braces initialises structures and arrays")
}

/// A cast between types that have nothing in common.
pub fn bad_cast(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::E0323, span, format!("`{from}` cannot be cast to `{to}`"))
}

/// Not constant; `why` is the part at fault.
pub fn not_constant(span: Span, why: Option<Span>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0324, span, "this must be a constant");
    match why {
        Some(at) if at != span => d.label(at, "the value of this is not known at compile time"),
        _ => d,
    }
}

/// Not a constant integer.
pub fn not_constant_int(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0324, span, format!("this must be a constant integer, not `{ty}`"))
}

/// A static assertion that failed.
pub fn assertion(span: Span, message: Option<&str>) -> Diagnostic {
    let text = match message {
        Some(m) => format!("the static assertion does not hold: {m}"),
        None => "the static assertion does not hold".into(),
    };
    Diagnostic::new(&c::E0330, span, text)
}
