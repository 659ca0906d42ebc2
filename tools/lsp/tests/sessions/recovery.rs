//! Recovery from errors: a statement that does not parse is the only one that is reported, in every sample.

use std::path::PathBuf;

use rtc::analysis::analyse;
use rtc::{Diagnostic, Disk, Options, Profile};

/// The samples that are right by themselves, with their options.
fn samples() -> Vec<(PathBuf, String, Options)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut out = Vec::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root).expect("samples").map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|f| f.is_dir()) {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        files.sort();
        for file in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "hlsl")) {
            let text = std::fs::read_to_string(&file).expect("UTF-8");
            let mut arguments: Vec<String> = vec!["-T".into(), "lib_6_9".into()];
            if let Some(own) = text.lines().next().and_then(|l| l.strip_prefix("// rtc -")) {
                arguments = format!("-{own}").split_whitespace().map(str::to_owned).collect();
            }
            arguments.push(file.to_string_lossy().into_owned());
            let Ok(rtc::arguments::Invocation::Compile(request)) = Options::parse_args(&arguments, &mut Disk) else { continue };
            out.push((file, text, request.options));
        }
    }
    assert!(out.len() >= 10, "the samples are there: {}", out.len());
    out
}

fn errors(file: &std::path::Path, text: &str, options: &Options) -> Vec<String> {
    let a = analyse(&file.to_string_lossy(), text.as_bytes(), &mut Disk, options, None);
    let list = a.diagnostics.iter().filter(|d| d.is_error());
    let show = |d: &Diagnostic| {
        let line = a.sources.loc(d.span()).map_or(0, |l| l.line);
        format!("{line}: {} {}", d.code.id, d.message)
    };
    list.map(show).collect()
}

#[test]
fn a_broken_statement_raises_no_further_errors() {
    let mut broken = 0;
    let mut wrong = Vec::new();
    for (file, text, options) in samples() {
        if !errors(&file, &text, &options).is_empty() {
            // It needs options that its scene gives.
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        let statements: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with("    ") && lines[i].ends_with(';')).collect();
        for &i in statements.iter().step_by((statements.len() / 8).max(1)) {
            let mut changed: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
            changed[i] = format!("{} + ;", changed[i].trim_end_matches(';'));
            broken += 1;
            let found = errors(&file, &changed.join("\n"), &options);
            // What a conditional leaves out may be anything.
            if found.is_empty() && text.contains("#if") {
                continue;
            }
            if found.len() != 1 || !found[0].starts_with(&format!("{}: E02", i + 1)) {
                wrong.push(format!("{}:{}: `{}`: {found:?}", file.display(), i + 1, changed[i].trim()));
            }
        }
    }
    assert!(broken > 50, "statements were broken: {broken}");
    assert!(wrong.is_empty(), "of {broken} broken statements:\n{}", wrong.join("\n"));
}

#[test]
fn a_broken_declaration_costs_what_it_declares() {
    let options = Options::new(Profile::parse("lib_6_6").expect("a profile"));
    let text =
        "struct S { float a b; float c; };\nRWTexture2D<float4> Out ? 1;\nfloat f(S s) { Out[uint2(0, 0)] = s.c; return s.b + nowhere; }\n";
    let found = errors(std::path::Path::new("a.hlsl"), text, &options);
    let on = |line: u32| found.iter().filter(|e| e.starts_with(&format!("{line}: "))).count();
    assert_eq!((on(1), on(2)), (1, 1), "{found:?}");
    assert_eq!(found.iter().filter(|e| e.starts_with("3: ")).collect::<Vec<_>>(), ["3: E0301 use of undeclared identifier `nowhere`"]);
}
