//! Diagnostics of a build in SARIF 2.1.0, each once however many permutations have it, those of what is up to date too: the file says how
//! everything is.

use rtc_build::{Event, Observer, SourcePlace};
use serde_json::{Value, json};

use super::findings::{Finding, Findings};

/// Collects diagnostics.
#[derive(Default)]
pub struct Sarif {
    found: Findings,
}

impl Observer for Sarif {
    fn event(&self, event: Event<'_>) {
        if let Event::Task(task, outcome) = event {
            self.found.add(task, outcome, true);
        }
    }
}

/// A place as a location.
fn location(place: &SourcePlace) -> Value {
    let uri = place.file.replace('\\', "/").replace('%', "%25").replace(' ', "%20");
    let region = json!({ "startLine": place.line, "startColumn": place.column });
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } })
}

impl Sarif {
    /// The file.
    pub fn text(&self) -> String {
        let result = |Finding { message: m, tasks }: &Finding| {
            let mut result = json!({ "level": m.severity, "message": { "text": m.text }, "properties": { "permutations": tasks } });
            if !m.code.is_empty() {
                result["ruleId"] = json!(m.code);
            }
            if !m.place.file.is_empty() {
                result["locations"] = json!([location(&m.place)]);
            }
            let related = |n: &rtc_build::Note| {
                let mut at = location(&n.place);
                at["message"] = json!({ "text": n.text });
                at
            };
            let related: Vec<Value> = m.notes.iter().filter(|n| !n.place.file.is_empty()).map(related).collect();
            if !related.is_empty() {
                result["relatedLocations"] = json!(related);
            }
            result
        };
        let results: Vec<Value> = self.found.lock().values().map(result).collect();
        let driver = json!({ "name": "rtc", "version": env!("CARGO_PKG_VERSION") });
        let run = json!({ "tool": { "driver": driver }, "results": results });
        let log = json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run] });
        format!("{log:#}\n")
    }
}
