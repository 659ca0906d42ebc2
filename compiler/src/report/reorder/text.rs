//! The reorder report as text.

use std::fmt::Write as _;

use super::{FunctionReport, Item, ItemKind, LiveSet, ReorderPoint, Report, SourceLocation, WAVE, operations};

/// Shows `r` as text.
pub fn text(r: &Report) -> String {
    let mut out = String::new();
    let points: usize = r.functions.iter().map(|f| f.too_large.unwrap_or(f.points.len())).sum();
    if points == 0 {
        return format!("{}: no reorder points\n", r.file);
    }
    let total = r.total();
    _ = writeln!(
        out,
        "{}: {} in {}; live across all of them: {}",
        r.file,
        counted(points, "reorder point"),
        counted(r.functions.len(), "function"),
        change(total.before, total.after),
    );
    for f in &r.functions {
        function(&mut out, &r.file, f);
    }
    if let Some(stack) = r.pipeline_stack {
        _ = writeln!(out, "\npipeline stack with these frames, for a recursion depth of {}: about {} bytes", stack.depth, stack.bytes);
    }
    out
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn change(before: u64, after: u64) -> String {
    if before == after { format!("{after} bytes") } else { format!("{before} -> {after} bytes") }
}

fn at(p: &Option<SourceLocation>) -> String {
    p.as_ref().map_or(String::new(), |p| format!(" at {}:{}:{}", p.file, p.line, p.column))
}

fn function(out: &mut String, main: &str, f: &FunctionReport) {
    _ = writeln!(out, "\n{} ({}){}", f.name, f.stage, at(&f.location));
    if let Some(n) = f.too_large {
        _ = writeln!(out, "  {n} reorder points: too many for a report on each");
    }
    for (n, p) in f.points.iter().enumerate() {
        point(out, main, n + 1, p);
    }
    for g in &f.groups {
        let numbers: Vec<String> = g.points.iter().map(|n| (n + 1).to_string()).collect();
        match g.separators.is_empty() {
            true => _ = writeln!(out, "  {} are back to back: one reorder point", numbers.join(", ")),
            false => {
                _ = writeln!(out, "  {} use one hit object and are separated by", numbers.join(", "));
                for s in &g.separators {
                    _ = writeln!(out, "    {}{}", s.description, at(&s.location));
                }
            }
        }
    }
    if f.stack > 0 {
        _ = writeln!(out, "  stack frame: about {} bytes (maximum over shader calls of live and passed bytes)", f.stack);
    }
}

fn point(out: &mut String, main: &str, n: usize, p: &ReorderPoint) {
    _ = writeln!(out, "  {n}. {}{}", p.kind, at(&p.location));
    for c in p.calls.iter().rev() {
        _ = writeln!(out, "     in {}, called{}", c.callee, at(&c.location));
    }
    let before = p.before.as_ref().map_or(p.after.bytes, |b| b.bytes);
    let passes = if p.passed_bytes > 0 { format!("; passes {} bytes", p.passed_bytes) } else { String::new() };
    _ = writeln!(out, "     live: {}{passes}", change(before.into(), p.after.bytes.into()));
    items(out, main, &p.after);
    if let Some(words) = p.saved_words {
        _ = writeln!(out, "     saves {} for software reordering", counted(words as usize, "word"));
    }
    if let Some(d) = &p.divergence {
        _ = writeln!(out, "     divergent: {}", d.text(main));
        _ = writeln!(out, "     {}", d.fate.text());
    }
    if let Some([hardware, wavefront]) = p.break_even() {
        _ = writeln!(
            out,
            "     pays if a wave of {WAVE} saves {hardware} instructions where hardware reorders, {wavefront} where rays are sorted"
        );
    }
    if let Some(b) = &p.before {
        let gone: Vec<Item> =
            b.items.iter().filter(|i| !p.after.items.iter().any(|a| a.name == i.name && a.bytes == i.bytes)).cloned().collect();
        if !gone.is_empty() && b.bytes != p.after.bytes {
            _ = writeln!(out, "     no longer live:");
            items(out, main, &LiveSet { bytes: 0, items: gone });
        }
    }
    for s in &p.suggestions {
        _ = writeln!(out, "     could: {}", s.text);
    }
}

fn items(out: &mut String, main: &str, l: &LiveSet) {
    for i in &l.items {
        let bytes = if i.bytes == 0 { "?".into() } else { i.bytes.to_string() };
        let mut notes: Vec<String> = Vec::new();
        if i.kind != ItemKind::Variable {
            notes.push(i.kind.name().into());
        }
        if !i.also.is_empty() {
            notes.push(format!("also {}", i.also.join(", ")));
        }
        if let Some(p) = &i.declared {
            notes.push(format!("declared in {}", p.line_of(main)));
        }
        if let Some(p) = i.set.as_ref().filter(|p| i.declared.as_ref().is_none_or(|d| d.line != p.line || d.file != p.file)) {
            notes.push(format!("set in {}", p.line_of(main)));
        }
        if let Some(n) = i.recompute {
            notes.push(format!("recomputable: {}", operations(n)));
        }
        _ = writeln!(out, "       {bytes:>5}  {} {}{}{}", i.ty, i.name, if notes.is_empty() { "" } else { "  -- " }, notes.join("; "));
    }
}
