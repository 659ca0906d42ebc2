//! The scale benchmark: what compiling costs as sources grow. Time per line must not grow, memory must stay in proportion,
//! and both must stay below the reference's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::measure::{self, Cost};

use super::generate::{EXTREMES, Source, mix};
use crate::plan;
use crate::progress::Step;

/// Lines of the mixes.
const MIXES: [usize; 3] = [1_000, 5_000, 20_000];

/// What is compiled to: a name, and the flags of both compilers.
const TARGETS: [(&str, &[&str]); 2] = [("DXIL", &[]), ("SPIR-V", plan::SPIRV_FLAGS)];

/// Runs the benchmark; `wanted` is part of the names of the sources to run, empty for all.
///
/// # Errors
/// When a file cannot be written, or rtc does not compile a source.
pub fn run(iterations: usize, wanted: &str, dir: &Path) -> Result<(), String> {
    println!(
        "\nscale: best of {iterations} iterations of whole processes; µs each: rtc's time above that of an empty source, through the size; \
         growth: that against the size before, 1 is linear; memory: peak of the process in MiB"
    );
    println!(
        "{:<16} {:>7} {:>7} {:<7} {:>10} {:>8} {:>7} {:>10} {:>7} {:>8} {:>8}",
        "source", "size", "lines", "target", "rtc ms", "µs each", "growth", "ref. ms", "ratio", "rtc MiB", "ref. MiB"
    );
    let mut failed = Vec::new();
    let text = "[shader(\"raygeneration\")]\nvoid Main() {}\n".to_string();
    let empty = write(dir, "empty", 0, &Source { text, includes: Vec::new() })?;
    let mut floor = [0.0; 2];
    for (floor, (_, flags)) in floor.iter_mut().zip(TARGETS) {
        *floor = best(&ours(&empty, flags, dir), iterations).map_or(0.0, |c| c.wall.as_secs_f64());
    }
    for (name, sizes, make) in series().iter().filter(|s| s.0.contains(wanted)) {
        for ((target, flags), floor) in TARGETS.iter().zip(floor) {
            let mut before: Option<f64> = None;
            for size in sizes {
                let source = make(*size);
                let file = write(dir, name, *size, &source)?;
                let mut step = Step::new(format!("{name} {size} to {target}"));
                let rtc = best(&ours(&file, flags, dir), iterations);
                step.note("reference");
                let reference = best(&theirs(&file, flags, dir), iterations);
                step.done();
                let Some(rtc) = rtc else {
                    failed.push(format!("{name} {size} to {target} ({})", file.display()));
                    println!("{name:<16} {size:>7} {:>7} {target:<7} {:>10}", source.lines(), "fails");
                    continue;
                };
                let each = (rtc.wall.as_secs_f64() - floor).max(1e-9) / (*size).max(1) as f64 * 1e6;
                let growth = before.map_or("-".to_string(), |b| format!("{:.2}", each / b));
                before = Some(each);
                let ms = |c: &Cost| c.wall.as_secs_f64() * 1e3;
                let mib = |c: &Cost| c.peak as f64 / f64::from(1 << 20);
                let (their_ms, ratio, their_mib) = match &reference {
                    Some(c) => (format!("{:.1}", ms(c)), format!("{:.1}", ms(c) / ms(&rtc)), format!("{:.1}", mib(c))),
                    None => ("fails".to_string(), "-".to_string(), "-".to_string()),
                };
                println!(
                    "{name:<16} {size:>7} {:>7} {target:<7} {:>10.1} {each:>8.2} {growth:>7} {their_ms:>10} {ratio:>7} {:>8.1} {their_mib:>8}",
                    source.lines(),
                    ms(&rtc),
                    mib(&rtc)
                );
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("rtc failed:\n  {}", failed.join("\n  "))) }
}

/// A name, sizes, and what makes the source of a size.
type Series = (&'static str, Vec<usize>, fn(usize) -> Source);

fn series() -> Vec<Series> {
    let mut all: Vec<Series> = vec![("mix", MIXES.to_vec(), mix)];
    all.extend(EXTREMES.iter().map(|e| (e.name, vec![e.size / 2, e.size], e.make)));
    all
}

/// Writes every source below `dir`.
pub fn sources(dir: &Path) -> Result<(), String> {
    for (name, sizes, make) in series() {
        for size in sizes {
            println!("{}", write(dir, name, size, &make(size))?.display());
        }
    }
    Ok(())
}

/// Writes a source and what it includes into a folder of its own.
fn write(dir: &Path, name: &str, size: usize, source: &Source) -> Result<PathBuf, String> {
    let folder = dir.join("scale").join(format!("{name}-{size}"));
    let at = |e: std::io::Error| format!("cannot write to {}: {e}", folder.display());
    fs::create_dir_all(&folder).map_err(at)?;
    for (file, text) in &source.includes {
        fs::write(folder.join(file), text).map_err(at)?;
    }
    let main = folder.join(format!("{name}.hlsl"));
    fs::write(&main, &source.text).map_err(at)?;
    Ok(main)
}

fn ours(file: &Path, flags: &[&str], dir: &Path) -> Vec<String> {
    command("rtc", &[], file, flags, &dir.join("rtc.out"))
}

fn theirs(file: &Path, flags: &[&str], dir: &Path) -> Vec<String> {
    command("rtc-oracle", &["compile"], file, flags, &dir.join("reference.out"))
}

fn command(program: &str, first: &[&str], file: &Path, flags: &[&str], out: &Path) -> Vec<String> {
    let text = |p: &Path| p.to_string_lossy().into_owned();
    let mut words = vec![text(&plan::program(program, true))];
    let common = ["-T", "lib_6_3", "-HV", "2021", "-no-warnings"];
    words.extend(first.iter().chain(&common).chain(flags).map(|w| (*w).to_string()));
    words.extend([text(file), "-Fo".to_string(), text(out)]);
    words
}

/// The cheapest of some runs; nothing if one fails.
fn best(words: &[String], iterations: usize) -> Option<Cost> {
    let (program, rest) = words.split_first()?;
    let mut best: Option<Cost> = None;
    for _ in 0..iterations {
        let mut command = Command::new(program);
        command.args(rest).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let cost = measure::run(&mut command).ok().filter(|c| c.success)?;
        best = Some(match best {
            Some(b) if b.wall <= cost.wall => b,
            _ => cost,
        });
    }
    best
}
