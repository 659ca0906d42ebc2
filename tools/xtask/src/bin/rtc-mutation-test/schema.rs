//! A source with all its mutants in it, each chosen by a test when the program runs (mutant schemata), so that thousands of
//! mutants are built once.
//!
//! `a < b` becomes `(if crate::mutation::on(7) { (a) <= (b) } else { a < b })`. The text of a mutant has no further questions: one mutant is
//! chosen at a time.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use crate::points::Point;

/// The module that answers the questions: `RTC_MUTANT=N` chooses, `RTC_MUTANTS_SEEN=FILE` appends the number of each question that is reached.
pub const MODULE: &str = r#"
#[doc(hidden)]
#[allow(missing_docs, dead_code, clippy::all)]
pub(crate) mod mutation {
    use std::collections::HashSet;
    use std::io::Write as _;
    use std::sync::{LazyLock, Mutex};
    static CHOSEN: LazyLock<u32> = LazyLock::new(|| std::env::var("RTC_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(u32::MAX));
    static SEEN: LazyLock<Option<(Mutex<HashSet<u32>>, Mutex<std::fs::File>)>> = LazyLock::new(|| {
        let path = std::env::var_os("RTC_MUTANTS_SEEN")?;
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path).ok()?;
        Some((Mutex::default(), Mutex::new(file)))
    });
    pub(crate) fn on(n: u32) -> bool {
        if let Some((seen, file)) = &*SEEN
            && seen.lock().is_ok_and(|mut seen| seen.insert(n))
            && let Ok(mut file) = file.lock()
        {
            _ = file.write_all(format!("{n}\n").as_bytes());
        }
        n == *CHOSEN
    }
}
"#;

/// A source that was written, and the bytes of its mutants.
pub struct Written {
    /// The text.
    pub text: String,
    /// Where the text of a mutant is.
    mutants: Vec<(Range<usize>, u32)>,
    /// Where an expression with questions is, and the mutants of these.
    expressions: Vec<(Range<usize>, Range<u32>)>,
}

impl Written {
    /// The mutants that an error of the compiler at these bytes forbids: the one whose text it is in, or else all of the innermost
    /// expression around it.
    pub fn forbids(&self, at: &Range<usize>) -> Vec<u32> {
        let around = |r: &Range<usize>| r.start <= at.start && at.end <= r.end;
        if let Some((_, n)) = self.mutants.iter().find(|(r, _)| around(r)) {
            return vec![*n];
        }
        let inner = self.expressions.iter().filter(|(r, _)| around(r)).min_by_key(|(r, _)| r.end - r.start);
        inner.map(|(_, all)| all.clone().collect()).unwrap_or_default()
    }
}

/// Writes a source with the questions of its points; the mutants have numbers from `first` on, in order. What is `left_out` has no question.
pub fn write(source: &str, points: &[Point], first: u32, left_out: &HashSet<u32>) -> Written {
    let mut writer = Writer { source, left_out, out: Written { text: String::new(), mutants: Vec::new(), expressions: Vec::new() } };
    let mut number = first;
    let numbered: Vec<(&Point, u32)> = points
        .iter()
        .map(|p| {
            let n = number;
            number += p.mutants.len() as u32;
            (p, n)
        })
        .collect();
    writer.range(0..source.len(), &numbered);
    writer.out
}

struct Writer<'a> {
    source: &'a str,
    left_out: &'a HashSet<u32>,
    out: Written,
}

impl Writer<'_> {
    /// Writes these bytes of the source with the points in them, which are in order.
    fn range(&mut self, bytes: Range<usize>, points: &[(&Point, u32)]) {
        let (mut at, mut rest) = (bytes.start, points);
        while let [(point, first), after @ ..] = rest {
            let inside = if point.bytes.is_empty() { 0 } else { after.iter().take_while(|(p, _)| p.bytes.start < point.bytes.end).count() };
            self.out.text.push_str(&self.source[at..point.bytes.start]);
            self.point(point, *first, &after[..inside]);
            (at, rest) = (point.bytes.end, &after[inside..]);
        }
        self.out.text.push_str(&self.source[at..bytes.end]);
    }

    fn point(&mut self, point: &Point, first: u32, inside: &[(&Point, u32)]) {
        let mutants: Vec<(u32, &str)> = (first..).zip(point.mutants.iter().map(|(text, _)| text.as_str())).collect();
        let mutants = mutants.into_iter().filter(|(n, _)| !self.left_out.contains(n));
        let begin = self.out.text.len();
        let (statement, mut any) = (point.bytes.is_empty(), false);
        for (n, text) in mutants {
            let open = match (statement, any) {
                (true, _) => " if",
                (false, false) => "(if",
                (false, true) => " else if",
            };
            any = true;
            _ = write!(self.out.text, "{open} crate::mutation::on({n}) {{ ");
            let start = self.out.text.len();
            self.out.text.push_str(text);
            self.out.mutants.push((start..self.out.text.len(), n));
            self.out.text.push_str(" }");
        }
        if any && !statement {
            self.out.text.push_str(" else { ");
        }
        self.range(point.bytes.clone(), inside);
        if any && !statement {
            self.out.text.push_str(" })");
        }
        self.out.expressions.push((begin..self.out.text.len(), first..first + point.mutants.len() as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::points;

    fn written(source: &str, left_out: &[u32]) -> Written {
        write(source, &points(source).expect("it is Rust"), 0, &left_out.iter().copied().collect())
    }

    #[test]
    fn a_point_in_another_is_a_choice_of_its_own() {
        let it = written("fn f() -> &T { g(a + b * c) }", &[]);
        let (outer, inner) =
            ("(if crate::mutation::on(0) { (a) - (b * c) } else { a + ", "(if crate::mutation::on(1) { (b) + (c) } else { b * c })");
        assert_eq!(it.text, format!("fn f() -> &T {{ g({outer}{inner} }})) }}"));
        assert!(points(&it.text).is_ok(), "{}", it.text);
    }

    #[test]
    fn a_mutant_that_is_left_out_is_gone_and_keeps_its_number() {
        let it = written("fn f(a: u32) -> bool { !a }", &[0]);
        assert_eq!(
            it.text,
            "fn f(a: u32) -> bool { if crate::mutation::on(1) { return false; } (if crate::mutation::on(2) { a } else { !a }) }"
        );
    }

    #[test]
    fn an_error_forbids_the_mutant_that_it_is_in_or_the_innermost_expression() {
        let it = written("fn f() -> &T { g(a + b * c) }", &[]);
        let at = |text: &str| it.text.find(text).map(|i| i..i + text.len()).expect("it is there");
        assert_eq!(it.forbids(&at("(b * c)")), [0]);
        assert_eq!(it.forbids(&at("(b) + (c)")), [1]);
        assert_eq!(it.forbids(&at("else { b * c")), [1]);
        assert_eq!(it.forbids(&at("g(")), [0; 0]);
    }
}
