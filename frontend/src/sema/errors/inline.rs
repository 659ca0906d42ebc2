//! Diagnostics of inline SPIR-V.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// An attribute that a declaration has already.
pub fn attribute_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` is given twice")).label(first, "first given here")
}

/// Two attributes that give a variable two storage classes.
pub fn attribute_excludes(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(
        &c::E0405,
        span,
        format!("`{name}` cannot be used together with another attribute that gives the variable a storage class"),
    )
    .label(first, "the other one")
}

/// `[[vk::ext_instruction(…)]]` of a function with a body.
pub fn instruction_with_body(span: Span, attribute: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "a function that is an instruction of SPIR-V cannot have a body").label(attribute, "the instruction")
}

/// `[[vk::ext_instruction(…)]]` of a method that is not `static`.
pub fn instruction_of_object(span: Span, attribute: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "a method that is an instruction of SPIR-V must be `static`").label(attribute, "the instruction")
}

/// A parameter with `[[vk::ext_literal]]` and `[[vk::ext_reference]]`.
pub fn literal_and_reference(span: Span, literal: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "a parameter cannot be both a literal and a reference").label(literal, "a literal")
}

/// A built-in variable that is not `static`.
pub fn builtin_not_static(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` can only be applied to a `static` variable"))
}

/// An input that is not `const`.
pub fn input_not_const(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` can only be applied to a `const` variable"))
}

/// A built-in variable that is an input and an output.
pub fn builtin_redefined(span: Span, n: u32, output: bool, first: Span) -> Diagnostic {
    let what = if output { "an output" } else { "an input" };
    Diagnostic::new(&c::E0405, span, format!("built-in variable {n} cannot be declared again as {what}")).label(first, "declared here")
}

/// An argument for `[[vk::ext_literal]]` that is no constant.
pub fn not_a_literal(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0324, span, "a literal of a SPIR-V instruction must be a scalar that is known when compiling")
}

/// An argument for `[[vk::ext_reference]]` that is no l-value.
pub fn not_a_reference(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, "the argument of a parameter with `[[vk::ext_reference]]` must be a variable or a part of one")
}

/// An argument for `[[vk::ext_reference]]` of another type.
pub fn reference_type(span: Span, wanted: &str, found: &str) -> Diagnostic {
    Diagnostic::new(&c::E0312, span, format!("a reference to `{wanted}` is required here, and this is a `{found}`"))
}

/// `vk::ext_execution_mode()`.
pub fn no_execution_mode(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0315, span, "the number of an execution mode is missing")
}

/// A call of an instruction where the target is DXIL.
pub fn only_in_spirv(span: Span, name: &str, calls: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0902, span, format!("`{name}` is an instruction of SPIR-V: it cannot be compiled to DXIL"));
    calls.iter().rev().fold(d, |d, (name, at)| d.label(*at, format!("`{name}` is called here")))
}

/// A type or function of namespace `vk` where the target is DXIL.
pub fn type_only_in_spirv(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0902, span, format!("`vk::{name}` exists in SPIR-V only: it cannot be compiled to DXIL"))
}

/// `vk::integral_constant<T, n>` of a type without integers.
pub fn not_integral(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, format!("`vk::integral_constant` is of an integer, boolean or enumeration, not of `{ty}`"))
}

/// `vk::Literal<T>` of anything but a constant.
pub fn literal_of_no_constant(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, "the template argument of `vk::Literal` must be a `vk::integral_constant`")
}

/// A template argument out of range.
pub fn number_out_of_range(span: Span, n: i128, least: i128, most: i128) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, format!("template argument {n} is out of range: from {least} to {most}"))
}

/// An alignment that is no power of two.
pub fn alignment(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, "an alignment must be a power of two")
}

/// A pointer to what cannot be in a buffer.
pub fn pointer_to(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0309, span, format!("a `{ty}` cannot be in a buffer, so there are no pointers to it"))
}

/// A variable of a type of SPIR-V without a binding.
pub fn no_binding(span: Span) -> Diagnostic {
    Diagnostic::new(
        &c::E0405,
        span,
        "a variable of this type requires a place: `[[vk::binding(binding, set)]]`, a register, `[[vk::ext_storage_class(n)]]` or `static`",
    )
}

/// A cast of a pointer to one with greater alignment.
pub fn greater_alignment(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0323, span, "a pointer to a buffer cannot be cast to one with greater alignment")
}

/// A cast of what is no pointer.
pub fn no_pointer(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0323, span, format!("a `vk::BufferPointer` is required here, found `{ty}`"))
}

/// A cast to what is no base.
pub fn no_base(span: Span, from: &str, to: &str) -> Diagnostic {
    Diagnostic::new(&c::E0323, span, format!("`vk::static_pointer_cast` goes to a base, and `{to}` is no base of `{from}`"))
}

/// A cast with too many or too few arguments.
pub fn pointer_cast_arguments(span: Span) -> Diagnostic {
    Diagnostic::new(&c::E0315, span, "a cast of a pointer takes a type, optionally an alignment, and one pointer")
}

/// A type of SPIR-V that is made of itself.
pub fn type_in_itself(span: Span, n: u32) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`vk::ext_type<{n}>` cannot be made of itself"))
}
