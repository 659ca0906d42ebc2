//! Join tests: the rules and the allowed instructions against the facts, in `facts/`.

use rtc_oracles::facts;
use rtc_tables::llvm_insts::{ALLOWED, LIBRARY_ONLY, VECTOR};
use rtc_tables::validation::{all, out_of_scope};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn every_rule_about_instructions_is_checked_or_said_to_be_out_of_scope() {
    let text = facts::text("dxil_validation_rules.tsv");
    let known: BTreeSet<&str> = all().map(|r| r.id).chain(out_of_scope().map(|r| r.0)).collect();
    let ids = text.lines().filter_map(|l| l.split('\t').next()).filter(|id| id.starts_with("INSTR."));
    let forgotten: Vec<&str> = ids.filter(|id| !known.contains(id)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn the_allowed_instructions_are_those_of_the_facts() {
    let text = facts::text("dxil_allowed_llvm_instructions.json");
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
