//! `rtc build --watch`: builds again whenever a file changes that a task read or looked for, or the description.

use rtc_build::Plan;
use rtc_build::state::State;
use rtc_build::watch::{Stamps, wait};

use super::is_below;
use crate::error::Result;

/// Builds `plan`, then again after each change, until the process is stopped. If the description is wrong, its error is printed, and the plan before stays.
///
/// # Errors
/// The folder of outputs cannot be written.
pub fn watch(mut plan: Plan, make_plan: impl Fn() -> Result<Plan>, build: impl Fn(&Plan) -> Result<bool>) -> Result<bool> {
    loop {
        let stamps = |plan: &Plan| Stamps::of(files(plan)).and_folders(&plan.folders);
        let before = stamps(&plan);
        build(&plan)?;
        // What the build read is known now; what changed during it is not.
        let seen = stamps(&plan).or_older(&before);
        eprintln!("rtc: waiting for changes of {} files", seen.len());
        wait(&seen);
        match make_plan() {
            Ok(changed) => plan = changed,
            Err(e) => eprintln!("rtc: error: {e}"),
        }
    }
}

/// The files of the description, of the sources, and of what tasks read or looked for.
fn files(plan: &Plan) -> Vec<String> {
    let state = State::load(plan);
    let mut paths: Vec<String> = state.paths().filter(|p| !is_below(p, &plan.out)).map(str::to_owned).collect();
    paths.extend(plan.descriptions.iter().cloned());
    paths.extend(plan.tasks.iter().map(|t| t.source.clone()));
    paths
}
