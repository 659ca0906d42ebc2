//! Diagnostics of a build in SARIF 2.1.0, each once however many permutations have it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rtc_build::{Event, Message, Observer};
use serde_json::{Value, json};

/// What equal diagnostics have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    file: String,
    line: u32,
    column: u32,
    code: String,
    text: String,
    severity: String,
}

/// Collects diagnostics.
#[derive(Default)]
pub struct Sarif {
    /// Each with the permutations that have it.
    found: Mutex<BTreeMap<Finding, Vec<String>>>,
}

impl Observer for Sarif {
    fn event(&self, event: Event<'_>) {
        let Event::Task(task, outcome) = event else { return };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        for Message { severity, code, text, file, line, column, .. } in outcome.messages.iter().cloned() {
            found.entry(Finding { file, line, column, code, text, severity }).or_default().push(task.name());
        }
    }
}

impl Sarif {
    /// The file.
    pub fn text(&self) -> String {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let result = |(found, tasks): (&Finding, &Vec<String>)| {
            let Finding { file, line, column, code, text, severity: level } = found;
            let mut tasks = tasks.clone();
            tasks.sort();
            let mut result = json!({ "level": level, "message": { "text": text }, "properties": { "permutations": tasks } });
            if !code.is_empty() {
                result["ruleId"] = json!(code);
            }
            if !file.is_empty() {
                let uri = file.replace('\\', "/").replace('%', "%25").replace(' ', "%20");
                let region = json!({ "startLine": line, "startColumn": column });
                result["locations"] = json!([{ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } }]);
            }
            result
        };
        let results: Vec<Value> = found.iter().map(result).collect();
        let driver = json!({ "name": "rtc", "version": env!("CARGO_PKG_VERSION") });
        let run = json!({ "tool": { "driver": driver }, "results": results });
        let log = json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run] });
        format!("{log:#}\n")
    }
}
