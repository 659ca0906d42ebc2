//! What a compilation says about places of the source: how long members of payloads live, what is live at reorder points, where resources
//! are bound that name no register, and how large the object is.

use lsp_types::Position;
use rtc::report::reorder::SourceLocation;
use rtc::report::{Report, paq, reorder};
use rtc::{Compilation, Options, Product};
use rtc_frontend::hir::{self, GlobalKind};
use rtc_tables::payload_access::{PaqStage, TRANSITIONS};

use crate::paths::normal;
use crate::snapshot::{FileRange, Snapshot};
use crate::text::{Columns, Lines};

/// A hint at a position of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The path of the file.
    pub path: String,
    /// Where it is.
    pub position: Position,
    /// What it says.
    pub label: String,
    /// What it says on request.
    pub tooltip: String,
    /// A text that can be inserted there.
    pub insert: Option<String>,
}

/// A lens over a line of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Lens {
    /// The path of the file.
    pub path: String,
    /// The line that it is over.
    pub position: Position,
    /// What it says.
    pub title: String,
}

/// The hints and lenses of a source.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hints {
    /// Hints.
    pub hints: Vec<Hint>,
    /// Lenses.
    pub lenses: Vec<Lens>,
}

/// The hints and lenses of a compilation with its snapshot.
pub fn hints(snapshot: &Snapshot, c: &Compilation, o: &Options, columns: Columns) -> Hints {
    let mut out = Hints::default();
    let mut reorder = None;
    for report in &c.reports {
        match report {
            Report::Reorder(r) => {
                live_bytes(r, snapshot, columns, &mut out.hints);
                reorder = Some(r);
            }
            Report::Paq(r) => lifetimes(r, snapshot, columns, &mut out.hints),
        }
    }
    if let Some(Product::Dxil(object)) = &c.product {
        bindings(object, snapshot, columns, &mut out.hints);
        lenses(object.len(), reorder, snapshot, o, columns, &mut out.lenses);
    }
    out
}

fn bytes(n: u32) -> String {
    if n == 1 { "1 byte".into() } else { format!("{n} bytes") }
}

/// Live bytes, at the ends of lines with reorder points, and whether lanes of a wave come there apart. A point that is inlined several times counts with the most
/// bytes, and is divergent if some copy of it is.
fn live_bytes(r: &reorder::Report, snapshot: &Snapshot, columns: Columns, out: &mut Vec<Hint>) {
    let mut points: Vec<(&SourceLocation, &reorder::ReorderPoint, &str, Option<&reorder::Divergence>)> = Vec::new();
    for f in &r.functions {
        for p in &f.points {
            let Some(at) = &p.location else { continue };
            let split = p.divergence.as_ref();
            match points.iter_mut().find(|q| (q.0.physical_file, q.0.physical_line) == (at.physical_file, at.physical_line)) {
                Some(known) if known.1.after.bytes >= p.after.bytes => known.3 = known.3.or(split),
                Some(known) => *known = (at, p, &f.name, known.3.or(split)),
                None => points.push((at, p, &f.name, split)),
            }
        }
    }
    for (at, p, function, split) in points {
        let Some(source) = r.sources.get(at.physical_file as usize) else { continue };
        let lines = Lines::of(&source.text);
        let line = (at.physical_line as usize).saturating_sub(1);
        let end = lines.range(&source.text, line);
        let path = path_of(&source.name, snapshot);
        let mut tooltip = format!("Live across `{}` in `{function}`, after optimisation: {}", p.kind, bytes(p.after.bytes));
        if let Some(before) = &p.before {
            tooltip += &format!(" ({} before)", bytes(before.bytes));
        }
        for item in &p.after.items {
            tooltip += &format!("\n* `{}` {}, {}", item.name, item.ty, bytes(item.bytes));
        }
        for s in &p.suggestions {
            tooltip += &format!("\n\n{} (saves {})", s.text, bytes(s.saves));
        }
        if let Some(d) = split {
            tooltip += &format!("\n\nDivergent: {}; {}", d.text(&r.file), d.fate.text());
        }
        let position = lines.position(&source.text, end.end, columns);
        let label = format!("{} live{}", bytes(p.after.bytes), if split.is_some() { ", divergent" } else { "" });
        out.push(Hint { path, position, label, tooltip, insert: None });
    }
}

/// The path of a file that the compiler names.
fn path_of(name: &str, snapshot: &Snapshot) -> String {
    if name == snapshot.root { snapshot.root.clone() } else { normal(name) }
}

fn position(snapshot: &Snapshot, place: &FileRange, offset: usize, columns: Columns) -> Option<(String, Position)> {
    let file = snapshot.files.get(place.file)?;
    Some((file.path.clone(), file.lines.position(&file.text, offset, columns)))
}

/// The transitions on which members of payloads are live.
fn lifetimes(r: &paq::Report, snapshot: &Snapshot, columns: Columns, out: &mut Vec<Hint>) {
    let module = &snapshot.analysis.module;
    for payload in &r.payloads {
        let Some(view) = payload.declared.as_ref().or(payload.inferred.as_ref()) else { continue };
        let record =
            module.types.records.values().find(|r| r.qualified == payload.name || snapshot.analysis.names.str(r.name) == payload.name);
        let Some(record) = record else { continue };
        for (n, member) in payload.members.iter().enumerate() {
            let field = record.fields.iter().find(|f| snapshot.analysis.names.str(f.name) == member.name);
            let Some(place) = field.and_then(|f| snapshot.place(f.span)) else { continue };
            let (Some(&alive), Some(q)) = (view.alive.get(n), view.qualifiers.get(n)) else { continue };
            let Some((path, position)) = position(snapshot, &place, declarator_end(snapshot, &place), columns) else { continue };
            let on: Vec<String> = (0..TRANSITIONS.len())
                .filter(|&t| alive >> t & 1 != 0)
                .map(|t| format!("{} → {}", TRANSITIONS[t].0.name(), TRANSITIONS[t].1.name()))
                .collect();
            let qualifiers = format!(" : read({}) : write({})", PaqStage::list(q.read, ", "), PaqStage::list(q.write, ", "));
            let inferred = payload.declared.is_none();
            let label = match on.len() {
                0 => "never live".to_owned(),
                n if n == TRANSITIONS.len() => "live on every transition".to_owned(),
                n => format!("live on {n} of {} transitions", TRANSITIONS.len()),
            };
            let mut tooltip = format!("`{}` {}", member.name, bytes(member.size.0));
            tooltip += if inferred { ", with the tightest qualifiers:" } else { ", with the declared qualifiers:" };
            tooltip += &format!("`{qualifiers}`");
            on.iter().for_each(|t| tooltip += &format!("\n* {t}"));
            out.push(Hint { path, position, label, tooltip, insert: inferred.then_some(qualifiers) });
        }
    }
}

/// The end of the declarator whose name is at `place`: after its dimensions.
fn declarator_end(snapshot: &Snapshot, place: &FileRange) -> usize {
    let Some(file) = snapshot.files.get(place.file) else { return place.hi };
    let mut end = place.hi;
    while let Some(rest) = file.text.get(end..) {
        let open = rest.trim_start();
        if !open.starts_with('[') {
            break;
        }
        let Some(close) = open.find(']') else { break };
        end += rest.len() - open.len() + close + 1;
    }
    end
}

/// The registers of resources that name none.
fn bindings(object: &[u8], snapshot: &Snapshot, columns: Columns, out: &mut Vec<Hint>) {
    let Ok(reflection) = rtc::reflect::reflection(object) else { return };
    let (module, names) = (&snapshot.analysis.module, &snapshot.analysis.names);
    for global in module.globals.values() {
        let GlobalKind::Resource(hir::Binding { register: None, .. }) = global.kind else { continue };
        let name = names.str(global.name);
        let Some(bound) = reflection.resources.iter().find(|r| r.name == name || r.name == global.qualified) else { continue };
        // Libraries leave registers to the linker.
        if bound.register == u32::MAX {
            continue;
        }
        let Some(place) = snapshot.place(global.span).filter(|p| snapshot.text(p) == name) else { continue };
        let Some((path, position)) = position(snapshot, &place, declarator_end(snapshot, &place), columns) else { continue };
        let letter = match bound.class.to_ascii_lowercase().as_str() {
            "srv" => 't',
            "uav" => 'u',
            "cbv" | "cbuffer" => 'b',
            "sampler" => 's',
            _ => continue,
        };
        let space = if bound.space == 0 { String::new() } else { format!(", space{}", bound.space) };
        let label = format!(": register({letter}{}{space})", bound.register);
        let tooltip = "The register that the compiler chose, because none is written.".to_owned();
        out.push(Hint { path, position, insert: Some(format!(" {label}")), label, tooltip });
    }
}

/// Over each entry point: profile and size of the object, and its live state.
fn lenses(size: usize, r: Option<&reorder::Report>, snapshot: &Snapshot, o: &Options, columns: Columns, out: &mut Vec<Lens>) {
    let (module, names) = (&snapshot.analysis.module, &snapshot.analysis.names);
    for (_, f) in module.entries() {
        let Some(place) = snapshot.place(f.span) else { continue };
        let Some((path, position)) = position(snapshot, &place, place.lo, columns) else { continue };
        let mut title = format!("{} · {} · DXIL {:.1} KB", f.stage.info().attribute, o.profile, size as f64 / 1024.0);
        let report = r.and_then(|r| r.functions.iter().find(|g| g.name == names.str(f.name)));
        if let Some(report) = report.filter(|g| !g.points.is_empty()) {
            let most = report.points.iter().map(|p| p.after.bytes).max().unwrap_or(0);
            let points =
                if report.points.len() == 1 { "1 reorder point".to_owned() } else { format!("{} reorder points", report.points.len()) };
            title += &format!(" · {points}, at most {} live · stack frame of {} or more", bytes(most), bytes(report.stack));
        }
        out.push(Lens { path, position, title });
    }
}
