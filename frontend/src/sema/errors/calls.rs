//! Diagnostics of calls and overload resolution.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::count;

/// The number of candidates that are listed.
const SHOWN: usize = 8;

fn candidates(mut d: Diagnostic, all: &[(String, Span)]) -> Diagnostic {
    for (text, at) in all.iter().take(SHOWN) {
        d = if at.is_none() { d.note(format!("candidate: {text}")) } else { d.label(*at, format!("candidate: {text}")) };
    }
    if all.len() > SHOWN {
        d = d.note(format!("and {} more", all.len() - SHOWN));
    }
    d
}

/// A call of a value that is not a function.
pub fn not_callable(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0316, span, format!("called value of type `{ty}` is not a function"))
}

/// The call is ambiguous.
pub fn ambiguous(span: Span, name: &str, args: &str, all: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0314, span, format!("ambiguous call of `{name}` with arguments of types ({args})"));
    candidates(d, all)
}

/// An intrinsic is called though the program has a function of that name.
pub fn intrinsic_hides(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&c::W0308, span, format!("the call resolves to the intrinsic `{name}`, not to the user-defined function"))
        .label(declared, "this function is not called")
        .note("an intrinsic that matches the arguments is preferred; rename the function, or call it through its namespace")
}

/// No candidate is viable.
pub fn none_fits(span: Span, name: &str, args: &str, all: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0313, span, format!("no matching function for call to `{name}` with arguments of types ({args})"));
    candidates(d, all)
}

/// No candidate has this number of parameters. `counts`: the smallest and largest number of each.
pub fn argument_count(span: Span, call: Span, name: &str, counts: &[(usize, usize)], got: usize, all: &[(String, Span)]) -> Diagnostic {
    let expected: Vec<String> = counts.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a} to {b}") }).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let plural = if expected == ["1"] { "" } else { "s" };
    let d = Diagnostic::new(&c::E0315, span, format!("`{name}` expects {} argument{plural}, found {got}", super::any_of(&expected)));
    let d = if call == span { d } else { d.label(call, format!("{} passed here", count(got, "argument"))) };
    candidates(d, all)
}

/// One argument does not convert to the parameter of the only candidate.
pub fn bad_argument(span: Span, name: &str, n: usize, ty: &str, expected: Option<&str>, candidate: &str, declared: Span) -> Diagnostic {
    let d = match expected {
        Some(w) => Diagnostic::new(&c::E0313, span, format!("argument {} of `{name}` is `{ty}`, expected `{w}`", n + 1)),
        None => Diagnostic::new(&c::E0313, span, format!("argument {} of `{name}` cannot be `{ty}`", n + 1)),
    };
    candidates(d, &[(candidate.to_string(), declared)])
}

/// An atomic operation on memory that is not shared.
pub fn not_shared_memory(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, format!("`{name}` requires a groupshared variable or an element of a writable resource"))
}

/// A deprecated name of an intrinsic.
pub fn deprecated_name(span: Span, old: &str, new: &str) -> Diagnostic {
    Diagnostic::new(&c::W0682, span, format!("`{old}` is deprecated: it is named `{new}` now")).fix(span, new)
}

/// The deprecated form of a vertex query by number. `fix`: the number and the whole call, if the number is constant.
pub fn vertex_by_number(span: Span, old: &str, new: &str, fix: Option<(i128, Span)>) -> Diagnostic {
    let d = Diagnostic::new(&c::W0682, span, format!("`{old}` is deprecated: it is replaced by `{new}`, which returns all three vertices"));
    match fix {
        Some((n, call)) => d.fix(call, format!("{new}().p{n}")),
        None => d.note("select among `p0`, `p1` and `p2` where the vertex is not a constant"),
    }
}

/// A vertex number that is out of range.
pub fn no_such_vertex(span: Span, name: &str, n: i128) -> Diagnostic {
    Diagnostic::new(&c::E0660, span, format!("`{name}` has the vertices 0, 1 and 2, not {n}")).note("DXR, TriangleObjectPosition")
}
