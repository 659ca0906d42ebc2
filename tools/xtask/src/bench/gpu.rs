//! The GPU benchmark: scenes in their forms (options of rtc, the reference compiler) side by side, on this machine's device or in a bundle for another.
//!
//! A bundle is a folder with `rtc-run`, scenes and compiled packages: a machine with a GPU needs nothing else to measure. What is
//! measured and compared is in `rtc run --bench`, what a bundle has in `rtc-differential gpu-bundle`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::needs::Scope;
use crate::plan;
use crate::setup::setup;

/// The environment variable with a list of further scenes, such as those of public projects.
const LIST: &str = "RTC_BENCH_GPU_LIST";

/// How many times the resolution of the scenes, in each direction: for GPUs, and for a device that is the machine's processor.
const SCALES: [&str; 2] = ["8", "1"];

/// Makes the bundle and, unless it is `bundle_only`, measures here. `options` are those of `rtc-differential gpu-bundle`.
///
/// # Errors
/// When set-up, build or a scene fail, or results differ.
pub fn run(folder: Option<&str>, options: &[&str], bundle_only: bool) -> Result<(), String> {
    setup(Scope::Oracles)?;
    // Without the CPU device, whose libraries the other machine may not have.
    plan::build(plan::PRODUCT.0, plan::PRODUCT.1, true)?;
    for (package, features) in [plan::ORACLES, (plan::RANDOM.0, "")] {
        plan::build(package, features, true)?;
    }
    let dir = folder.map_or_else(|| plan::target_dir().join("bench/gpu"), PathBuf::from);
    make(&dir, options, SCALES[usize::from(!bundle_only && on_processor())])?;
    if bundle_only {
        println!(
            "{} is the bundle; on the machine with the GPU, in its folder:\n  ./rtc-run --bench manifest.json -o results",
            dir.display()
        );
        return Ok(());
    }
    rtc_oracles::vulkan::available().map_err(|missing| format!("nothing can be measured here: {missing}"))?;
    let mut command = Command::new(dir.join(RUN));
    command.arg("--bench").arg(dir.join("manifest.json")).arg("-o").arg(dir.join("results"));
    finish(&mut command)
}

/// The program that runs scenes.
const RUN: &str = if cfg!(windows) { "rtc-run.exe" } else { "rtc-run" };

/// Fills the folder.
fn make(dir: &Path, options: &[&str], scale: &str) -> Result<(), String> {
    fs::create_dir_all(dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    let mut command = Command::new(plan::program(plan::RANDOM.0, true));
    command.arg("gpu-bundle").arg(dir).args(["--scale", scale]).args(options);
    if let Some(list) = std::env::var_os(LIST) {
        command.arg("--list").arg(list);
    }
    finish(&mut command)?;
    let to = dir.join(RUN);
    fs::copy(plan::program("rtc-run", true), &to).map(|_| ()).map_err(|e| format!("cannot write {}: {e}", to.display()))
}

/// Whether the machine's device is its processor, as far as `rtc-run` says.
fn on_processor() -> bool {
    let done = Command::new(plan::program("rtc-run", true)).arg("--list-devices").output();
    done.is_ok_and(|d| String::from_utf8_lossy(&d.stdout).contains("llvmpipe"))
}

/// Runs a command that prints what it does.
fn finish(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` ends with {status}", crate::progress::show(command))),
        Err(e) => Err(format!("cannot start `{}`: {e}", crate::progress::show(command))),
    }
}
