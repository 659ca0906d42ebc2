//! A plan as the file of another build system, which then schedules it: ninja, Bazel, FASTBuild.
//!
//! ninja learns the headers of a task when it compiles it, by a depfile. Bazel and FASTBuild must know them before: [`inputs()`] preprocesses
//! every task. Bundles and C headers in ShaderMake's form are made by `rtc build` alone.

pub mod bazel;
pub mod fastbuild;
mod inputs;
pub mod ninja;

use rtc_base::path::System;

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
        Some(object) if task.header.as_ref().is_none_or(|h| h.listed) => Ok(Step { task, object }),
        Some(_) => {
            let fix = "write `dxc-header` for the form that -Fh writes";
            Err(Error::Arguments(format!("{tool} cannot make `{}`: headers in ShaderMake's form need `rtc build`; {fix}", task.name())))
        }
        None => Err(Error::Arguments(format!("{tool} cannot make `{}`: it has no object", task.name()))),
    };
    plan.tasks.iter().map(step).collect()
}

/// A word for a shell.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// A word of a command line that the system starts: by a shell elsewhere, without one on Windows, where each program reads the words itself. A backslash is a
/// character there unless a quotation mark follows.
fn word(system: System, word: &str) -> String {
    if system == System::Unix {
        return shell(word);
    }
    if !word.is_empty() && !word.contains([' ', '\t', '\n', '"']) {
        return word.to_owned();
    }
    let mut out = String::from("\"");
    let mut backslashes = 0;
    for c in word.chars() {
        if c == '"' {
            out.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out.extend(std::iter::repeat_n('\\', backslashes));
    out.push('"');
    out
}

/// The arguments of a step: those of its task, and its files.
fn arguments(plan: &Plan, step: &Step<'_>) -> Vec<String> {
    let mut words = step.task.arguments.clone();
    if let Some(pdb) = &step.task.pdb {
        words.extend(["-Fd".to_owned(), output(plan, pdb)]);
    }
    if let Some(header) = &step.task.header {
        words.extend(["-Fh".to_owned(), output(plan, &header.file), "-Vn".to_owned(), header.variable.clone()]);
    }
    words
}

/// A file in the folder of outputs, as the compiler is given it.
fn output(plan: &Plan, file: &str) -> String {
    format!("{}/{file}", plan.out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_windows_are_read_back_by_its_rules() {
        let of = |text: &str| word(System::Windows, text);
        assert_eq!(of(r"C:\a\b.hlsl"), r"C:\a\b.hlsl");
        assert_eq!(of(r"C:\my fx\"), r#""C:\my fx\\""#, "the last backslash is none before the quotation mark");
        assert_eq!(of(r#"A="x y""#), r#""A=\"x y\"""#);
        assert_eq!(of(r#"B=\"z"#), r#""B=\\\"z""#);
        assert_eq!((of(""), of("it's$")), ("\"\"".to_owned(), "it's$".to_owned()));
        assert_eq!(word(System::Unix, "it's"), r"'it'\''s'");
    }
}
