//! Output of inferred qualifiers: as text and as JSON.

use std::fmt::Write as _;

use rtc_frontend::hir::Paq;
use rtc_ir::PaqStage;
use serde_json::{Value, json};

use super::{Field, Payload};

fn qualifiers(read: u8, write: u8) -> String {
    format!("read({}) : write({})", PaqStage::list(read, ", "), PaqStage::list(write, ", "))
}

/// The qualifiers that a field has, if they are other than what was found.
fn was(f: &Field) -> Option<String> {
    let has = f.declared.first()?.paq?;
    let Paq { read: Some(r), write: Some(w) } = has else { return None };
    ((r.0, w.0) != (f.solved.read, f.solved.write)).then(|| qualifiers(r.0, w.0))
}

/// All payloads as text: each declaration with inferred qualifiers, then the reason for each stage.
pub fn text(payloads: &[Payload]) -> String {
    let mut out = String::new();
    for p in payloads {
        let at: Vec<&str> = p.records.iter().filter(|r| r.name == p.name).map(|r| r.at.as_str()).collect();
        let at = at.join(", ");
        if !p.refused.is_empty() {
            _ = writeln!(out, "{} ({at}): not inferred\n", p.name);
            continue;
        }
        _ = writeln!(out, "struct [raypayload] {} // {at}\n{{", p.name);
        let names = p.fields.iter().map(|f| f.ty.len() + f.name.len() + 1).max().unwrap_or(0);
        for f in &p.fields {
            let line = |name: &str| {
                let decl = format!("{} {name}", f.ty);
                format!("    {decl:names$} : {};", qualifiers(f.solved.read, f.solved.write))
            };
            match was(f) {
                Some(was) => _ = writeln!(out, "{} // was {was}", line(&f.name)),
                None => _ = writeln!(out, "{}", line(&f.name)),
            }
            let outer = f.name.rfind('.').map_or("", |dot| &f.name[..=dot]);
            for other in &f.neighbours {
                _ = writeln!(out, "{} // of the number that `{}` is in", line(&format!("{outer}{other}")), f.name);
            }
        }
        out.push_str("};\n");
        for f in &p.fields {
            for r in &f.solved.reasons {
                let word = if r.write { "write" } else { "read" };
                let stage = format!("{word}({})", r.stage.name());
                _ = writeln!(out, "  {}: {stage}: {}", f.name, r.text);
            }
            if f.solved.reasons.is_empty() {
                _ = writeln!(out, "  {}: no shader needs it", f.name);
            }
            for r in &f.solved.remarks {
                _ = writeln!(out, "  {}: remark: {r}", f.name);
            }
        }
        out.push('\n');
    }
    if payloads.is_empty() {
        out.push_str("no payloads\n");
    }
    out
}

/// All payloads as indented JSON.
pub fn json(payloads: &[Payload]) -> String {
    let stages = |set: u8| -> Vec<&str> { PaqStage::members(set).map(PaqStage::name).collect() };
    let field = |f: &Field| {
        let because = f.solved.reasons.iter().map(|r| {
            json!({
                "qualifier": if r.write { "write" } else { "read" },
                "stage": r.stage.name(),
                "text": r.text,
            })
        });
        let mut out = json!({
            "name": f.name,
            "type": f.ty,
            "declared": f.declared.iter().map(|d| d.at.as_str()).collect::<Vec<_>>(),
            "read": stages(f.solved.read),
            "write": stages(f.solved.write),
            "because": because.collect::<Vec<_>>(),
            "remarks": f.solved.remarks,
        });
        if !f.neighbours.is_empty() {
            out["bitFieldsOfWord"] = json!(f.neighbours);
        }
        out
    };
    let payload = |p: &Payload| {
        let own = p.records.iter().filter(|r| r.name == p.name);
        let fields = if p.refused.is_empty() { &p.fields[..] } else { &[] };
        json!({
            "name": p.name,
            "declared": own.map(|r| r.at.as_str()).collect::<Vec<_>>(),
            "refused": p.refused,
            "fields": fields.iter().map(field).collect::<Vec<_>>(),
        })
    };
    let all: Vec<Value> = payloads.iter().map(payload).collect();
    serde_json::to_string_pretty(&Value::Array(all)).expect("JSON values print") + "\n"
}
