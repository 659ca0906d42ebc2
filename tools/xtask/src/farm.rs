//! `cargo xtask check farm`: the tests of builds with other machines, for which some 190 packages are compiled that nothing else needs.

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;

/// Compiles with the feature and runs the tests.
pub fn check() -> Outcome {
    let mut command = plan::cargo();
    command.args(["test", "-p", "rtc-cli", "-p", "rtc-build", "--features", "rtc-cli/run,rtc-cli/remote", "--lib", "--test", "farm"]);
    let mut step = Step::new("Testing builds with other machines");
    let outcome = match step.run(command.args(plan::lock_flags())) {
        Ok(_) => Outcome::Passed,
        Err(output) => Outcome::Failed(output),
    };
    step.done();
    outcome
}
