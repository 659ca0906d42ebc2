//! Completion of the values of subobjects: what each position means, with the exports, sizes and flags of the source.

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, Range, TextEdit};
use rtc_frontend::hir::layout::{Rules, size_of};
use rtc_frontend::hir::{ExprKind, Module, Role, Subobject, SubobjectKind};
use rtc_tables::stages::{Stage, StageMask};
use rtc_tables::subobjects::{Expected, subobject};
use rtc_tables::types::ENUMS;

use super::plain;
use crate::features::reach::reached_from;
use crate::snapshot::Snapshot;

/// What can be written at position `slot` of a subobject of this type. `quoted`: the range that is replaced, in a text; the part of it that is there.
pub fn complete(s: &Snapshot, ty: &str, slot: usize, quoted: Option<Range>) -> Vec<CompletionItem> {
    let Some(row) = subobject(ty) else { return Vec::new() };
    let Some(value) = row.slots.get(slot) else { return Vec::new() };
    let m = &s.analysis.module;
    let entries = |stages: StageMask| {
        m.entries().filter(move |(_, f)| stages.has(f.stage)).map(|(_, f)| (f.qualified.clone(), f.stage.info().attribute))
    };
    let text = |list: Vec<(String, &str)>| list.into_iter().map(|(n, what)| quoted_item(&n, what, value.about, quoted)).collect();
    match value.expected {
        Expected::RootSignature(_) => vec![quoted_item("", "the text of a root signature", value.about, quoted)],
        Expected::Subobject => {
            let own = |o: &&Subobject| !is_hit_group(o) && !matches!(o.kind, SubobjectKind::Association(..));
            text(m.subobjects.iter().filter(own).map(|o| (s.analysis.names.str(o.name).to_owned(), "subobject")).collect())
        }
        Expected::Exports => {
            // Hit groups are exports, too.
            let groups = m.subobjects.iter().filter(|o| is_hit_group(o)).map(|o| (s.analysis.names.str(o.name).to_owned(), "hit group"));
            text(entries(StageMask::RT).chain(groups).collect())
        }
        Expected::Shader(stage) => {
            let mut all: Vec<(String, &str)> =
                m.entries().filter(|(_, f)| f.stage == stage).map(|(_, f)| (f.qualified.clone(), stage.info().attribute)).collect();
            if quoted.is_none() && stage != Stage::Intersection {
                all.push((String::new(), "no shader"));
            }
            text(all)
        }
        Expected::Flags(name, _) => ENUMS
            .iter()
            .filter(|e| e.name == name)
            .flat_map(|e| e.items)
            .map(|i| number(i.0, &format!("= {:#x}", i.1), value.about, "1"))
            .collect(),
        Expected::Number(_) => numbers(s, value.name),
    }
}

fn is_hit_group(o: &Subobject) -> bool {
    matches!(o.kind, SubobjectKind::TriangleHitGroup(..) | SubobjectKind::ProceduralHitGroup(..))
}

/// A text: with quotation marks, if there are none yet.
fn quoted_item(text: &str, what: &str, about: &str, quoted: Option<Range>) -> CompletionItem {
    let item = plain(text, CompletionItemKind::FUNCTION, &format!("{what}: {about}"));
    match quoted {
        Some(range) => CompletionItem { text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: text.to_owned() })), ..item },
        None => CompletionItem {
            label: format!("\"{text}\""),
            filter_text: Some(format!("\"{text}\"")),
            sort_text: Some(format!("0{text}")),
            ..item
        },
    }
}

fn number(label: &str, what: &str, about: &str, sort: &str) -> CompletionItem {
    CompletionItem { sort_text: Some(format!("0{sort}{label}")), ..plain(label, CompletionItemKind::VALUE, &format!("{what}: {about}")) }
}

/// Numbers that fit the shaders of the source.
fn numbers(s: &Snapshot, slot: &str) -> Vec<CompletionItem> {
    let m = &s.analysis.module;
    // The largest type that a parameter with this role has.
    let largest = |role: Role| {
        let params = m.entries().flat_map(|(_, f)| f.params.iter()).filter(move |p| p.role == role && !m.types.has_objects(p.ty));
        params.map(|p| (size_of(&m.types, p.ty, Rules::Scalar).size, p.ty)).max_by_key(|p| p.0)
    };
    let mut out = Vec::new();
    let of_type = |role: Role, what: &str| {
        largest(role).map(|(size, ty)| number(&size.to_string(), &format!("the size of `{}`", m.types.show(ty)), what, "0"))
    };
    match slot {
        "largest payload in bytes" => {
            out.extend(of_type(Role::Payload, "the largest payload of the source"));
            out.extend(
                m.types
                    .records
                    .values()
                    .filter(|r| r.raypayload)
                    .map(|r| number(&format!("sizeof({})", r.qualified), "the size of a payload", "as the structure is declared", "1")),
            );
        }
        "largest attributes in bytes" => {
            out.extend(of_type(Role::Attributes, "the largest attributes of the source"));
            if largest(Role::Attributes).is_none_or(|l| l.0 != 8) {
                out.push(number("8", "the size of `BuiltInTriangleIntersectionAttributes`", "those of triangles", "1"));
            }
        }
        _ => {
            let traces = |stage: StageMask| m.entries().any(|(id, f)| stage.has(f.stage) && traces_rays(m, id));
            match traces(StageMask::CH | StageMask::MS) {
                true => out.push(number("2", "closest-hit or miss shaders of the source trace rays", "how deeply traces nest", "0")),
                false => out.push(number("1", "only ray generation shaders of the source trace rays", "how deeply traces nest", "0")),
            }
        }
    }
    out
}

/// Whether a shader traces rays, or invokes hit objects.
fn traces_rays(m: &Module, entry: rtc_frontend::hir::FuncId) -> bool {
    reached_from(m, entry).into_iter().filter_map(|f| m.funcs.get(f)).any(|f| {
        f.body.exprs.values().any(|e| matches!(e.kind, ExprKind::Intrinsic { row, .. } if matches!(row.name, "TraceRay" | "Invoke")))
    })
}

/// Whether a value is written as text.
pub fn is_text(ty: &str, slot: usize) -> bool {
    let expected = subobject(ty).and_then(|r| r.slots.get(slot)).map(|s| s.expected);
    expected.is_some_and(|e| !matches!(e, Expected::Number(_) | Expected::Flags(..)))
}
