//! `cargo xtask demo`: sets up, builds, compiles the samples and renders them.
//!
//! Sets up, builds the programs that make pictures (quickly, without optimisation over all crates), shows the first picture, then compiles every
//! sample to DXIL and to a package, renders it, and prints what was written and how long each step took. A sample that fails does not keep the others from being tried.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::needs::Scope;
use crate::plan::{self, DEMO, DemoStep, Sample};
use crate::progress::{Step, show};
use crate::setup::setup;

/// The sample whose picture comes first.
const FIRST: &str = "hello";

/// Runs the demo.
///
/// # Errors
/// When something cannot be installed or built, or a sample fails.
pub fn run() -> Result<(), String> {
    setup(Scope::Product)?;
    plan::build_demo()?;
    let mut samples = plan::samples()?;
    let dir = plan::target_dir().join("demo");
    fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    let mut failed = Vec::new();
    // The first picture is there before anything else is done.
    samples.sort_by_key(|s| s.name != FIRST);
    for (n, sample) in samples.iter().enumerate() {
        println!("{}", sample.name);
        let (pictures, others): (Vec<&DemoStep>, Vec<&DemoStep>) = DEMO.iter().partition(|s| n == 0 && s.extension == "png");
        for step in pictures.into_iter().chain(others) {
            if let Err(message) = run_step(step, sample, &dir) {
                println!("  {:<8} FAILED", step.what);
                eprintln!("error: {message}");
                failed.push(format!("{} ({})", sample.name, step.what));
            }
        }
    }
    if !failed.is_empty() {
        return Err(format!("the demo is not complete: {}", failed.join(", ")));
    }
    println!("the pictures are in {}", dir.display());
    Ok(())
}

/// Runs one step of one sample and prints what it made.
fn run_step(step: &DemoStep, sample: &Sample, dir: &Path) -> Result<(), String> {
    let out = dir.join(format!("{}.{}", sample.name, step.extension));
    if step.command.contains(&"{scene}") && sample.scene.is_none() {
        return Err(format!("the sample {} has no scene.toml", sample.name));
    }
    // A picture of the last time must not look like this time's.
    if out.exists() {
        fs::remove_file(&out).map_err(|e| format!("cannot remove {}: {e}", out.display()))?;
    }
    let mut command = plan::demo_command(step, sample, &out);
    let mut progress = Step::new(format!("{}: {}", sample.name, step.what));
    let start = Instant::now();
    let said = progress.run(&mut command)?;
    let took = start.elapsed();
    progress.done();
    let size = fs::metadata(&out).map(|m| m.len()).ok();
    let size = size.ok_or_else(|| format!("`{}` did not write {}", show(&command), out.display()))?;
    println!("  {:<8} {} ({size} bytes, {:.1} ms)", step.what, out.display(), took.as_secs_f64() * 1e3);
    // What the program itself says: the device and its times.
    for line in said.lines().filter(|l| !l.trim().is_empty()) {
        println!("           {line}");
    }
    Ok(())
}
