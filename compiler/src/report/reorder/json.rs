//! The reorder report as JSON.

use serde_json::{Value, json};

use super::{Fate, FunctionReport, Item, LiveSet, ReorderPoint, Report, SourceLocation, WAVE};

/// Shows `r` as indented JSON.
pub fn json(r: &Report) -> String {
    let total = r.total();
    let out = json!({
        "report": "reorder",
        "file": r.file,
        "liveBytesBefore": total.before,
        "liveBytes": total.after,
        "pipelineStack": r.pipeline_stack.map(|s| json!({ "maxTraceRecursionDepth": s.depth, "bytes": s.bytes })),
        "functions": r.functions.iter().map(function).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&out).expect("JSON values print") + "\n"
}

fn function(f: &FunctionReport) -> Value {
    json!({
        "name": f.name,
        "stage": f.stage,
        "place": location(&f.location),
        "points": f.points.iter().map(point).collect::<Vec<_>>(),
        "groups": f.groups.iter().map(|g| json!({
            "points": g.points,
            "backToBack": g.separators.is_empty(),
            "brokenBy": g.separators.iter().map(|s| json!({ "what": s.description, "place": location(&s.location) })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "stackBytes": f.stack,
        "tooManyPoints": f.too_large,
    })
}

fn point(p: &ReorderPoint) -> Value {
    json!({
        "kind": p.kind,
        "place": location(&p.location),
        "chain": p.calls.iter().map(|c| json!({ "function": c.callee, "calledAt": location(&c.location) })).collect::<Vec<_>>(),
        "passesBytes": p.passed_bytes,
        "savedWords": p.saved_words,
        "divergence": p.divergence.as_ref().map(|d| json!({
            "causes": d.causes.iter().map(|c| json!({ "kind": c.kind, "place": location(&c.location), "value": c.value })).collect::<Vec<_>>(),
            "instructionsAfter": d.work,
            "converged": d.fate == Fate::Converged,
            "text": d.fate.text(),
        })),
        "before": p.before.as_ref().map(live),
        "after": live(&p.after),
        "paysAbove": p.break_even().map(|[hardware, wavefront]| json!({ "wave": WAVE, "hardware": hardware, "wavefront": wavefront })),
        "suggestions": p.suggestions.iter().map(|s| json!({
            "kind": s.kind, "text": s.text, "savesBytes": s.saves, "place": location(&s.location),
        })).collect::<Vec<_>>(),
    })
}

fn live(l: &LiveSet) -> Value {
    json!({ "bytes": l.bytes, "items": l.items.iter().map(item).collect::<Vec<_>>() })
}

fn item(i: &Item) -> Value {
    json!({
        "name": i.name,
        "also": i.also,
        "type": i.ty,
        "what": i.kind.name(),
        // The size of opaque objects depends on the device.
        "bytes": if i.bytes == 0 { Value::Null } else { i.bytes.into() },
        "declared": location(&i.declared),
        "set": location(&i.set),
        "recomputeOperations": i.recompute,
    })
}

fn location(p: &Option<SourceLocation>) -> Value {
    p.as_ref().map_or(Value::Null, |p| json!({ "file": p.file, "line": p.line, "column": p.column }))
}
