//! The matcher: a list of directives against an input.
//!
//! Labels first: each is looked for on its own, and the input between two labels is a block that the directives between
//! them may not leave. Inside a block every directive searches after the previous match; the `DAG` directives before it
//! are matched first, and the `NOT` directives search the text that was skipped.

use std::ops::Range;

use super::options::Options;
use super::pattern::{Kind, Pattern, Variables, command_line_variables};
use super::scan::{Check, distance};
use super::text::{Text, clip};

/// Lines of the input that a failed search shows.
const SHOWN: usize = 8;

/// Lines that are looked at for a near miss.
const NEAR_LINES: usize = 2000;

/// One run of the directives over an input.
#[derive(Debug)]
pub struct Matcher<'a> {
    check: &'a Text,
    input: &'a Text,
    checks: &'a [Check],
    variables: Variables,
    scoped: bool,
}

impl<'a> Matcher<'a> {
    /// Prepares a run.
    ///
    /// # Errors
    /// Variables on the command line that are wrong.
    pub fn new(options: &Options, check: &'a Text, input: &'a Text, checks: &'a [Check]) -> Result<Matcher<'a>, String> {
        let variables = command_line_variables(options).map_err(|e| format!("error: {e}"))?;
        Ok(Matcher { check, input, checks, variables, scoped: options.enable_var_scope })
    }

    /// Checks everything; stops at the first failure.
    ///
    /// # Errors
    /// The failure, with its places.
    pub fn run(mut self) -> Result<(), String> {
        let mut rest = 0..self.input.text.len();
        let mut next = 0;
        let mut first = true;
        while next < self.checks.len() {
            let label = (next..self.checks.len()).find(|i| self.checks[*i].pattern.kind == Kind::Label);
            let (end, region) = match label {
                Some(label) => {
                    let pattern = &self.checks[label].pattern;
                    let found = self.search(pattern, rest.clone())?;
                    let region = rest.start..found.end;
                    rest.start = found.end;
                    (label + 1, region)
                }
                None => (self.checks.len(), rest.clone()),
            };
            if !first && self.scoped {
                self.variables.end_scope();
            }
            first = false;
            self.run_block(next..end, region)?;
            next = end;
        }
        Ok(())
    }

    /// Checks the directives of one block.
    fn run_block(&mut self, checks: Range<usize>, mut region: Range<usize>) -> Result<(), String> {
        for check in &self.checks[checks] {
            let found = self.run_check(check, region.clone())?;
            region.start = found.end;
        }
        Ok(())
    }

    /// Checks one directive with those in front of it; gives the range of its match.
    fn run_check(&mut self, check: &'a Check, region: Range<usize>) -> Result<Range<usize>, String> {
        let (start, nots) = self.run_dags(check, region.clone())?;
        let pattern = &check.pattern;
        let count = if let Kind::Plain(count) = pattern.kind { count } else { 1 };
        let first = self.search(pattern, start..region.end)?;
        let mut last = first.clone();
        for done in 1..count {
            let from = last.end;
            last = self.search(pattern, from..region.end).map_err(|e| format!("{e}\nnote: found {done} of {count}"))?;
        }
        let skipped = start..first.start;
        self.check_lines(pattern, skipped.clone(), first.clone())?;
        self.check_nots(&nots, skipped)?;
        Ok(first.start..last.end)
    }

    /// The demands of `NEXT`, `EMPTY` and `SAME` on what was skipped.
    fn check_lines(&self, pattern: &Pattern, skipped: Range<usize>, found: Range<usize>) -> Result<(), String> {
        let ends = self.input.text[skipped.clone()].matches('\n').count();
        let problem = match (pattern.kind, ends) {
            (Kind::Next | Kind::Empty, 1) | (Kind::Same, 0) => return Ok(()),
            (Kind::Next | Kind::Empty, 0) => "is on the same line as the match before it",
            (Kind::Next | Kind::Empty, _) => "is not on the line right after the match before it",
            (Kind::Same, _) => "is not on the line of the match before it",
            _ => return Ok(()),
        };
        let message = format!("{} {problem}", pattern.directive);
        let mut text = self.check.report(pattern.range.clone(), "error", &message);
        for (range, note) in [(found, "it matches here"), (skipped.start..skipped.start, "the match before it ends here")] {
            text.push('\n');
            text.push_str(&self.input.report(range, "note", note));
        }
        Err(text)
    }

    /// No pattern of `nots` may occur in the region.
    fn check_nots(&mut self, nots: &[&Pattern], region: Range<usize>) -> Result<(), String> {
        for pattern in nots {
            let found = self.find(pattern, region.clone())?;
            if let Some(found) = found {
                let message = format!("{}: this is in the input and must not be", pattern.directive);
                let mut text = self.at_pattern(pattern, "error", &message);
                text.push('\n');
                text.push_str(&self.input.report(found, "note", "found here"));
                return Err(text);
            }
        }
        Ok(())
    }

    /// TestPaths the `DAG` directives in front of a check; gives where the check itself begins to look, and the `NOT`
    /// directives that are still to be looked after.
    fn run_dags(&mut self, check: &'a Check, region: Range<usize>) -> Result<(usize, Vec<&'a Pattern>), String> {
        let mut start = region.start;
        let mut nots: Vec<&Pattern> = Vec::new();
        let mut taken: Vec<Range<usize>> = Vec::new();
        for (index, pattern) in check.before.iter().enumerate() {
            if pattern.kind == Kind::Not {
                nots.push(pattern);
                continue;
            }
            let mut from = start;
            let found = loop {
                let found = self.search(pattern, from..region.end)?;
                let overlap = taken.iter().find(|t| found.start < t.end && t.start < found.end);
                match overlap {
                    Some(overlap) => from = overlap.end,
                    None => break found,
                }
            };
            taken.push(found);
            let group_ends = check.before.get(index + 1).is_none_or(|next| next.kind == Kind::Not);
            if group_ends {
                let lowest = taken.iter().map(|t| t.start).min().unwrap_or(start);
                let highest = taken.iter().map(|t| t.end).max().unwrap_or(start);
                self.check_nots(&nots, start..lowest)?;
                nots.clear();
                taken.clear();
                start = highest;
            }
        }
        Ok((start, nots))
    }

    /// The first match of a pattern in a region.
    fn find(&mut self, pattern: &Pattern, region: Range<usize>) -> Result<Option<Range<usize>>, String> {
        let found = pattern.find(&self.input.text, region.clone(), &mut self.variables);
        found.map_err(|message| {
            let text = self.at_pattern(pattern, "error", &format!("{}: {message}", pattern.directive));
            format!("{text}\n{}", self.input.report(region.start..region.start, "note", "looking from here"))
        })
    }

    /// The first match of a pattern that has to be there.
    fn search(&mut self, pattern: &Pattern, region: Range<usize>) -> Result<Range<usize>, String> {
        if let Some(found) = self.find(pattern, region.clone())? {
            return Ok(found);
        }
        let message = format!("{}: this is not in the input", pattern.directive);
        let mut text = self.at_pattern(pattern, "error", &message);
        // A search begins directly after a match; the next line is more informative than the end of the last.
        let line_end = self.input.text[region.clone()].starts_with('\n') && region.start + 1 < region.end;
        let from = if line_end { region.start + 1 } else { region.start };
        text.push('\n');
        text.push_str(&self.input.report(from..from, "note", "looking from here"));
        for (name, value) in pattern.used_values(&self.variables) {
            text.push_str(&format!("\nnote: `{name}` is \"{value}\" here"));
        }
        if region.end < self.input.text.len() {
            let end = self.input.place(region.end).0;
            text.push_str(&format!("\nnote: the block ends at the next label, in line {end}"));
        }
        if let Some(near) = self.near_miss(pattern, from..region.end) {
            text.push('\n');
            text.push_str(&self.input.report(near, "note", "this looks like it"));
        }
        let first = self.input.place(from).0;
        let shown = &self.input.text[from.min(region.end)..region.end];
        if shown.trim().is_empty() {
            text.push_str("\nnote: nothing follows there");
            return Err(text);
        }
        text.push_str("\ninput from there:");
        let lines = shown.lines();
        for (index, line) in lines.take(SHOWN).enumerate() {
            text.push_str(&format!("\n{:>6} | {}", first + index, clip(line)));
        }
        Err(text)
    }

    /// A message about a pattern; one from the command line has no place.
    fn at_pattern(&self, pattern: &Pattern, severity: &str, message: &str) -> String {
        if pattern.line == 0 && pattern.kind == Kind::Not {
            return format!("{severity}: {message}: \"{}\"", pattern.literal_text());
        }
        self.check.report(pattern.range.clone(), severity, message)
    }

    /// The line of the region that resembles the pattern's literal text most, when one does.
    fn near_miss(&self, pattern: &Pattern, region: Range<usize>) -> Option<Range<usize>> {
        let wanted = pattern.literal_text();
        let wanted = wanted.trim();
        if wanted.len() < 3 {
            return None;
        }
        let mut best: Option<(usize, Range<usize>)> = None;
        let mut at = region.start;
        for line in self.input.text.get(region.clone())?.split('\n').take(NEAR_LINES) {
            let trimmed = line.trim();
            // Comparing is quadratic in the length; very long lines are not what a person typed.
            if !trimmed.is_empty() && trimmed.len() < 400 {
                let distance = distance(wanted, trimmed);
                if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                    let start = at + line.len() - line.trim_start().len();
                    best = Some((distance, start..start + trimmed.len()));
                }
            }
            at += line.len() + 1;
        }
        best.filter(|(distance, _)| *distance * 3 <= wanted.len()).map(|(_, range)| range)
    }
}
