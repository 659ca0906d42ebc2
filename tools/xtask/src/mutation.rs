//! `cargo xtask mutation`: tests the tests by mutants of the sources; the program that does it is `rtc-mutation-test`.

use std::process::Command;

use crate::needs::Scope;
use crate::plan;
use crate::setup::setup;

/// Builds and runs the program with these arguments: folders, `--minutes N`, `--seed N`, `--list`.
///
/// # Errors
/// When set-up or a build fails; an empty text when the program fails, which has said why.
pub fn run(args: &[&str]) -> Result<(), String> {
    setup(Scope::Oracles)?;
    plan::build(plan::MUTATION.0, plan::MUTATION.1, false)?;
    let program = plan::program("rtc-mutation-test", false);
    let status = Command::new(&program).args(args).status().map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    if status.success() { Ok(()) } else { Err(String::new()) }
}
