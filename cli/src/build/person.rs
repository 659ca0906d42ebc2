//! A build for a person: a bar with rate and time left, diagnostics grouped by message at the end, a summary.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use rtc::Style;
use rtc_build::{Event, Observer, Summary};

use super::findings::{Finding, Findings};
use crate::{explain, messages};

/// How many permutations of a group of equal diagnostics are named.
const NAMED: usize = 3;

/// How many groups of equal diagnostics are printed.
const GROUPS: usize = 50;

/// What is printed.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    /// Errors alone.
    pub quiet: bool,
    /// All diagnostics, also those of what is up to date.
    pub all: bool,
    /// The form of diagnostics.
    pub style: Style,
}

impl Default for Show {
    fn default() -> Self {
        Show { quiet: false, all: false, style: Style::Short }
    }
}

/// Prints for a person, on standard error.
pub struct Person {
    bar: ProgressBar,
    show: Show,
    found: Findings,
    bundles: Mutex<Vec<String>>,
}

impl Person {
    /// For a build of this many tasks.
    pub fn new(tasks: usize, show: Show) -> Self {
        let hidden = show.quiet || !std::io::stderr().is_terminal();
        let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(tasks as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} permutations, {rate}, {eta} left {msg}") {
            let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| _ = out.write_str(&rate(state.per_sec()));
            bar.set_style(style.with_key("rate", rate));
        }
        Person { bar, show, found: Findings::default(), bundles: Mutex::default() }
    }

    /// The diagnostics, each once.
    fn diagnostics(&self) -> String {
        let coloured = messages::Caller::this_process().coloured(None);
        let found = self.found.lock();
        let shown = found.values().filter(|f| f.message.severity != "note" && (f.message.is_error() || !self.show.quiet));
        let mut out = String::new();
        let limit = if self.show.all { usize::MAX } else { GROUPS };
        for Finding { message, tasks } in shown.clone().take(limit) {
            out += &if coloured { message.coloured(self.show.style) } else { message.rendered(self.show.style) };
            let more = tasks.len().saturating_sub(NAMED);
            let and_more = if more > 0 { format!(", and {more} more") } else { String::new() };
            _ = writeln!(out, "  in {}{and_more}", tasks[..tasks.len().min(NAMED)].join("; "));
        }
        let others = shown.count().saturating_sub(limit);
        if others > 0 {
            _ = writeln!(out, "and {others} other diagnostics; --all-messages prints them");
        }
        out
    }
}

/// A number of tasks each second.
fn rate(each_second: f64) -> String {
    if each_second < 10.0 { format!("{each_second:.1}/s") } else { format!("{each_second:.0}/s") }
}

impl Observer for Person {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Begun { .. } => {}
            Event::Task(task, outcome) => {
                self.found.add(task, outcome, self.show.all);
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
                    let found = self.found.lock();
                    let codes: BTreeSet<&str> = found.values().filter(|f| f.message.is_error()).map(|f| f.message.code.as_str()).collect();
                    eprint!("{}", explain::pointer(codes.into_iter().map(|c| (true, c))).unwrap_or_default());
                }
                if !self.show.quiet {
                    eprintln!("{}", sentence(summary, self.show.all));
                }
            }
        }
    }
}

/// The summary in a line.
fn sentence(s: &Summary, all: bool) -> String {
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
        (
            s.earlier_warnings,
            if all { "warnings of what is up to date" } else { "warnings of what is up to date (--all-messages prints them)" },
        ),
        (s.removed, "files removed of shaders that are gone"),
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
