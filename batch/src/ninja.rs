//! A plan as a file for ninja, which then schedules it: one rule, an edge for each task, dependencies by depfiles.

use std::fmt::Write as _;

use crate::error::Error;
use crate::plan::Plan;

/// The text of `build.ninja`. `rtc` is the command of the compiler. Each edge writes the object and a depfile.
///
/// # Errors
/// The plan has bundles or headers, which only `rtc build` makes, or a task without an object.
pub fn graph(plan: &Plan, rtc: &str) -> Result<String, Error> {
    if let Some(bundle) = plan.bundles.first() {
        return Err(Error::Arguments(format!("ninja cannot make `{}`: blobs and archives need `rtc build`", bundle.file)));
    }
    let mut out = String::from("ninja_required_version = 1.5\n\n");
    _ = writeln!(out, "rtc = {}", value(&shell(rtc)));
    out.push_str("rule compile\n  command = $rtc $arguments -MD -MF $out.d -Fo $out $in && $rtc $arguments -Fo $out $in\n  depfile = $out.d\n  deps = gcc\n  description = $name\n\n");
    for task in &plan.tasks {
        let Some(object) = task.object.as_ref().filter(|_| task.header.is_none()) else {
            return Err(Error::Arguments(format!("ninja cannot make `{}`: headers need `rtc build`", task.name())));
        };
        let object = format!("{}/{object}", plan.out);
        let mut arguments: Vec<String> = task.arguments.iter().map(|a| shell(a)).collect();
        if let Some(pdb) = &task.pdb {
            arguments.extend(["-Fd".to_owned(), shell(&format!("{}/{pdb}", plan.out))]);
        }
        _ = writeln!(out, "build {}: compile {}", path(&object), path(&task.source));
        _ = writeln!(out, "  arguments = {}\n  name = {}", value(&arguments.join(" ")), value(&task.name()));
    }
    Ok(out)
}

/// A word for a shell.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
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
