//! Consistency of `docs/conformance.md` with the tree: every requirement of its groups has a row, and the tests that rows name exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The groups of the table: first number, and the last of them that the table must have.
const GROUPS: [(u32, u32); 5] = [(2, 90), (3, 28), (6, 30), (7, 43), (9, 30)];

/// Where a shader lies that a row names alone.
const SHADERS: [&str; 3] = ["lit-tests/tests/run/dxr", "lit-tests/tests/ser", "lit-tests/tests/run"];

/// What a row may say about where it runs; more may follow it.
const RUNS: [&str; 6] = ["both", "CPU", "compiler", "host", "free", "not yet: "];

/// How many shaders there must be that run and check themselves, or are compared with another compiler's.
const SHADERS_AT_LEAST: usize = 120;

fn workspace() -> PathBuf {
    rtc_oracles::artefacts::workspace_root()
}

/// One row: its number, what it names, and where that runs.
struct Row {
    number: String,
    names: Vec<String>,
    runs: String,
}

/// Rows of a text: those whose first cell is a requirement's number.
fn rows(text: &str) -> Result<Vec<Row>, String> {
    let mut out = Vec::new();
    for line in text.lines().filter(|l| l.starts_with("| ")) {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let first = cells[0];
        if !first.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let [number, what, names, runs] = cells[..] else {
            return Err(format!("a row has four cells, not {}: {line}", cells.len()));
        };
        if what.is_empty() {
            return Err(format!("{number} does not say what it is"));
        }
        // Every second piece is between backticks.
        let names = names.split('`').skip(1).step_by(2).map(str::to_string).collect();
        out.push(Row { number: number.to_string(), names, runs: runs.to_string() });
    }
    Ok(out)
}

/// Checks that a test that a row names exists.
fn exists(root: &Path, name: &str) -> Result<(), String> {
    let Some((path, case)) = name.split_once('#').or(name.contains('/').then_some((name, ""))) else {
        let shader = |dir: &str| root.join(dir).join(format!("{name}.hlsl")).is_file();
        return SHADERS.iter().any(|dir| shader(dir)).then_some(()).ok_or(format!("there is no shader `{name}`"));
    };
    let text = fs::read_to_string(root.join(path)).map_err(|e| format!("`{path}`: {e}"))?;
    let begins = |line: &str| line.strip_prefix("// CASE ").and_then(|l| l.split_whitespace().next()) == Some(case);
    match case.is_empty() || text.lines().any(begins) {
        true => Ok(()),
        false => Err(format!("`{path}` has no case `{case}`")),
    }
}

/// The errors of a table.
fn mistakes(root: &Path, text: &str) -> Vec<String> {
    let rows = match rows(text) {
        Ok(rows) => rows,
        Err(e) => return vec![e],
    };
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for row in &rows {
        if !seen.insert(row.number.clone()) {
            wrong.push(format!("duplicate row {}", row.number));
        }
        if !RUNS.iter().any(|w| row.runs.starts_with(w)) {
            wrong.push(format!("{}: where does it run? `{}`", row.number, row.runs));
        }
        let runs = ["both", "CPU"].iter().any(|w| row.runs.starts_with(w));
        if row.names.is_empty() && !["free", "not yet: "].iter().any(|w| row.runs.starts_with(w)) {
            wrong.push(format!("{} names nothing that shows it", row.number));
        }
        if runs && row.names.iter().all(|n| n.contains('/')) {
            wrong.push(format!("{} runs, but names no shader", row.number));
        }
        wrong.extend(row.names.iter().filter_map(|n| exists(root, n).err()).map(|e| format!("{}: {e}", row.number)));
    }
    for (group, last) in GROUPS {
        let missing = (1..=last).map(|n| format!("{group}.{n:02}")).filter(|n| !seen.contains(n));
        wrong.extend(missing.map(|n| format!("{n} is missing")));
    }
    wrong
}

/// Shaders of a folder, those of its folders included.
fn shaders(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).expect("a folder of shaders") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            out.extend(shaders(&path));
        } else if path.extension().is_some_and(|e| e == "hlsl") {
            out.push(path);
        }
    }
    out
}

#[test]
fn every_requirement_is_shown_by_something_that_exists() {
    let text = fs::read_to_string(workspace().join("docs/conformance.md")).expect("docs/conformance.md");
    let wrong = mistakes(&workspace(), &text);
    assert!(wrong.is_empty(), "docs/conformance.md:\n{}", wrong.join("\n"));
}

#[test]
fn there_are_enough_shaders_and_the_table_names_those_of_its_folder() {
    let run = workspace().join("lit-tests/tests/run");
    let all = shaders(&run);
    assert!(all.len() >= SHADERS_AT_LEAST, "{} shaders", all.len());
    let text = fs::read_to_string(workspace().join("docs/conformance.md")).expect("docs/conformance.md");
    let unnamed: Vec<String> = shaders(&run.join("dxr"))
        .iter()
        .filter_map(|p| Some(p.file_stem()?.to_string_lossy().into_owned()))
        .filter(|name| !text.contains(&format!("`{name}`")))
        .collect();
    assert!(unnamed.is_empty(), "no row names {}", unnamed.join(", "));
}

#[test]
fn mistakes_in_a_table_are_found() {
    let wrong = |row: &str| mistakes(&workspace(), &format!("| number | what | shown by | runs on |\n{row}\n")).join("\n");
    let says = |row: &str, what: &str| assert!(wrong(row).contains(what), "{row}: {}", wrong(row));
    says("", "2.01 is missing");
    says("", "9.30 is missing");
    assert!(!wrong("| 2.01 | x | `hit_is` | both |").contains("2.01"));
    says("| 2.01 | x | `no_such_shader` | both |", "2.01: there is no shader `no_such_shader`");
    says("| 2.01 | x | `compiler/tests/wrong/stages.hlsl#no_such_case` | compiler |", "has no case `no_such_case`");
    says("| 2.01 | x | `compiler/nowhere.rs` | compiler |", "2.01: `compiler/nowhere.rs`");
    says("| 2.01 | x | | both |", "2.01 names nothing");
    says("| 2.01 | x | `compiler/tests/wrong.rs` | both |", "2.01 runs, but names no shader");
    says("| 2.01 | x | `hit_is` | somewhere |", "2.01: where does it run?");
    says("| 2.01 | x | `hit_is` |", "four cells");
    says("| 2.01 | x | `hit_is` | both |\n| 2.01 | x | `hit_is` | both |", "duplicate row 2.01");
}
