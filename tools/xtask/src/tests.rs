//! `cargo xtask test`: set-up, build, every test and check, and one line of counts.
//!
//! Cargo runs the tests; this reads what the test programs print, shows a line for each program and everything about
//! failures, and counts. A test that found out while running that something it needs is missing has written that into the
//! log of skipped tests ([`mod@rtc_oracles::skip`]): it counts as skipped, not as passed, and is listed with its reason.

use std::fs;
use std::io::{BufRead, BufReader, IsTerminal};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rtc_oracles::skip::SKIP_LOG;

use crate::checks;
use crate::needs::Scope;
use crate::outcome::Outcome;
use crate::plan;
use crate::setup::setup;
use crate::skips::{Verdict, verdict};

/// Runs all tests, or those whose names contain `filter`.
///
/// # Errors
/// When set-up or build fail; an empty text when tests fail, which have said why.
pub fn run(filter: Option<&str>) -> Result<(), String> {
    setup(Scope::Oracles)?;
    // This builds the programs too, since their packages have integration tests. A build of them alone would unify
    // features differently and compile most dependencies twice.
    let features = plan::test_features();
    let mut build = plan::cargo();
    build.args(["test", "--workspace", "--no-run", "--features", &features]).args(plan::lock_flags());
    plan::run_cargo(&mut build)?;
    let dir = plan::target_dir().join("xtask");
    fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    let log = dir.join("skipped.txt");
    fs::write(&log, "").map_err(|e| format!("cannot write {}: {e}", log.display()))?;
    let mut report = run_tests(filter, &log)?;
    let skipped = fs::read_to_string(&log).map_err(|e| format!("cannot read {}: {e}", log.display()))?;
    report.take_skipped(&skipped);
    if filter.is_none() {
        checks::run("", |name, outcome| report.take_check(name, outcome));
    }
    report.refuse_skips();
    print!("{}", report.summary());
    if report.ok() { Ok(()) } else { Err(String::new()) }
}

/// Runs the checks that are no tests, or those whose names contain `wanted`.
///
/// # Errors
/// An empty text when one fails, which has said why; when there is none of this name.
pub fn run_checks(wanted: &str) -> Result<(), String> {
    let mut report = Report::default();
    checks::run(wanted, |name, outcome| report.take_check(name, outcome));
    if report.passed.len() + report.failed.len() + report.skipped.len() == 0 {
        return Err(format!("no check is called `{wanted}`"));
    }
    print!("{}", report.summary());
    if report.ok() { Ok(()) } else { Err(String::new()) }
}

/// Runs `cargo test` and reads its output.
fn run_tests(filter: Option<&str>, log: &Path) -> Result<Report, String> {
    let mut command = plan::cargo();
    command.args(["test", "--workspace", "--no-fail-fast", "--features", &plan::test_features()]);
    command.args(plan::lock_flags()).env(SKIP_LOG, log);
    command.arg("--").args(filter);
    // One stream, so that the name of a program precedes its tests.
    let (reader, writer) = std::io::pipe().map_err(|e| format!("cannot make a pipe: {e}"))?;
    let clone = writer.try_clone().map_err(|e| format!("cannot make a pipe: {e}"))?;
    command.stdin(Stdio::null()).stdout(writer).stderr(clone);
    let mut child = command.spawn().map_err(|e| format!("cannot start cargo: {e}"))?;
    drop(command);
    let bar = std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} testing [{elapsed}] {wide_msg:.dim}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    });
    let mut report = Report::default();
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    let mut start = Instant::now();
    while matches!(reader.read_until(b'\n', &mut line), Ok(n) if n > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        line.clear();
        let show = |text: &str| match &bar {
            Some(bar) => bar.suspend(|| println!("{text}")),
            None => println!("{text}"),
        };
        match report.read(&text) {
            Event::Program => start = Instant::now(),
            Event::Result(counts) => {
                if !counts.is_empty() {
                    show(&format!("   {}: {counts}, {:.1} s", report.program, start.elapsed().as_secs_f64()));
                }
            }
            Event::Failure => show(&text),
            Event::Test => {
                if let Some(bar) = &bar {
                    bar.set_message(text);
                }
            }
            Event::Other => {}
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let status = child.wait().map_err(|e| format!("cannot wait for cargo: {e}"))?;
    report.end(status.success());
    Ok(report)
}

/// What a line of the output was.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    /// A test program starts.
    Program,
    /// A test has ended.
    Test,
    /// A test program has ended: its counts, when it had tests.
    Result(String),
    /// Part of the report on failures.
    Failure,
    /// Anything else.
    Other,
}

/// A test that was skipped.
#[derive(Debug)]
struct Skipped {
    /// File name of its program, without the hash.
    program: String,
    name: String,
    /// The reasons; empty while none is given.
    why: String,
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Report {
    /// The running test program, for people.
    program: String,
    /// Its file name, without the hash.
    file: String,
    /// Program files and names of tests.
    passed: Vec<(String, String)>,
    failed: Vec<String>,
    skipped: Vec<Skipped>,
    /// The running program has printed its result line.
    ended: bool,
    /// Its failures are being printed.
    in_failures: bool,
    /// The end of the output outside of tests, for a program that dies.
    tail: Vec<String>,
}

/// Lines of output that are kept for a program that dies.
const TAIL: usize = 40;

/// What takes the place of a test program for a check.
const CHECK: &str = "check";

impl Report {
    /// Takes in one line.
    fn read(&mut self, line: &str) -> Event {
        let trimmed = line.trim_start();
        for start in ["Running ", "Doc-tests "] {
            if line.starts_with(' ')
                && let Some(program) = trimmed.strip_prefix(start)
            {
                self.program_died();
                self.program = program_name(program, start.starts_with("Doc"));
                self.file = program_file(program);
                self.ended = false;
                self.tail.clear();
                return Event::Program;
            }
        }
        if let Some(result) = line.strip_prefix("test result: ") {
            self.ended = true;
            self.in_failures = false;
            return Event::Result(counts(result));
        }
        if self.in_failures || line == "failures:" {
            self.in_failures = true;
            return Event::Failure;
        }
        if let Some((name, outcome)) = line.strip_prefix("test ").and_then(|l| l.split_once(" ... ")) {
            let name = name.trim_end().trim_end_matches(" - should panic").to_string();
            if outcome.starts_with("ok") {
                self.passed.push((self.file.clone(), name));
            } else if let Some(rest) = outcome.strip_prefix("ignored") {
                let why = rest.trim_start_matches([',', ' ', ':']).trim_matches(['(', ')']).to_string();
                self.skipped.push(Skipped { program: self.file.clone(), name, why });
            } else if outcome.starts_with("FAILED") {
                self.failed.push(format!("{}: {name}", self.program));
            }
            return Event::Test;
        }
        self.tail.push(line.to_string());
        if self.tail.len() > TAIL {
            self.tail.remove(0);
        }
        Event::Other
    }

    /// A program that starts tests and ends without a result has died.
    fn program_died(&mut self) {
        if !self.program.is_empty() && !self.ended {
            self.failed.push(format!("{}: the test program died\n{}", self.program, self.tail.join("\n")));
        }
        self.ended = true;
        self.in_failures = false;
    }

    /// Cargo has ended.
    fn end(&mut self, success: bool) {
        self.program_died();
        if !success && self.failed.is_empty() {
            self.failed.push(format!("cargo test failed:\n{}", self.tail.join("\n")));
        }
    }

    /// Takes in the log of skipped tests: a line for each reason, with program, test and reason separated by tabs.
    fn take_skipped(&mut self, log: &str) {
        for line in log.lines() {
            let mut columns = line.splitn(3, '\t').map(str::to_string);
            let mut next = || columns.next().unwrap_or_default();
            let (program, name, why) = (next(), next(), next());
            if let Some(entry) = self.skipped.iter_mut().find(|s| s.program == program && s.name == name) {
                if entry.why.is_empty() || why.starts_with(&entry.why) {
                    // The harness has counted it; the log has the whole reason.
                    entry.why = why;
                } else if !entry.why.contains(&why) {
                    // A test that lacks several things.
                    entry.why = format!("{}; {why}", entry.why);
                }
                continue;
            }
            // The harness has counted it as passed; by another name if it ran on a thread without one.
            let of_program = |same: &dyn Fn(&str) -> bool| self.passed.iter().rposition(|(p, n)| *p == program && same(n));
            if let Some(at) = of_program(&|n| n == name).or_else(|| of_program(&|_| true)) {
                self.passed.remove(at);
            }
            self.skipped.push(Skipped { program, name, why });
        }
    }

    /// Counts a check like a test.
    fn take_check(&mut self, name: &str, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed.push((CHECK.to_string(), name.to_string())),
            Outcome::Failed(output) => self.failed.push(format!("{CHECK}: {output}")),
            Outcome::Skipped(why) => {
                self.skipped.push(Skipped { program: CHECK.to_string(), name: name.to_string(), why });
            }
        }
    }

    /// A test that is skipped for what is in place has failed.
    fn refuse_skips(&mut self) {
        let refused = |s: &Skipped| match verdict(&s.why) {
            Verdict::InPlace(what) => Some(format!("{}: {}: skipped, because {}; but it is in place ({what})", s.program, s.name, s.why)),
            Verdict::Allowed | Verdict::Unlisted => None,
        };
        self.failed.extend(self.skipped.iter().filter_map(refused));
        self.skipped.retain(|s| refused(s).is_none());
    }

    fn ok(&self) -> bool {
        self.failed.is_empty()
    }

    /// The lists of skipped and failed tests, and the line of counts.
    fn summary(&self) -> String {
        let mut text = String::new();
        if !self.skipped.is_empty() {
            text.push_str("\nskipped:\n");
        }
        for Skipped { program, name, why } in &self.skipped {
            let listed = if verdict(why) == Verdict::Unlisted { " (not in the list of reasons, tools/xtask/src/skips.rs)" } else { "" };
            text.push_str(&format!("   {program}: {name}: {}{listed}\n", if why.is_empty() { "no reason given" } else { why }));
        }
        if !self.failed.is_empty() {
            text.push_str("\nfailed:\n");
        }
        for failure in &self.failed {
            text.push_str(&format!("   {}\n", failure.replace('\n', "\n      ")));
        }
        let (passed, failed, skipped) = (self.passed.len(), self.failed.len(), self.skipped.len());
        text.push_str(&format!("\n{passed} passed, {failed} failed, {skipped} skipped\n"));
        text
    }
}

/// A short name for what cargo announces: `unittests src/lib.rs (target/debug/deps/rtc_ir-0123)` is `rtc_ir`.
fn program_name(announced: &str, doc: bool) -> String {
    if doc {
        return format!("{announced} (documentation)");
    }
    let Some((source, path)) = announced.split_once(" (") else {
        return announced.to_string();
    };
    let name = program_file(path);
    match source.strip_prefix("unittests ") {
        Some("src/lib.rs") | None => name,
        Some(source) => format!("{name} ({source})"),
    }
}

/// The file of what cargo announces, without the hash: `unittests src/lib.rs (target/debug/deps/rtc_ir-0123)` is `rtc_ir`.
fn program_file(announced: &str) -> String {
    let path = announced.rsplit_once(" (").map_or(announced, |(_, path)| path).trim_end_matches(')');
    let file = Path::new(path).file_stem().map_or(path.to_string(), |n| n.to_string_lossy().into_owned());
    file.rsplit_once('-').map_or(file.clone(), |(name, _hash)| name.to_string())
}

/// `ok. 3 passed; 0 failed; 1 ignored; ...` as `3 passed, 1 skipped`; nothing when there were no tests.
fn counts(result: &str) -> String {
    let numbers = ["passed", "failed", "ignored"].map(|word| {
        let found = result.split([';', '.']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u32>().ok());
        found.unwrap_or(0)
    });
    let words = ["passed", "failed", "skipped"];
    let parts: Vec<String> = numbers.iter().zip(words).filter(|(n, _)| **n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    parts.join(", ")
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    fn read(text: &str, success: bool) -> Report {
        let mut report = Report::default();
        for line in text.lines() {
            report.read(line);
        }
        report.end(success);
        report
    }

    #[test]
    fn counts_what_cargo_prints() {
        let text = "\
   Compiling rtc-ir v0.1.0
     Running unittests src/lib.rs (target/debug/deps/rtc_ir-0123abcd)

running 3 tests
test a::b ... ok
test a::c - should panic ... ok
test a::d ... ignored, slow

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running src/lit.rs (target/debug/deps/lit-0123abcd)
running 2 tests
test x/y.test   ... FAILED
test x/z.hlsl ... ignored: dxv is missing
failures:
---- x/y.test ----
test fake ... ok
test result: FAILED. 0 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
   Doc-tests rtc_ir
running 1 test
test ir/src/lib.rs - (line 3) ... ok
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        let mut report = read(text, false);
        assert_eq!(report.passed.len(), 3);
        assert_eq!(report.failed, ["lit: x/y.test"]);
        assert_eq!(report.skipped.len(), 2);
        report.take_skipped(
            "rtc_ir\ta::b\tno oracle\nrtc_ir\ta::b\tno device\nrtc_ir\ta::b\tno oracle\nlit\tx/z.hlsl\tdxv is missing, really\n",
        );
        assert_eq!(report.passed.len(), 2);
        let summary = report.summary();
        assert!(summary.ends_with("\n2 passed, 1 failed, 3 skipped\n"), "{summary}");
        for line in
            ["rtc_ir: a::b: no oracle; no device (not in the list", "rtc_ir: a::d: slow (", "lit: x/z.hlsl: dxv is missing, really ("]
        {
            assert!(summary.contains(line), "{summary}");
        }
        assert!(!report.ok());
    }

    #[test]
    fn a_test_skipped_for_what_is_there_fails() {
        let mut report = read(
            "     Running tests/c.rs (target/debug/deps/c-01)\ntest a ... ok\ntest b ... ok\ntest result: ok. 2 passed; 0 failed\n",
            true,
        );
        report.take_skipped("c\ta\tthere is no C compiler named `cc`\nc\tb\tRTC_CONTAINERS names no folder\n");
        report.refuse_skips();
        assert_eq!((report.passed.len(), report.failed.len(), report.skipped.len()), (0, 1, 1));
        assert!(report.failed[0].starts_with("c: a: skipped, because there is no C compiler"), "{:?}", report.failed);
    }

    #[test]
    fn a_program_that_dies_is_a_failure() {
        let text = "     Running unittests src/main.rs (target/debug/deps/rtc-0123)\nrunning 2 tests\ntest a ... ok\nkilled\n     \
                    Running unittests src/lib.rs (target/debug/deps/b-0123)\ntest result: ok. 0 passed; 0 failed\n";
        let report = read(text, false);
        assert_eq!(report.failed.len(), 1);
        assert!(report.failed[0].starts_with("rtc (src/main.rs): the test program died"), "{:?}", report.failed);
        assert!(report.failed[0].contains("killed"));
        // Nothing ran at all.
        let report = read("error: could not compile `x`\n", false);
        assert!(report.failed[0].contains("could not compile"));
        assert!(read("", true).ok());
    }

    #[test]
    fn checks_count_like_tests() {
        let mut report = Report::default();
        report.take_check("cargo fmt", Outcome::Passed);
        report.take_check("cargo clippy", Outcome::Skipped("clippy is missing".into()));
        assert!(report.ok());
        report.take_check("cargo doc", Outcome::Failed("`cargo doc` failed".into()));
        let summary = report.summary();
        assert!(summary.ends_with("\n1 passed, 1 failed, 1 skipped\n"), "{summary}");
        for line in ["check: cargo clippy: clippy is missing (", "check: `cargo doc` failed\n"] {
            assert!(summary.contains(line), "{summary}");
        }
        assert!(!report.ok());
    }

    #[test]
    fn short_names_and_counts() {
        assert_eq!(program_name("unittests src/lib.rs (/x/deps/rtc_ir-01)", false), "rtc_ir");
        assert_eq!(program_name("tests/rdat.rs (/x/deps/rdat-01)", false), "rdat");
        assert_eq!(counts("ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"), "3 passed, 1 skipped");
        assert_eq!(counts("ok. 0 passed; 0 failed; 0 ignored"), "");
    }
}
