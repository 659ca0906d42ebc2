//! The reorder report for tools.

use serde_json::{Value, json};

use super::{FunctionReport, Item, Live, Place, Point, Report};

/// Shows `r` as indented JSON.
pub fn json(r: &Report) -> String {
    let (before, after) = r.total();
    let out = json!({
        "report": "reorder",
        "file": r.file,
        "liveBytesBefore": before,
        "liveBytes": after,
        "pipelineStack": r.pipeline_stack.map(|(depth, bytes)| json!({ "maxTraceRecursionDepth": depth, "bytes": bytes })),
        "functions": r.functions.iter().map(function).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&out).expect("JSON values print") + "\n"
}

fn function(f: &FunctionReport) -> Value {
    json!({
        "name": f.name,
        "stage": f.stage,
        "place": place(&f.place),
        "points": f.points.iter().map(point).collect::<Vec<_>>(),
        "groups": f.groups.iter().map(|g| json!({
            "points": g.points,
            "backToBack": g.broken_by.is_empty(),
            "brokenBy": g.broken_by.iter().map(|(what, at)| json!({ "what": what, "place": place(at) })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "stackBytes": f.stack,
        "tooManyPoints": f.too_large,
    })
}

fn point(p: &Point) -> Value {
    json!({
        "kind": p.kind,
        "place": place(&p.place),
        "chain": p.chain.iter().map(|(callee, at)| json!({ "function": callee, "calledAt": place(at) })).collect::<Vec<_>>(),
        "passesBytes": p.passes,
        "before": p.before.as_ref().map(live),
        "after": live(&p.after),
        "suggestions": p.suggestions.iter().map(|s| json!({
            "kind": s.kind, "text": s.text, "savesBytes": s.saves, "place": place(&s.place),
        })).collect::<Vec<_>>(),
    })
}

fn live(l: &Live) -> Value {
    json!({ "bytes": l.bytes, "items": l.items.iter().map(item).collect::<Vec<_>>() })
}

fn item(i: &Item) -> Value {
    json!({
        "name": i.name,
        "also": i.also,
        "type": i.ty,
        "what": i.what.name(),
        // What is opaque has no bytes that anybody could name.
        "bytes": if i.bytes == 0 { Value::Null } else { i.bytes.into() },
        "declared": place(&i.declared),
        "set": place(&i.set),
        "recomputeOperations": i.recompute,
    })
}

fn place(p: &Option<Place>) -> Value {
    p.as_ref().map_or(Value::Null, |p| json!({ "file": p.file, "line": p.line, "column": p.column }))
}
