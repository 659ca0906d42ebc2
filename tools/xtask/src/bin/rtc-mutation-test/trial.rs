//! Test programs with and without a mutant: which mutants a program reaches, and whether it fails with one.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::build::{Program, Tree};

/// Fewer random programs than in the tests: each mutant that survives waits for them.
const FEWER: &[(&str, &str)] = &[
    ("RTC_PACKED_PROGRAMS", "300"),
    ("RTC_PAQ_PROGRAMS", "500"),
    ("RTC_PAYLOAD_PROGRAMS", "1000"),
    ("RTC_LINKED_PROGRAMS", "8"),
    ("RTC_FUZZ_MS", "500"),
];

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

/// Runs each program without a mutant, as many at a time as there are processors; the quickest comes first. Those that take longer than `slowest` are
/// stopped and left out, and named.
///
/// # Errors
/// When a program fails, and so could not tell anything.
pub fn baselines(tree: &Tree, programs: Vec<Program>, slowest: Duration) -> Result<(Vec<Baseline>, Vec<String>), String> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for n in 0..processors {
            let (next, done, programs, log) = (&next, &done, &programs, tree.root.join(format!("../seen{n}.txt")));
            scope.spawn(move || {
                while let Some((k, program)) = programs.get(next.fetch_add(1, Relaxed)).map(|p| (p.name.clone(), p)) {
                    let result = baseline(program, &log, slowest);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((k, result));
                }
            });
        }
    });
    let mut results: HashMap<String, _> = done.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
    let (mut all, mut slow) = (Vec::new(), Vec::new());
    for program in programs {
        match results.remove(&program.name).unwrap_or_else(|| Err(format!("{} was not run", program.name)))? {
            Some((time, seen)) => all.push(Baseline { program, time, seen }),
            None => slow.push(program.name),
        }
    }
    all.sort_by_key(|b| b.time);
    Ok((all, slow))
}

/// How long a program takes, and which mutants it reaches; nothing if it takes longer than `slowest`.
fn baseline(program: &Program, log: &Path, slowest: Duration) -> Result<Option<(Duration, HashSet<u32>)>, String> {
    _ = fs::remove_file(log);
    let start = Instant::now();
    let child = command(program).env("RTC_MUTANTS_SEEN", log).spawn().map_err(|e| format!("cannot start {}: {e}", program.name))?;
    let mut running = Running { end: start + slowest, child };
    loop {
        match ended(&mut running).map_err(|e| format!("cannot wait for {}: {e}", program.name))? {
            Some(Verdict::Survived) => break,
            Some(Verdict::TimedOut) => {
                stop(running);
                return Ok(None);
            }
            Some(_) => return Err(format!("{} fails without a mutant", program.name)),
            None => thread::sleep(Duration::from_millis(5)),
        }
    }
    let time = start.elapsed();
    let seen = fs::read_to_string(log).unwrap_or_default().lines().filter_map(|n| n.parse().ok()).collect();
    Ok(Some((time, seen)))
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
    running.into_iter().for_each(stop);
    Ok(verdict)
}

fn stop(mut running: Running) {
    _ = running.child.kill();
    _ = running.child.wait();
}

/// A test program that runs the test alone, whose output is dropped.
fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.envs(FEWER.iter().copied());
    command.current_dir(&program.folder).args(["--exact", &program.test]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
