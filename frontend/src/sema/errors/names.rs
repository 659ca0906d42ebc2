//! Diagnostics of names: undeclared, redeclared, of the wrong kind.

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

/// An undeclared identifier.
pub fn undeclared(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0301, span, format!("use of undeclared identifier `{name}`"));
    match name {
        "std" => d.note("HLSL has no standard library; `min`, `max`, `abs` and their like are intrinsics"),
        "nullptr" | "NULL" => d.note("HLSL has no pointers"),
        "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => {
            d.note("a cast is written `(T)x` or `T(x)`; `asuint`, `asfloat` and their like reinterpret bits")
        }
        n if n.starts_with("tex1D") || n.starts_with("tex2D") || n.starts_with("tex3D") || n.starts_with("texCUBE") => d.note(
            "the texture functions of Direct3D 9 are gone; declare a texture (`Texture2D`) and a `SamplerState`, and call its method `SampleLevel`",
        ),
        _ => match rtc_tables::intrinsics::coverage::why_absent(name) {
            Some(reason) => d.note(format!("an intrinsic of HLSL that this compiler does not support: {reason}")),
            None => near(d, span, similar),
        },
    }
}

/// A deprecated name of an intrinsic.
pub fn old_spelling(span: Span, old: &str, new: &str) -> Diagnostic {
    Diagnostic::new(&c::W0330, span, format!("`{old}` is deprecated: it is named `{new}` now")).fix(span, new)
}

/// An undeclared name in the position of a type.
pub fn unknown_type(span: Span, name: &str, similar: Option<String>) -> Diagnostic {
    near(Diagnostic::new(&c::E0301, span, format!("unknown type name `{name}`")), span, similar)
}

/// A type of Vulkan in DXIL.
pub fn type_of_vulkan(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0301, span, format!("`{name}` is a type of Vulkan's render passes, which DXIL has not; compile with `-spirv`"))
}

/// Namespace `ns` (`None`: the global one) has no `name`.
pub fn not_in_namespace(span: Span, name: &str, ns: Option<&str>, similar: Option<String>) -> Diagnostic {
    let context = ns.map_or("the global namespace".into(), |n| format!("namespace `{n}`"));
    let d = near(Diagnostic::new(&c::E0301, span, format!("no member named `{name}` in {context}")), span, similar);
    match (ns, name) {
        (Some("dx"), "linalg") => d.note("`#include <dx/linalg.h>` declares it, in shader model 6.10 and HLSL 2021 or later"),
        _ => d,
    }
}

/// The type has no member `name`.
pub fn no_member(span: Span, name: &str, ty: &str, similar: Option<String>) -> Diagnostic {
    near(Diagnostic::new(&c::E0302, span, format!("no member named `{name}` in `{ty}`")), span, similar)
}

/// A name that is not a type in the position of a type.
pub fn not_a_type(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0303, span, format!("`{name}` does not name a type"))
}

/// `name` means something else in the same scope.
pub fn redeclared(span: Span, name: &str, before: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("redeclaration of `{name}` in the same scope")).label(before, "previously declared here")
}

/// A declaration with the name of a descriptor heap.
pub fn heap_redeclared(span: Span, name: &str) -> Diagnostic {
    let message = format!("redeclaration of `{name}`, which is a descriptor heap from shader model 6.6 on");
    Diagnostic::new(&c::E0304, span, message).note("give it another name, or declare it in a namespace")
}

/// `using namespace` makes `name` mean several things; `places` are their declarations, as far as the source has them.
pub fn ambiguous(span: Span, name: &str, places: &[Span]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0341, span, format!("`{name}` is ambiguous: it is declared in several namespaces that are used here"));
    let d = places.iter().fold(d, |d, at| d.label(*at, "declared here"));
    d.note(format!("write the namespace, or `::{name}` for the global one"))
}

/// `name` is defined a second time.
pub fn redefined(span: Span, name: &str, before: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("redefinition of `{name}`")).label(before, "previously declared here")
}

/// A redeclaration with another return type.
pub fn other_result(span: Span, name: &str, before: Span) -> Diagnostic {
    Diagnostic::new(&c::E0304, span, format!("overloads of `{name}` differ only in their return type")).label(before, "declared here")
}

/// The name of a function, not called.
pub fn function_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("reference to function `{name}` must be called"))
}

/// The name of a method, not called.
pub fn method_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("reference to method `{name}` must be called"))
}

/// The name of a type in the position of a value.
pub fn type_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("`{name}` is a type, not a value"))
}

/// The name of a namespace in the position of a value.
pub fn namespace_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("`{name}` is a namespace, not a value"))
}

/// The name of a subobject in the position of a value.
pub fn subobject_is_no_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0305, span, format!("`{name}` is a subobject; shaders cannot use it"))
}

/// `name::` where `name` has no names inside.
pub fn no_scope(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0306, span, format!("`{name}` is not a namespace or a type"))
}

/// An out-of-line definition without a declaration.
pub fn not_declared_inside(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0339, span, format!("out-of-line definition of `{name}` does not match a declaration"))
}

/// An expression whose value is discarded.
pub fn unused_value(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0304, span, "the value of this expression is not used")
}

/// `sin(x);`
pub fn unused_result(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0304, span, format!("the result of `{name}` is not used, and the call does nothing else"))
}

/// A comparison whose result is discarded.
pub fn unused_comparison(span: Span) -> Diagnostic {
    Diagnostic::new(&c::W0666, span, "the result of this comparison is not used")
}

/// An `out` parameter that the function does not write.
pub fn out_not_written(span: Span, name: &str) -> Diagnostic {
    let name = if name.is_empty() { "without a name".into() } else { format!("`{name}`") };
    Diagnostic::new(&c::W0306, span, format!("the `out` parameter {name} is never written"))
}

/// A constant without an initialiser.
pub fn constant_without_value(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::W0305, span, format!("the constant `{name}` is not initialised"))
}

/// A read of an uninitialised variable.
pub fn uninitialised(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::W0305, span, format!("`{name}` is used uninitialised")).label(declared, "declared here")
}
