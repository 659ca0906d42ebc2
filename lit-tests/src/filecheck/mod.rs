//! FileCheck: checks that a text contains the patterns of a check file in their order.
//!
//! A check file holds directives inside its comments, each with a pattern to its right:
//!
//! | directive | meaning |
//! |---|---|
//! | `CHECK: p` | `p` occurs somewhere after the previous match |
//! | `CHECK-NEXT: p` | ... and on the line right after it |
//! | `CHECK-SAME: p` | ... and on the same line |
//! | `CHECK-EMPTY:` | the line right after the previous match is empty |
//! | `CHECK-NOT: p` | `p` does not occur between the matches around this directive |
//! | `CHECK-DAG: p` | a run of these matches in any order, without overlap |
//! | `CHECK-LABEL: p` | cuts the input into blocks; no other directive looks across the cut |
//! | `CHECK-COUNT-n: p` | `p` occurs `n` times one after another |
//!
//! `CHECK` is the default prefix and may be another. In a pattern `{{re}}` is a regular expression, `[[V:re]]` defines a
//! text variable, `[[V]]` uses it, `[[#...]]` is about numbers ([`numeric`]); everything else is literal, with runs of
//! blanks equal to one blank. `CHECK{LITERAL}:` takes the whole pattern literally.
//!
//! The semantics are those of LLVM's tool of that name, which compiler engineers know. Stricter here, because a directive
//! that silently checks nothing is the worst bug of a test: a misspelled directive and one without its colon are errors.
//! Regular expressions are this language's with POSIX's leftmost-longest rule; `.` and `[^x]` do not match a line's end.

pub mod matcher;
pub mod numeric;
pub mod options;
pub mod pattern;
pub mod scan;
pub mod text;

pub use options::Options;
pub use text::Text;

/// Checks `input` against the directives in `check`.
///
/// `known_prefixes` are the prefixes that other invocations use on the same check file: a directive of theirs is not
/// mistaken for a misspelled one.
///
/// # Errors
/// Everything that is wrong, as text that names the place in the check file and the place in the input.
pub fn check(options: &Options, check: &Text, input: &Text, known_prefixes: &[String]) -> Result<(), String> {
    let checks = scan::scan(options, check, known_prefixes)?;
    if input.text.trim().is_empty() && !options.allow_empty {
        return Err(format!("error: {} is empty (allow it with --allow-empty)", input.name));
    }
    let input = if options.strict_whitespace { input.clone() } else { input.canonical() };
    matcher::Matcher::new(options, check, &input, &checks)?.run()
}

#[cfg(test)]
mod tests;
