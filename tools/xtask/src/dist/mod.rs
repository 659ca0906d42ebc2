//! `cargo xtask dist`: builds the command `rtc` that is distributed, and the archive that a person downloads ([`package`]). With
//! `--target x86_64-pc-windows-gnu` it is the archive for Windows, whose programs are built without profiles.
//!
//! | stage | what it is | what it needs |
//! |---|---|---|
//! | plain | one program without the features that need shared libraries, linked statically with the C library musl | Rust's libraries for that target |
//! | profiled | the same, optimised for what the program does with the sources of this project | `llvm-profdata` of the compiler's LLVM |
//!
//! A stage whose needs are missing is skipped and says why. The result has to make the same files as the plain program, byte by byte, of every sample
//! and every shader of the lit tests.
//!
//! There is no stage after linking: `llvm-bolt` counts with a runtime of its own, which writes nothing where a program is linked statically.

mod package;
mod packed;
mod toolchain;
pub mod training;

pub use package::windows;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::plan;
use crate::progress::Step;
use toolchain::{Compiler, Platform};
use training::Line;

/// The name of the program.
const PROGRAM: &str = "rtc";

/// How often the time of a command line is taken; the least counts.
const ITERATIONS: usize = 5;

/// Of the command lines, one in this many is timed.
const TIMED: usize = 12;

/// A program that a stage made.
struct Built {
    stage: &'static str,
    path: PathBuf,
}

/// Builds, checks, measures, and copies the result to `folder`, or to `target/dist/rtc`; then makes the archive.
///
/// # Errors
/// When a build fails, or the result does not make the same files as the plain build.
pub fn run(folder: Option<&str>) -> Result<(), String> {
    let dir = plan::target_dir().join("dist");
    fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    let compiler = Compiler::ask()?;
    if let Some(built) = package::built_before() {
        return package::here(&compiler.host, built.join(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)), folder);
    }
    let lines = training::lines(&rtc_oracles::artefacts::workspace_root())?;
    let platform = compiler.static_platform().unwrap_or_else(|why| {
        skipped("static linking", &why);
        compiler.usual_platform()
    });
    let build = |stage: &'static str, more: &[String]| build(&platform, &dir, stage, more);
    let mut all = vec![build("plain", &[])?];
    match compiler.tool("llvm-profdata", "llvm") {
        Ok(profdata) => {
            let profile = profile(&platform, &dir, &profdata, &lines)?;
            let flags = [
                format!("-Cprofile-use={}", profile.display()),
                // The linker keeps what runs often apart from what does not.
                "-Clink-arg=-Wl,-z,keep-text-section-prefix".to_string(),
            ];
            all.push(build("profiled", &flags)?);
        }
        Err(why) => skipped("profiles", &why),
    }
    let last = &all[all.len() - 1];
    let out = folder.map_or_else(|| dir.clone(), PathBuf::from);
    fs::create_dir_all(&out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
    let out = out.join(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX));
    copy(&last.path, &out)?;
    println!("{}", out.display());
    report(&all, &lines, &dir)?;
    let equal = training::compare([&all[0].path, &out], &lines, &dir)?;
    println!("{equal} files of {} command lines are the same as those of the plain program", lines.len());
    package::here(&compiler.host, out, folder)
}

/// Says that something is not done, and why.
fn skipped(what: &str, why: &str) {
    println!("skipped: {what}: {why}");
}

/// Builds the program with flags for all crates that it is made of.
fn build(platform: &Platform, dir: &Path, stage: &'static str, more: &[String]) -> Result<Built, String> {
    eprintln!("   building: {stage}");
    let own = package::flags();
    let flags: Vec<&str> = platform.flags.iter().copied().chain(own.iter().chain(more).map(String::as_str)).collect();
    let mut command = plan::cargo();
    command.args(["build", "--release", "-p", plan::PRODUCT.0, "--bin", PROGRAM, "--no-default-features"]).args(plan::lock_flags());
    // With a target that is named, flags are not for programs that run during the build.
    command.args(["--target", &platform.target, "--target-dir"]).arg(dir.join("target"));
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS");
    command.envs(package::Commit::ask()?.environment());
    plan::run_cargo(&mut command)?;
    let file = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let path = dir.join(format!("{PROGRAM}-{stage}{}", std::env::consts::EXE_SUFFIX));
    copy(&dir.join("target").join(&platform.target).join("release").join(file), &path)?;
    Ok(Built { stage, path })
}

/// Copies a program; one that runs is replaced, not written to.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("cannot copy {} to {}: {e}", from.display(), to.display());
    match fs::remove_file(to) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(fail(e)),
        _ => {}
    }
    fs::copy(from, to).map(|_| ()).map_err(fail)
}

/// Builds the program that counts, trains it, and merges what it counted.
fn profile(platform: &Platform, dir: &Path, profdata: &Path, lines: &[Line]) -> Result<PathBuf, String> {
    let counts = dir.join("counts");
    empty(&counts)?;
    let counting = build(platform, dir, "counting", &[format!("-Cprofile-generate={}", counts.display())])?;
    // `%m`: all processes of one program add to one file.
    let file = counts.join("%m.profraw");
    training::train(&counting.path, lines, dir, &[("LLVM_PROFILE_FILE", file.as_os_str())])?;
    let merged = dir.join("rtc.profdata");
    let mut step = Step::new("Merging profiles");
    step.run(Command::new(profdata).args([OsStr::new("merge"), OsStr::new("-o"), merged.as_os_str(), counts.as_os_str()]))?;
    step.done();
    Ok(merged)
}

/// Makes a folder that is empty.
fn empty(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
        _ => fs::create_dir_all(folder),
    }
    .map_err(|e| format!("cannot empty {}: {e}", folder.display()))
}

/// Prints the size of each program, and its time over some of the command lines against that of the first.
fn report(all: &[Built], lines: &[Line], dir: &Path) -> Result<(), String> {
    let mut step = Step::new("Measuring");
    let mut times = vec![Vec::new(); all.len()];
    for line in lines.iter().step_by(TIMED) {
        step.note(&line.name);
        let mut least = vec![Duration::MAX; all.len()];
        // In turns, so that whatever else the machine does hits all.
        for _ in 0..ITERATIONS {
            for (built, least) in all.iter().zip(&mut least) {
                *least = line.cost(&built.path, &dir.join("measured.out"))?.min(*least);
            }
        }
        times.iter_mut().zip(least).for_each(|(list, time)| list.push(time.as_secs_f64()));
    }
    step.done();
    println!(
        "{:<10} {:>10} {:>12}   least of {ITERATIONS} whole processes, {} command lines",
        "program",
        "bytes",
        "times as fast",
        times[0].len()
    );
    for (built, own) in all.iter().zip(&times) {
        let size = fs::metadata(&built.path).map_err(|e| format!("cannot read {}: {e}", built.path.display()))?.len();
        println!("{:<10} {size:>10} {:>12.2}", built.stage, geometric_mean(times[0].iter().zip(own).map(|(a, b)| a / b)));
    }
    Ok(())
}

/// The geometric mean of ratios; 1 of none.
fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = ratios.fold((0.0, 0u32), |(sum, count), r| (sum + r.ln(), count + 1));
    if count == 0 { 1.0 } else { (sum / f64::from(count)).exp() }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn means_of_ratios() {
        assert!((geometric_mean([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-9);
        assert!((geometric_mean(std::iter::empty()) - 1.0).abs() < 1e-9);
    }
}
