//! The lines of a test that this machine cannot run, with the reasons.
//!
//! A line whose programs only check or run the outputs of other lines is skipped alone, together with the lines after it that
//! only read files, since it would have written those. If a program that produces outputs is missing, all lines from there on are
//! skipped.

use std::fmt;

use super::script::Run;
use super::shell::{Command, Redirect};
use super::tools::{Role, role};

/// The commands of the runner that change files or the present folder.
const CHANGES: [&str; 5] = ["mkdir", "rm", "cp", "touch", "cd"];

/// Lines that were not run. It prints as `lines 3, 4: a device is missing; from line 7 on: …`.
#[derive(Debug, Default)]
pub struct Skipped {
    /// For each reason the lines, in order.
    lines: Vec<(String, Vec<usize>)>,
    /// Whether all lines after the last of them are skipped too.
    rest: bool,
    /// Whether the line before was skipped alone.
    alone: bool,
}

impl Skipped {
    /// Whether a line is skipped because it looks at what a skipped one would have written.
    pub fn follows(&mut self, run: &Run) -> bool {
        self.alone &= words(run).all(|word| role(word) == Role::None) && !commands(run).any(changes_files);
        if self.alone
            && let Some((_, lines)) = self.lines.last_mut()
        {
            lines.push(run.line);
        }
        self.alone
    }

    /// A line cannot run, and why; whether others can.
    pub fn missing(&mut self, run: &Run, why: String) -> bool {
        let checks = words(run).any(|word| role(word) == Role::Checker);
        self.alone = checks && words(run).all(|word| role(word) != Role::Producer);
        self.rest = !self.alone;
        match self.lines.last_mut() {
            Some((last, lines)) if *last == why && !self.rest => lines.push(run.line),
            _ => self.lines.push((why, vec![run.line])),
        }
        self.alone
    }

    /// True when every line was run.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// A line's commands.
fn commands(run: &Run) -> impl Iterator<Item = &Command> {
    run.commands.iter().flat_map(|(_, pipeline)| &pipeline.commands)
}

/// All words of a line's commands.
fn words(run: &Run) -> impl Iterator<Item = &str> {
    commands(run).flat_map(|command| &command.words).map(String::as_str)
}

/// Whether a command that the runner has itself makes or removes something that later lines may need.
fn changes_files(command: &Command) -> bool {
    let writes = |r: &Redirect| matches!(r, Redirect::Out { .. } | Redirect::Err { .. });
    let first = command.words.first().map_or("", String::as_str);
    CHANGES.contains(&first) || command.redirects.iter().any(writes)
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (why, lines)) in self.lines.iter().enumerate() {
            let gap = if n == 0 { "" } else { "; " };
            match &lines[..] {
                [line] if self.rest && n + 1 == self.lines.len() => write!(f, "{gap}from line {line} on: {why}")?,
                [line] => write!(f, "{gap}line {line}: {why}")?,
                lines => {
                    let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                    write!(f, "{gap}lines {}: {why}", lines.join(", "))?;
                }
            }
        }
        Ok(())
    }
}
