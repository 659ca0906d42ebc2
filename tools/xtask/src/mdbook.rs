//! mdBook, which builds the book (`docs/book/`): installed by cargo, where it is missing, without optimisation, which takes a third of the time.

use rtc_oracles::programs::find_program;

use crate::plan;
use crate::progress::Step;

/// The versions that the book was seen to build with.
const VERSION: &str = "^0.5";

/// Installs it among the programs of cargo, unless it is there.
///
/// # Errors
/// It cannot be fetched or built.
pub fn install() -> Result<(), String> {
    if find_program("mdbook").is_some() {
        return Ok(());
    }
    let mut command = plan::cargo();
    command.args(["install", "mdbook", "--debug", "--locked", "--version", VERSION, "--no-default-features", "--features", "search"]);
    let mut step = Step::new("Installing mdBook");
    let done = step.run(&mut command).map(|_| ());
    step.done();
    done
}
