//! The reference's own tests as a benchmark: every RUN line of a checkout of them, with rtc in place of `dxc`.
//!
//! A line counts when it compiles (`%dxc`) and does nothing else but compare with FileCheck, and when the reference passes it itself in the
//! FileCheck of today's LLVM. How it ends with rtc is a [`Verdict`]. Lines that cannot or need not be the same are listed with a reason in
//! [`LISTED`]: file, number of the RUN line in it, verdict, reason. A listed line that passes is reported, so that the list shrinks.

mod lines;
mod outcome;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rtc_oracles::artefacts::workspace_root;

use crate::plan;
use crate::progress::Step;
use lines::Line;
use outcome::{Bench, Outcome};

/// The list of lines that need not be the same: `FILE:NUMBER`, a verdict and a reason, with tabs between.
const LISTED: &str = "tests/differential/reference-tests.tsv";

/// How a line ends with rtc, or why it does not count. The words are those of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Passes as it is.
    Passed,
    /// Both accept, and the list says that the code is as good, or other on purpose.
    Equivalent,
    /// rtc refuses what the reference compiles.
    Refused,
    /// rtc compiles what the reference refuses.
    Accepted,
    /// Both refuse, or warn; the text differs.
    Wording,
    /// Both compile; the output differs.
    Code,
    /// rtc ends with a signal or a panic, or not in time.
    Crashed,
    /// The reference does not pass itself.
    Unfit,
    /// About the reference's inner workings, or not about a compilation.
    Out,
}

use Verdict::*;

/// In the order of the tables' columns.
const VERDICTS: [(Verdict, &str); 9] = [
    (Passed, "passed"),
    (Equivalent, "equivalent"),
    (Refused, "refused"),
    (Accepted, "accepted"),
    (Wording, "wording"),
    (Code, "code"),
    (Crashed, "crashed"),
    (Unfit, "unfit"),
    (Out, "out"),
];

impl Verdict {
    fn name(self) -> &'static str {
        VERDICTS.iter().find(|v| v.0 == self).map_or("", |v| v.1)
    }

    fn named(name: &str) -> Option<Verdict> {
        VERDICTS.iter().find(|v| v.1 == name).map(|v| v.0)
    }
}

/// What the list says of a line.
struct Listed {
    verdict: Verdict,
    reason: String,
}

/// Runs the tests below `folder` whose names contain `--only TEXT`, counting what `--reference DXC` passes, with the program
/// `--compiler RTC` if it is not the one that is built here.
///
/// # Errors
/// When an option or the list is wrong, set-up or build fail, or a line that is not listed ends otherwise than well.
pub fn run(folder: &str, options: &[&str]) -> Result<(), String> {
    let (mut reference, mut compiler, mut only) = (None, None, "");
    for pair in options.chunks(2) {
        match pair {
            ["--reference", path] => reference = Some(PathBuf::from(path)),
            ["--compiler", path] => compiler = Some(Path::new(path).canonicalize().map_err(|e| format!("cannot run {path}: {e}"))?),
            ["--only", text] => only = text,
            _ => return Err(format!("what is `{}`? --reference DXC, --compiler RTC and --only TEXT are known", pair.join(" "))),
        }
    }
    let listed = listed()?;
    let root = Path::new(folder).canonicalize().map_err(|e| format!("cannot read {folder}: {e}"))?;
    let mut files = lines::read(&root)?;
    files.retain(|(name, _)| name.contains(only));
    if files.is_empty() {
        return Err(format!("{folder} has no RUN line of a file whose name contains `{only}`"));
    }
    let rtc = match compiler {
        Some(rtc) => rtc,
        None => plan::build_product(false).map(|()| plan::program("rtc", false))?,
    };
    let dir = plan::target_dir().join("bench/reference-tests");
    fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
    let bench = Bench::new(root, dir.clone(), rtc, reference)?;
    let outcomes = run_files(&bench, &files);
    bench.keep()?;
    report(&outcomes, &listed, &dir)
}

/// The list, by file and number of the RUN line.
fn listed() -> Result<HashMap<String, Listed>, String> {
    let path = workspace_root().join(LISTED);
    let text = fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    parse_list(&text)
}

fn parse_list(text: &str) -> Result<HashMap<String, Listed>, String> {
    let rows = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    let row = |line: &str| {
        let mut cells = line.splitn(3, '\t');
        let (place, verdict, reason) = (cells.next()?, cells.next()?, cells.next()?);
        let verdict = Verdict::named(verdict)?;
        Some((place.to_string(), Listed { verdict, reason: reason.to_string() })).filter(|_| !reason.trim().is_empty())
    };
    rows.map(|line| row(line).ok_or_else(|| format!("{LISTED}: `{line}` is not a place, a verdict and a reason"))).collect()
}

/// Runs the files on all cores; the outcomes in the order of the lines.
fn run_files(bench: &Bench, files: &[(String, Vec<Line>)]) -> Vec<(String, Outcome)> {
    let (next, step) = (AtomicUsize::new(0), Mutex::new(Step::new("Running the reference's tests".to_string())));
    let results = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some((name, lines)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcomes = bench.run_file(name, lines);
            if let (Ok(mut results), Ok(mut step)) = (results.lock(), step.lock()) {
                step.note(name);
                results.extend(outcomes.into_iter().zip(lines).map(|(o, l)| ((name.clone(), l.number), o)));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    if let Ok(step) = step.into_inner() {
        step.done();
    }
    let results = results.into_inner().unwrap_or_default();
    results.into_iter().map(|((name, number), outcome)| (format!("{name}:{number}"), outcome)).collect()
}

/// Prints the tables, and writes every line with its verdict into `lines.tsv` of the folder.
fn report(outcomes: &[(String, Outcome)], listed: &HashMap<String, Listed>, dir: &Path) -> Result<(), String> {
    let mut folders: BTreeMap<String, Counts> = BTreeMap::new();
    let (mut all, mut table, mut passing) = (Counts::default(), String::new(), Vec::new());
    for (place, outcome) in outcomes {
        let list = listed.get(place);
        let verdict = match (outcome.verdict, list) {
            (found @ (Passed | Unfit | Out), _) => found,
            (_, Some(list)) => list.verdict,
            (found, None) => found,
        };
        if outcome.verdict == Passed && list.is_some() {
            passing.push(place.as_str());
        }
        let folder: Vec<&str> = place.split('/').collect();
        let folder = folder[..folder.len().saturating_sub(1).min(2)].join("/");
        folders.entry(folder).or_default().add(verdict, outcome, list.is_some());
        all.add(verdict, outcome, list.is_some());
        let reason = list.map_or(outcome.reason.as_str(), |l| l.reason.as_str());
        let state = if list.is_some() { "listed" } else { "" };
        table.push_str(&format!("{place}\t{}\t{}\t{state}\t{reason}\n", verdict.name(), outcome.kind()));
    }
    let file = dir.join("lines.tsv");
    fs::write(&file, table).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    print!("{:<32}", "folder");
    println!("{}", VERDICTS.map(|v| format!("{:>11}", v.1)).concat());
    for (folder, counts) in &folders {
        println!("{folder:<32}{}", counts.cells());
    }
    println!("{:<32}{}", "all", all.cells());
    println!("accepted and refused alike: {}; without what the list says that rtc does not have: {}", all.alike, all.alike_of_had);
    println!("FileCheck of DXIL, but for what is equivalent, verbatim: {}; without what rtc does not have: {}", all.dxil, all.dxil_of_had);
    println!("every line is in {}, what a line said in {}", file.display(), dir.join("FILE/NUMBER.log").display());
    for place in &passing {
        println!("{LISTED}: {place} passes");
    }
    if passing.is_empty() { Ok(()) } else { Err(format!("{} lines pass and are listed", passing.len())) }
}

/// How many of how many.
#[derive(Clone, Copy, Default)]
struct Share(usize, usize);

impl Share {
    fn add(&mut self, good: bool) {
        self.0 += usize::from(good);
        self.1 += 1;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} ({:.1} %)", self.0, self.1, 100.0 * self.0 as f64 / (self.1.max(1)) as f64)
    }
}

/// The verdicts of some lines.
#[derive(Default)]
struct Counts {
    verdicts: BTreeMap<Verdict, usize>,
    /// Both accept, or both refuse, or the list says why rtc accepts.
    alike: Share,
    /// The same without lines that the list has as refused: about features that rtc does not have.
    alike_of_had: Share,
    /// Verbatim, of what FileCheck reads from DXIL and is not listed as equivalent.
    dxil: Share,
    /// The same without lines that the list has as refused.
    dxil_of_had: Share,
}

impl Counts {
    /// Counts a line: the verdict with the list, what was found, and whether it is listed.
    fn add(&mut self, verdict: Verdict, outcome: &Outcome, listed: bool) {
        *self.verdicts.entry(verdict).or_default() += 1;
        if matches!(verdict, Unfit | Out) {
            return;
        }
        let alike = !matches!(outcome.verdict, Refused | Accepted | Crashed) || verdict == Equivalent;
        let had = !(listed && verdict == Refused);
        self.alike.add(alike);
        if had {
            self.alike_of_had.add(alike);
        }
        if outcome.filecheck && !outcome.spirv && verdict != Equivalent {
            self.dxil.add(verdict == Passed);
            if had {
                self.dxil_of_had.add(verdict == Passed);
            }
        }
    }

    fn cells(&self) -> String {
        VERDICTS.map(|(v, _)| format!("{:>11}", self.verdicts.get(&v).copied().unwrap_or(0))).concat()
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn a_list_has_a_place_a_verdict_and_a_reason() {
        let list = parse_list("# comment\n\na/b.hlsl:2\tequivalent\tthe order of two loads\n").expect("a list");
        assert_eq!(list["a/b.hlsl:2"].verdict, Equivalent);
        for wrong in ["a.hlsl:1\tequivalent", "a.hlsl:1\tfine\tbecause", "a.hlsl:1\tcode\t "] {
            assert!(parse_list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_list_of_the_repository_is_one() {
        listed().expect("a list");
    }

    #[test]
    fn shares_count_what_is_in_scope() {
        let outcome = |verdict, spirv| Outcome { verdict, filecheck: true, spirv, reason: String::new() };
        let mut counts = Counts::default();
        for (verdict, spirv) in [(Passed, false), (Code, false), (Refused, true), (Unfit, false)] {
            counts.add(verdict, &outcome(verdict, spirv), false);
        }
        counts.add(Equivalent, &outcome(Code, false), true);
        counts.add(Refused, &outcome(Refused, true), true);
        assert_eq!((counts.alike.0, counts.alike.1), (3, 5));
        assert_eq!((counts.alike_of_had.0, counts.alike_of_had.1), (3, 4));
        counts.add(Refused, &outcome(Refused, false), true);
        assert_eq!((counts.dxil.0, counts.dxil.1), (1, 3));
        assert_eq!((counts.dxil_of_had.0, counts.dxil_of_had.1), (1, 2));
    }
}
