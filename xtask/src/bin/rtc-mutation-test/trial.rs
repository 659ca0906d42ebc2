//! Test programs with and without a mutant: which mutants a program reaches, and whether it fails with one.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::build::{Program, Tree};

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test failed.
    Killed,
    /// A test program took so long that it was stopped.
    TimedOut,
    /// No test program evaluates what is changed.
    NotReached,
    /// All tests pass.
    Survived,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Killed => "killed",
            Verdict::TimedOut => "stopped",
            Verdict::NotReached => "not reached",
            Verdict::Survived => "survives",
        })
    }
}

/// A test program as it runs without a mutant.
pub struct Baseline {
    /// The program.
    pub program: Program,
    /// How long it takes.
    pub time: Duration,
    /// The mutants whose questions it asks.
    pub seen: HashSet<u32>,
}

/// Runs each program without a mutant; the quickest comes first.
///
/// # Errors
/// When a program fails, and so could not tell anything.
pub fn baselines(tree: &Tree, programs: Vec<Program>) -> Result<Vec<Baseline>, String> {
    let mut all = Vec::new();
    let log = tree.root.join("../seen.txt");
    for program in programs {
        _ = fs::remove_file(&log);
        let start = Instant::now();
        let mut command = command(&program);
        let status = command.env("RTC_MUTANTS_SEEN", &log).status().map_err(|e| format!("cannot start {}: {e}", program.name))?;
        if !status.success() {
            return Err(format!("{} fails without a mutant", program.name));
        }
        let time = start.elapsed();
        let seen = fs::read_to_string(&log).unwrap_or_default().lines().filter_map(|n| n.parse().ok()).collect();
        all.push(Baseline { program, time, seen });
    }
    all.sort_by_key(|b| b.time);
    Ok(all)
}

/// Gives a mutant to the programs that reach it, until one fails.
///
/// # Errors
/// When a program cannot be started.
pub fn verdict(mutant: u32, baselines: &[&Baseline]) -> Result<Verdict, String> {
    let mut verdict = Verdict::NotReached;
    for b in baselines.iter().filter(|b| b.seen.contains(&mutant)) {
        verdict = Verdict::Survived;
        let mut child = command(&b.program);
        let child = child.env("RTC_MUTANT", mutant.to_string()).spawn();
        let mut child = child.map_err(|e| format!("cannot start {}: {e}", b.program.name))?;
        let end = Instant::now() + 5 * b.time + Duration::from_secs(10);
        let status = loop {
            match child.try_wait().map_err(|e| format!("cannot wait for {}: {e}", b.program.name))? {
                Some(status) => break Some(status),
                None if Instant::now() > end => break None,
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        match status {
            Some(status) if status.success() => {}
            Some(_) => return Ok(Verdict::Killed),
            None => {
                _ = child.kill();
                _ = child.wait();
                return Ok(Verdict::TimedOut);
            }
        }
    }
    Ok(verdict)
}

/// A test program with its filter, whose output is dropped.
fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).args(Some(program.test.2).filter(|f| !f.is_empty()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
