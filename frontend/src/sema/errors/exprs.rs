//! Diagnostics of expressions: conversions, operators, l-values, constants.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// No conversion between the types.
pub fn no_conversion(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, format!("there is no implicit conversion from `{from}` to `{to}`"))
}

/// A value of type `void`.
pub fn void_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, "an expression of type `void` has no value")
}

/// Components are truncated.
pub fn truncation(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::W0301, span, format!("the conversion from `{from}` to `{to}` drops components"))
}

/// A narrowing conversion.
pub fn narrowing(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::W0302, span, format!("the conversion from `{from}` to `{to}` can lose information"))
}

/// A literal changes its value in a conversion.
pub fn changed_literal(span: Span, value: &str, to: &str, now: &str) -> Diagnostic {
    let code = match (value.contains(['.', 'e']), now.contains("inf")) {
        (true, true) => &c::W0662,
        (true, false) => &c::W0303,
        _ => &c::W0667,
    };
    Diagnostic::new(code, span, format!("{value} becomes {now} as `{to}`"))
}

/// `70000.0h`
pub fn half_out_of_range(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0323, span, "this number is too large for 16 bits, whose largest is 65504")
}

/// `if (v)` with a vector.
pub fn condition_not_scalar(span: Span, ty: &str) -> Diagnostic {
    let d = Diagnostic::new(&c::E0319, span, format!("a condition must be a scalar, found `{ty}`"));
    if ty.ends_with(|c: char| c.is_ascii_digit()) { d.note("`any(…)` and `all(…)` make one condition of many") } else { d }
}

/// `v && w` in HLSL 2021.
pub fn logical_of_vectors(span: Span, op: &str, ty: &str, function: &str) -> Diagnostic {
    Diagnostic::new(&c::E0319, span, format!("operands of `{op}` must be scalars since HLSL 2021, found `{ty}`"))
        .note(format!("`{function}(a, b)` works on vectors, component by component"))
}

/// `v ? a : b` in HLSL 2021.
pub fn conditional_of_vector(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0319, span, format!("the condition of `?:` must be a scalar since HLSL 2021, found `{ty}`"))
        .note("`select(c, a, b)` chooses component by component")
}

/// Invalid operands of a binary operator.
pub fn operands(span: Span, op: &str, a: &str, b: &str, at_a: Span, at_b: Span) -> Diagnostic {
    Diagnostic::new(&c::E0318, span, format!("invalid operands of `{op}`: `{a}` and `{b}`"))
        .label(at_a, format!("this is `{a}`"))
        .label(at_b, format!("this is `{b}`"))
}

/// Invalid operand of a unary operator.
pub fn operand(span: Span, op: &str, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0318, span, format!("invalid operand of `{op}`: `{ty}`"))
}

/// `n / 0`
pub fn division_by_zero(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0325, span, "integer division by zero")
        .note("the result is not defined: it is no constant expression, and at run time devices give all bits set")
}

/// `1 << n`
pub fn shifted_literal(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0326, span, "the type of this shift is that of a literal, which has none of its own")
        .note("it is `uint` if the literal is shifted by a `uint`, else `int`: give the literal a suffix, as in `1u`, or a cast")
}

/// `a / b` of signed minimum precision
pub fn minimum_precision_division(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0318, span, format!("`{ty}` has no signed division and remainder"))
        .note("its precision is at least 16 bits, and the quotient depends on it: convert the operands to `int`")
}

/// `a % b` of doubles
pub fn remainder_of_doubles(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0318, span, "`double` has no remainder").note("no device computes it: convert the operands to `float`")
}

/// A write to a value.
pub fn not_an_lvalue(span: Span, doing: &str) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, format!("cannot {doing}: the expression is a value or a constant, not an l-value"))
}

/// A write to a constant.
pub fn constant_lvalue(span: Span, doing: &str, what: &str) -> Diagnostic {
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
    Diagnostic::new(&c::E0305, span, "an initialiser list is not an expression: it can only initialise a variable")
}

/// `this` outside of methods.
pub fn this_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0326, span, "invalid use of `this` outside of a method")
}

/// A member without an object.
pub fn needs_object(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0327, span, format!("use of the member `{name}` without an object"))
}

/// A constant as an argument that a function may write.
pub fn constant_argument(span: Span, parameter: &str, what: &str) -> Diagnostic {
    Diagnostic::new(&c::W0309, span, format!("{what} is passed to {parameter}, which may write it"))
        .note("other compilers accept this only where the function is named with a qualifier or is a method of an object")
}

/// Indexing a type without elements.
pub fn no_elements(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0320, span, format!("a value of type `{ty}` cannot be indexed"))
}

/// An index that is not an integer.
pub fn index_not_scalar(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0320, span, format!("an index must be an integer, found `{ty}`"))
}

/// A constant index that is out of range.
pub fn out_of_range(span: Span, i: i128, n: Option<u32>) -> Diagnostic {
    let message = match n {
        Some(n) => format!("index {i} is out of range: valid indices are 0 to {}", n.saturating_sub(1)),
        None => format!("index {i} is negative"),
    };
    Diagnostic::new(&c::E0320, span, message)
}

/// A constant index outside of an array, where the language version lets it be.
pub fn index_outside(span: Span, i: i128, n: Option<u32>) -> Diagnostic {
    let d = out_of_range(span, i, n);
    Diagnostic::new(&c::W0321, span, d.message)
        .note("what is read there is undefined, what is written there is lost; since HLSL 2017 it is an error")
}

/// `1.0f16` without numbers of 16 bits.
pub fn suffix_of_16_bits(span: Span, suffix: &str) -> Diagnostic {
    Diagnostic::new(&c::E0106, span, format!("the suffix `{suffix}` needs -enable-16bit-types")).note("`h` is a suffix in any case")
}

/// Too few coordinates, or too many.
pub fn texel_coordinates(span: Span, want: u32, have: u32) -> Diagnostic {
    Diagnostic::new(&c::E0320, span, format!("expected {want} texel coordinates, found {have}"))
}

/// An invalid swizzle.
pub fn bad_swizzle(span: Span, text: &str, ty: &str, why: &str) -> Diagnostic {
    Diagnostic::new(&c::E0321, span, format!("invalid swizzle `{text}` of `{ty}`")).here(why)
}

/// Too many or too few values.
pub fn initialiser_count(span: Span, ty: &str, want: u64, have: u64) -> Diagnostic {
    let few = if have < want { "few" } else { "many" };
    Diagnostic::new(&c::E0322, span, format!("too {few} values for `{ty}`: expected {want}, found {have}"))
}

/// An initialiser list for a type that does not accept one.
pub fn no_list_init(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0322, span, format!("`{ty}` cannot be initialised by a list"))
}

/// `S(1, 2)`
pub fn no_constructor(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0316, span, format!("`{ty}` has no constructor")).note("structures and arrays are initialised by a list in braces")
}

/// A cast between types that have nothing in common.
pub fn bad_cast(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::E0323, span, format!("`{from}` cannot be cast to `{to}`"))
}

/// Not constant; `why` is the part that is not constant.
pub fn not_constant(span: Span, why: Option<Span>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0324, span, "expected a constant expression");
    match why {
        Some(at) if at != span => d.label(at, "this is not a constant"),
        _ => d,
    }
}

/// Not a constant integer.
pub fn not_constant_int(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0324, span, format!("expected a constant integer, found `{ty}`"))
}

/// A static assertion that failed.
pub fn assertion(span: Span, message: Option<&str>) -> Diagnostic {
    let text = match message {
        Some(m) => format!("static assertion failed: {m}"),
        None => "static assertion failed".into(),
    };
    Diagnostic::new(&c::E0330, span, text)
}
