//! The shader benchmark: what the shaders of a project cost, as its build compiles them.
//!
//! A list has one command line of `dxc` in each line, without the program: `shader.hlsl -T ps_6_0 -E main -I include`. Paths are relative to the
//! list's folder; `#` starts a comment. Each line is compiled to DXIL and to SPIR-V, by both compilers in turns, as whole processes. A line that
//! has `-spirv` itself is compiled to SPIR-V only. The lists of public projects are not part of this one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Means, Measured, median, once};
use crate::plan;
use crate::progress::Step;

/// How often each shader is compiled.
const ITERATIONS: usize = 5;

/// What is compiled to: a name, and the options that are added.
const TARGETS: [(&str, &[&str]); 2] = [("DXIL", &[]), ("SPIR-V", &["-spirv"])];

/// One line of a list.
#[derive(Debug, PartialEq)]
struct Line {
    /// What is printed: the file and the entry point.
    name: String,
    args: Vec<String>,
}

/// Both medians of a line that both compilers compile, in seconds: rtc's and the reference's.
type Times = (f64, f64);

/// Runs the benchmark over `list`.
///
/// # Errors
/// When the list cannot be read or is empty, or rtc does not compile what the reference compiles.
pub fn run(list: &Path, dir: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(list).map_err(|e| format!("cannot read {}: {e}", list.display()))?;
    let lines: Vec<Line> = text.lines().filter_map(line).collect();
    if lines.is_empty() {
        return Err(format!("{} has no command line", list.display()));
    }
    let folder = list.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let reference = rtc_oracles::DxcProgram::find().ok();
    let reference: Vec<PathBuf> = match &reference {
        Some(program) => vec![PathBuf::from(program.command().get_program())],
        None => vec![plan::program("rtc-oracle", true), PathBuf::from("compile")],
    };
    println!("{} command lines, median of {ITERATIONS} whole processes, times in milliseconds", lines.len());
    println!("the reference is {}", reference[0].display());
    println!("{:<48} {:<7} {:>8} {:>10} {:>7}", "shader", "target", "rtc", "reference", "ratio");
    let mut means = Means::default();
    let mut failed = Vec::new();
    for (target, added) in TARGETS {
        let mut times: Vec<Times> = Vec::new();
        let mut neither = 0;
        for l in &lines {
            if target == "DXIL" && l.args.iter().any(|a| a == "-spirv") {
                continue;
            }
            let mut step = Step::new(format!("{} to {target}", l.name));
            let ours = command(&[plan::program("rtc", true)], l, added, &dir.join("rtc.out"), folder);
            let theirs = command(&reference, l, added, &dir.join("reference.out"), folder);
            let [ours, theirs] = turns(ours, theirs, &mut step);
            step.done();
            match (&ours, &theirs) {
                (Ok(a), Ok(b)) => {
                    let (a, b) = (a.as_secs_f64(), b.as_secs_f64());
                    println!("{:<48} {target:<7} {:>8.2} {:>10.2} {:>7.1}", l.name, a * 1e3, b * 1e3, b / a);
                    times.push((a, b));
                }
                (Err(e), Ok(_)) => failed.push(format!("{} to {target}: {e}", l.name)),
                (Ok(_), Err(_)) => println!("{:<48} {target:<7} {:>27}", l.name, "the reference fails"),
                (Err(_), Err(_)) => neither += 1,
            }
            means.add(target, &ours, &theirs);
        }
        println!("{}{}", summary(target, times), if neither == 0 { String::new() } else { format!("; neither compiles {neither} more") });
    }
    means.print();
    if failed.is_empty() { Ok(()) } else { Err(format!("rtc fails where the reference does not:\n  {}", failed.join("\n  "))) }
}

/// Reads a line of a list; none for a comment.
fn line(text: &str) -> Option<Line> {
    let words = text.split_whitespace().take_while(|w| !w.starts_with('#'));
    let args: Vec<String> = words.map(str::to_string).collect();
    let file = args.iter().find(|a| a.contains('.') && !a.starts_with('-'))?;
    let entry = args.iter().position(|a| a == "-E").and_then(|at| args.get(at + 1));
    let name = entry.filter(|e| *e != "main").map_or(file.clone(), |e| format!("{file} {e}"));
    let long = name.char_indices().rev().nth(47).map_or(0, |(at, _)| at);
    Some(Line { name: name[long..].to_string(), args })
}

/// The command that compiles a line.
fn command(program: &[PathBuf], l: &Line, added: &[&str], out: &Path, folder: &Path) -> Command {
    let mut command = Command::new(&program[0]);
    command.args(&program[1..]).args(&l.args);
    command.args(added.iter().filter(|a| !l.args.iter().any(|b| b == *a)));
    command.arg("-Fo").arg(out).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs both commands in turns; the median of each.
fn turns(ours: Command, theirs: Command, step: &mut Step) -> [Measured; 2] {
    let mut commands = [ours, theirs];
    let mut times: [Result<Vec<Duration>, String>; 2] = [Ok(Vec::new()), Ok(Vec::new())];
    for iteration in 0..ITERATIONS {
        step.note(&format!("iteration {}", iteration + 1));
        for (command, list) in commands.iter_mut().zip(&mut times) {
            match (list.as_mut(), once(command)) {
                (Ok(list), Ok(time)) => list.push(time),
                (Ok(_), Err(e)) => *list = Err(e),
                (Err(_), _) => {}
            }
        }
        if times.iter().all(Result::is_err) {
            break;
        }
    }
    times.map(|list| list.map(median))
}

/// What the shaders of a target take in all, and the ratio where it is small and large.
fn summary(target: &str, mut times: Vec<Times>) -> String {
    if times.is_empty() {
        return format!("{target}: nothing that both compile");
    }
    let at = |times: &[Times], tenths: usize| times[(times.len() - 1) * tenths / 10];
    let (ours, theirs) = times.iter().fold((0.0, 0.0), |sum, t| (sum.0 + t.0, sum.1 + t.1));
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (median, p90) = (at(&times, 5).0 * 1e3, at(&times, 9).0 * 1e3);
    times.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let [low, middle, high] = [1, 5, 9].map(|tenths| at(&times, tenths)).map(|t| t.1 / t.0);
    format!(
        "{target}: {} shaders, {:.0} ms against {:.0} ms in all, {:.1} times as fast; rtc's median {median:.1} ms, a tenth above {p90:.1} ms; \
         ratio of the tenth that gains least {low:.1}, median {middle:.1}, of the tenth that gains most {high:.1}",
        times.len(),
        ours * 1e3,
        theirs * 1e3,
        theirs / ours
    )
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_line() {
        assert_eq!(line("  # nothing"), None);
        assert_eq!(line(""), None);
        let l = line("a/b.hlsl -T ps_6_0 -E Lit -I inc # lit").expect("a line");
        assert_eq!((l.name.as_str(), l.args.len()), ("a/b.hlsl Lit", 7));
        assert_eq!(line("-T vs_6_0 -E main x.hlsl").expect("a line").name, "x.hlsl");
        assert_eq!(line(&format!("{}.hlsl", "ä".repeat(60))).expect("a line").name.chars().count(), 48);
    }

    #[test]
    fn a_summary_has_ratios() {
        let text = summary("DXIL", vec![(0.001, 0.010), (0.002, 0.010), (0.001, 0.002)]);
        assert!(text.starts_with("DXIL: 3 shaders, 4 ms against 22 ms in all, 5.5 times as fast"), "{text}");
        assert!(text.contains("median 5.0"), "{text}");
        assert_eq!(summary("DXIL", Vec::new()), "DXIL: nothing that both compile");
    }
}
