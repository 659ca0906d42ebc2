//! The instructions in a test file.
//!
//! The keywords `RUN:`, `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:` may be anywhere on a line, in practice in a comment. A `RUN:`
//! line that ends with a backslash goes on in the next one. `COM:` makes the rest of its line a comment.

use crate::filecheck::Options;

use super::shell::{self, Joiner, Pipeline};

/// A test file's instructions.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The commands, in order; all must succeed.
    pub runs: Vec<Run>,
    /// Conditions that must hold, else the test is skipped.
    pub requires: Vec<String>,
    /// Conditions under which the test is skipped.
    pub unsupported: Vec<String>,
    /// Conditions under which the test must fail.
    pub xfail: Vec<String>,
    /// The prefixes that the script's FileCheck commands use.
    pub prefixes: Vec<String>,
}

/// One `RUN:` instruction, its continuation lines joined.
#[derive(Clone, Debug)]
pub struct Run {
    /// The first line, counted from 1.
    pub line: usize,
    /// The command as it is written.
    pub text: String,
    /// The command, parsed: pipelines, each with what joins it to the one before.
    pub commands: Vec<(Joiner, Pipeline)>,
}

/// Words in front of a colon at the start of a comment that mean nothing to the runner.
const PROSE: [&str; 5] = ["COM", "TODO", "FIXME", "NOTE", "XXX"];
const RUN: &str = "RUN:";
const REQUIRES: &str = "REQUIRES:";
const UNSUPPORTED: &str = "UNSUPPORTED:";
const XFAIL: &str = "XFAIL:";

/// Reads a test file.
///
/// # Errors
/// All errors in its instructions, with line numbers.
pub fn parse(name: &str, text: &str) -> Result<Script, String> {
    let mut script = Script::default();
    let mut errors: Vec<String> = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let com = keyword(line, "COM:").map_or(line.len(), |after| line.len() - after.len());
        let run = keyword(line, RUN).filter(|after| line.len() - after.len() < com);
        if let Some(after) = run {
            let (start, mut command) = open.take().unwrap_or((number, String::new()));
            let after = after.trim();
            match after.strip_suffix('\\') {
                Some(part) => {
                    command.push_str(part);
                    open = Some((start, command));
                }
                None => {
                    command.push_str(after);
                    match shell::parse(&command) {
                        Ok(commands) => script.runs.push(Run { line: start, text: command, commands }),
                        Err(e) => errors.push(format!("{name}:{start}: error: {e}\n    {command}")),
                    }
                }
            }
            continue;
        }
        if let Some((start, _)) = open.take() {
            errors.push(format!("{name}:{start}: error: a RUN line ends with `\\` and no RUN line follows"));
        }
        let lists = [(REQUIRES, &mut script.requires), (UNSUPPORTED, &mut script.unsupported), (XFAIL, &mut script.xfail)];
        for (word, list) in lists {
            if let Some(after) = keyword(line, word).filter(|after| line.len() - after.len() < com) {
                list.push(after.trim().to_string());
            }
        }
    }
    if let Some((start, _)) = open {
        errors.push(format!("{name}:{start}: error: a RUN line ends with `\\` and no RUN line follows"));
    }
    if script.runs.is_empty() && errors.is_empty() {
        errors.push(format!("{name}: error: a test requires a RUN line (files that tests read belong into a folder `Inputs`)"));
    }
    collect_prefixes(&mut script, name, &mut errors);
    lint(&script, name, text, &mut errors);
    if errors.is_empty() { Ok(script) } else { Err(errors.join("\n")) }
}

/// What follows a keyword that begins a word on this line.
fn keyword<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut found = line.match_indices(word).map(|(at, _)| at);
    let at = found.find(|at| !line[..*at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))?;
    Some(&line[at + word.len()..])
}

/// The prefixes of all FileCheck commands, so that none takes another's directive for a misspelled one.
fn collect_prefixes(script: &mut Script, name: &str, errors: &mut Vec<String>) {
    for run in &script.runs {
        for command in run.commands.iter().flat_map(|(_, pipeline)| &pipeline.commands) {
            let prefix = |w: &String| matches!(w.as_str(), "not" | "!" | "--crash" | "env" | "-u") || w.contains('=');
            let at = command.words.iter().take_while(|w| prefix(w)).count();
            if !matches!(command.words.get(at).map(String::as_str), Some("FileCheck" | "%FileCheck")) {
                continue;
            }
            match Options::parse(&command.words[at + 1..]) {
                Ok(options) => script.prefixes.extend(options.prefixes),
                Err(e) => errors.push(format!("{name}:{}: error: {e}", run.line)),
            }
        }
    }
    script.prefixes.sort();
    script.prefixes.dedup();
}

/// Finds comments that look like instructions and are none: a misspelled keyword, a prefix that no command uses.
fn lint(script: &Script, name: &str, text: &str, errors: &mut Vec<String>) {
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let comment = trimmed.trim_start_matches(['/', ';', '#']);
        if comment.len() == trimmed.len() {
            continue;
        }
        let comment = comment.trim_start();
        let end = comment.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_')));
        let word = &comment[..end.unwrap_or(comment.len())];
        let instruction = word.len() >= 3
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && comment[word.len()..].starts_with(':')
            && !comment[word.len()..].starts_with("::");
        let keywords = [RUN, REQUIRES, UNSUPPORTED, XFAIL];
        let known = keywords.iter().any(|k| k.strip_suffix(':') == Some(word))
            || PROSE.contains(&word)
            || script.prefixes.iter().any(|p| word.starts_with(p.as_str()));
        if instruction && !known {
            errors.push(format!(
                "{name}:{}: error: `{word}:` is neither a keyword nor a prefix that a FileCheck command of this file uses \
                 (in prose, write it differently or put COM: in front)",
                index + 1
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_instructions() {
        let text = "// RUN: %rtc -T lib_6_3 %s \\\n// RUN:   | FileCheck %s --check-prefix=DX\n// REQUIRES: vulkan\n\
                    // UNSUPPORTED: windows\n// XFAIL: *\n// COM: RUN: nothing\n// DX: a\n";
        let script = parse("t", text).expect("parses");
        assert_eq!(script.runs.len(), 1);
        assert_eq!(script.runs[0].line, 1);
        assert_eq!(script.runs[0].text, "%rtc -T lib_6_3 %s | FileCheck %s --check-prefix=DX");
        assert_eq!(script.requires, ["vulkan"]);
        assert_eq!(script.unsupported, ["windows"]);
        assert_eq!(script.xfail, ["*"]);
        assert_eq!(script.prefixes, ["DX"]);
    }

    #[test]
    fn rejects_what_would_check_nothing() {
        let bad = |text: &str, wanted: &str| {
            let error = parse("t", text).expect_err("accepted");
            assert!(error.contains(wanted), "no `{wanted}` in {error}");
        };
        bad("// nothing\n", "requires a RUN line");
        bad("// RUN: echo a \\\nfoo\n", "no RUN line follows");
        bad("// RUN: echo a \\\n", "no RUN line follows");
        bad("// RUN: echo 'a\n", "t:1: error");
        bad("// RUN: echo | FileCheck %s\n// CHEKC: a\n", "t:2: error: `CHEKC:`");
        bad("// RUN: echo | FileCheck %s\n// SPV-NEXT: a\n", "`SPV-NEXT:`");
        bad("// RUM: echo\n// RUN: echo\n", "`RUM:`");
        bad("// RUN: echo | FileCheck %s --chekc\n", "unknown flag");
        assert!(parse("t", "// RUN: echo\n// NOTE: fine\n// A sentence: fine\n// SM 6.3: fine\nLABEL: code\n").is_ok());
    }
}
