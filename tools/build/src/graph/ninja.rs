//! A plan as a file for ninja: one rule, an edge for each task, dependencies by depfiles.

use std::fmt::Write as _;

use rtc_base::path::System;

use super::{output, steps, word};
use crate::error::Error;
use crate::plan::Plan;

/// The text of `build.ninja`. `rtc` is the command of the compiler. Each edge writes the object and a depfile.
///
/// # Errors
/// The plan has bundles or headers, which only `rtc build` makes, or a task without an object.
pub fn graph(plan: &Plan, rtc: &str) -> Result<String, Error> {
    let mut out = String::from("ninja_required_version = 1.5\n\n");
    _ = writeln!(out, "rtc = {}", value(&word(System::HERE, rtc)));
    out.push_str("rule compile\n  command = $rtc $arguments -MD -MF $out.d -Fo $out $in && $rtc $arguments -Fo $out $in\n  depfile = $out.d\n  deps = gcc\n  description = $name\n\n");
    for step in steps(plan, "ninja")? {
        let mut arguments: Vec<String> = step.task.arguments.iter().map(|a| word(System::HERE, a)).collect();
        if let Some(pdb) = &step.task.pdb {
            arguments.extend(["-Fd".to_owned(), word(System::HERE, &output(plan, pdb))]);
        }
        _ = writeln!(out, "build {}: compile {}", path(&output(plan, step.object)), path(&step.task.source));
        _ = writeln!(out, "  arguments = {}\n  name = {}", value(&arguments.join(" ")), value(&step.task.name()));
    }
    Ok(out)
}

/// A value in a file of ninja.
fn value(text: &str) -> String {
    text.replace('$', "$$").replace('\n', " ")
}

/// A path in a file of ninja.
fn path(path: &str) -> String {
    value(path).replace(' ', "$ ").replace(':', "$:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Task;

    #[test]
    fn words_and_paths_are_escaped() {
        let arguments = vec!["-D".into(), "A=\"x y\"".into(), "-D".into(), "B=$it's".into()];
        let task = Task { source: "a b$.hlsl".into(), arguments, object: Some("o:1.dxil".into()), ..Task::default() };
        let plan = Plan { out: "out".into(), tasks: vec![task], ..Plan::default() };
        let text = graph(&plan, "/opt/my rtc").expect("there is no bundle");
        assert!(text.contains("rtc = '/opt/my rtc'\n"), "{text}");
        assert!(text.contains("build out/o$:1.dxil: compile a$ b$$.hlsl\n"), "{text}");
        assert!(text.contains(r#"arguments = -D 'A="x y"' -D 'B=$$it'\''s'"#), "{text}");
    }
}
