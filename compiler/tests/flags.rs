//! The option table against the spellings of dxc, and against `docs/flags.md`.

use rtc::flags::{FLAGS, Support, Takes, page};
use rtc_oracles::facts;

/// Spellings that the command line handles without a row: help and version, and `-link`, which chooses a subcommand.
const WITHOUT_ROW: &[&str] = &["help", "help-hidden", "?", "version", "link", "all-warnings"];

#[test]
fn every_spelling_of_dxc_is_a_row() {
    let text = facts::text("dxc_options.txt");
    let names = text.lines().filter(|l| !l.starts_with('#'));
    let missing: Vec<&str> = names
        .filter(|name| !WITHOUT_ROW.contains(name))
        // Warning groups are values of `-W`.
        .filter(|name| !name.starts_with('W') || *name == "WX")
        .filter(|name| !FLAGS.iter().any(|f| f.name == name.trim_end_matches('=') && !f.own))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn names_are_unique_and_reasons_are_given() {
    for (i, f) in FLAGS.iter().enumerate() {
        assert!(FLAGS[i + 1..].iter().all(|g| g.name != f.name), "{}", f.name);
        assert_eq!(f.takes == Takes::Nothing, f.takes.values() == 0, "{}", f.name);
        match f.support {
            Support::Full => assert!(!f.help.is_empty() && (f.takes == Takes::Nothing || !f.value.is_empty()), "{}", f.name),
            Support::NoEffect(why) => assert!(!f.help.is_empty() && !why.is_empty(), "{}", f.name),
            Support::Refused(why) => assert!(!why.is_empty(), "{}", f.name),
        }
    }
}

#[test]
fn options_of_spirv_are_rows() {
    let all: Vec<&str> = FLAGS.iter().filter(|f| f.is_spirv()).map(|f| f.name).collect();
    for name in ["spirv", "vkbr", "payload-layout", "payload-layout-file", "hit-group", "Oconfig", "fvk-t-shift", "fspv-max-id"] {
        assert!(all.contains(&name), "{name}");
    }
    assert!(!all.contains(&"T") && !all.contains(&"Od"));
}

#[test]
fn the_page_is_generated_from_the_table() {
    let path = rtc_oracles::artefacts::workspace_root().join("docs/flags.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, page()).expect("docs/ can be written");
    }
    let text = std::fs::read_to_string(&path).expect("docs/flags.md");
    assert!(text == page(), "docs/flags.md is old: UPDATE=1 cargo test -p rtc --test flags");
}
