//! Damaged input for the compiler as a library, in one process: `rtc-mutate sources|containers FIRST COUNT [--threads N]`.
//!
//! A mutant of a source is compiled by one session with a random profile, level and back end, a mutant of a container is listed, reflected,
//! validated and linked. Each operation has limits of time and memory. What must not happen is a line with the number of the mutant: a
//! panic, a limit that is reached, an operation that takes long, a product that the compiler's own readers refuse. At the end come the
//! memory of the process and the rate. `show` in place of a count prints a mutant, `check` works on one alone.
//!
//! The numbers of the mutants in work are in the file that `--current` names, so that one that ends the process is known.

mod containers;
mod sources;

use std::io::{Seek as _, SeekFrom, Write as _};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rtc::session::Stopped;
use rtc::{Job, Session, memory};
use rtc_oracles::measure;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// No operation may take more of the processor.
const SLOW: Duration = Duration::from_secs(2);
/// When an operation is stopped; the machine may do other things too.
const TIME: Duration = Duration::from_secs(60);
/// The memory that an operation may take.
const MEMORY: usize = 1 << 30;
/// How often the memory of the process is printed.
const MARKS: u64 = 10;

const USAGE: &str = "usage: rtc-mutate sources|containers FIRST COUNT [--threads N] [--current FILE]
       rtc-mutate show|check sources|containers NUMBER";

/// What damages input and works on it.
trait Mutants: Sync {
    /// Works on a mutant. How many of its operations had a result.
    ///
    /// # Errors
    /// What must not happen.
    fn check(&self, number: u64) -> Result<u32, String>;
    /// The mutant and what is done with it, for people.
    fn show(&self, number: u64) -> Vec<u8>;
}

/// The limits of each operation.
fn job(session: &Session) -> Job<'_> {
    session.job().time_limit(TIME).memory_limit(MEMORY, memory::used)
}

/// The outcome of an operation that had limits.
///
/// # Errors
/// It reached one, or panicked.
fn ended<T>(what: &str, result: Result<T, Stopped>) -> Result<T, String> {
    result.map_err(|e| match e {
        Stopped::Internal(e) => format!("{what} panics: {}", e.message),
        e => format!("{what}: {e}"),
    })
}

/// Measures an operation.
///
/// # Errors
/// It took too long.
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    let before = measure::spent();
    let value = work();
    let took = measure::spent().saturating_sub(before);
    if took > SLOW { Err(format!("{what} takes {took:?}")) } else { Ok(value) }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn mutants(kind: &str) -> Result<Box<dyn Mutants>, String> {
    match kind {
        "sources" => Ok(Box::new(sources::Sources::new())),
        "containers" => Ok(Box::new(containers::Containers::new()?)),
        other => Err(format!("`{other}` is neither sources nor containers\n{USAGE}")),
    }
}

fn run(words: &[&str]) -> Result<bool, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is no number\n{USAGE}"));
    match *words {
        ["show", kind, n] => {
            let text = mutants(kind)?.show(number(n)?);
            std::io::stdout().write_all(&text).map(|()| true).map_err(|e| e.to_string())
        }
        ["check", kind, n] => match mutants(kind)?.check(number(n)?) {
            Ok(results) => {
                println!("{results} results");
                Ok(true)
            }
            Err(e) => {
                println!("{e}");
                Ok(false)
            }
        },
        [kind, first, count, ref rest @ ..] => {
            let (first, count) = (number(first)?, number(count)?);
            let (mut threads, mut current) = (std::thread::available_parallelism().map_or(1, |n| n.get() as u64), None);
            for pair in rest.chunks(2) {
                match *pair {
                    ["--threads", n] => threads = number(n)?.clamp(1, 256),
                    ["--current", file] => current = Some(file),
                    _ => return Err(USAGE.to_owned()),
                }
            }
            let end = first.checked_add(count).ok_or("the last number has more than 64 bits")?;
            all(kind, &*mutants(kind)?, first..end, threads, current)
        }
        _ => Err(USAGE.to_owned()),
    }
}

/// Works on all mutants of a range. Whether nothing happened that must not.
fn all(kind: &str, mutants: &dyn Mutants, numbers: std::ops::Range<u64>, threads: u64, current: Option<&str>) -> Result<bool, String> {
    // A panic is reported as what it is; its usual text would hide the reports.
    std::panic::set_hook(Box::new(|_| {}));
    let count = numbers.end - numbers.start;
    let (next, results, wrong) = (AtomicU64::new(numbers.start), AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    let megabytes = |bytes: u64| bytes >> 20;
    let mark = Mutex::new(0);
    std::thread::scope(|scope| -> Result<(), String> {
        for thread in 0..threads {
            let mut file = match current {
                Some(path) => Some(
                    std::fs::OpenOptions::new().create(true).write(true).truncate(false).open(path).map_err(|e| format!("{path}: {e}"))?,
                ),
                None => None,
            };
            let (next, results, wrong, mark, numbers) = (&next, &results, &wrong, &mark, &numbers);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        return;
                    }
                    if let Some(file) = &mut file {
                        // A line for each thread; without it, only the search for a crash takes longer.
                        _ = file.seek(SeekFrom::Start(thread * 21)).and_then(|_| writeln!(file, "{number:20}"));
                    }
                    match mutants.check(number) {
                        Ok(n) => _ = results.fetch_add(u64::from(n), Ordering::Relaxed),
                        Err(why) => {
                            wrong.fetch_add(1, Ordering::Relaxed);
                            println!("{kind} {number}: {why}");
                        }
                    }
                    let done = number - numbers.start + 1;
                    let mut last = mark.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    if done * MARKS / count > *last {
                        *last = done * MARKS / count;
                        let (now, most) = measure::memory().unwrap_or_default();
                        println!(
                            "{done} {kind}, {:.0} s: memory {} MiB, at most {} MiB",
                            start.elapsed().as_secs_f64(),
                            megabytes(now),
                            megabytes(most)
                        );
                    }
                }
            });
        }
        Ok(())
    })?;
    let (took, (now, most)) = (start.elapsed().as_secs_f64(), measure::memory().unwrap_or_default());
    let (results, wrong) = (results.into_inner(), wrong.into_inner());
    println!(
        "{count} {kind} in {took:.0} s on {threads} threads ({:.0} a second), {results} results, {wrong} wrong; memory {} MiB, at most {} MiB",
        count as f64 / took.max(0.001),
        megabytes(now),
        megabytes(most)
    );
    Ok(wrong == 0)
}
