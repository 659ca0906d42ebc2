//! Join tests: the rules and the allowed instructions against the facts, where those are at hand.

use rtc_tables::llvm_insts::{ALLOWED, LIBRARY_ONLY, VECTOR};
use rtc_tables::validation::{all, out_of_scope};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn facts(name: &str) -> Option<String> {
    let shared = std::env::var_os("RTC_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = shared.unwrap_or(beside).join("facts").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: there is no {}", path.display());
    }
    text
}

#[test]
fn every_rule_about_instructions_is_checked_or_said_to_be_out_of_scope() {
    let Some(text) = facts("dxil_validation_rules.tsv") else { return };
    let known: BTreeSet<&str> = all().map(|r| r.id).chain(out_of_scope().map(|r| r.0)).collect();
    let ids = text.lines().filter_map(|l| l.split('\t').next()).filter(|id| id.starts_with("INSTR."));
    let forgotten: Vec<&str> = ids.filter(|id| !known.contains(id)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn the_allowed_instructions_are_those_of_the_facts() {
    let Some(text) = facts("dxil_allowed_llvm_instructions.json") else { return };
    let facts: Value = serde_json::from_str(&text).expect("JSON");
    let rows = facts.as_array().expect("a list");
    let allowed: Vec<(u64, &str)> = rows
        .iter()
        .filter(|r| r["allowed"] == true)
        .map(|r| (r["id"].as_u64().expect("a number"), r["name"].as_str().expect("a name")))
        .collect();
    let ours: Vec<(u64, &str)> = ALLOWED.iter().map(|i| (i.id.into(), i.name)).collect();
    assert_eq!(ours, allowed);
    for name in VECTOR {
        assert!(ALLOWED.iter().any(|i| i.name == *name), "{name}");
    }
    for name in LIBRARY_ONLY {
        assert!(rows.iter().any(|r| r["name"] == *name && r["allowed"] == false), "{name}");
    }
}
