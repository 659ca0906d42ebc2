//! Diagnostics of inline SPIR-V.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

/// An attribute that a declaration has already.
pub fn attribute_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` is given twice")).label(first, "first given here")
}

/// Two attributes that give a variable two storage classes.
pub fn attribute_excludes(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, format!("`{name}` cannot be used together with another attribute that gives the variable a storage class"))
        .label(first, "the other one")
}

/// `[[vk::ext_instruction(…)]]` of a function with a body.
pub fn instruction_with_body(span: Span, attribute: Span) -> Diagnostic {
    Diagnostic::new(&c::E0405, span, "a function that is an instruction of SPIR-V cannot have a body").label(attribute, "the instruction")
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
