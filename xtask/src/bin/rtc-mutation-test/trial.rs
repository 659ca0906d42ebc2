//! Test programs with and without a mutant: which mutants a program reaches, and whether it fails with one.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
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
        let seen: HashSet<u32> = fs::read_to_string(&log).unwrap_or_default().lines().filter_map(|n| n.parse().ok()).collect();
        all.push(Baseline { program, time, seen });
    }
    all.sort_by_key(|b| b.time);
    Ok(all)
}

/// A program that runs with a mutant.
struct Running {
    child: Child,
    end: Instant,
}

/// What has come of it, once it has ended.
fn ended(running: &mut Running) -> io::Result<Option<Verdict>> {
    let late = Instant::now() > running.end;
    Ok(match running.child.try_wait()? {
        Some(status) if status.success() => Some(Verdict::Survived),
        Some(_) => Some(Verdict::Killed),
        None if late => Some(Verdict::TimedOut),
        None => None,
    })
}

/// Gives a mutant to the programs that reach it, as many at a time as there are processors, until one fails.
///
/// # Errors
/// When a program cannot be started.
pub fn verdict(mutant: u32, baselines: &[&Baseline]) -> Result<Verdict, String> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut left = baselines.iter().filter(|b| b.seen.contains(&mutant)).peekable();
    if left.peek().is_none() {
        return Ok(Verdict::NotReached);
    }
    let (mut running, mut verdict): (Vec<Running>, _) = (Vec::new(), Verdict::Survived);
    while verdict == Verdict::Survived && (left.peek().is_some() || !running.is_empty()) {
        while running.len() < processors
            && let Some(b) = left.next()
        {
            let mut command = command(&b.program);
            let child = command.env("RTC_MUTANT", mutant.to_string()).spawn();
            let child = child.map_err(|e| format!("cannot start {}: {e}", b.program.name))?;
            running.push(Running { child, end: Instant::now() + 5 * b.time + Duration::from_secs(10) });
        }
        thread::sleep(Duration::from_millis(5));
        let mut on = Vec::new();
        for mut r in running {
            match ended(&mut r).map_err(|e| format!("cannot wait for a program: {e}"))? {
                Some(Verdict::Survived) => {}
                Some(bad) if verdict == Verdict::Survived => (verdict, _) = (bad, on.push(r)),
                _ => on.push(r),
            }
        }
        running = on;
    }
    for mut r in running {
        _ = r.child.kill();
        _ = r.child.wait();
    }
    Ok(verdict)
}

/// A test program that runs the test alone, whose output is dropped.
fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).args(["--exact", &program.test]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
