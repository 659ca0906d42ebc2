//! Completion of the program: names in scope, members, intrinsics that are legal in the stages, words of the language.

use lsp_types::{CompletionItem, CompletionItemKind, CompletionItemTag};
use rtc_frontend::hir::{Ty, TyKind};
use rtc_frontend::index::{Entity, Visible};
use rtc_tables::intrinsics::{self, Intrinsic, Scope};
use rustc_hash::FxHashSet;

use super::{markdown, plain};
use crate::features::describe::{describe, intrinsic};
use crate::features::reach::{legal, stages};
use crate::snapshot::Snapshot;
use crate::worker::PROBE;

/// The completions at the probe of an analysis.
pub fn complete(s: &Snapshot) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    match &s.analysis.index.visible {
        Some(v) => {
            names(s, v, &mut items);
            rows(s, v, &mut items);
            if let Some(t) = v.member_of {
                swizzles(s, t, &mut items);
            } else if !v.qualified {
                words(&mut items);
            }
        }
        None => {
            // The probe is where nothing is analysed: in the body of a template without instances, say.
            let mut seen = FxHashSet::default();
            for o in &s.analysis.index.occurrences {
                let name = s.analysis.names.str(o.name);
                if !matches!(o.entity, Entity::Local { .. } | Entity::Field(..) | Entity::Intrinsic(_))
                    && name != PROBE
                    && seen.insert(o.name)
                {
                    items.push(of_entity(s, name, o.entity, 1));
                }
            }
            words(&mut items);
        }
    }
    items
}

fn names(s: &Snapshot, v: &Visible, out: &mut Vec<CompletionItem>) {
    for n in &v.names {
        let name = s.analysis.names.str(n.name);
        // Names that no program can write: of unnamed structures, operators.
        if name != PROBE && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.starts_with("operator") {
            out.push(of_entity(s, name, n.entity, n.distance));
        }
    }
    out.sort_by(|a, b| (&a.sort_text, &a.label).cmp(&(&b.sort_text, &b.label)));
}

fn of_entity(s: &Snapshot, name: &str, e: Entity, distance: u32) -> CompletionItem {
    let m = &s.analysis.module;
    let kind = match e {
        Entity::Local { .. } | Entity::Global(_) | Entity::BlockMember(..) | Entity::Subobject(_) | Entity::Heap => {
            CompletionItemKind::VARIABLE
        }
        Entity::Field(..) => CompletionItemKind::FIELD,
        Entity::Function(f) if m.funcs[f].method.is_some() => CompletionItemKind::METHOD,
        Entity::Function(_) | Entity::Intrinsic(_) => CompletionItemKind::FUNCTION,
        Entity::Type(t) => match m.types.kind(t) {
            TyKind::Enum(_) => CompletionItemKind::ENUM,
            TyKind::Record(_) => CompletionItemKind::STRUCT,
            _ => CompletionItemKind::CLASS,
        },
        Entity::Template => CompletionItemKind::CLASS,
        Entity::Constant(t, _) if matches!(m.types.kind(t), TyKind::Enum(_)) => CompletionItemKind::ENUM_MEMBER,
        Entity::Constant(..) => CompletionItemKind::CONSTANT,
        Entity::Namespace => CompletionItemKind::MODULE,
    };
    let d = describe(s, name, e);
    let sort = format!("{}{name}", distance.min(9));
    CompletionItem { sort_text: Some(sort), ..plain(name, kind, &d.code) }
}

/// The intrinsics that are legal here: in all stages from which the function is reached.
fn rows(s: &Snapshot, v: &Visible, out: &mut Vec<CompletionItem>) {
    let stages = v.function.map(|f| stages(&s.analysis.module, f)).unwrap_or_default();
    let mut seen = FxHashSet::default();
    for row in intrinsics::all().filter(|r| v.intrinsics.contains(&r.scope)) {
        if legal(row.stages, &stages) && seen.insert(row.name) && !out.iter().any(|i| i.label == row.name) {
            out.push(of_row(row));
        }
    }
}

fn of_row(row: &'static Intrinsic) -> CompletionItem {
    let method = matches!(row.scope, Scope::Method(_));
    let kind = if method { CompletionItemKind::METHOD } else { CompletionItemKind::FUNCTION };
    let text = intrinsic(row).join("\n\n");
    CompletionItem {
        sort_text: Some(format!("8{}", row.name)),
        documentation: Some(markdown(text)),
        tags: row.newer_name.map(|_| vec![CompletionItemTag::DEPRECATED]),
        ..plain(row.name, kind, &row.readable())
    }
}

/// The components of a vector, and the fields of textures that are not methods.
fn swizzles(s: &Snapshot, ty: Ty, out: &mut Vec<CompletionItem>) {
    let types = &s.analysis.module.types;
    match types.kind(ty) {
        TyKind::Vector(scalar, n @ 1..=4) => {
            let n = n as usize;
            for (set, first) in [("xyzw", '0'), ("rgba", '1')] {
                let mut add = |name: &str| {
                    let ty = if name.len() == 1 { scalar.name().to_owned() } else { format!("{}{}", scalar.name(), name.len()) };
                    let sort = format!("{first}{}{name}", name.len());
                    out.push(CompletionItem { sort_text: Some(sort), ..plain(name, CompletionItemKind::FIELD, &ty) });
                };
                (0..n).for_each(|i| add(&set[i..=i]));
                (2..=n).for_each(|i| add(&set[..i]));
            }
        }
        TyKind::Matrix { scalar, rows, cols, .. } => {
            for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
                out.push(plain(&format!("_m{r}{c}"), CompletionItemKind::FIELD, scalar.name()));
            }
        }
        TyKind::Resource(r) if r.kind.is_texture() => {
            let name = if r.kind.is_multisampled() { "sample" } else { "mips" };
            out.push(plain(name, CompletionItemKind::FIELD, "texels by level or sample"));
        }
        _ => {}
    }
}

/// Keywords and types of the language.
fn words(out: &mut Vec<CompletionItem>) {
    let keyword =
        |name: &&str| CompletionItem { sort_text: Some(format!("9{name}")), ..plain(name, CompletionItemKind::KEYWORD, "keyword") };
    out.extend(KEYWORDS.iter().map(keyword));
    let ty = |name: &str| CompletionItem { sort_text: Some(format!("9{name}")), ..plain(name, CompletionItemKind::CLASS, "type") };
    for scalar in SCALARS {
        out.push(ty(scalar));
        out.extend((2..=4).map(|n| ty(&format!("{scalar}{n}"))));
    }
    out.extend([2, 3, 4].map(|n| ty(&format!("float{n}x{n}"))));
    out.extend(["float3x4", "float4x3"].map(ty));
    let objects = rtc_tables::types::OBJECTS.iter().filter(|o| o.namespace.is_empty());
    out.extend(objects.map(|o| ty(o.name)));
    out.extend(rtc_tables::types::STRUCTS.iter().map(|o| ty(o.name)));
    for e in rtc_tables::types::ENUMS {
        out.push(ty(e.name));
        out.extend(e.items.iter().map(|i| CompletionItem {
            sort_text: Some(format!("9{}", i.0)),
            ..plain(i.0, CompletionItemKind::ENUM_MEMBER, &format!("{} = {:#x}", e.name, i.1))
        }));
    }
    for s in ["dx", "vk"] {
        out.push(CompletionItem { sort_text: Some(format!("9{s}")), ..plain(s, CompletionItemKind::MODULE, "namespace") });
    }
    let mut seen = FxHashSet::default();
    out.retain(|i| seen.insert(i.label.clone()));
}

const SCALARS: [&str; 9] = ["bool", "int", "uint", "float", "half", "double", "int16_t", "uint16_t", "uint64_t"];

#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "break", "case", "cbuffer", "class", "const", "continue", "default", "discard", "do", "else", "enum", "export", "extern", "false", "for",
    "globallycoherent", "groupshared", "if", "in", "inline", "inout", "interface", "namespace", "nointerpolation", "out", "precise", "reordercoherent",
    "return", "row_major", "column_major", "sizeof", "static", "struct", "switch", "tbuffer", "template", "this", "true", "typedef", "typename", "uniform",
    "using", "void", "while",
];
