//! The checks of `cargo xtask test` that are no tests: formatting, lints and documentation.
//!
//! Each is a row of [`CHECKS`], counted like a test. A check whose component is not installed is skipped with the command
//! that installs it. All take the features of the test build, so that dependencies are checked once for clippy and rustdoc.

use std::process::{Command, Stdio};

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;

/// One check.
#[derive(Clone, Copy)]
pub struct Check {
    /// The name in the summary.
    pub name: &'static str,
    /// Cargo's subcommand and its arguments, up to the features.
    args: &'static [&'static str],
    /// Whether it compiles, and so takes features and the flags about the lock file.
    compiles: bool,
    /// Arguments after the features.
    rest: &'static [&'static str],
    /// Environment variables.
    environment: &'static [(&'static str, &'static str)],
    /// The component of the toolchain that it requires, and the command that shows whether it is installed.
    component: Option<(&'static str, &'static [&'static str])>,
}

/// All checks, in the order in which they run.
#[rustfmt::skip]
pub const CHECKS: &[Check] = &[
    Check { name: "cargo fmt", args: &["fmt", "--all", "--check"], compiles: false, rest: &[], environment: &[],
            component: Some(("rustfmt", &["fmt", "--version"])) },
    Check { name: "cargo clippy", args: &["clippy", "--workspace", "--all-targets"], compiles: true, rest: &["--", "-D", "warnings"], environment: &[],
            component: Some(("clippy", &["clippy", "--version"])) },
    Check { name: "cargo doc", args: &["doc", "--workspace", "--no-deps"], compiles: true, rest: &[],
            environment: &[("RUSTDOCFLAGS", "-D warnings")], component: None },
    // What is published has everything that it needs; `cargo publish --workspace --dry-run` builds it from the packages too.
    Check { name: "cargo package", args: &["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet", "--exclude", "xtask", "--exclude", "rtc-oracles",
            "--exclude", "rtc-differential", "--exclude", "rtc-lit-tests", "--exclude", "rtc-dxil-testing", "--exclude", "rtc-python", "--exclude", "rtc-embed-ash", "--exclude", "rtc-explore-web", "--exclude", "rtc-tidy"],
            compiles: false, rest: &[], environment: &[], component: None },
];

/// The tool that looks at dependencies, and what it looks at. Advisories are fetched, so they are looked at by hand.
const DENY: [&str; 5] = ["deny", "check", "licenses", "bans", "sources"];

/// Looks at licences and sources of all dependencies, where the tool is installed.
fn deny() -> Outcome {
    if !present(&["deny", "--version"]) {
        return Outcome::Skipped("cargo-deny is not installed: `cargo install cargo-deny --locked`".into());
    }
    let mut step = Step::new("Checking with `cargo deny`");
    let outcome = match step.run(plan::cargo().args(DENY)) {
        Ok(_) => Outcome::Passed,
        Err(output) => Outcome::Failed(output),
    };
    step.done();
    outcome
}

impl Check {
    /// Runs the check.
    pub fn run(&self) -> Outcome {
        if let Some((component, probe)) = self.component
            && !present(probe)
        {
            return Outcome::Skipped(format!("{component} is missing: run `rustup component add {component}`"));
        }
        let mut step = Step::new(format!("Checking with `{}`", self.name));
        let outcome = match step.run(&mut self.command()) {
            Ok(_) => Outcome::Passed,
            Err(output) => Outcome::Failed(output),
        };
        step.done();
        outcome
    }

    fn command(&self) -> Command {
        let mut command = plan::cargo();
        command.args(self.args);
        if self.compiles {
            command.args(["--features", &plan::test_features()]).args(plan::lock_flags());
        }
        command.args(self.rest).envs(self.environment.iter().copied());
        command
    }
}

/// A check by name.
type Named = (&'static str, fn() -> Outcome);

/// Checks that are more than a command.
const OTHERS: &[Named] = &[
    ("cargo deny", deny),
    ("the Python package", crate::python::check),
    ("the VS Code extension", crate::vscode::check),
    ("the page without a server", crate::web::check),
];

/// Checks that run when they are named: what they need is not on every machine, and they take long.
const NAMED: &[Named] = &[("windows", crate::windows::check), ("farm", crate::farm::check), ("newest-mesa", crate::newest_mesa::check)];

/// Runs all checks, or those whose names contain `wanted`, and passes on how each ended.
pub fn run(wanted: &str, mut ended: impl FnMut(&'static str, Outcome)) {
    for check in CHECKS.iter().filter(|c| c.name.contains(wanted)) {
        ended(check.name, check.run());
    }
    let named = NAMED.iter().filter(|_| !wanted.is_empty());
    for (name, run) in OTHERS.iter().chain(named).filter(|c| c.0.contains(wanted)) {
        ended(name, run());
    }
}

/// True when cargo with these arguments succeeds.
fn present(probe: &[&str]) -> bool {
    let mut command = plan::cargo();
    command.args(probe).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn commands_deny_warnings() {
        let text = |c: &Check| crate::progress::show(&c.command());
        assert!(text(&CHECKS[0]).ends_with("fmt --all --check"));
        assert!(text(&CHECKS[1]).ends_with(" -- -D warnings") && text(&CHECKS[1]).contains("--features"));
        assert!(CHECKS[2].environment.contains(&("RUSTDOCFLAGS", "-D warnings")));
    }

    #[test]
    fn a_missing_component_is_a_skip() {
        let check = Check { component: Some(("nothing", &["no-such-subcommand"])), ..CHECKS[0] };
        assert_eq!(check.run(), Outcome::Skipped("nothing is missing: run `rustup component add nothing`".into()));
    }
}
