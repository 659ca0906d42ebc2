//! Mutation testing of the tests: `rtc-mutation-test [FOLDER]… [--minutes N] [--seed N] [--list]`.
//!
//! A copy of the tree gets all mutants of the folders at once ([`schema`]); mutants that do not compile are left out; the tests are built once.
//! One run of each test program without a mutant tells which of them it reaches and how long it takes. Then mutants are drawn at random until
//! the time is over, each is given to the programs that reach it, quickest first, until one fails: the mutant is killed. One that no program
//! reaches or kills shows what the tests do not see. `docs/mutation-testing.md` has the results.

mod build;
mod points;
mod schema;
mod trial;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use build::Mutant;
use trial::Verdict;

const USAGE: &str = "usage: rtc-mutation-test [FOLDER]... [--minutes N] [--seed N] [--list]";

/// The time for mutants, unless the command line says otherwise.
const MINUTES: u64 = 60;

/// What is measured: a folder, or what paths begin with; and the test programs that are there for it, as package, target and filter.
pub const FOLDERS: &[(&str, &[(&str, &str, &str)])] = &[
    ("passes/src/paq_liveness/", PAYLOADS),
    ("passes/src/payload_layout/", PAYLOADS),
    ("passes/src/reorder", POINTS),
    ("passes/src/wavefront/", WAVEFRONT),
    ("dxil/link/src/", &[("rtc-dxil-link", "", ""), ("rtc-cli", "link", "")]),
    ("dxil/lower/src/", &[("rtc-dxil-lower", "", ""), ("rtc", "wrong", ""), ("rtc-lit-tests", "lit", "dxil")]),
    ("frontend/src/lower/", &[("rtc-frontend", "", ""), ("rtc", "wrong", ""), ("rtc-lit-tests", "lit", "")]),
    ("backend-spirv/src/legalize/", &[("rtc-spirv", "", ""), ("rtc-lit-tests", "lit", "spirv")]),
];

const PAYLOADS: &[(&str, &str, &str)] = &[
    ("rtc-passes", "payloads", ""),
    ("rtc-passes", "", ""),
    ("rtc", "payload_warnings", ""),
    ("rtc", "payload_access", ""),
    ("rtc", "payload_layouts", ""),
    ("rtc", "paq_model", ""),
    ("rtc", "packed_payloads", ""),
    ("rtc", "wrong", ""),
    ("rtc-cli", "paq", ""),
];

const POINTS: &[(&str, &str, &str)] = &[
    ("rtc-passes", "", ""),
    ("rtc-passes", "audit", ""),
    ("rtc-passes", "live", ""),
    ("rtc-passes", "random", ""),
    ("rtc-passes", "rtir", "reorder"),
    ("rtc", "live_state", ""),
    ("rtc", "ser_examples", ""),
    ("rtc", "wrong", ""),
];

const WAVEFRONT: &[(&str, &str, &str)] = &[("rtc-passes", "", ""), ("rtc-passes", "rtir", "wavefront"), ("rtc", "wavefront", "")];

struct Arguments {
    folders: Vec<String>,
    time: Duration,
    seed: u64,
    list: bool,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match arguments(&words).and_then(|a| run(&a)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments(words: &[String]) -> Result<Arguments, String> {
    let mut result = Arguments { folders: Vec::new(), time: Duration::from_secs(60 * MINUTES), seed: 1, list: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().and_then(|n| n.parse::<u64>().ok());
            value.ok_or_else(|| format!("a number follows {word}\n{USAGE}"))
        };
        match word.as_str() {
            "--minutes" => result.time = Duration::from_secs(60 * number()?),
            "--seed" => result.seed = number()?,
            "--list" => result.list = true,
            option if option.starts_with('-') => return Err(format!("unknown option {option}\n{USAGE}")),
            folder if FOLDERS.iter().any(|(f, _)| f.trim_end_matches('/') == folder.trim_end_matches('/')) => {
                result.folders.push(folder.trim_end_matches('/').to_string());
            }
            folder => {
                let known: Vec<&str> = FOLDERS.iter().map(|(f, _)| *f).collect();
                return Err(format!("no tests are listed for {folder}; folders are {}", known.join(", ")));
            }
        }
    }
    Ok(result)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let chosen = |f: &str| arguments.folders.is_empty() || arguments.folders.iter().any(|a| a == f.trim_end_matches('/'));
    let folders: Vec<_> = FOLDERS.iter().filter(|(f, _)| chosen(f)).collect();
    let mut tree = build::Tree::copy()?;
    for (folder, _) in &folders {
        tree.find(folder)?;
    }
    if arguments.list {
        for (n, m) in tree.mutants.iter().enumerate() {
            println!("{n}\t{}:{}: {}", m.file, m.line, m.what);
        }
        return Ok(());
    }
    let tests: Vec<(&str, &str, &str)> = folders.iter().flat_map(|(_, tests)| tests.iter().copied()).collect();
    println!("{} mutants; building", tree.mutants.len());
    let programs = tree.build(&tests)?;
    let viable: Vec<u32> = (0..tree.mutants.len() as u32).filter(|n| !tree.left_out.contains(n)).collect();
    println!("{} of them compile; {} test programs run without a mutant", viable.len(), programs.len());
    let baselines = trial::baselines(&tree, programs)?;
    for b in &baselines {
        println!("   {:7.1} s, reaches {:5}: {}", b.time.as_secs_f64(), b.seen.len(), b.program.name);
    }
    let mut results: BTreeMap<u32, Verdict> = BTreeMap::new();
    let end = Instant::now() + arguments.time;
    for n in shuffled(viable, arguments.seed) {
        let folder = folder_of(&tree.mutants[n as usize]);
        let tests = FOLDERS.iter().find(|(f, _)| *f == folder).map(|(_, t)| *t).unwrap_or_default();
        let mine: Vec<_> = baselines.iter().filter(|b| tests.contains(&b.program.test)).collect();
        if Instant::now() > end {
            break;
        }
        let verdict = trial::verdict(n, &mine)?;
        if matches!(verdict, Verdict::Survived | Verdict::NotReached) {
            let m = &tree.mutants[n as usize];
            println!("{verdict}: {}:{}: {}", m.file, m.line, m.what);
        }
        results.insert(n, verdict);
    }
    print!("{}", summary(&tree, &results));
    Ok(())
}

/// The folder of the table that a mutant belongs to.
fn folder_of(mutant: &Mutant) -> &'static str {
    FOLDERS.iter().find(|(f, _)| mutant.file.starts_with(f)).map(|(f, _)| *f).unwrap_or_default()
}

/// A table in Markdown: how many mutants of each folder compile, were tried, and were killed.
fn summary(tree: &build::Tree, results: &BTreeMap<u32, Verdict>) -> String {
    let mut text =
        String::from("| folder | mutants | compile | tried | killed | of these by time | not reached | survive | killed of tried |\n");
    text += "|---|---|---|---|---|---|---|---|---|\n";
    for (folder, _) in FOLDERS {
        let all: Vec<u32> = (0..).zip(&tree.mutants).filter(|(_, m)| folder_of(m) == *folder).map(|(n, _)| n).collect();
        let viable = all.iter().filter(|n| !tree.left_out.contains(n)).count();
        let tried: Vec<Verdict> = all.iter().filter_map(|n| results.get(n).copied()).collect();
        if all.is_empty() {
            continue;
        }
        let count = |v: Verdict| tried.iter().filter(|t| **t == v).count();
        let (failed, late, missed, survived) =
            (count(Verdict::Killed), count(Verdict::TimedOut), count(Verdict::NotReached), count(Verdict::Survived));
        let share = 100.0 * (failed + late) as f64 / tried.len().max(1) as f64;
        text += &format!(
            "| `{folder}` | {} | {viable} | {} | {} | {late} | {missed} | {survived} | {share:.1} % |\n",
            all.len(),
            tried.len(),
            failed + late
        );
    }
    text
}

/// The numbers in an order that follows from the seed alone.
fn shuffled(mut numbers: Vec<u32>, seed: u64) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for i in (1..numbers.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        numbers.swap(i, (state >> 16) as usize % (i + 1));
    }
    numbers
}
