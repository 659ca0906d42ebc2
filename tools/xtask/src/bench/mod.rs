//! `cargo xtask bench`: rtc and the reference compiler side by side.
//!
//! Both compile the same samples in the same run, taking turns, so that whatever else the machine does hits both. The
//! median of the iterations is what is printed. *Whole process* is a start of `rtc` against a start of `rtc-oracle compile`,
//! which loads the reference library as its own program does; *in process* is the call alone.

mod generate;
pub mod gpu;
mod instructions;
mod permutations;
mod rays;
pub mod reference_tests;
mod scale;
mod shaders;

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rtc_oracles::Dxc;

use crate::needs::Scope;
use crate::plan::{self, BENCH_TARGETS, Sample};
use crate::progress::{Step, show};
use crate::setup::setup;

/// How often each compilation is measured unless the command line says otherwise.
pub const ITERATIONS: usize = 15;

/// A measured median, or why there is none.
type Measured = Result<Duration, String>;

/// Writes the sources of the scale benchmark and runs none of them: for profilers.
///
/// # Errors
/// When a file cannot be written.
pub fn sources() -> Result<(), String> {
    scale::sources(&plan::target_dir().join("bench"))
}

/// Runs the scale benchmark alone, on the sources whose names contain `wanted`.
///
/// # Errors
/// When set-up or build fail, or rtc does not compile a source.
pub fn run_scale(wanted: &str) -> Result<(), String> {
    let dir = prepare()?;
    scale::run(SCALE_ITERATIONS, wanted, &dir)
}

/// Runs the samples that trace in several ways, and those that both devices run, if their names contain `wanted`; nothing else.
///
/// # Errors
/// When nothing is called that, set-up or build fail, or a sample does not run.
pub fn run_rays(wanted: &str) -> Result<(), String> {
    rays::names(wanted)?;
    let (samples, dir) = (plan::samples()?, prepare()?);
    rays::run(&samples, wanted, &dir)?;
    rays::devices(&samples, wanted, &dir)
}

/// Counts the instructions that both compilers make of the sources whose names contain `wanted`. How fast the programs are does
/// not matter, so they are built as tests build them.
///
/// # Errors
/// When set-up or build fail, or rtc does not compile a source.
pub fn run_instructions(wanted: &str) -> Result<(), String> {
    setup(Scope::Oracles)?;
    plan::build_product(false)?;
    plan::build(plan::ORACLES.0, plan::ORACLES.1, false)?;
    instructions::run(&plan::samples()?, wanted, &folder()?)
}

/// Compiles the command lines of a list with both compilers, with the program `rtc` if it is not the one that is built here.
///
/// # Errors
/// When set-up or build fail, the list cannot be read, or rtc does not compile what the reference compiles.
pub fn run_shaders(list: &str, rtc: Option<&str>) -> Result<(), String> {
    let dir = if rtc.is_some() { prepare_reference() } else { prepare() }?;
    shaders::run(Path::new(list), rtc.map(Path::new), &dir)
}

/// Permutations of [`run_permutations`] unless the command line says otherwise.
pub use permutations::COUNT as PERMUTATIONS;

/// Compiles permutations in processes, with the server and through the interface of the reference's library, with the programs of a folder if one is named.
///
/// # Errors
/// When set-up or build fail, or rtc does not compile a permutation.
pub fn run_permutations(count: usize, programs: Option<&str>) -> Result<(), String> {
    let dir = match programs {
        Some(_) => folder()?,
        None => {
            plan::build_client()?;
            prepare()?
        }
    };
    permutations::run(count, programs.map(Path::new), &dir)
}

/// Random programs of [`run_random`] unless the command line says otherwise.
pub const RANDOM_PROGRAMS: u64 = 50_000;

/// Compiles random programs with rtc in all ways and with the reference compiler, executes and compares them. Each that is wrong has a line with its
/// seed; `rtc-differential reduce SEED` makes it smaller.
///
/// # Errors
/// When set-up or build fail, or something is wrong that is not the reference's.
pub fn run_random(count: u64) -> Result<(), String> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    differential(&["run", "0", &count.to_string(), "--jobs", &jobs.to_string()])
}

/// Random shaders of [`run_signatures`] unless the command line says otherwise.
pub const RANDOM_SIGNATURES: u64 = 5_000;

/// Compares what rtc and the reference compiler store for the signatures of random shaders of the graphics pipeline.
///
/// # Errors
/// When set-up or build fail, or something differs.
pub fn run_signatures(count: u64) -> Result<(), String> {
    differential(&["signatures", "0", &count.to_string()])
}

/// Mutants of [`run_mutants`] unless the command line says otherwise.
pub const MUTANTS: u64 = 1_000_000;

/// Gives mutants of sources and of containers to the library. Each for which something happens that must not has a line with its number;
/// `rtc-mutate show` prints it, `rtc-mutate check` works on it alone.
///
/// # Errors
/// When set-up or build fail, or something happens that must not.
pub fn run_mutants(count: u64) -> Result<(), String> {
    setup(Scope::Product)?;
    plan::build(plan::BENCH.0, plan::BENCH.1, true)?;
    let dir = folder()?;
    let mut failed = Vec::new();
    for kind in ["sources", "containers"] {
        let current = dir.join(format!("mutate-{kind}.txt"));
        _ = fs::remove_file(&current);
        let mut command = Command::new(plan::program(MUTATE, true));
        command.args([kind, "0", &count.to_string(), "--current"]).arg(&current);
        match command.status() {
            Ok(status) if status.success() => {}
            // It has said what.
            Ok(status) if status.code() == Some(1) => failed.push(format!("{kind}: something happened that must not")),
            Ok(status) => failed.push(format!("{kind}: the process ended with {status}; it worked on those in {}", current.display())),
            Err(e) => failed.push(format!("cannot start {MUTATE}: {e}")),
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// The program that damages input and gives it to the library.
const MUTATE: &str = "rtc-mutate";

/// Builds and runs the program that compares random programs.
fn differential(args: &[&str]) -> Result<(), String> {
    setup(Scope::Oracles)?;
    let (package, cpu) = plan::RANDOM;
    plan::build(package, if rtc_oracles::llvm::can_build_with() { cpu } else { "" }, true)?;
    match Command::new(plan::program(package, true)).args(args).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{package} {}: {status}", args[0])),
        Err(e) => Err(format!("cannot start {package}: {e}")),
    }
}

/// How often each source of the scale benchmark is compiled.
const SCALE_ITERATIONS: usize = 3;

/// Builds what is measured; the folder for files.
fn prepare() -> Result<std::path::PathBuf, String> {
    setup(Scope::Oracles)?;
    plan::build_product(true)?;
    for (package, features) in [plan::ORACLES, plan::BENCH] {
        plan::build(package, features, true)?;
    }
    folder()
}

/// Builds what runs the reference alone; the folder for files.
fn prepare_reference() -> Result<std::path::PathBuf, String> {
    setup(Scope::Oracles)?;
    plan::build(plan::ORACLES.0, plan::ORACLES.1, true)?;
    folder()
}

/// The folder for files.
fn folder() -> Result<std::path::PathBuf, String> {
    let dir = plan::target_dir().join("bench");
    fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    Ok(dir)
}

/// Runs the benchmark.
///
/// # Errors
/// When set-up or build fail, or rtc does not compile a sample.
pub fn run(iterations: usize) -> Result<(), String> {
    let dir = prepare()?;
    let samples = plan::samples()?;
    println!("median of {iterations} iterations, times in milliseconds; ratio: the reference's time through rtc's");
    println!("SPIR-V is made without subobjects (NO_SUBOBJECTS), on which the reference crashes in that mode");
    println!("\nwhole process");
    header();
    let mut failed = Vec::new();
    let mut means = Means::default();
    for sample in &samples {
        for (target, flags) in BENCH_TARGETS {
            let mut step = Step::new(format!("Compiling {} to {target}", sample.name));
            let [ours, theirs] = whole_process(sample, flags, iterations, &dir, &mut step);
            step.done();
            row(&sample.name, target, &ours, &theirs);
            means.add(target, &ours, &theirs);
            failed.extend(ours.err().map(|e| format!("{} to {target}: {e}", sample.name)));
        }
    }
    means.print();
    println!("\nin process");
    failed.extend(in_process(&samples, iterations)?);
    if let Err(e) = scale::run(iterations.min(SCALE_ITERATIONS), "", &dir) {
        failed.push(e);
    }
    match rtc_oracles::vulkan::available() {
        Ok(()) => failed.extend(rays::run(&samples, "", &dir).err()),
        Err(missing) => println!("\nrays per second: skipped, {missing}"),
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("rtc failed:\n  {}", failed.join("\n  "))) }
}

fn header() {
    println!("{:<14} {:<10} {:>10} {:>10} {:>8}", "sample", "target", "rtc", "reference", "ratio");
}

fn row(sample: &str, target: &str, ours: &Measured, theirs: &Measured) {
    let text = |m: &Measured| m.as_ref().map_or("fails".to_string(), |d| format!("{:.2}", d.as_secs_f64() * 1e3));
    let ratio = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) if !ours.is_zero() => {
            format!("{:.1}", theirs.as_secs_f64() / ours.as_secs_f64())
        }
        _ => "-".to_string(),
    };
    println!("{sample:<14} {target:<10} {:>10} {:>10} {ratio:>8}", text(ours), text(theirs));
}

/// Ratios by target: the logarithm's sum, how many count, and how many samples only rtc compiles.
#[derive(Default)]
struct Means {
    targets: Vec<(&'static str, f64, usize, usize)>,
}

impl Means {
    fn add(&mut self, target: &'static str, ours: &Measured, theirs: &Measured) {
        let at = self.targets.iter().position(|t| t.0 == target);
        let at = at.unwrap_or_else(|| {
            self.targets.push((target, 0.0, 0, 0));
            self.targets.len() - 1
        });
        let Some((_, sum, count, alone)) = self.targets.get_mut(at) else {
            return;
        };
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) if !ours.is_zero() && !theirs.is_zero() => {
                *sum += (theirs.as_secs_f64() / ours.as_secs_f64()).ln();
                *count += 1;
            }
            (Ok(_), Err(_)) => *alone += 1,
            _ => {}
        }
    }

    fn lines(&self) -> Vec<String> {
        let line = |(target, sum, count, alone): &(&str, f64, usize, usize)| {
            let mean = if *count == 0 { "-".to_string() } else { format!("{:.1}", (sum / *count as f64).exp()) };
            let rest = if *alone == 0 { String::new() } else { format!(", {alone} more fail in the reference") };
            format!("{:<14} {target:<10} {:>10} {:>10} {mean:>8}  of {count} samples{rest}", "geometric mean", "", "")
        };
        self.targets.iter().map(line).collect()
    }

    fn print(&self) {
        for line in self.lines() {
            println!("{line}");
        }
    }
}

/// Both compilers as programs, in turns: rtc's median and the reference's.
fn whole_process(sample: &Sample, flags: &[&str], iterations: usize, dir: &Path, step: &mut Step) -> [Measured; 2] {
    let programs = [(vec!["rtc"], "rtc.out"), (vec!["rtc-oracle", "compile"], "reference.out")];
    let mut commands = programs.map(|(words, out)| {
        let mut command = Command::new(plan::program(words[0], true));
        command.args(&words[1..]).args(["-T", &sample.profile]).args(&sample.args).args(flags).arg(&sample.hlsl);
        command.arg("-Fo").arg(dir.join(out));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    });
    let mut times: [Result<Vec<Duration>, String>; 2] = [Ok(Vec::new()), Ok(Vec::new())];
    for iteration in 0..iterations {
        step.note(&format!("iteration {}", iteration + 1));
        for (command, times) in commands.iter_mut().zip(&mut times) {
            if let Ok(list) = times {
                match once(command) {
                    Ok(time) => list.push(time),
                    Err(e) => *times = Err(e),
                }
            }
        }
    }
    times.map(|list| list.map(median))
}

/// The time of one run of a program.
fn once(command: &mut Command) -> Measured {
    let start = Instant::now();
    let status = command.status().map_err(|e| format!("cannot start `{}`: {e}", show(command)))?;
    let took = start.elapsed();
    if status.success() { Ok(took) } else { Err(format!("`{}` ends with {status}", show(command))) }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The program that compiles with rtc's library in its own process: started with the flags and the file, it compiles once
/// for every line that it reads and prints the nanoseconds that this took.
const IN_PROCESS: &str = "rtc-bench";

/// Both compilers as libraries, in turns: the reference in this process, rtc in [`IN_PROCESS`]. The reference cannot take
/// every sample to SPIR-V without crashing the process, so only DXIL is compared.
fn in_process(samples: &[Sample], iterations: usize) -> Result<Vec<String>, String> {
    let dxc = Dxc::load().map_err(|m| m.to_string())?;
    let mut failed = Vec::new();
    let mut means = Means::default();
    header();
    for sample in samples {
        let source = fs::read_to_string(&sample.hlsl);
        let source = source.map_err(|e| format!("cannot read {}: {e}", sample.hlsl.display()))?;
        let name = sample.hlsl.to_string_lossy().into_owned();
        for (target, flags) in BENCH_TARGETS.iter().filter(|(_, flags)| !flags.contains(&"-spirv")) {
            let own = sample.args.iter().map(String::as_str);
            let args: Vec<&str> = ["-T", sample.profile.as_str()].iter().chain(*flags).copied().chain(own).collect();
            let mut library = Library::start(&args, &sample.hlsl);
            let mut times: [Result<Vec<Duration>, String>; 2] = [Ok(Vec::new()), Ok(Vec::new())];
            for _ in 0..iterations {
                let reference = || {
                    let start = Instant::now();
                    let result = dxc.compile(&source, &name, &args);
                    let took = start.elapsed();
                    if result.ok { Ok(took) } else { Err(result.diagnostics) }
                };
                let ours = library.as_mut().map_err(|e| e.clone()).and_then(Library::once);
                for (list, time) in times.iter_mut().zip([ours, reference()]) {
                    match (list.as_mut(), time) {
                        (Ok(list), Ok(time)) => list.push(time),
                        (Ok(_), Err(e)) => *list = Err(e),
                        (Err(_), _) => {}
                    }
                }
            }
            let [ours, theirs] = times.map(|list| list.map(median));
            row(&sample.name, target, &ours, &theirs);
            means.add(target, &ours, &theirs);
            failed.extend(ours.err().map(|e| format!("{} to {target} in process: {e}", sample.name)));
        }
    }
    means.print();
    Ok(failed)
}

/// A running [`IN_PROCESS`]; it ends when its input does.
struct Library {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Library {
    fn start(args: &[&str], file: &Path) -> Result<Library, String> {
        let program = plan::program(IN_PROCESS, true);
        if !program.is_file() {
            return Err(format!("no program {}", program.display()));
        }
        let mut command = Command::new(&program);
        command.args(args).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
        let streams = (child.stdin.take(), child.stdout.take());
        let (Some(ask), Some(answers)) = streams else {
            return Err("the program has no streams".to_string());
        };
        Ok(Library { child, ask, answers: BufReader::new(answers) })
    }

    /// Compiles once more.
    fn once(&mut self) -> Measured {
        let mut answer = String::new();
        let sent = self.ask.write_all(b"\n").and_then(|()| self.ask.flush());
        let read = sent.and_then(|()| self.answers.read_line(&mut answer));
        match (read, answer.trim().parse()) {
            (Ok(_), Ok(nanoseconds)) => Ok(Duration::from_nanos(nanoseconds)),
            (Ok(_), Err(_)) => Err(format!("{IN_PROCESS} answers `{}`", answer.trim())),
            (Err(e), _) => Err(format!("{IN_PROCESS} does not answer: {e}")),
        }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn means_count_what_both_compile() {
        let ms = |n| Ok(Duration::from_millis(n));
        let mut means = Means::default();
        means.add("DXIL", &ms(1), &ms(2));
        means.add("DXIL", &ms(1), &ms(8));
        means.add("DXIL", &ms(1), &Err(String::new()));
        let [line] = &means.lines()[..] else { panic!("one target") };
        assert!(line.ends_with("4.0  of 2 samples, 1 more fail in the reference"), "{line}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let times = [5u64, 1, 9].map(Duration::from_millis).to_vec();
        assert_eq!(median(times), Duration::from_millis(5));
        assert_eq!(median(Vec::new()), Duration::ZERO);
    }
}
