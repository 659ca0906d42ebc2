//! The reorder report as an HTML page: the source, with the live bytes of each point in the margin.
//!
//! The page is one file without scripts or external resources. A line with a point has a bar in proportion to its bytes and a section
//! that lists what is live. A line that declares or sets a live item shows the number of points it is live across.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{FunctionReport, LiveSet, ReorderPoint, Report, SourceLocation, SourceText, operations};
use crate::report::markup::escape;

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#222;background:#fff}\
table{border-collapse:collapse}td,th{padding:0 .6em;text-align:left;vertical-align:top}\
.src td{font:13px/1.45 ui-monospace,monospace;white-space:pre}.src .n,.src .m{text-align:right;color:#999;user-select:none}\
.src .m{color:#a40;min-width:9em;white-space:normal}.hot{background:#fff4e0}.kept{background:#f2f7ff}.src .m i{color:#79b;font-style:normal}\
.bar{display:inline-block;height:.7em;background:#e90;margin-left:.4em}details{white-space:normal;font:13px system-ui,sans-serif}\
summary{cursor:pointer}.b{text-align:right}.sugg{color:#064}.apart{color:#a00}";

/// Shows `r` as an HTML page.
pub fn html(r: &Report) -> String {
    let mut out = String::new();
    let total = r.total();
    let title = escape(&r.file);
    _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Reorder points of {title}</title><style>{STYLE}</style></head><body>\n<h1>Reorder points of {title}</h1>\n"
    );
    let points: usize = r.functions.iter().map(|f| f.points.len()).sum();
    _ = writeln!(
        out,
        "<p>{points} in {} functions; live across all of them: {} bytes before shrinking, <b>{}</b> after.</p>",
        r.functions.len(),
        total.before,
        total.after
    );
    summary(&mut out, r);
    if let Some(stack) = r.pipeline_stack {
        _ = writeln!(
            out,
            "<p>Pipeline stack with these frames, for a recursion depth of {}: about {} bytes.</p>",
            stack.depth, stack.bytes
        );
    }
    for file in 0..r.sources.len() {
        source(&mut out, r, file as u32);
    }
    out + "</body></html>\n"
}

fn anchor(p: &SourceLocation) -> String {
    format!("f{}l{}", p.physical_file, p.physical_line)
}

fn link(p: &Option<SourceLocation>) -> String {
    p.as_ref().map_or(String::new(), |p| format!(" <a href=\"#{}\">{}:{}</a>", anchor(p), escape(&p.file), p.line))
}

fn summary(out: &mut String, r: &Report) {
    for f in &r.functions {
        _ = writeln!(
            out,
            "<h2>{} <small>({})</small></h2>\n<table><tr><th>#</th><th>point</th><th>where</th><th class=\"b\">before</th><th class=\"b\">live</th><th class=\"b\">passes</th><th>divergent</th></tr>",
            escape(&f.name),
            f.stage
        );
        if let Some(n) = f.too_large {
            _ = writeln!(out, "<tr><td>{n}</td><td colspan=\"6\">too many for a report on each</td></tr>");
        }
        for (n, p) in f.points.iter().enumerate() {
            let before = p.before.as_ref().map_or("?".into(), |b| b.bytes.to_string());
            let chain: String =
                p.calls.iter().rev().map(|c| format!(", in {} called at{}", escape(&c.callee), link(&c.location))).collect();
            let divergent = p.divergence.as_ref().map_or(String::new(), |d| format!("{}; {}", d.text(&r.file), d.fate.text()));
            _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}{chain}</td><td class=\"b\">{before}</td><td class=\"b\">{}</td><td class=\"b\">{}</td><td>{}</td></tr>",
                n + 1,
                p.kind,
                link(&p.location),
                p.saved_words.map_or(p.after.bytes.to_string(), |n| format!("{}, saved: {n} words", p.after.bytes)),
                p.passed_bytes,
                escape(&divergent)
            );
        }
        out.push_str("</table>\n");
        groups(out, f);
    }
}

fn groups(out: &mut String, f: &FunctionReport) {
    for g in &f.groups {
        let numbers: Vec<String> = g.points.iter().map(|n| (n + 1).to_string()).collect();
        match g.separators.is_empty() {
            true => _ = writeln!(out, "<p>{} are back to back: one reorder point.</p>", numbers.join(", ")),
            false => {
                let by: Vec<String> = g.separators.iter().map(|s| format!("{}{}", escape(&s.description), link(&s.location))).collect();
                _ = writeln!(
                    out,
                    "<p class=\"apart\">{} use one hit object and are separated by {}.</p>",
                    numbers.join(", "),
                    by.join("; ")
                );
            }
        }
    }
}

/// A file with its margin.
fn source(out: &mut String, r: &Report, file: u32) {
    let SourceText { name, text } = &r.sources[file as usize];
    let mut points: BTreeMap<u32, Vec<(&FunctionReport, usize, &ReorderPoint)>> = BTreeMap::new();
    // The number of points that an item of the line is live across.
    let mut kept: BTreeMap<u32, usize> = BTreeMap::new();
    for f in &r.functions {
        for (n, p) in f.points.iter().enumerate() {
            if let Some(at) = p.location.as_ref().filter(|at| at.physical_file == file) {
                points.entry(at.physical_line).or_default().push((f, n + 1, p));
            }
            let mut lines: Vec<u32> = Vec::new();
            for i in &p.after.items {
                let locations = [i.declared.as_ref(), i.set.as_ref()];
                lines.extend(locations.into_iter().flatten().filter(|at| at.physical_file == file).map(|at| at.physical_line));
            }
            lines.sort_unstable();
            lines.dedup();
            lines.into_iter().for_each(|l| *kept.entry(l).or_default() += 1);
        }
    }
    let max = r.functions.iter().flat_map(|f| &f.points).map(|p| p.after.bytes).max().unwrap_or(0).max(1);
    _ = writeln!(out, "<h2>{}</h2>\n<table class=\"src\">", escape(name));
    for (n, line) in (1u32..).zip(text.split('\n')) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let here = points.get(&n).map_or(&[][..], Vec::as_slice);
        let margin = match (here.iter().map(|(.., p)| p.after.bytes).max(), kept.get(&n)) {
            (Some(bytes), _) => {
                format!("{bytes} B<span class=\"bar\" style=\"width:{:.1}em\"></span>", 5.0 * f64::from(bytes) / f64::from(max))
            }
            (None, Some(1)) => "<i>live across 1 point</i>".into(),
            (None, Some(k)) => format!("<i>live across {k} points</i>"),
            (None, None) => String::new(),
        };
        let class = match (here.is_empty(), kept.contains_key(&n)) {
            (false, _) => " class=\"hot\"",
            (true, true) => " class=\"kept\"",
            _ => "",
        };
        _ = write!(out, "<tr{class} id=\"f{file}l{n}\"><td class=\"m\">{margin}</td><td class=\"n\">{n}</td><td>{}", escape(line));
        for (f, number, p) in here {
            details(out, f, *number, p);
        }
        out.push_str("</td></tr>\n");
    }
    out.push_str("</table>\n");
}

fn details(out: &mut String, f: &FunctionReport, number: usize, p: &ReorderPoint) {
    let before = p.before.as_ref().map_or(p.after.bytes, |b| b.bytes);
    let was = if before == p.after.bytes { String::new() } else { format!(" (before shrinking {before})") };
    _ = write!(out, "<details><summary>{} {number}: {}, {} bytes live{was}</summary>", escape(&f.name), p.kind, p.after.bytes);
    table(out, &p.after);
    for s in &p.suggestions {
        _ = write!(out, "<div class=\"sugg\">{}</div>", escape(&s.text));
    }
    out.push_str("</details>");
}

fn table(out: &mut String, l: &LiveSet) {
    out.push_str("<table>");
    for i in &l.items {
        let bytes = if i.bytes == 0 { "?".into() } else { i.bytes.to_string() };
        let recompute = i.recompute.map_or(String::new(), |n| format!("recomputable: {}", operations(n)));
        _ = write!(
            out,
            "<tr><td class=\"b\">{bytes}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{recompute}</td></tr>",
            escape(&i.ty),
            escape(&i.name),
            i.kind.name(),
            link(&i.declared),
            link(&i.set)
        );
    }
    out.push_str("</table>");
}
