//! Runs lines with one compiler or the other, and compares how they end.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use rtc_oracles::llvm;

use super::Verdict::{self, *};
use super::lines::{Line, Style, stages};

/// Seconds that a line has; `timeout` ends with [`LATE`] after them.
const LIMIT: &str = "60";

/// The status of `timeout` when the time is over, of a Rust program that panics, and from which on a shell means a signal.
const LATE: i32 = 124;
const PANICKED: i32 = 101;
const SIGNALS: i32 = 128;

/// What became of a line.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// It ends in FileCheck.
    pub filecheck: bool,
    /// It compiles to SPIR-V.
    pub spirv: bool,
    pub reason: String,
}

impl Outcome {
    /// A word for what the line tests.
    pub fn kind(&self) -> &'static str {
        match (self.filecheck, self.spirv) {
            (true, true) => "FileCheck of SPIR-V",
            (true, false) => "FileCheck of DXIL",
            (false, _) => "exit status",
        }
    }
}

/// What is run, and how the reference ended.
pub struct Bench {
    root: PathBuf,
    dir: PathBuf,
    rtc: PathBuf,
    reference: Option<PathBuf>,
    /// LLVM's programs first.
    path: String,
    /// By a line's place and text: whether the reference passes it, and the status of its compilation. Kept for the next run.
    known: Mutex<HashMap<String, (bool, i32)>>,
}

/// A link `dxc` to the program, which then prints as dxc does; or a copy, where there are no links.
fn as_dxc(rtc: &Path, dir: &Path) -> Result<PathBuf, String> {
    let link = dir.join(format!("dxc{}", std::env::consts::EXE_SUFFIX));
    let _ = fs::remove_file(&link);
    let made = fs::hard_link(rtc, &link).or_else(|_| fs::copy(rtc, &link).map(|_| ()));
    made.map(|()| link.clone()).map_err(|e| format!("cannot make {} of {}: {e}", link.display(), rtc.display()))
}

/// The end of a shell command.
struct End {
    status: i32,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Bench {
    /// # Errors
    /// When LLVM's FileCheck or the reference is missing.
    pub fn new(root: PathBuf, dir: PathBuf, rtc: PathBuf, reference: Option<PathBuf>) -> Result<Bench, String> {
        let llvm = llvm::find_tool("FileCheck").ok_or("FileCheck of LLVM 19 is missing: install llvm-19-tools")?;
        // Debian's programs in PATH are links with the version in their names.
        let llvm = llvm.canonicalize().unwrap_or(llvm);
        let tools = llvm.parent().unwrap_or(&llvm);
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
        let reference = match reference {
            Some(path) => Some(path.canonicalize().map_err(|e| format!("cannot run {}: {e}", path.display()))?),
            None => None,
        };
        let rtc = as_dxc(&rtc, &dir)?;
        let mut bench = Bench { root, dir, rtc, reference, path, known: Mutex::default() };
        let kept = bench.kept().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        let row = |line: &str| {
            let mut cells = line.splitn(3, '\t');
            Some((cells.next()? == "passes", cells.next()?.parse().ok()?, cells.next()?.to_string()))
        };
        bench.known = Mutex::new(kept.lines().filter_map(row).map(|(ok, status, place)| (place, (ok, status))).collect());
        Ok(bench)
    }

    /// The file that keeps how this build of the reference ended.
    fn kept(&self) -> Option<PathBuf> {
        let path = self.reference.as_ref()?;
        let said = Command::new(path).arg("--version").output().ok()?;
        let text = format!("{}{}", path.display(), String::from_utf8_lossy(&said.stdout));
        let name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Some(self.dir.join(format!("reference{}.tsv", &name[..name.len().min(200)])))
    }

    /// Keeps how the reference ended.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self) -> Result<(), String> {
        let (Some(file), Ok(known)) = (self.kept(), self.known.lock()) else { return Ok(()) };
        let mut rows: Vec<String> =
            known.iter().map(|(at, (ok, status))| format!("{}\t{status}\t{at}\n", if *ok { "passes" } else { "fails" })).collect();
        rows.sort();
        fs::write(&file, rows.concat()).map_err(|e| format!("cannot write {}: {e}", file.display()))
    }

    /// Runs the lines of one file, in order.
    pub fn run_file(&self, name: &str, lines: &[Line]) -> Vec<Outcome> {
        lines.iter().map(|line| self.run_line(name, line)).collect()
    }

    fn run_line(&self, name: &str, line: &Line) -> Outcome {
        let filecheck = line.text.contains("FileCheck");
        let mut outcome = Outcome { verdict: Out, filecheck, spirv: line.text.contains("-spirv"), reason: String::new() };
        if let Some(why) = &line.out {
            outcome.reason.clone_from(why);
            // What it leaves may be read by a line that counts.
            self.execute(name, line, &self.rtc, "rtc");
            return outcome;
        }
        let theirs = match &self.reference {
            Some(reference) => {
                let place = format!("{name}:{}: {}", line.number, line.text);
                let known = self.known.lock().ok().and_then(|k| k.get(&place).copied());
                let theirs = known.unwrap_or_else(|| self.both(name, line, reference, "reference"));
                if let Ok(mut known) = self.known.lock() {
                    known.insert(place, theirs);
                }
                Some(theirs)
            }
            None => None,
        };
        if theirs.is_some_and(|(passes, _)| !passes) {
            outcome.verdict = Unfit;
            return outcome;
        }
        let (passes, status) = self.both(name, line, &self.rtc, "rtc");
        let crashed = |status: i32| matches!(status, LATE | PANICKED) || status >= SIGNALS;
        let expected = theirs.map_or(i32::from(line.text.starts_with("not ")), |t| t.1);
        outcome.verdict = match (status, expected) {
            (ours, _) if crashed(ours) => Crashed,
            _ if passes => Passed,
            (0, 0) if filecheck && !line.text.contains("2>&1") => Code,
            (0, 0) => Wording,
            (_, 0) => Refused,
            (0, _) => Accepted,
            _ => Wording,
        };
        outcome.reason = self.first_error(name, line).unwrap_or_default();
        outcome
    }

    /// Whether a compiler passes a line, and the status of its compilation alone.
    fn both(&self, name: &str, line: &Line, compiler: &Path, side: &str) -> (bool, i32) {
        let whole = self.execute(name, line, compiler, side);
        let first = stages(&line.text)[0];
        let compile = first.strip_prefix("not ").map_or(first, |rest| rest.trim().trim_start_matches("--crash "));
        // What the comments of a test expect is another question than whether it compiles.
        let compile: Vec<&str> = compile.split_whitespace().filter(|w| !matches!(*w, "-verify" | "/verify" | "2>&1")).collect();
        let alone = Line { text: compile.join(" "), style: Style::Shell, ..line.clone() };
        let (folder, _) = self.place(name, line, side);
        let end = self.shell(&self.substituted(&alone.text, name, compiler, &folder, line.style), &folder);
        (whole, end.status)
    }

    /// Runs a whole line; whether it passes. What it says is in its log.
    fn execute(&self, name: &str, line: &Line, compiler: &Path, side: &str) -> bool {
        let (folder, log) = self.place(name, line, side);
        if fs::create_dir_all(&folder).is_err() {
            return false;
        }
        let text = self.substituted(&line.text, name, compiler, &folder, line.style);
        let mut end = match line.style {
            Style::Shell => self.shell(&format!("set -o pipefail; {text}"), &folder),
            Style::InProcess => self.in_process(&text, &folder),
        };
        let mut said = format!("{text}\n").into_bytes();
        said.append(&mut end.stdout);
        said.append(&mut end.stderr);
        // Without a log the verdict still holds.
        let _ = fs::write(log, said);
        end.status == 0
    }

    /// The folder of a file's runs by one compiler, and the log of a line.
    fn place(&self, name: &str, line: &Line, side: &str) -> (PathBuf, PathBuf) {
        let folder = self.dir.join(side).join(name);
        let log = folder.join(format!("{}.log", line.number));
        (folder, log)
    }

    /// As the reference's own runner does it: FileCheck reads the errors of a compilation that fails.
    fn in_process(&self, text: &str, folder: &Path) -> End {
        let parts = stages(text);
        let first = self.shell(parts[0], folder);
        let Some(check) = parts.get(1) else { return first };
        let (of_errors, plain) = ("-input-file=stderr", check.replace("-input-file=stderr", "--allow-empty"));
        let errors = first.status != 0 || check.contains(of_errors);
        let input = folder.join("input.txt");
        if fs::write(&input, if errors { &first.stderr } else { &first.stdout }).is_err() {
            return first;
        }
        self.shell(&format!("{plain} <{}", input.display()), folder)
    }

    /// A line with its names replaced.
    fn substituted(&self, text: &str, name: &str, compiler: &Path, folder: &Path, style: Style) -> String {
        let file = self.root.join(name);
        let parent = file.parent().unwrap_or(&self.root).to_path_buf();
        let temporary = folder.join("out");
        let reflect = text.contains("-Qstrip_reflect") || text.contains("rootsig_");
        let keep = if style == Style::InProcess && !reflect { " -Qkeep_reflect_in_dxil" } else { "" };
        let values = [
            ("%FileCheck", "FileCheck".to_string()),
            ("%dxc", format!("{}{keep}", compiler.display())),
            ("%s", file.display().to_string()),
            ("%S", parent.display().to_string()),
            ("%t", temporary.display().to_string()),
            ("%T", folder.display().to_string()),
        ];
        values.iter().fold(text.to_string(), |text, (name, value)| text.replace(name, value))
    }

    fn shell(&self, script: &str, folder: &Path) -> End {
        let mut command = Command::new("timeout");
        command.args([LIMIT, "bash", "-c", script]).current_dir(folder).env("PATH", &self.path).stdin(Stdio::null());
        match command.output() {
            Ok(out) => End { status: out.status.code().unwrap_or(SIGNALS), stdout: out.stdout, stderr: out.stderr },
            Err(e) => End { status: SIGNALS, stdout: Vec::new(), stderr: e.to_string().into_bytes() },
        }
    }

    /// The first line of a log that says what is wrong.
    fn first_error(&self, name: &str, line: &Line) -> Option<String> {
        let text = fs::read(self.place(name, line, "rtc").1).ok()?;
        let text = String::from_utf8_lossy(&text);
        let mut rest = text.lines().skip(1);
        let at = rest.find(|l| l.contains("error"))?;
        let shown = if at.contains("string not found") {
            format!("{} {}", at.trim(), rest.next().unwrap_or("").trim())
        } else {
            at.trim().to_string()
        };
        Some(shown.replace(&format!("{}/", self.root.display()), "").replace('\t', " "))
    }
}
