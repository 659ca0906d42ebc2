//! The work that the distributed compiler is built for: command lines of `rtc` over the sources of this project.
//!
//! Samples are compiled to every target, and the shaders of lit tests as the tests' own command lines say. They train the compiler, and the outputs of
//! two builds of it are compared over them. Nothing outside of the repository is among them.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rtc_oracles::measure;

use crate::plan::{self, BENCH_TARGETS, Sample};
use crate::progress::{Step, show};

/// The folder of the lit tests, in the workspace.
const LIT_TESTS: &str = "lit-tests/tests";

/// One command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What a person reads.
    pub name: String,
    /// The arguments; the output file is added.
    args: Vec<String>,
}

/// All command lines.
///
/// # Errors
/// When sources cannot be read, or there are none.
pub fn lines(workspace: &Path) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for sample in plan::samples()? {
        for (target, flags) in BENCH_TARGETS {
            let mut args = vec!["-T".to_string(), sample.profile.clone()];
            args.extend(sample.args.iter().cloned());
            args.extend(flags.iter().map(ToString::to_string));
            args.push(sample.hlsl.to_string_lossy().into_owned());
            lines.push(Line { name: format!("{} to {target}", sample.name), args });
        }
    }
    let mut files = Vec::new();
    sources(&workspace.join(LIT_TESTS), &mut files)?;
    files.sort();
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let path = file.to_string_lossy();
        let name = file.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let found = text.lines().filter_map(|line| lit_line(line, &path)).enumerate();
        lines.extend(found.map(|(n, args)| Line { name: format!("{name} {n}"), args }));
    }
    if lines.is_empty() { Err(format!("{} has no shaders", workspace.join(LIT_TESTS).display())) } else { Ok(lines) }
}

/// The shaders below a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    for path in entries.flatten().map(|e| e.path()) {
        match path.extension().and_then(OsStr::to_str) {
            None if path.is_dir() => sources(&path, files)?,
            Some("hlsl") => files.push(path),
            _ => {}
        }
    }
    Ok(())
}

/// The arguments of a `RUN` line that compiles its own file, without those that name outputs. Lines that expect a failure, print something else or need
/// files that other lines write are none.
fn lit_line(line: &str, file: &str) -> Option<Vec<String>> {
    let command = line.split_once("RUN: %rtc ")?.1.split(['|', '>', '<', '\'', '"', '\\']).next()?;
    let mut args = Vec::new();
    let mut words = command.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            // What else is written is no part of the comparison.
            "-Fo" | "-Fc" | "-Fd" | "-Fre" | "-Frs" | "-Fsh" | "-Fe" => _ = words.next(),
            "%s" => args.push(file.to_string()),
            _ if word.contains('%') || word.starts_with("-F") => return None,
            _ => args.push(word.to_string()),
        }
    }
    let compiles = args.first().is_some_and(|a| a.starts_with('-')) && args.iter().any(|a| a == "-T") && args.iter().any(|a| a == file);
    // These print and write no object.
    let prints = ["-P", "-M", "-MM", "-ftime-report", "-ftime-trace", "-verify", "-show-includes", "-H"];
    (compiles && !args.iter().any(|a| prints.iter().any(|p| a == p))).then_some(args)
}

impl Line {
    /// The command, whose output goes to `out`.
    fn command(&self, program: &Path, out: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(&self.args).arg("-Fo").arg(out).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Runs it to its end. Whether it succeeded.
    ///
    /// # Errors
    /// When the program cannot be started or a signal ends it.
    pub fn run(&self, program: &Path, out: &Path) -> Result<bool, String> {
        run(&mut self.command(program, out))
    }

    /// The time of processors that it takes.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn cost(&self, program: &Path, out: &Path) -> Result<Duration, String> {
        let mut command = self.command(program, out);
        measure::run(&mut command).map(|c| c.cpu).map_err(|e| format!("cannot start `{}`: {e}", show(&command)))
    }
}

/// Runs `program` with all lines, one after the other, and a build of all samples. How a compilation ends does not matter.
///
/// # Errors
/// When the program cannot be started or a signal ends it.
pub fn train(program: &Path, lines: &[Line], dir: &Path, environment: &[(&str, &OsStr)]) -> Result<(), String> {
    let mut step = Step::new("Training");
    let out = dir.join("trained.out");
    for line in lines {
        step.note(&line.name);
        let mut command = line.command(program, &out);
        run(command.envs(environment.iter().copied()))?;
    }
    step.note("rtc build");
    let description = dir.join("trained.toml");
    let text = description_of_build(&plan::samples()?);
    std::fs::write(&description, text).map_err(|e| format!("cannot write {}: {e}", description.display()))?;
    let mut command = Command::new(program);
    command.arg("build").arg(&description).args(["--force", "--no-cache"]).envs(environment.iter().copied());
    run(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))?;
    step.done();
    Ok(())
}

/// An `rtc.toml` with three permutations of every sample.
fn description_of_build(samples: &[Sample]) -> String {
    // The strings of TOML are written as Rust writes those of paths and options.
    let mut text = String::from(
        "out = \"trained\"\n[target.dxil]\n[target.vulkan]\noptions = [\"-spirv\", \"-fspv-target-env=vulkan1.2\"]\ndefines = { NO_SUBOBJECTS = true }\n",
    );
    for sample in samples {
        let options: Vec<String> = sample.args.iter().map(|a| format!("{a:?}")).collect();
        _ = write!(
            text,
            "[shader.{}]\nsource = {:?}\nprofile = {:?}\noptions = [{}]\nmatrix = {{ PERMUTATION = [0, 1, 2] }}\n",
            sample.name,
            sample.hlsl.to_string_lossy(),
            sample.profile,
            options.join(", ")
        );
    }
    text
}

/// Runs a command, which may fail, but not die.
fn run(command: &mut Command) -> Result<bool, String> {
    let status = command.status().map_err(|e| format!("cannot start `{}`: {e}", show(command)))?;
    match status.code() {
        Some(code) => Ok(code == 0),
        None => Err(format!("`{}` ends with {status}", show(command))),
    }
}

/// Compares what two programs make of all lines: the number of files that are equal.
///
/// # Errors
/// Which lines differ.
pub fn compare(programs: [&Path; 2], lines: &[Line], dir: &Path) -> Result<usize, String> {
    let mut step = Step::new("Comparing");
    let (mut equal, mut different) = (0, Vec::new());
    // Both write to the same path: debug information may name it.
    let out = dir.join("compared.out");
    for line in lines {
        step.note(&line.name);
        let mut made = Vec::new();
        for program in programs {
            _ = std::fs::remove_file(&out);
            let succeeds = line.run(program, &out)?;
            made.push((succeeds, std::fs::read(&out).ok()));
        }
        match made[0] == made[1] {
            true => equal += usize::from(made[0].1.is_some()),
            false => different.push(format!("{}: {}", line.name, show(&line.command(programs[1], &out)))),
        }
    }
    step.done();
    if different.is_empty() { Ok(equal) } else { Err(format!("{} outputs differ:\n  {}", different.len(), different.join("\n  "))) }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn run_lines_are_command_lines() {
        let args = |line: &str| lit_line(line, "/t/a.hlsl").map(|a| a.join(" "));
        assert_eq!(args("// RUN: %rtc -T cs_6_0 %s -Fo %t.dxil -Fc %t.txt").as_deref(), Some("-T cs_6_0 /t/a.hlsl"));
        assert_eq!(args("// RUN: %rtc -T lib_6_3 -Zi %s | FileCheck %s").as_deref(), Some("-T lib_6_3 -Zi /t/a.hlsl"));
        for other in [
            "// RUN: not %rtc -T cs_6_0 %s",
            "// RUN: %rtc dis %t.dxil",
            "// RUN: %rtc -T cs_6_0 %t.hlsl",
            "// RUN: %rtc -T cs_6_0 -P %s",
            "// RUN: %spirv-val %t.spv",
            "float4 main() {}",
        ] {
            assert_eq!(args(other), None, "{other}");
        }
    }

    #[test]
    fn the_repository_has_enough_of_them() {
        let lines = lines(&rtc_oracles::artefacts::workspace_root()).expect("sources");
        assert!(lines.len() > 500, "{}", lines.len());
        assert!(lines.iter().any(|l| l.args.iter().any(|a| a == "-spirv")));
    }
}
