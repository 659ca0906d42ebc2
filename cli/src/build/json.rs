//! Events as lines of JSON on standard output.

use std::io::Write;

use rtc_build::{Event, Message, Observer};
use serde_json::{Value, json};

/// Prints a line for each event.
pub struct Lines;

impl Observer for Lines {
    fn event(&self, event: Event<'_>) {
        let mut out = std::io::stdout().lock();
        // If the reader is gone, the build goes on.
        _ = writeln!(out, "{}", value(event));
    }
}

/// An error that ends the command before a build begins.
pub fn error(message: &str) -> Value {
    json!({ "event": "error", "message": message })
}

/// A diagnostic, with the text that the compiler prints.
fn record(m: &Message) -> Value {
    let mut record = json!(m);
    record["rendered"] = json!(m.rendered(rtc::Style::Short));
    record
}

fn value(event: Event<'_>) -> Value {
    match event {
        Event::Begun { tasks, outdated } => json!({ "event": "begun", "tasks": tasks, "outdated": outdated }),
        Event::Task(task, outcome) => json!({
            "event": "task",
            "task": task.name(),
            "shader": task.shader,
            "target": task.target,
            "entry": task.entry,
            "permutation": task.permutation.key(),
            "source": task.source,
            "files": task.files().collect::<Vec<_>>(),
            "ok": outcome.ok,
            "how": outcome.how.word(),
            "size": outcome.size,
            "ms": outcome.time.as_secs_f64() * 1e3,
            "messages": outcome.messages.iter().map(record).collect::<Vec<_>>(),
        }),
        Event::Bundle(bundle, how) => {
            json!({ "event": "bundle", "file": bundle.file, "tasks": bundle.tasks.len(), "ok": true, "how": how.word() })
        }
        Event::BundleFailed(bundle, why) => {
            json!({ "event": "bundle", "file": bundle.file, "tasks": bundle.tasks.len(), "ok": false, "why": why })
        }
        Event::Warning(text) => json!({ "event": "warning", "message": text }),
        Event::Ended(s) => json!({
            "event": "ended",
            "ok": s.ok(),
            "up_to_date": s.up_to_date,
            "compiled": s.compiled,
            "shared": s.shared,
            "cached": s.cached,
            "fetched": s.fetched,
            "remote": s.remote,
            "farm": s.farm.map(|f| json!({
                "executed": f.executed,
                "known": f.known,
                "fallbacks": f.fallbacks,
                "bytes_up": f.bytes_up,
                "bytes_down": f.bytes_down,
            })),
            "shared_cache": s.traffic.map(|t| json!({
                "hits": t.hits,
                "misses": t.misses,
                "damaged": t.damaged,
                "failures": t.failures,
                "uploaded": t.uploaded,
                "not_uploaded": t.not_uploaded,
                "bytes_read": t.bytes_read,
                "bytes_written": t.bytes_written,
            })),
            "failed": s.failed,
            "bundles_failed": s.bundles_failed,
            "cancelled": s.cancelled,
            "warnings": s.warnings,
            "earlier_warnings": s.earlier_warnings,
            "removed": s.removed,
            "bytes": s.bytes,
            "ms": s.time.as_secs_f64() * 1e3,
        }),
    }
}
