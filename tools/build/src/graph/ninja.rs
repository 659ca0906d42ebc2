//! A plan as a file for ninja: one rule, an edge for each task, dependencies by depfiles.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use rtc_base::path::System;

use super::{arguments, output, steps, word};
use crate::error::Error;
use crate::plan::Plan;

/// How the graph is made again.
#[derive(Clone, Debug, Default)]
pub struct Again {
    /// The file of the graph, as ninja is given it.
    pub file: String,
    /// The arguments of `rtc` that make it.
    pub arguments: Vec<String>,
}

/// Words of a command line: ninja gives it to a shell, but on Windows, where it starts the process itself.
fn words(system: System, words: &[String]) -> String {
    words.iter().map(|w| word(system, w)).collect::<Vec<_>>().join(" ")
}

/// The text of `build.ninja`. `rtc` is the path of the compiler, which is an input of everything. Each edge writes its files and a depfile in one
/// process, and the graph is made again when the description changes.
///
/// # Errors
/// The plan has bundles or headers, which only `rtc build` makes, or a task without an object.
pub fn graph(plan: &Plan, rtc: &str, again: &Again, system: System) -> Result<String, Error> {
    // Several outputs of an edge that has a depfile came with 1.10.
    let several = plan.tasks.iter().any(|t| t.files().count() > 1);
    let mut out = format!("ninja_required_version = {}\n\n", if several { "1.10" } else { "1.5" });
    _ = writeln!(out, "rtc = {}\n", value(&word(system, rtc)));
    out.push_str(
        "rule compile\n  command = $rtc $arguments -depfile=$out.d -Fo $out $in\n  depfile = $out.d\n  deps = gcc\n  description = $name\n\n",
    );
    let compiler = path(rtc);
    if !again.file.is_empty() {
        _ = writeln!(
            out,
            "rule describe\n  command = $rtc {}\n  generator = 1\n  description = $out",
            value(&words(system, &again.arguments))
        );
        let inputs: Vec<String> = plan.descriptions.iter().chain(&watched(plan, &again.file)).map(|f| path(f)).collect();
        _ = writeln!(out, "build {}: describe {} | {compiler}\n", path(&again.file), inputs.join(" "));
    }
    for step in steps(plan, "ninja")? {
        let object = output(plan, step.object);
        let others: Vec<String> = step.task.files().filter(|f| *f != step.object).map(|f| path(&output(plan, f))).collect();
        let others = if others.is_empty() { String::new() } else { format!(" | {}", others.join(" ")) };
        _ = writeln!(out, "build {}{others}: compile {} | {compiler}", path(&object), path(&step.task.source));
        _ = writeln!(out, "  arguments = {}\n  name = {}", value(&words(system, &arguments(plan, &step))), value(&step.task.name()));
    }
    Ok(out)
}

/// The folders whose files are sources by a pattern, but for those in which a build itself makes files: their times never settle.
fn watched(plan: &Plan, file: &str) -> Vec<String> {
    let made = [Path::new(file).parent(), Path::new(&plan.out).parent(), Some(Path::new(&plan.out)), Some(Path::new(""))];
    let plain = |p: &Path| p.components().filter(|c| *c != Component::CurDir).collect::<PathBuf>();
    let made: Vec<PathBuf> = made.into_iter().flatten().map(plain).collect();
    plan.folders.iter().filter(|f| !made.contains(&plain(Path::new(f)))).cloned().collect()
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
        let folders = vec!["".into(), "src".into(), "out".into()];
        let plan = Plan { out: "out".into(), tasks: vec![task], folders, descriptions: vec!["rtc.toml".into()], ..Plan::default() };
        let again = Again { file: "build.ninja".into(), arguments: vec!["build".into(), "a b.toml".into()] };
        let text = graph(&plan, "/opt/my rtc", &again, System::Unix).expect("there is no bundle");
        assert!(text.contains("rtc = '/opt/my rtc'\n"), "{text}");
        assert!(text.contains("build out/o$:1.dxil: compile a$ b$$.hlsl | /opt/my$ rtc\n"), "{text}");
        assert!(text.contains(r#"arguments = -D 'A="x y"' -D 'B=$$it'\''s'"#), "{text}");
        assert!(text.contains("build build.ninja: describe rtc.toml src | /opt/my$ rtc\n"), "{text}");
        assert!(text.contains("  command = $rtc build 'a b.toml'\n  generator = 1\n"), "{text}");
        assert!(!text.contains("&&"), "one process for each edge");
        let text = graph(&plan, "C:\\my rtc\\rtc.exe", &Again::default(), System::Windows).expect("there is no bundle");
        assert!(text.contains("rtc = \"C:\\my rtc\\rtc.exe\"\n"), "{text}");
        assert!(text.contains(r#"arguments = -D "A=\"x y\"" -D B=$$it's"#), "{text}");
    }
}
