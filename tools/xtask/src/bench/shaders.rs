//! The shader benchmark: what the shaders of a project cost, as its build compiles them.
//!
//! A list has one command line of `dxc` in each line, without the program: `shader.hlsl -T ps_6_0 -E main -I include`. Paths are relative to the
//! list's folder; `#` starts a comment. Each line is compiled to DXIL and to SPIR-V, by both compilers in turns, as whole processes. A line that
//! has `-spirv` itself is compiled to SPIR-V only. The lists of public projects are not part of this one.
//!
//! Times are those of processors, since the machine may be busy, and the least of several runs counts. Peaks of memory are the processes'.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::measure::{self, Cost};

use super::{Means, Measured};
use crate::plan;
use crate::progress::{Step, show};

/// How often each shader is compiled.
const ITERATIONS: usize = 5;

/// What is compiled to: a name, and the options that are added.
const TARGETS: [(&str, &[&str]); 2] = [("DXIL", &[]), ("SPIR-V", &["-spirv"])];

/// One line of a list.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    /// What is printed: the file and the entry point.
    pub name: String,
    /// All words.
    pub args: Vec<String>,
}

/// What a line that both compilers compile costs rtc and the reference: seconds, and bytes at the peak.
#[derive(Clone, Copy)]
struct Costs {
    seconds: (f64, f64),
    peaks: (f64, f64),
}

impl Costs {
    /// The reference's time through rtc's.
    fn ratio(&self) -> f64 {
        self.seconds.1 / self.seconds.0
    }
}

/// Runs the benchmark over `list`, with `rtc` in place of the one that is built here.
///
/// # Errors
/// When the list cannot be read or is empty, or rtc does not compile what the reference compiles.
pub fn run(list: &Path, rtc: Option<&Path>, dir: &Path) -> Result<(), String> {
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
    let rtc = match rtc {
        // Commands run in the folder of the list.
        Some(path) => path.canonicalize().map_err(|e| format!("cannot run {}: {e}", path.display()))?,
        None => plan::program("rtc", true),
    };
    println!("{} command lines, least of {ITERATIONS} whole processes, times of processors in milliseconds", lines.len());
    println!("rtc is {}", rtc.display());
    println!("the reference is {}", reference[0].display());
    println!("{:<48} {:<7} {:>8} {:>10} {:>7}", "shader", "target", "rtc", "reference", "ratio");
    let mut means = Means::default();
    let mut failed = Vec::new();
    for (target, added) in TARGETS {
        let mut times: Vec<Costs> = Vec::new();
        let mut neither = 0;
        for l in &lines {
            if target == "DXIL" && l.args.iter().any(|a| a == "-spirv") {
                continue;
            }
            let mut step = Step::new(format!("{} to {target}", l.name));
            let ours = command(std::slice::from_ref(&rtc), l, added, &dir.join("rtc.out"), folder);
            let theirs = command(&reference, l, added, &dir.join("reference.out"), folder);
            let [ours, theirs] = turns(ours, theirs, &mut step);
            step.done();
            match (&ours, &theirs) {
                (Ok(a), Ok(b)) => {
                    let costs = Costs { seconds: (a.cpu.as_secs_f64(), b.cpu.as_secs_f64()), peaks: (a.peak as f64, b.peak as f64) };
                    let (own, other) = costs.seconds;
                    println!("{:<48} {target:<7} {:>8.2} {:>10.2} {:>7.1}", l.name, own * 1e3, other * 1e3, costs.ratio());
                    times.push(costs);
                }
                (Err(e), Ok(_)) => failed.push(format!("{} to {target}: {e}", l.name)),
                (Ok(_), Err(_)) => println!("{:<48} {target:<7} {:>27}", l.name, "the reference fails"),
                (Err(_), Err(_)) => neither += 1,
            }
            let time = |cost: Result<Cost, String>| -> Measured { cost.map(|c| c.cpu) };
            means.add(target, &time(ours), &time(theirs));
        }
        println!("{}{}", summary(target, times), if neither == 0 { String::new() } else { format!("; neither compiles {neither} more") });
    }
    means.print();
    if failed.is_empty() { Ok(()) } else { Err(format!("rtc fails where the reference does not:\n  {}", failed.join("\n  "))) }
}

/// Reads a line of a list; none for a comment.
pub(super) fn line(text: &str) -> Option<Line> {
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

/// Runs both commands in turns; the run of each that took least.
fn turns(ours: Command, theirs: Command, step: &mut Step) -> [Result<Cost, String>; 2] {
    let mut commands = [ours, theirs];
    let mut best: [Result<Option<Cost>, String>; 2] = [Ok(None), Ok(None)];
    for iteration in 0..ITERATIONS {
        step.note(&format!("iteration {}", iteration + 1));
        for (command, best) in commands.iter_mut().zip(&mut best) {
            let Ok(least) = best else { continue };
            match measure::run(command) {
                Ok(cost) if cost.success => *least = Some(least.filter(|l| l.cpu <= cost.cpu).unwrap_or(cost)),
                Ok(_) => *best = Err(format!("`{}` fails", show(command))),
                Err(e) => *best = Err(format!("cannot start `{}`: {e}", show(command))),
            }
        }
        if best.iter().all(Result::is_err) {
            break;
        }
    }
    best.map(|b| b.map(Option::unwrap_or_default))
}

/// The geometric mean; 1 of none.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

/// What the shaders of a target take in all, and the ratio where it is small and large.
fn summary(target: &str, mut costs: Vec<Costs>) -> String {
    if costs.is_empty() {
        return format!("{target}: nothing that both compile");
    }
    let at = |costs: &[Costs], tenths: usize| costs[(costs.len() - 1) * tenths / 10];
    let (ours, theirs) = costs.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.seconds.0, sum.1 + c.seconds.1));
    let memory = mean(costs.iter().map(|c| c.peaks.0 / c.peaks.1));
    costs.sort_by(|a, b| a.seconds.0.total_cmp(&b.seconds.0));
    let (median, p90) = (at(&costs, 5).seconds.0 * 1e3, at(&costs, 9).seconds.0 * 1e3);
    let smallest = mean(costs[..costs.len().div_ceil(10)].iter().map(Costs::ratio));
    costs.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let [low, middle, high] = [1, 5, 9].map(|tenths| at(&costs, tenths).ratio());
    format!(
        "{target}: {} shaders, {:.0} ms against {:.0} ms in all, {:.1} times as fast; rtc's median {median:.1} ms, a tenth above {p90:.1} ms; \
         ratio of the smallest tenth {smallest:.1}, of the tenth that gains least {low:.1}, median {middle:.1}, of the tenth that gains most {high:.1}; \
         peak memory {memory:.2} of the reference's",
        costs.len(),
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
        let costs = |a, b| Costs { seconds: (a, b), peaks: (1e6, 4e6) };
        let text = summary("DXIL", vec![costs(0.001, 0.010), costs(0.002, 0.010), costs(0.0005, 0.001)]);
        assert!(text.starts_with("DXIL: 3 shaders, 4 ms against 21 ms in all, 6.0 times as fast"), "{text}");
        assert!(text.contains("smallest tenth 2.0") && text.contains("median 5.0"), "{text}");
        assert!(text.ends_with("peak memory 0.25 of the reference's"), "{text}");
        assert_eq!(summary("DXIL", Vec::new()), "DXIL: nothing that both compile");
    }
}
