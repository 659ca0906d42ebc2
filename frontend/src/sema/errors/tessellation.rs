//! Diagnostics of hull and domain shaders: patches, the patch constant function, tessellation factors.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::{any_of, chain, count};

/// An attribute with a word that it does not take.
pub fn unknown_word(span: Span, name: &str, words: &[&str]) -> Diagnostic {
    let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Diagnostic::new(&c::E0405, span, format!("the attribute `{name}` takes {}", any_of(&words)))
}

/// A tessellator that makes what the domain has not.
pub fn output_of_domain(span: Span, output: &str, domain: &str, words: &[&str]) -> Diagnostic {
    let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Diagnostic::new(&c::E0690, span, format!("the domain \"{domain}\" cannot be tessellated into \"{output}\""))
        .note(format!("it can be tessellated into {}", any_of(&words)))
}

/// A patch where there is none, or the other one.
pub fn misplaced_patch(span: Span, ty: &str, what: &str, want: &str) -> Diagnostic {
    Diagnostic::new(&c::E0692, span, format!("`{ty}` cannot be a parameter of {what}; its patch is an `{want}`"))
}

/// Two patches.
pub fn two_patches(span: Span, what: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0692, span, format!("{what} has one such patch")).label(first, "first declared here")
}

/// A patch that is written.
pub fn patch_passing(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0692, span, format!("`{ty}` is an input: it cannot be `out` or `inout`"))
}

/// A patch constant function with the patch of a hull shader that has none.
pub fn no_patch(span: Span, ty: &str, hull: Span) -> Diagnostic {
    Diagnostic::new(&c::E0692, span, format!("the hull shader has no `{ty}`, which is the patch that it gets"))
        .label(hull, "the hull shader")
}

/// A patch constant function whose patch has another number of control points.
pub fn patch_points(span: Span, ty: &str, have: u32, want: u32, what: &str, at: Span) -> Diagnostic {
    let message = format!("`{ty}` has {}, and {what} has {want}", count(have as usize, "control point"));
    Diagnostic::new(&c::E0693, span, message).label(at, format!("{want} here"))
}

/// A control point with a member that the hull shader does not have.
pub fn no_such_element(span: Span, semantic: &str, ty: &str, what: &str, hull: Span) -> Diagnostic {
    Diagnostic::new(&c::E0693, span, format!("the control points of `{ty}` have a `{semantic}`, and {what} of the hull shader have none"))
        .label(hull, "the hull shader")
}

/// A member of another type.
pub fn other_element(span: Span, semantic: &str, what: &str, at: Span) -> Diagnostic {
    Diagnostic::new(&c::E0693, span, format!("`{semantic}` has another type among {what} of the hull shader")).label(at, "declared here")
}

/// A name that is no function's.
pub fn no_function(span: Span, name: &str, near: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(&c::E0693, span, format!("the patch constant function `{name}` is not defined"));
    match near {
        Some(n) => d.here(format!("did you mean `{n}`?")),
        None => d,
    }
}

/// The name of a function without a body: no other library can have it.
pub fn only_declared(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::E0693, span, format!("the patch constant function `{name}` is declared, but not defined"))
        .label(declared, "declared here")
        .note("define it in the source of the hull shader, which it is a part of: linking cannot add it")
}

/// A name of several functions.
pub fn several_functions(span: Span, name: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::new(&c::W0686, span, format!("several functions are called `{name}`: the last one is the patch constant function"))
        .label(first, "another one")
        .label(second, "this one is taken")
}

/// A hull shader that names itself.
pub fn own_function(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0693, span, format!("`{name}` makes the control points, and cannot be the patch constant function as well"))
}

/// One of hull shader and patch constant function that calls the other, or a function that does. `kinds` and `names`: the one that is reached last.
pub fn patch_function_reached(span: Span, kinds: [&str; 2], names: &[String; 2], calls: &[(String, Span)]) -> Diagnostic {
    let ([from, to], [caller, callee]) = (kinds, names);
    chain(Diagnostic::new(&c::E0693, span, format!("the {from} `{caller}` calls its {to} `{callee}`")), calls)
        .note("both run on their own, once for each control point and once for each patch: move what they share to another function")
}

/// Factors that a patch constant function does not give.
pub fn no_factors(span: Span, name: &str, expected: u32, domain: &str, hull: Span) -> Diagnostic {
    let ty = if expected == 1 { "float".to_string() } else { format!("float[{expected}]") };
    Diagnostic::new(&c::E0694, span, format!("the patch constant function of domain \"{domain}\" must return `{name}`, a `{ty}`"))
        .label(hull, "of this hull shader")
}

/// Factors that are no array.
pub fn several_factors(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&c::E0694, span, format!("all of `{name}` are one array")).label(first, "the first is here")
}

/// Factors in the wrong number.
pub fn factor_count(span: Span, name: &str, have: u32, expected: u32, domain: &str) -> Diagnostic {
    let message = match expected {
        0 => format!("the domain \"{domain}\" has no `{name}`"),
        _ => format!("the domain \"{domain}\" has {expected} of `{name}`, and here are {have}"),
    };
    Diagnostic::new(&c::E0694, span, message)
}
