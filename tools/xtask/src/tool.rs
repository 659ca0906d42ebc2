//! Tools that a command requires, which a person installs.

use std::process::Stdio;

use rtc_oracles::programs::find_program;

use crate::plan;

/// The toolchain that has sanitizers, for rustup's cargo.
pub const TOOLCHAIN: &str = "+nightly";

/// A tool.
#[derive(Clone, Copy)]
pub struct Tool {
    /// What it is, and what it is for.
    pub what: &'static str,
    /// Whether it is there.
    pub present: fn() -> bool,
    /// What installs it.
    pub install: &'static str,
}

/// What chooses the toolchain.
pub const RUSTUP: Tool =
    Tool { what: "rustup, which chooses the toolchain", present: || find_program("rustup").is_some(), install: "see https://rustup.rs" };

/// The toolchain.
pub const NIGHTLY: Tool = Tool {
    what: "the nightly toolchain, which has the sanitizers",
    present: || cargo_succeeds(&[TOOLCHAIN, "--version"]),
    install: "rustup toolchain install nightly --profile minimal",
};

/// True when rustup's cargo with these arguments runs and succeeds.
pub fn cargo_succeeds(args: &[&str]) -> bool {
    let mut command = plan::rustup_cargo();
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}

/// Nothing if every tool is there.
///
/// # Errors
/// With the command that installs each missing one, for `purpose`.
pub fn require(purpose: &str, tools: &[Tool]) -> Result<(), String> {
    let missing: Vec<&Tool> = tools.iter().filter(|t| !(t.present)()).collect();
    if missing.is_empty() { Ok(()) } else { Err(instructions(purpose, &missing)) }
}

/// What a person does about missing tools.
pub fn instructions(purpose: &str, missing: &[&Tool]) -> String {
    let line = |t: &&Tool| format!("  - {}:\n      {}", t.what, t.install);
    format!("{purpose} requires tools that are missing; install them with\n{}", missing.iter().map(line).collect::<Vec<_>>().join("\n"))
}
