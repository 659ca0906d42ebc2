//! The list of intrinsics that `rtc --list-intrinsics` prints, from the table that semantic analysis uses.

use std::fmt::Write;

use rtc_tables::intrinsics::coverage::Target;
use rtc_tables::intrinsics::{self, Intrinsic, Scope};
use rtc_tables::stages::StageMask;

/// Free functions, by the file of their rows.
const FUNCTIONS: &[(&str, &[Intrinsic])] = &[
    ("Arithmetic, bits, vectors, matrices", intrinsics::math::ROWS),
    ("Ray tracing", intrinsics::raytracing::ROWS),
    ("Reordering", intrinsics::hit_objects::ROWS),
    ("Waves, quads, barriers", intrinsics::wave::ROWS),
    ("Atomics", intrinsics::atomics::ROWS),
    ("Resources", intrinsics::resources::ROWS),
    ("Derivatives and pixel shaders", intrinsics::pixel::ROWS),
    ("Tessellation factors", intrinsics::tessellation::ROWS),
    ("Mesh and amplification shaders", intrinsics::mesh::ROWS),
    ("Linear algebra", intrinsics::linalg::ROWS),
    ("Vulkan", intrinsics::vulkan::ROWS),
];

/// The stages of a row, abbreviated.
fn stages(row: &Intrinsic) -> String {
    let (every, entries) = (StageMask::ALL, StageMask::ENTRIES);
    if row.stages.contains(every) {
        return "all".into();
    }
    if row.stages.intersection(entries) == StageMask::RT {
        return "ray tracing".into();
    }
    let names: Vec<&str> = row.stages.intersection(entries).iter_stages().map(|s| s.name()).collect();
    if names.is_empty() { "none here".into() } else { names.join(" ") }
}

fn target(row: &Intrinsic, t: Target, name: &str) -> String {
    if !row.is_ours() || !row.is_translated() {
        return format!("no {name}");
    }
    match row.gap(t) {
        None => name.into(),
        Some(reason) => format!("no {name} ({reason})"),
    }
}

fn section<'a>(out: &mut String, name: &str, rows: impl Iterator<Item = &'a Intrinsic>) {
    let mut rows: Vec<&Intrinsic> = rows.collect();
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|r| r.name.to_ascii_lowercase());
    // Writing to a string does not fail.
    let _ = writeln!(out, "{name}");
    let width = rows.iter().map(|r| r.signature().len()).max().unwrap_or(0).min(90);
    for r in rows {
        let model = format!("6.{}", r.shader_model);
        let (dxil, spirv) = (target(r, Target::Dxil, "DXIL"), target(r, Target::Spirv, "SPIR-V"));
        let _ = writeln!(out, "  {:width$}  {model:4}  {dxil}, {spirv}  [{}]", r.signature(), stages(r));
    }
    out.push('\n');
}

/// Every intrinsic function and method: signature, first shader model, targets, stages.
pub fn list() -> String {
    let mut out = String::new();
    for (name, rows) in FUNCTIONS {
        section(&mut out, name, rows.iter().filter(|r| !matches!(r.scope, Scope::Method(_) | Scope::Static(_))));
    }
    for o in intrinsics::OBJECTS {
        let mine = |r: &&Intrinsic| matches!(r.scope, Scope::Method(x) | Scope::Static(x) if x == o.object);
        section(&mut out, &format!("Methods of {}", o.name), intrinsics::all().filter(mine));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_listed_once() {
        let text = list();
        let lines = text.lines().filter(|l| l.starts_with("  ")).count();
        assert_eq!(lines, intrinsics::all().count());
    }
}
