//! Names: undeclared, declared twice, of the wrong sort.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

fn near(d: Diagnostic, span: Span, similar: Option<String>) -> Diagnostic {
    match similar {
        Some(s) => {
            let d = d.here(format!("did you mean `{s}`?"));
            d.fix(span, s)
        }
        None => d,
    }
}

/// Nothing declares `name`.
pub fn undeclared(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0301, span, format!("`{name}` is not declared"));
    match name {
        "std" => d.note("HLSL has no standard library; `min`, `max`, `abs` and their like are intrinsics"),
        "nullptr" | "NULL" => d.note("HLSL has no pointers"),
        "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => {
            d.note("a cast is written `(T)x` or `T(x)`; `asuint`, `asfloat` and their like reinterpret bits")
        }
        n if n.starts_with("tex1D") || n.starts_with("tex2D") || n.starts_with("tex3D") || n.starts_with("texCUBE") => d.note(
            "the texture functions of Direct3D 9 are gone; declare a texture (`Texture2D`) and a `SamplerState`, and call its method `SampleLevel`",
        ),
        "printf" => d.note("a shader cannot print; write to a buffer"),
        _ => match rtc_tables::intrinsics::coverage::why_absent(name) {
            Some(reason) => d.note(format!("HLSL has it, this compiler does not: {reason}")),
            None => near(d, span, similar),
        },
    }
}

/// A name that an intrinsic had before.
pub fn old_spelling(span: Span, old: &str, new: &str) -> Diagnostic {
    Diagnostic::new(&c::W0330, span, format!("`{old}` is called `{new}` now")).fix(span, new)
}

/// Nothing declares `name`, which stands where a type belongs.
pub fn unknown_type(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    near(Diagnostic::new(&c::E0301, span, format!("there is no type `{name}`")), span, similar)
}

/// Namespace `ns` (`None`: the global one) has no `name`.
pub fn not_in_namespace(span: Span, name: &str, ns: Option<&str>, similar: Option<String>) -> Diagnostic {
    let place = ns.map_or("the global namespace".into(), |n| format!("namespace `{n}`"));
    near(Diagnostic::new(&c::E0301, span, format!("{place} has no `{name}`")), span, similar)
}

/// The type has no member `name`.
pub fn no_member(span: Span, name: &str, ty: &str, similar: Option<String>) -> Diagnostic {
    near(Diagnostic::new(&c::E0302, span, format!("`{ty}` has no member `{name}`")), span, similar)
}

/// What stands where a type belongs is none.
pub fn not_a_type(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0303, span, format!("`{name}` is no type"))
}

/// `name` means something else in the same scope.
pub fn redeclared(span: Span, name: &str, before: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("`{name}` is declared twice in this scope")).label(before, "first here")
}

/// `name` is defined a second time.
pub fn redefined(span: Span, name: &str, before: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("`{name}` is defined twice")).label(before, "first here")
}

/// A function declared with another result.
pub fn other_result(span: Span, name: &str, before: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("`{name}` differs from an earlier declaration in its result alone"))
        .label(before, "declared here")
}

/// The name of a function, not called.
pub fn function_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("the function `{name}` can only be called"))
}

/// The name of a method, not called.
pub fn method_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("the method `{name}` can only be called"))
}

/// The name of a type where a value belongs.
pub fn type_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("`{name}` is a type, not a value"))
}

/// The name of a namespace where a value belongs.
pub fn namespace_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("`{name}` is a namespace, not a value"))
}

/// The name of a subobject where a value belongs.
pub fn subobject_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("`{name}` is a subobject; shaders cannot use it"))
}

/// `name::` where `name` has no names inside.
pub fn no_scope(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0306, span, format!("`{name}` is no namespace and no type, so nothing can be named in it"))
}

/// A definition from outside of something that was not declared inside.
pub fn not_declared_inside(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0339, span, format!("`{name}` was not declared there, so it cannot be defined from outside"))
}

/// An expression whose value is thrown away.
pub fn unused_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0304, span, "the value of this expression is not used")
}

/// A variable read before it has a value.
pub fn unused_comparison(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0666, span, "the result of this comparison is not used")
}

/// An `out` parameter that the function does not write.
pub fn out_not_written(span: Span, name: &str) -> Diagnostic {
    let name = if name.is_empty() { "without a name".into() } else { format!("`{name}`") };
    Diagnostic::new(&c::W0306, span, format!("the `out` parameter {name} is never written"))
}

/// A constant that never gets a value.
pub fn constant_without_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0305, span, format!("the constant `{name}` has no value"))
}

/// A read before any write.
pub fn uninitialised(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::W0305, span, format!("`{name}` is read before it gets a value")).label(declared, "declared here")
}
