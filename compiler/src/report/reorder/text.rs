//! The reorder report for terminals.

use std::fmt::Write as _;

use super::collect::operations;
use super::{FunctionReport, Item, Live, Place, Point, Report};

/// Shows `r` as text.
pub fn text(r: &Report) -> String {
    let mut out = String::new();
    let points: usize = r.functions.iter().map(|f| f.too_large.unwrap_or(f.points.len())).sum();
    if points == 0 {
        return format!("{}: no reorder points\n", r.file);
    }
    let (before, after) = r.total();
    _ = writeln!(
        out,
        "{}: {} in {}; live across all of them: {}",
        r.file,
        counted(points, "reorder point"),
        counted(r.functions.len(), "function"),
        change(before, after),
    );
    for f in &r.functions {
        function(&mut out, &r.file, f);
    }
    if let Some((depth, bytes)) = r.pipeline_stack {
        _ = writeln!(out, "\npipeline stack by these frames, with traces nested {depth} deep: about {bytes} bytes");
    }
    out
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn change(before: u64, after: u64) -> String {
    if before == after { format!("{after} bytes") } else { format!("{before} -> {after} bytes") }
}

fn at(p: &Option<Place>) -> String {
    p.as_ref().map_or(String::new(), |p| format!(" at {}:{}:{}", p.file, p.line, p.column))
}

/// `line 7`, and the file if it is not the one of the report.
fn line(p: &Place, main: &str) -> String {
    match p.file == main {
        true => format!("line {}", p.line),
        false => format!("{}:{}", p.file, p.line),
    }
}

fn function(out: &mut String, main: &str, f: &FunctionReport) {
    _ = writeln!(out, "\n{} ({}){}", f.name, f.stage, at(&f.place));
    if let Some(n) = f.too_large {
        _ = writeln!(out, "  {n} reorder points: too many to say what is live across each");
    }
    for (n, p) in f.points.iter().enumerate() {
        point(out, main, n + 1, p);
    }
    for g in &f.groups {
        let numbers: Vec<String> = g.points.iter().map(|n| (n + 1).to_string()).collect();
        match g.broken_by.is_empty() {
            true => _ = writeln!(out, "  {} are back to back: one reorder point", numbers.join(", ")),
            false => {
                _ = writeln!(out, "  {} belong together and are kept apart by", numbers.join(", "));
                for (what, place) in &g.broken_by {
                    _ = writeln!(out, "    {what}{}", at(place));
                }
            }
        }
    }
    if f.stack > 0 {
        _ = writeln!(out, "  stack frame: about {} bytes (the most that is live across a call of shaders, with what it passes)", f.stack);
    }
}

fn point(out: &mut String, main: &str, n: usize, p: &Point) {
    _ = writeln!(out, "  {n}. {}{}", p.kind, at(&p.place));
    for (callee, place) in p.chain.iter().rev() {
        _ = writeln!(out, "     in {callee}, called{}", at(place));
    }
    let before = p.before.as_ref().map_or(p.after.bytes, |b| b.bytes);
    let passes = if p.passes > 0 { format!("; passes {} bytes", p.passes) } else { String::new() };
    _ = writeln!(out, "     live: {}{passes}", change(before.into(), p.after.bytes.into()));
    items(out, main, &p.after);
    if let Some(b) = &p.before {
        let gone: Vec<Item> =
            b.items.iter().filter(|i| !p.after.items.iter().any(|a| a.name == i.name && a.bytes == i.bytes)).cloned().collect();
        if !gone.is_empty() && b.bytes != p.after.bytes {
            _ = writeln!(out, "     no longer:");
            items(out, main, &Live { bytes: 0, items: gone });
        }
    }
    for s in &p.suggestions {
        _ = writeln!(out, "     could: {}", s.text);
    }
}

fn items(out: &mut String, main: &str, l: &Live) {
    for i in &l.items {
        let bytes = if i.bytes == 0 { "?".into() } else { i.bytes.to_string() };
        let mut notes: Vec<String> = Vec::new();
        if i.what != super::What::Variable {
            notes.push(i.what.name().into());
        }
        if !i.also.is_empty() {
            notes.push(format!("also {}", i.also.join(", ")));
        }
        if let Some(p) = &i.declared {
            notes.push(format!("declared in {}", line(p, main)));
        }
        if let Some(p) = i.set.as_ref().filter(|p| i.declared.as_ref().is_none_or(|d| d.line != p.line || d.file != p.file)) {
            notes.push(format!("set in {}", line(p, main)));
        }
        if let Some(n) = i.recompute {
            notes.push(format!("recomputable: {}", operations(n)));
        }
        _ = writeln!(out, "       {bytes:>5}  {} {}{}{}", i.ty, i.name, if notes.is_empty() { "" } else { "  -- " }, notes.join("; "));
    }
}
