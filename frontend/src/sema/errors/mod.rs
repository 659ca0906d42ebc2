//! The diagnostics of semantic analysis: one function for each, grouped by subject. A function takes spans and names and returns
//! the [`rtc_base::Diagnostic`]; the caller reports it.

pub mod calls;
pub mod checks;
pub mod exprs;
pub mod geometry;
pub mod inline;
pub mod linalg;
pub mod mesh;
pub mod names;
pub mod payload;
pub mod resources;
pub mod signature;
pub mod stages;
pub mod stmts;
pub mod tessellation;
pub mod types;

use rtc_base::{Diagnostic, Span};

/// Adds the calls of a chain, outermost first.
fn chain(mut d: Diagnostic, calls: &[(String, Span)]) -> Diagnostic {
    for (name, at) in calls {
        d = d.label(*at, format!("`{name}` is called here"));
    }
    d
}

/// `a, b or c`
fn any_of(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [one] => one.to_string(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

/// `1 argument`, `2 arguments`
fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_counts() {
        assert_eq!(any_of(&["a"]), "a");
        assert_eq!(any_of(&["a", "b", "c"]), "a, b or c");
        assert_eq!(count(1, "argument"), "1 argument");
        assert_eq!(count(0, "argument"), "0 arguments");
    }
}
