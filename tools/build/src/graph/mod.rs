//! A plan as the file of another build system, which then schedules it: ninja, Bazel, FASTBuild.
//!
//! ninja learns the headers of a task when it compiles it, by a depfile. Bazel and FASTBuild must know them before: [`inputs()`] preprocesses
//! every task. Bundles and C headers are made by `rtc build` alone.

pub mod bazel;
pub mod fastbuild;
mod inputs;
pub mod ninja;

use crate::error::Error;
use crate::plan::{Plan, Task};

pub use inputs::inputs;

/// What a graph has of a task.
struct Step<'a> {
    task: &'a Task,
    /// The file of the object, in the folder of outputs.
    object: &'a str,
}

/// The tasks as steps of the build system `tool`.
fn steps<'a>(plan: &'a Plan, tool: &str) -> Result<Vec<Step<'a>>, Error> {
    if let Some(bundle) = plan.bundles.first() {
        return Err(Error::Arguments(format!("{tool} cannot make `{}`: blobs and archives need `rtc build`", bundle.file)));
    }
    let step = |task: &'a Task| match &task.object {
        Some(object) if task.header.is_none() => Ok(Step { task, object }),
        _ => Err(Error::Arguments(format!("{tool} cannot make `{}`: headers need `rtc build`", task.name()))),
    };
    plan.tasks.iter().map(step).collect()
}

/// A word for a shell.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// A file in the folder of outputs, as the compiler is given it.
fn output(plan: &Plan, file: &str) -> String {
    format!("{}/{file}", plan.out)
}
