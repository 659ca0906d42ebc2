//! Blocks of HLSL: each gives exactly the diagnostics that its information string names.

use std::collections::BTreeSet;

use rtc::arguments::Invocation;
use rtc::{Options, Severity, Style, Virtual};

use crate::pages::{Block, blocks, pages};

/// The text of an example divided into the source and the files that it includes, which begin with `// FILE name`.
fn files(text: &str) -> Vec<(String, String)> {
    let mut files = vec![("example.hlsl".to_owned(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("// FILE ") {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => files.last_mut().expect("the source").1.push_str(line),
        }
    }
    files
}

/// Compiles an example. The error says what is not as its block says.
fn check(block: &Block) -> Result<(), String> {
    let unknown = block.others(&["fails", "warns", "file"]);
    if !unknown.is_empty() {
        return Err(format!("unknown attributes {unknown:?}"));
    }
    let files = files(&block.text);
    let line = files[0].1.lines().next().unwrap_or_default();
    let arguments: Vec<&str> = match line.strip_prefix("// rtc ") {
        Some(options) => options.split_whitespace().collect(),
        None => vec!["-T", "lib_6_9"],
    };
    let request = match Options::parse_args_of(&files[0].0, arguments, &mut rtc::Disk) {
        Ok(Invocation::Compile(request)) => request,
        Ok(_) => return Err("its options do not compile it".into()),
        Err(e) => return Err(e.to_string()),
    };
    let mut includes = Virtual::new(files[1..].iter().map(|(n, t)| (n.as_str(), t.as_str())));
    let done = rtc::compile(&files[0].0, files[0].1.as_bytes(), &mut includes, &request.options);
    let expected: BTreeSet<&str> = block.all("fails").chain(block.all("warns")).collect();
    let found: BTreeSet<&str> = done.diagnostics.iter().map(|d| d.code.id).collect();
    let text: String = done.diagnostics.iter().map(|d| rtc::render(&done.sources, d, Style::Short)).collect();
    if expected != found {
        return Err(format!("expected {expected:?}, found {found:?}\n{text}"));
    }
    let is_error = |code: &str| rtc_tables::diagnostics::ALL.iter().any(|c| c.id == code && c.severity == Severity::Error);
    let by_default = |code: &str| rtc_tables::diagnostics::ERROR_BY_DEFAULT.iter().any(|c| c.id == code);
    if block.all("fails").any(|c| !is_error(c)) || block.all("warns").any(is_error) {
        return Err("errors are named by `fails`, warnings by `warns`".into());
    }
    let fails = expected.iter().any(|c| is_error(c) || by_default(c));
    match done.failed() == fails {
        true => Ok(()),
        false => Err(format!("it {}\n{text}", if fails { "compiles" } else { "does not compile" })),
    }
}

#[test]
fn examples_give_what_they_say() {
    let all: Vec<Block> = pages().iter().flat_map(blocks).filter(|b| b.language == "hlsl").collect();
    assert!(all.len() > 400, "{} examples are found", all.len());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|first| {
                let mine = all.iter().skip(first).step_by(threads);
                let work = move || mine.filter_map(|b| check(b).err().map(|e| format!("{}: {e}", b.at))).collect::<Vec<_>>();
                std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work).expect("a thread")
            })
            .collect();
        parts.into_iter().flat_map(|p| p.join().expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{} of {} examples:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

/// A page of the index has an example that gives its code, or says that there is none.
#[test]
fn every_code_has_an_example() {
    let mut without = Vec::new();
    for page in pages() {
        let Some(code) = page.name.strip_prefix("errors/").and_then(|n| n.strip_suffix(".md")).filter(|c| *c != "README") else { continue };
        let of_code = |b: &Block| match b.language.as_str() {
            "console" => b.text.contains(&format!("[{code}]")),
            _ => b.all("fails").chain(b.all("warns")).any(|c| c == code),
        };
        let has_none = page.text.contains("\nThere is no example: ");
        match blocks(&page).iter().any(of_code) {
            true => assert!(!has_none, "{code} has an example"),
            false => {
                assert!(has_none, "{code} has no example");
                without.push(code.to_owned());
            }
        }
    }
    assert_eq!(without, ["E0109", "E0840", "E0841", "E0842", "E0901"]);
}
