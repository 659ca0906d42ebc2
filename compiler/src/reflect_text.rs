//! Reflection for people: the same facts as the JSON, a paragraph for each function, tables of signatures and resources.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::error::FileError;

/// Lists of a function that are tables of signature elements, with their titles.
const SIGNATURES: [(&str, &str); 4] =
    [("inputs", "inputs"), ("outputs", "outputs"), ("patchConstants", "patch constants"), ("primitiveOutputs", "outputs of primitives")];

/// The list of entry points in SPIR-V, which are shown like functions.
const ENTRY_POINTS: &str = "entryPoints";

/// The list of bindings, whose layouts are shown on their own.
const BINDINGS: &str = "bindings";

/// What a column shows of a row.
type Column = (&'static str, fn(&Value) -> String);

const ELEMENT: &[Column] = &[
    ("name", |e| format!("{}{}", word(&e["name"]), word(&e["index"]))),
    ("type", element_type),
    ("register", |e| word(&e["register"])),
    ("mask", |e| word(&e["mask"])),
    ("used", |e| word(&e["usedMask"])),
    ("location", |e| word(&e["location"])),
    ("built in", |e| word(&e["builtIn"])),
    ("system value", |e| word(&e["systemValue"])),
    ("interpolation", |e| word(&e["interpolation"])),
    ("stream", |e| word(&e["stream"])),
];

const VARIABLE: &[Column] = &[("offset", |v| word(&v["offset"])), ("type", |v| word(&v["type"])), ("name", |v| word(&v["name"]))];

/// The members of a layout that are no structures, each with the path that leads to it; the buffer itself, at `depth` 0, has no part in it.
fn variables(v: &Value, path: &str, depth: usize, out: &mut Vec<Value>) {
    let elements = match &v["elements"] {
        Value::Null => String::new(),
        Value::Number(n) => format!("[{n}]"),
        _ => "[]".to_owned(),
    };
    let name = if depth == 0 { "" } else { v["name"].as_str().unwrap_or_default() };
    let separator = if path.is_empty() || name.is_empty() { "" } else { "." };
    let path = format!("{path}{separator}{name}{elements}");
    match v["members"].as_array() {
        Some(members) => members.iter().for_each(|m| variables(m, &path, depth + 1, out)),
        None => {
            let row_major = v["rowMajor"] == true && !word(&v["type"]).starts_with("row_major");
            let ty = format!("{}{}", if row_major { "row_major " } else { "" }, word(&v["type"]));
            out.push(serde_json::json!({ "offset": v["offset"], "type": ty, "name": path }));
        }
    }
}

const RESOURCE: &[Column] = &[
    ("name", |r| word(&r["name"])),
    ("kind", |r| word(&r["kind"])),
    ("class", |r| word(&r["class"])),
    ("register", |r| word(&r["register"])),
    ("space", |r| word(&r["space"])),
    ("count", |r| word(&r["count"])),
];

/// The reflection of a container, PDB, package or SPIR-V module, as text for people.
///
/// # Errors
/// The file is damaged, or has neither RDAT nor a DXIL program.
pub fn text(data: &[u8]) -> Result<String, FileError> {
    let value = serde_json::to_value(crate::reflect::reflection(data)?).map_err(|e| FileError::Damaged(e.to_string()))?;
    let mut out = String::new();
    let empty = Map::new();
    let all = value.as_object().unwrap_or(&empty);
    facts(&mut out, "", all, &["functions", "resources"]);
    for f in list(&value, "functions").iter().chain(list(&value["vulkan"], ENTRY_POINTS)) {
        let name = if f["name"].is_string() { &f["name"] } else { &f["spirvName"] };
        let _ = writeln!(out, "\n{}: {}", word(name), word(&f["stage"]).to_lowercase());
        let known = SIGNATURES.map(|s| s.0);
        let mut without = [&["name", "spirvName", "stage"], &known[..]].concat();
        // A shader without a payload has none of zero bytes.
        without.extend(["payloadBytes", "attributeBytes"].into_iter().filter(|key| f[*key] == 0));
        facts(&mut out, "  ", f.as_object().unwrap_or(&empty), &without);
        for (key, title) in SIGNATURES {
            table(&mut out, "  ", title, list(f, key), ELEMENT);
        }
    }
    if !list(&value, "resources").is_empty() {
        out.push('\n');
        table(&mut out, "", "resources", list(&value, "resources"), RESOURCE);
    }
    for r in list(&value, "resources").iter().chain(list(&value["vulkan"], BINDINGS)).filter(|r| r["layout"].is_object()) {
        let bytes = r["bytes"].as_u64().map(|n| format!(", {n} bytes")).unwrap_or_default();
        let _ = writeln!(out, "\nlayout of {}{bytes}:", word(&r["name"]));
        let mut rows = Vec::new();
        variables(&r["layout"], "", 0, &mut rows);
        table(&mut out, "", "", &rows, VARIABLE);
    }
    Ok(out)
}

fn list<'v>(v: &'v Value, key: &str) -> &'v [Value] {
    v[key].as_array().map_or(&[], Vec::as_slice)
}

/// A value on one line; nothing for what is not there.
fn word(v: &Value) -> String {
    match v {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(word).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let known = members.iter().filter(|(key, v)| !v.is_null() && key.as_str() != "layout");
            known.map(|(key, v)| format!("{} {}", words(key), word(v))).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// `f32 x 4`, `u32[3]`: component, columns and rows; `float4[3]` in SPIR-V.
fn element_type(e: &Value) -> String {
    let number = |key: &str| e[key].as_u64().unwrap_or(1);
    if let (Some(name), elements) = (e["type"].as_str(), &e["elements"]) {
        return if elements.is_null() { name.to_owned() } else { format!("{name}[{elements}]") };
    }
    let mut out = word(&e["componentType"]);
    if number("columns") > 1 {
        let _ = write!(out, " x {}", number("columns"));
    }
    if number("rows") > 1 {
        let _ = write!(out, "[{}]", number("rows"));
    }
    out
}

/// `maxVertices` as words.
fn words(key: &str) -> String {
    let mut out = String::new();
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            out.push(' ');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// A line for each member that says something, those of objects among them.
fn facts(out: &mut String, indent: &str, all: &Map<String, Value>, without: &[&str]) {
    for (key, v) in all.iter().filter(|(key, _)| !without.contains(&key.as_str())) {
        match v {
            Value::Null | Value::Bool(false) => {}
            Value::Array(items) if items.is_empty() => {}
            Value::Array(_) if key == ENTRY_POINTS => {}
            Value::Object(inner) if key == "state" => facts(out, indent, inner, &[]),
            Value::Object(inner) => {
                let _ = writeln!(out, "{indent}{}:", words(key));
                facts(out, &format!("{indent}  "), inner, &[]);
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                let _ = writeln!(out, "{indent}{}:", words(key));
                items.iter().for_each(|item| _ = writeln!(out, "{indent}  {}", word(item)));
            }
            Value::Bool(true) => _ = writeln!(out, "{indent}{}", words(key)),
            v => _ = writeln!(out, "{indent}{}: {}", words(key), word(v)),
        }
    }
}

/// A table without the columns that are empty everywhere; nothing without rows.
fn table(out: &mut String, indent: &str, title: &str, rows: &[Value], columns: &[Column]) {
    if rows.is_empty() {
        return;
    }
    if !title.is_empty() {
        let _ = writeln!(out, "{indent}{title}:");
    }
    let cells: Vec<(&str, Vec<String>)> = columns.iter().map(|(name, cell)| (*name, rows.iter().map(cell).collect())).collect();
    let shown: Vec<_> = cells.iter().filter(|c| c.1.iter().any(|cell| !cell.is_empty())).collect();
    let width = |c: &(&str, Vec<String>)| c.1.iter().map(|cell| cell.chars().count()).max().unwrap_or(0).max(c.0.len());
    let mut line = |cells: &mut dyn Iterator<Item = (usize, &str)>| {
        let text: String = cells.map(|(width, cell)| format!("{cell:width$}  ")).collect();
        let _ = writeln!(out, "{indent}  {}", text.trim_end());
    };
    line(&mut shown.iter().map(|c| (width(c), c.0)));
    for n in 0..rows.len() {
        line(&mut shown.iter().map(|c| (width(c), c.1[n].as_str())));
    }
}
