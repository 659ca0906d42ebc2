//! The error index: a page for each row of the table of diagnostics, whose first lines are those of the row.

use std::fmt::Write as _;
use std::fs;

use rtc_base::{Code, Severity};
use rtc_tables::diagnostics::{ALL, ERROR_BY_DEFAULT, NOT_BY_WX, OFF_BY_DEFAULT, covers};

use crate::pages::folder;

/// All codes in the order of the index.
fn codes() -> Vec<&'static Code> {
    let mut all = ALL.to_vec();
    all.sort_by_key(|c| c.id);
    all
}

/// The heading of a code's page, and the paragraph after it.
fn head(c: &Code) -> String {
    let is_in = |codes: &[&Code]| codes.iter().any(|o| o.id == c.id);
    let mut severity = match c.severity {
        Severity::Error => "Error.".to_owned(),
        _ => {
            let off = if is_in(OFF_BY_DEFAULT) { ", off by default" } else { "" };
            let error = if is_in(ERROR_BY_DEFAULT) { ", an error by default" } else { "" };
            format!("Warning of the group `-W{}`{off}{error}.", c.group)
        }
    };
    if c.severity == Severity::Warning && NOT_BY_WX.iter().any(|of| covers(of, c.group)) {
        severity.push_str(" `-WX` leaves it a warning.");
    }
    format!("# {}: {}\n\n{severity}\n", c.id, c.about)
}

/// The text of a page with the head of its code: the first three lines are replaced.
fn with_head(text: &str, c: &Code) -> String {
    let rest: String = text.split_inclusive('\n').skip(3).collect();
    head(c) + &rest
}

/// The list of the index: a table for errors and one for warnings.
fn list() -> String {
    let mut out = String::new();
    for (severity, title) in [(Severity::Error, "Errors"), (Severity::Warning, "Warnings")] {
        _ = write!(out, "## {title}\n\n| code | about |\n|---|---|\n");
        for c in codes().iter().filter(|c| c.severity == severity) {
            _ = writeln!(out, "| [{0}]({0}.md) | {1} |", c.id, c.about.replace('|', "\\|"));
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// The lines of the table of contents for the pages of codes.
fn contents() -> String {
    codes().iter().fold(String::new(), |mut out, c| {
        _ = writeln!(out, "  - [{0}](errors/{0}.md)", c.id);
        out
    })
}

fn is_of_index(line: &str) -> bool {
    line.starts_with("  - [E") || line.starts_with("  - [W")
}

/// Compares a file with what follows from the table; writes it with `RTC_BLESS=1`.
fn same(path: &std::path::Path, expected: &str, wrong: &mut Vec<String>) {
    let bless = std::env::var("RTC_BLESS").is_ok_and(|v| v == "1");
    let found = fs::read_to_string(path).unwrap_or_default();
    if found != expected {
        match bless {
            true => fs::write(path, expected).expect("the file can be written"),
            false => wrong.push(format!("{} is not as the table of diagnostics says", path.display())),
        }
    }
}

#[test]
fn every_code_has_a_page() {
    let errors = folder().join("src/errors");
    let mut wrong = Vec::new();
    for c in codes() {
        let path = errors.join(format!("{}.md", c.id));
        match fs::read_to_string(&path) {
            Ok(text) => {
                same(&path, &with_head(&text, c), &mut wrong);
                let words: usize = text.lines().skip(3).filter(|l| !l.is_empty()).map(|l| l.split(' ').count()).sum();
                if words < 12 {
                    wrong.push(format!("{} explains nothing", path.display()));
                }
            }
            Err(_) => wrong.push(format!("{} has no page: write {}", c.id, path.display())),
        }
    }
    for entry in fs::read_dir(&errors).expect("the folder of the index").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "README.md" && !ALL.iter().any(|c| name == format!("{}.md", c.id)) {
            wrong.push(format!("{name} is a page for no code"));
        }
    }
    let readme = errors.join("README.md");
    let text = fs::read_to_string(&readme).expect("the page with the list");
    let intro = text.split("## Errors\n").next().unwrap_or_default();
    same(&readme, &format!("{intro}{}", list()), &mut wrong);
    let summary = folder().join("src/SUMMARY.md");
    let text = fs::read_to_string(&summary).expect("the table of contents");
    let before: String = text.split_inclusive('\n').take_while(|l| !is_of_index(l)).collect();
    let after: String = text.split_inclusive('\n').skip_while(|l| !is_of_index(l)).filter(|l| !is_of_index(l)).collect();
    same(&summary, &format!("{before}{}{after}", contents()), &mut wrong);
    assert!(wrong.is_empty(), "{}\nRTC_BLESS=1 writes what follows from the table", wrong.join("\n"));
    let embedded: Vec<&str> = rtc_book::PAGES.iter().map(|p| p.code).collect();
    assert_eq!(embedded, codes().iter().map(|c| c.id).collect::<Vec<_>>());
}
