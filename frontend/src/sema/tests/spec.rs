//! The examples of the specifications: valid ones compile, invalid ones are rejected.

use rtc_oracles::facts;

use super::*;

/// Examples whose errors a later stage reports.
const ELSEWHERE: &[&str] = &[
    // The text of root signatures is parsed later.
    "000_subobject_global_root_signature.hlsl",
    "000_subobject_local_root_signature.hlsl",
];

#[test]
fn marked_examples_do_what_they_say() {
    let dir = rtc_oracles::require!(facts::spec_examples());
    let index = facts::read(&dir.join("INDEX.md"));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for line in index.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, file, _, _, expected, ..] = cells[..] else {
            continue;
        };
        if ELSEWHERE.contains(&file) || !file.ends_with(".hlsl") {
            continue;
        }
        let want_errors = match expected {
            "compiles" => false,
            "error expected" => true,
            _ => continue,
        };
        seen += 1;
        let text = facts::read(&dir.join(file));
        let options = SemaOptions { native_16bit: true, ..model(9) };
        let r = run_with(&text, &options);
        let has_errors = r.diagnostics.iter().any(|d| d.is_error());
        if has_errors != want_errors {
            wrong.push(format!("{file}: {expected}\n  {}", r.lines().join("\n  ")));
        }
    }
    assert!(seen >= 30, "only {seen} examples found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reference_shaders_check() {
    let text = facts::read(&facts::reference().join("rt_basic.hlsl"));
    let r = run_with(&text, &model(3));
    r.assert_clean();
    r.assert_sound();
    let symbols: Vec<&str> = r.module.entries().map(|(_, f)| crate::hir::mangle::readable(&f.symbol)).collect();
    assert_eq!(symbols.len(), 7);
    let listings = rtc_oracles::require!(facts::reference_listings());
    let listing = facts::read(&listings.join("rt_basic.listing.txt"));
    for s in symbols {
        assert!(listing.contains(&format!("@\"\\01{s}\"")), "{s}");
    }
    for (_, g) in r.module.globals.iter().filter(|(_, g)| g.symbol.starts_with('\u{1}')) {
        let s = crate::hir::mangle::readable(&g.symbol);
        assert!(listing.contains(&format!("@\"\\01{s}\"")), "{s}");
    }
}
