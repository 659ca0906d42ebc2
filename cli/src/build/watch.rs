//! `rtc build --watch`: builds again whenever a file changes that a task read or looked for, or the description.

use std::path::Path;
use std::time::Duration;

use rtc_batch::Plan;
use rtc_batch::state::{Stamp, State};

use super::is_below;
use crate::error::Result;

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(200);

/// Builds `plan`, then again after each change, until the process is stopped. If the description is wrong, its error is printed, and the plan before stays.
///
/// # Errors
/// The folder of outputs cannot be written.
pub fn watch(mut plan: Plan, make_plan: impl Fn() -> Result<Plan>, build: impl Fn(&Plan) -> Result<bool>) -> Result<bool> {
    loop {
        let before = stamps(&plan);
        build(&plan)?;
        // What the build read is known now; what changed during it is not.
        let mut seen = stamps(&plan);
        seen.iter_mut().for_each(|(path, stamp)| {
            if let Some((_, old)) = before.iter().find(|b| b.0 == *path) {
                *stamp = *old;
            }
        });
        eprintln!("rtc: waiting for changes of {} files", seen.len());
        while seen.iter().all(|(path, stamp)| Stamp::of(Path::new(path)) == *stamp) {
            std::thread::sleep(INTERVAL);
        }
        // Editors write in several steps.
        std::thread::sleep(INTERVAL);
        match make_plan() {
            Ok(changed) => plan = changed,
            Err(e) => eprintln!("rtc: error: {e}"),
        }
    }
}

/// The files of the description, of the sources, and of what tasks read or looked for, with their stamps.
fn stamps(plan: &Plan) -> Vec<(String, Option<Stamp>)> {
    let state = State::load(plan);
    let mut paths: Vec<String> = state.paths().filter(|p| !is_below(p, &plan.out)).map(str::to_owned).collect();
    paths.extend(plan.descriptions.iter().cloned());
    paths.extend(plan.tasks.iter().map(|t| t.source.clone()));
    paths.sort();
    paths.dedup();
    paths.into_iter().map(|path| (Stamp::of(Path::new(&path)), path)).map(|(stamp, path)| (path, stamp)).collect()
}
