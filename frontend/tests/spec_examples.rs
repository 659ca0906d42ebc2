//! Every example of the specifications that is marked as compiling parses without diagnostics, and the ones with
//! typographic quotation marks are reported with a fix.

use rtc_base::render::{Style, render};
use rtc_base::{Interner, SourceMap};
use rtc_frontend::preprocess::{NoIncludes, PreprocessOptions};
use rtc_oracles::facts;

#[test]
fn spec_examples_parse() {
    let dir = rtc_oracles::require!(facts::spec_examples());
    let index = facts::read(&dir.join("INDEX.md"));
    let mut parsed = 0;
    let mut failures = String::new();
    for row in index.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, file, _, _, expected, ..] = cells[..] else {
            continue;
        };
        if !file.ends_with(".hlsl") {
            continue;
        }
        let text = facts::read(&dir.join(file));
        let mut sources = SourceMap::new();
        let mut interner = Interner::new();
        let main = sources.add_file(file, text, None).unwrap();
        let result = rtc_frontend::parse(&mut sources, &mut interner, main, &PreprocessOptions::default(), &mut NoIncludes);
        let codes: Vec<&str> = result.diagnostics.iter().map(|d| d.code.id).collect();
        let repaired = expected.contains("after repair");
        if (expected.starts_with("compiles") || expected.starts_with("warnings")) && !repaired {
            parsed += 1;
            for d in &result.diagnostics {
                failures.push_str(&render(&sources, d, Style::Short));
            }
        }
        if file.contains("smartquotes") {
            let quotes = result.diagnostics.iter().filter(|d| d.code.id == "E0102");
            assert!(quotes.clone().count() > 0, "{file}: {codes:?}");
            assert!(quotes.clone().all(|d| d.fixits.len() == 1 && d.fixits[0].replacement.starts_with('"')));
        }
    }
    assert!(parsed > 20, "only {parsed} examples were found");
    assert!(failures.is_empty(), "{failures}");
}
