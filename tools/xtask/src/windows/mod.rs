//! `cargo xtask check windows`: builds programs and libraries for Windows from this system, and runs under Wine what can run there.
//!
//! | part | what it shows |
//! |---|---|
//! | bytes | every command line that the distributed compiler is trained with writes the same bytes as on this system |
//! | projects | so do a project of `rtc.toml` and a configuration of ShaderMake |
//! | lit | the lit tests pass with `rtc.exe`; devices and oracles are those of this system |
//! | paths, files, text, processes, graphs | what Windows has of its own ([`cases`]) |
//! | libraries | programs in C with the libraries of the C interfaces and their import libraries |
//! | tests | unit tests, and the tests of the commands as processes, built for Windows |
//!
//! `RTC_WINDOWS=PART,PART` runs some parts alone, and `RTC_WINDOWS_BUILT=1` with what was built before. Builds have a folder of their own, so that they disturb no others.

mod cases;
mod parts;
pub mod wine;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::programs::find_program;

use crate::outcome::Outcome;
use crate::plan;
use crate::tool::{Tool, require};
use wine::{GCC, Wine};

/// The platform that is built for.
pub const TARGET: &str = "x86_64-pc-windows-gnu";

/// The packages with programs and libraries for Windows.
pub const PACKAGES: [&str; 5] = ["rtc-cli", "rtc-dxcompiler", "rtc-dxil", "rtc-c", "rtc-c-engine"];

/// What building requires.
pub const BUILD: [Tool; 2] = [
    Tool {
        what: "the standard library of Rust for Windows",
        present: || standard_library(TARGET),
        install: "rustup target add x86_64-pc-windows-gnu",
    },
    Tool {
        what: "mingw-w64, which links programs for Windows",
        present: || find_program(GCC).is_some(),
        install: "apt-get install gcc-mingw-w64-x86-64",
    },
];

const WINE: Tool = Tool { what: "Wine, which runs them", present: || Wine::program().is_some(), install: "apt-get install wine wine64" };

/// Whether the toolchain has the standard library of a platform.
pub fn standard_library(target: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc).args(["--print", "sysroot"]).current_dir(workspace_root()).output();
    said.is_ok_and(|o| Path::new(String::from_utf8_lossy(&o.stdout).trim()).join("lib/rustlib").join(target).join("lib").is_dir())
}

/// A file next to this one.
fn source(name: &str) -> PathBuf {
    workspace_root().join("tools/xtask/src/windows").join(name)
}

/// What the parts share.
struct Setup {
    wine: Wine,
    /// The folder for everything that is written.
    folder: PathBuf,
    /// The folder that has what was built for Windows.
    built: PathBuf,
}

/// What a part found: the number of things that are right, and what was not tried, with the reasons.
#[derive(Default)]
struct Finding {
    passed: usize,
    skipped: Vec<String>,
}

/// A part by name.
type Part = (&'static str, fn(&Setup) -> Result<Finding, String>);

const PARTS: &[Part] = &[
    ("paths", cases::paths),
    ("files", cases::files),
    ("text", cases::text),
    ("processes", cases::processes),
    ("graphs", cases::graphs),
    ("projects", parts::projects),
    ("libraries", parts::libraries),
    ("bytes", parts::bytes),
    ("lit", parts::lit),
    ("tests", parts::tests),
];

/// Builds, and runs all parts.
pub fn check() -> Outcome {
    if let Err(why) = require("the check of Windows", &[&BUILD[..], &[WINE]].concat()) {
        return Outcome::Skipped(why);
    }
    match all() {
        Ok(failed) if failed.is_empty() => Outcome::Passed,
        Ok(failed) => Outcome::Failed(failed.join("\n")),
        Err(e) => Outcome::Failed(e),
    }
}

/// Whether nothing is to be built.
fn is_built() -> bool {
    std::env::var("RTC_WINDOWS_BUILT").is_ok_and(|v| v == "1")
}

/// What failed, part by part.
fn all() -> Result<Vec<String>, String> {
    let folder = plan::target_dir().join("windows");
    fs::create_dir_all(&folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    if !is_built() {
        plan::build_product(false)?;
        plan::CAPI.iter().try_for_each(|(package, _)| plan::build(package, "", false))?;
        build(&folder, "dev", &[])?;
    }
    let built = folder.join(TARGET).join("debug");
    let setup = Setup { wine: Wine::start(&folder)?, folder: folder.join("checked"), built };
    println!("{}", setup.wine.version);
    let chosen = std::env::var("RTC_WINDOWS").unwrap_or_default();
    let mut failed = Vec::new();
    for (name, run) in PARTS.iter().filter(|p| chosen.is_empty() || chosen.split(',').any(|c| c == p.0)) {
        match run(&setup) {
            Ok(found) => {
                println!("windows {name}: {} passed", found.passed);
                found.skipped.iter().for_each(|why| println!("windows {name}: skipped: {why}"));
            }
            Err(e) => {
                println!("windows {name}: failed");
                failed.push(format!("{name}: {e}"));
            }
        }
    }
    Ok(failed)
}

/// Builds programs and libraries for Windows with a profile of cargo into `folder`.
///
/// # Errors
/// When cargo fails; it has said why.
pub fn build(folder: &Path, profile: &str, environment: &[(&str, String)]) -> Result<(), String> {
    let mut command = plan::cargo();
    arguments(command.arg("build"), folder, profile).args(["--bins", "--lib"]).envs(environment.iter().cloned());
    PACKAGES.iter().for_each(|p| _ = command.args(["-p", p]));
    plan::run_cargo(&mut command)
}

/// The arguments of builds for Windows.
fn arguments<'a>(command: &'a mut Command, folder: &Path, profile: &str) -> &'a mut Command {
    command.args(["--target", TARGET, "--profile", profile, "--target-dir"]).arg(folder).args(plan::lock_flags());
    // Debug information is most of what would be written.
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0")
}
