//! Mutation testing of the tests: `rtc-mutation-test [FOLDER]… [--minutes N] [--seed N] [--only NUMBERS] [--list | --built]`.
//!
//! A copy of the tree gets all mutants of the folders at once ([`schema`]); mutants that do not compile are left out; the tests are built once.
//! One run of each test program without a mutant tells which of them it reaches and how long it takes; each test is run alone. Then
//! mutants of each folder are drawn at random until its time is over, each is given to the programs that reach it, quickest first, until one fails:
//! the mutant is killed. With `--built` the programs of the last build run, which may lie on another machine by now. One that no program reaches or kills shows what the tests do not see. `docs/mutation-testing.md` has the results.

mod build;
mod points;
mod schema;
mod trial;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use build::Mutant;
use trial::Verdict;

const USAGE: &str = "usage: rtc-mutation-test [FOLDER]... [--minutes N] [--seed N] [--only NUMBERS] [--list | --built]";

/// The time for the mutants of a folder, unless the command line says otherwise.
const MINUTES: u64 = 60;

/// A test that takes longer is left out: all mutants that survive would wait for it.
const SLOWEST: Duration = Duration::from_secs(30);

/// Test programs: package, target (its unit tests if empty), and filter of the tests.
pub type Row = (&'static str, &'static str, &'static str);

/// What is measured: a folder, or what paths begin with; and the test programs that are there for it.
pub const FOLDERS: &[(&str, &[Row])] = &[
    ("passes/src/paq_liveness/", PAYLOADS),
    ("passes/src/payload_layout/", PAYLOADS),
    ("passes/src/reorder", POINTS),
    ("passes/src/wavefront/", WAVEFRONT),
    ("dxil/link/src/", LINKER),
    ("dxil/lower/src/", &[("rtc-dxil-lower", "", ""), ("rtc", "wrong", ""), ("rtc-lit-tests", "lit", "dxil")]),
    ("frontend/src/lower/", &[("rtc-frontend", "", ""), ("rtc", "wrong", ""), ("rtc-lit-tests", "lit", "")]),
    ("backend-spirv/src/legalize/", &[("rtc-spirv", "", ""), ("rtc-lit-tests", "lit", "spirv")]),
];

const PAYLOADS: &[Row] = &[
    ("rtc-passes", "payloads", ""),
    ("rtc-passes", "", ""),
    ("rtc-passes", "rtir", ""),
    ("rtc", "payload_warnings", ""),
    ("rtc", "payload_access", ""),
    ("rtc", "payload_layouts", ""),
    ("rtc", "paq_model", ""),
    ("rtc", "packed_payloads", ""),
    ("rtc", "wrong", ""),
    ("rtc-cli", "paq", ""),
    ("rtc-lit-tests", "lit", "paq"),
    ("rtc-lit-tests", "lit", "payload"),
];

const POINTS: &[Row] = &[
    ("rtc-passes", "", ""),
    ("rtc-passes", "audit", ""),
    ("rtc-passes", "live", ""),
    ("rtc-passes", "motion", ""),
    ("rtc-passes", "random", ""),
    ("rtc-passes", "rtir", ""),
    ("rtc-passes", "warnings", ""),
    ("rtc", "live_state", ""),
    ("rtc", "ser_examples", ""),
    ("rtc", "wrong", ""),
    ("rtc-lit-tests", "lit", "reorder"),
    ("rtc-lit-tests", "lit", "ser/"),
];

const WAVEFRONT: &[Row] = &[
    ("rtc-passes", "", ""),
    ("rtc-passes", "random", "divided_programs"),
    ("rtc-passes", "rtir", ""),
    ("rtc", "wavefront", ""),
    ("rtc-lit-tests", "lit", "ser/"),
];

const LINKER: &[Row] = &[
    ("rtc-dxil-link", "", ""),
    ("rtc-cli", "link", ""),
    ("rtc-differential", "random_programs", "linked"),
    ("rtc-lit-tests", "lit", "declared_functions"),
    ("rtc-lit-tests", "lit", "denormals"),
    ("rtc-lit-tests", "lit", "geometry_patches"),
    ("rtc-lit-tests", "lit", "library"),
    ("rtc-lit-tests", "lit", "linked"),
    ("rtc-lit-tests", "lit", "wave_helpers"),
];

struct Arguments {
    folders: Vec<String>,
    time: Duration,
    seed: u64,
    /// The numbers of the mutants that are tried; all if there are none.
    only: Vec<u32>,
    list: bool,
    /// Whether the programs of the last build are taken.
    built: bool,
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
    let mut result =
        Arguments { folders: Vec::new(), time: Duration::from_secs(60 * MINUTES), seed: 1, only: Vec::new(), list: false, built: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--only" {
            let numbers: Option<Vec<u32>> = words.next().and_then(|list| list.split(',').map(|n| n.parse().ok()).collect());
            result.only = numbers.ok_or_else(|| format!("numbers and commas follow {word}\n{USAGE}"))?;
            continue;
        }
        let mut number = || {
            let value = words.next().and_then(|n| n.parse::<u64>().ok());
            value.ok_or_else(|| format!("a number follows {word}\n{USAGE}"))
        };
        match word.as_str() {
            "--minutes" => result.time = Duration::from_secs(60 * number()?),
            "--seed" => result.seed = number()?,
            "--list" => result.list = true,
            "--built" => result.built = true,
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
    let mut tree = if arguments.list || arguments.built {
        build::Tree::as_it_is()
    } else {
        build::Tree::copy(&folders.iter().map(|(f, _)| *f).collect::<Vec<_>>())?
    };
    for (folder, _) in &folders {
        tree.find(folder)?;
    }
    if arguments.list {
        for (n, m) in tree.mutants.iter().enumerate() {
            println!("{n}\t{}:{}: {}", m.file, m.line, m.what);
        }
        return Ok(());
    }
    let tests: Vec<Row> = folders.iter().flat_map(|(_, tests)| tests.iter().copied()).collect();
    println!("{} mutants; {}", tree.mutants.len(), if arguments.built { "built before" } else { "building" });
    let programs = if arguments.built { tree.built(&tests)? } else { tree.build(&tests)? };
    let viable: Vec<u32> = (0..tree.mutants.len() as u32).filter(|n| !tree.left_out.contains(n)).collect();
    println!("{} of them compile; {} test programs run without a mutant", viable.len(), programs.len());
    let (baselines, slow) = trial::baselines(&tree, programs, SLOWEST)?;
    for b in &baselines {
        println!("   {:7.1} s, reaches {:5}: {}", b.time.as_secs_f64(), b.seen.len(), b.program.name);
    }
    for name in slow {
        println!("   too slow: {name}");
    }
    let mut results: BTreeMap<u32, Verdict> = BTreeMap::new();
    for (folder, tests) in folders {
        let mine: Vec<_> = baselines.iter().filter(|b| b.program.rows.iter().any(|row| tests.contains(row))).collect();
        let wanted = |n: &u32| arguments.only.is_empty() || arguments.only.contains(n);
        let numbers = viable.iter().copied().filter(|n| folder_of(&tree.mutants[*n as usize]) == *folder && wanted(n)).collect();
        let end = Instant::now() + arguments.time;
        for n in shuffled(numbers, arguments.seed) {
            if Instant::now() > end {
                break;
            }
            let verdict = trial::verdict(n, &mine)?;
            if matches!(verdict, Verdict::Survived | Verdict::NotReached) {
                let m = &tree.mutants[n as usize];
                println!("{verdict}: {n}: {}:{}: {}", m.file, m.line, m.what);
            }
            results.insert(n, verdict);
        }
        print!("{}", summary(&tree, folder, &results));
    }
    Ok(())
}

/// The folder of the table that a mutant belongs to.
fn folder_of(mutant: &Mutant) -> &'static str {
    FOLDERS.iter().find(|(f, _)| mutant.file.starts_with(f)).map(|(f, _)| *f).unwrap_or_default()
}

/// A table in Markdown: how many mutants of a folder compile, were tried, and were killed.
fn summary(tree: &build::Tree, folder: &str, results: &BTreeMap<u32, Verdict>) -> String {
    let mut text =
        String::from("| folder | mutants | compile | tried | killed | of these by time | not reached | survive | killed of tried |\n");
    text += "|---|---|---|---|---|---|---|---|---|\n";
    let all: Vec<u32> = (0..).zip(&tree.mutants).filter(|(_, m)| folder_of(m) == folder).map(|(n, _)| n).collect();
    let viable = all.iter().filter(|n| !tree.left_out.contains(n)).count();
    let tried: Vec<Verdict> = all.iter().filter_map(|n| results.get(n).copied()).collect();
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
