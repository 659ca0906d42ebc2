//! Calls.

use rtc_base::{Diagnostic, Span};
use rtc_tables::diagnostics as c;

use super::count;

/// The most candidates that are listed.
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

/// A call of something that is no function.
pub fn not_callable(span: Span, ty: &str) -> Diagnostic {
    Diagnostic::new(&c::E0316, span, format!("a value of type `{ty}` cannot be called"))
}

/// Several functions fit equally well.
pub fn ambiguous(span: Span, name: &str, args: &str, all: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0314, span, format!("several functions `{name}` take ({args}) equally well"));
    candidates(d, all)
}

/// An intrinsic is called though the program has a function of that name.
pub fn intrinsic_hides(span: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &c::W0308,
        span,
        format!("this calls the intrinsic `{name}`, not the function of the program"),
    )
    .label(declared, "this function is not called")
    .note("an intrinsic that the arguments fit comes before functions of the program; rename the function, or call it through its namespace")
}

/// None fits.
pub fn none_fits(span: Span, name: &str, args: &str, all: &[(String, Span)]) -> Diagnostic {
    let d = Diagnostic::new(&c::E0313, span, format!("no function `{name}` takes ({args})"));
    candidates(d, all)
}

/// No function takes so many arguments. `counts`: the smallest and largest number of each.
pub fn argument_count(span: Span, call: Span, name: &str, counts: &[(usize, usize)], got: usize, all: &[(String, Span)]) -> Diagnostic {
    let wanted: Vec<String> = counts.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a} to {b}") }).collect();
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let plural = if wanted == ["1"] { "" } else { "s" };
    let d = Diagnostic::new(&c::E0315, span, format!("`{name}` takes {} argument{plural}, not {got}", super::any_of(&wanted)));
    let d = if call == span {
        d
    } else {
        let verb = if got == 1 { "is" } else { "are" };
        d.label(call, format!("here {verb} {}", count(got, "argument")))
    };
    candidates(d, all)
}

/// One argument does not fit the only function of that name.
pub fn bad_argument(span: Span, name: &str, n: usize, ty: &str, wanted: Option<&str>, candidate: &str, declared: Span) -> Diagnostic {
    let d = match wanted {
        Some(w) => Diagnostic::new(&c::E0313, span, format!("argument {} of `{name}` is `{ty}`, which is no `{w}`", n + 1)),
        None => Diagnostic::new(&c::E0313, span, format!("argument {} of `{name}` cannot be `{ty}`", n + 1)),
    };
    candidates(d, &[(candidate.to_string(), declared)])
}

/// An atomic operation on something that is not shared.
pub fn no_shared_place(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&c::E0317, span, format!("`{name}` works on groupshared variables and on elements of writable resources"))
}

/// An intrinsic by a name that it had.
pub fn older_name(span: Span, old: &str, new: &str) -> Diagnostic {
    Diagnostic::new(&c::W0682, span, format!("`{old}` is called `{new}` now")).fix(span, new)
}

/// A vertex asked for by number, as it was done. `fix`: the number and the whole call, if the number is known.
pub fn vertex_by_number(span: Span, old: &str, new: &str, fix: Option<(i128, Span)>) -> Diagnostic {
    let d = Diagnostic::new(&c::W0682, span, format!("`{old}` became `{new}`, which gives all three vertices"));
    match fix {
        Some((n, call)) => d.fix(call, format!("{new}().p{n}")),
        None => d.note("a number that is not constant chooses among `p0`, `p1` and `p2`"),
    }
}

/// A number beyond the vertices of a triangle.
pub fn no_such_vertex(span: Span, name: &str, n: i128) -> Diagnostic {
    Diagnostic::new(&c::E0660, span, format!("a triangle has the vertices 0, 1 and 2; `{name}` is asked for {n}"))
        .note("DXR, TriangleObjectPosition")
}
