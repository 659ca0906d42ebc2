//! A plan as a `BUILD.bazel` file: a genrule for each task, with the source and all headers as its sources, and a group of all objects.
//!
//! The current folder is the root of the workspace, and the folder of the file the package: sources, headers and outputs are in it. Paths in
//! arguments stay as they are, because actions of Bazel run in the root.

use std::fmt::Write as _;
use std::path::{Component, Path};

use super::{output, shell, steps};
use crate::error::Error;
use crate::plan::Plan;

/// The text of the file in the folder `package`, relative to the current one. `rtc` is the label of the compiler, `inputs` are the files that
/// each task reads ([`super::inputs()`]).
///
/// # Errors
/// The plan has bundles or headers, which only `rtc build` makes; a file is outside of the package or has a name that no label has.
pub fn graph(plan: &Plan, package: &str, rtc: &str, inputs: &[Vec<String>]) -> Result<String, Error> {
    let mut out = String::from("# Made by `rtc build --emit bazel`.\n\n");
    let mut names = Vec::new();
    for (step, inputs) in steps(plan, "Bazel")?.iter().zip(inputs) {
        let task = step.task;
        let within = |path: &str| in_package(path, package).map_err(Error::Arguments);
        let object = within(&output(plan, step.object))?;
        let source = within(&task.source)?;
        let mut sources = inputs.iter().map(|i| within(i)).collect::<Result<Vec<_>, _>>()?;
        sources.sort();
        sources.dedup();
        let mut outs = vec![object.clone()];
        let mut command = vec![location(rtc)];
        command.extend(task.arguments.iter().map(|a| shell(a).replace('$', "$$")));
        command.extend(["-Fo".to_owned(), location(&object)]);
        if let Some(pdb) = &task.pdb {
            let pdb = within(&output(plan, pdb))?;
            command.extend(["-Fd".to_owned(), location(&pdb)]);
            outs.push(pdb);
        }
        if let Some(header) = &task.header {
            let file = within(&output(plan, &header.file))?;
            command.extend(["-Fh".to_owned(), location(&file), "-Vn".to_owned(), header.variable.clone()]);
            outs.push(file);
        }
        command.push(location(&source));
        let name = format!("{object}.compile");
        _ = writeln!(out, "genrule(\n    name = {},\n    srcs = {},\n    outs = {},", text(&name), list(&sources), list(&outs));
        _ = writeln!(
            out,
            "    cmd = {},\n    message = {},\n    tools = [{}],\n)\n",
            text(&command.join(" ")),
            text(&task.name()),
            text(rtc)
        );
        names.push(format!(":{name}"));
    }
    _ = writeln!(out, "filegroup(\n    name = \"shaders\",\n    srcs = {},\n)", list(&names));
    Ok(out)
}

/// The place of a file in the command of a genrule, as one word of the shell.
fn location(label: &str) -> String {
    format!("$(execpath {label})")
}

/// A path relative to the package.
fn in_package(path: &str, package: &str) -> Result<String, String> {
    let mut parts: Vec<String> = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir if parts.pop().is_some() => {}
            _ => return Err(format!("`{path}` is outside of Bazel's workspace, which is the current folder")),
        }
    }
    let package: Vec<String> = Path::new(package)
        .components()
        .filter(|c| matches!(c, Component::Normal(_)))
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    let Some(rest) = parts.strip_prefix(&package[..]).filter(|rest| !rest.is_empty()) else {
        return Err(format!("`{path}` is outside of Bazel's package, the folder `{}`", package.join("/")));
    };
    let name = rest.join("/");
    // Labels may have more, which are special to a shell.
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./+,@~".contains(c);
    if name.chars().all(plain) {
        Ok(name)
    } else {
        Err(format!("`{path}` cannot be named in Bazel: it has other characters than `A-Za-z0-9-_=./+,@~`"))
    }
}

/// A string of Starlark.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn list(all: &[String]) -> String {
    match all {
        [one] => format!("[{}]", text(one)),
        _ => format!("[\n{}    ]", all.iter().map(|t| format!("        {},\n", text(t))).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Task;

    #[test]
    fn words_and_labels_are_escaped() {
        let arguments = vec!["-D".into(), "A=\"x $y\"\\".into(), "-I".into(), "inc".into()];
        let task = Task { shader: "s".into(), source: "./p/a.hlsl".into(), arguments, object: Some("s.dxil".into()), ..Task::default() };
        let plan = Plan { out: "p/out".into(), tasks: vec![task], ..Plan::default() };
        let inputs = [vec!["p/a.hlsl".to_owned(), "p/inc/b.hlsli".to_owned()]];
        let graph_of = |package: &str, inputs: &[Vec<String>]| graph(&plan, package, "@rtc//:rtc", inputs).map_err(|e| e.to_string());
        let made = graph_of("p", &inputs).expect("everything is in the package");
        let command = r#"    cmd = "$(execpath @rtc//:rtc) -D 'A=\"x $$y\"\\' -I inc -Fo $(execpath out/s.dxil) $(execpath a.hlsl)","#;
        assert!(made.contains(command), "{made}");
        assert!(
            made.contains("    srcs = [\n        \"a.hlsl\",\n        \"inc/b.hlsli\",\n    ],\n    outs = [\"out/s.dxil\"],"),
            "{made}"
        );
        assert!(made.contains("    name = \"shaders\",\n    srcs = [\":out/s.dxil.compile\"],"), "{made}");
        let wrong = |package: &str, input: &str| graph_of(package, &[vec![input.to_owned()]]).expect_err("it is outside");
        assert!(wrong("q", "p/a.hlsl").contains("outside of Bazel's package, the folder `q`"));
        assert!(wrong("p", "/usr/b.hlsli").contains("outside of Bazel's workspace"));
        assert!(wrong("p", "p/../../b.hlsli").contains("outside of Bazel's workspace"));
        assert!(wrong("p", "p/a b.hlsli").contains("cannot be named in Bazel"));
    }
}
