//! A build for a person: a bar with rate and time left, diagnostics grouped by message at the end, a summary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use rtc_build::{Event, Message, Observer, Summary};

use crate::explain;

/// How many permutations of a group of equal diagnostics are named.
const NAMED: usize = 3;

/// How many groups of equal diagnostics are printed.
const GROUPS: usize = 50;

/// Prints for a person, on standard error.
pub struct Person {
    bar: ProgressBar,
    quiet: bool,
    /// The rendered diagnostics, with the permutations that have them; errors sort first.
    found: Mutex<BTreeMap<(bool, String), Vec<String>>>,
    bundles: Mutex<Vec<String>>,
    /// The codes of the diagnostics that are errors.
    codes: Mutex<BTreeSet<String>>,
}

impl Person {
    /// For a build of this many tasks.
    pub fn new(tasks: usize, quiet: bool) -> Self {
        let bar = if quiet || !std::io::stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(tasks as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} permutations, {per_sec}, {eta} left {msg}") {
            bar.set_style(style);
        }
        Person { bar, quiet, found: Mutex::default(), bundles: Mutex::default(), codes: Mutex::default() }
    }

    /// The diagnostics, each once.
    fn diagnostics(&self) -> String {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = String::new();
        for ((is_warning, text), tasks) in found.iter().take(GROUPS) {
            if self.quiet && *is_warning {
                continue;
            }
            out.push_str(text);
            let mut named: Vec<&str> = tasks.iter().map(String::as_str).collect();
            named.sort_unstable();
            let more = named.len().saturating_sub(NAMED);
            named.truncate(NAMED);
            let and_more = if more > 0 { format!(", and {more} more") } else { String::new() };
            _ = writeln!(out, "  in {}{and_more}", named.join("; "));
        }
        if found.len() > GROUPS {
            _ = writeln!(out, "and {} other diagnostics", found.len() - GROUPS);
        }
        out
    }
}

impl Observer for Person {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Begun { .. } => {}
            Event::Task(task, outcome) => {
                let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                for m in outcome.messages.iter().filter(|m| m.severity != "note") {
                    found.entry((!Message::is_error(m), m.rendered.clone())).or_default().push(task.name());
                    if m.is_error() {
                        self.codes.lock().unwrap_or_else(PoisonError::into_inner).insert(m.code.clone());
                    }
                }
                self.bar.inc(1);
            }
            Event::Bundle(..) => {}
            Event::BundleFailed(bundle, why) => {
                let text = format!("error: `{}` is not written: {why}\n", bundle.file);
                self.bundles.lock().unwrap_or_else(PoisonError::into_inner).push(text);
            }
            Event::Warning(text) => self.bar.suspend(|| eprintln!("rtc: warning: {text}")),
            Event::Ended(summary) => {
                self.bar.finish_and_clear();
                let bundles = self.bundles.lock().unwrap_or_else(PoisonError::into_inner).concat();
                eprint!("{}{bundles}", self.diagnostics());
                if std::io::stderr().is_terminal() {
                    let codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
                    eprint!("{}", explain::pointer(codes.iter().map(|c| (true, c.as_str()))).unwrap_or_default());
                }
                if !self.quiet {
                    eprintln!("{}", sentence(summary));
                }
            }
        }
    }
}

/// The summary in a line.
fn sentence(s: &Summary) -> String {
    let parts = [
        (s.compiled, "compiled"),
        (s.shared, "equal to another"),
        (s.cached, "from the cache"),
        (s.fetched, "from the shared cache"),
        (s.remote, "from the farm"),
        (s.up_to_date, "up to date"),
        (s.failed, "failed"),
        (s.cancelled, "not done"),
        (s.warnings, "warnings"),
    ];
    let named: Vec<String> = parts.iter().filter(|p| p.0 > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let named = if named.is_empty() { "nothing to do".to_owned() } else { named.join(", ") };
    format!("rtc: {named}; {} in {:.2} s", bytes(s.bytes), s.time.as_secs_f64())
}

/// A number of bytes for a person.
pub fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} bytes"),
        10_000..10_000_000 => format!("{} KB", n / 1000),
        _ => format!("{} MB", n / 1_000_000),
    }
}
