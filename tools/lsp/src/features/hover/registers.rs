//! Registers and Vulkan bindings: what takes them, and what else is there.

use rtc_frontend::hir::Global;
use rtc_frontend::lex::Kind;
use rtc_tables::resources::ResourceClass;

use crate::features::bindings::{Range, binding, class_of, count_of, descriptor, descriptors, first_free, registers, spaces};
use crate::features::cursor::Cursor;
use crate::snapshot::Snapshot;

/// How many resources are listed.
const MAX_LISTED: usize = 32;

/// The variable whose annotation comes after the tokens of `head`, which end with `: register`.
fn declared<'a>(s: &'a Snapshot, file: usize, head: &Cursor<'_>) -> Option<&'a Global> {
    let colon = head.tokens.iter().rposition(|t| t.kind == Kind::Colon)?;
    let in_file = |g: &&Global| s.place(g.span).is_some_and(|p| p.file == file && p.hi <= head.tokens[colon].lo as usize);
    s.analysis.module.globals.values().filter(in_file).max_by_key(|g| s.place(g.span).map(|p| p.lo))
}

/// The word `register`; `c` is before it.
pub fn whole(s: &Snapshot, file: usize, c: &Cursor<'_>) -> Option<String> {
    let g = declared(s, file, c)?;
    let (class, b) = (class_of(s, g)?, binding(g)?);
    Some(of(s, g, class, b.register?, b.space))
}

/// A word in `register(…)`; `head` ends with `register`.
pub fn word(s: &Snapshot, file: usize, head: &Cursor<'_>, word: &str) -> Option<String> {
    let g = declared(s, file, head)?;
    let class = class_of(s, g)?;
    if let Some(space) = word.strip_prefix("space").and_then(|n| n.parse::<u32>().ok()) {
        let mut text = format!("register space {space}");
        for class in ResourceClass::ALL {
            text += &list(&registers(s, *class, space), &class.letter().to_string(), "");
        }
        let all: Vec<String> = spaces(s).iter().map(u32::to_string).collect();
        text += &format!("\n\nSpaces of the source: {}", all.join(", "));
        return Some(text);
    }
    let b = binding(g)?;
    Some(of(s, g, class, b.register?, b.space))
}

fn of(s: &Snapshot, g: &Global, class: ResourceClass, first: u32, space: u32) -> String {
    let name = s.analysis.names.str(g.name);
    let own = Range { first, count: count_of(s, g), name: name.to_owned() };
    let letter = class.letter().to_string();
    let mut text = format!("`{name}` is in {} of space {space}", own.show(&letter));
    if let Some((set, n)) = descriptor(g) {
        let chosen = if binding(g).is_some_and(|b| b.vk.is_some()) { "" } else { ", as its register says" };
        text += &format!("\n\nVulkan: binding {n} of set {set}{chosen}");
    }
    let all = registers(s, class, space);
    let overlaps = |r: &&Range| r.name != own.name && (own.has(r.first) || r.has(first));
    for r in all.iter().filter(overlaps) {
        text += &format!("\n\nOverlaps `{}`, which is in {}.", r.name, r.show(&letter));
    }
    text += &list(&all, &letter, &own.name);
    if let Some(free) = first_free(&all, Some(1)) {
        text += &format!("\n\nThe first free register is {letter}{free}.");
    }
    text
}

fn list(all: &[Range], prefix: &str, own: &str) -> String {
    let mut text = String::new();
    for r in all.iter().take(MAX_LISTED) {
        let mark = if r.name == own { "**" } else { "" };
        text += &format!("\n* {}: {mark}`{}`{mark}", r.show(prefix), r.name);
    }
    if all.len() > MAX_LISTED {
        text += &format!("\n* … {} more", all.len() - MAX_LISTED);
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// A word in `packoffset(…)`.
pub fn packed(word: &str) -> Option<String> {
    let row: u32 = word.strip_prefix('c')?.parse().ok()?;
    Some(format!("row {row} of the buffer: {} bytes from its start", row.checked_mul(16)?))
}

/// A number in `[[vk::binding(…)]]`: what else the set has.
pub fn number(s: &Snapshot, _: usize, c: &Cursor<'_>, number: &str) -> Option<String> {
    let (open, argument) = c.open_paren()?;
    let head = c.cut(open);
    if head.word(0) != "binding" || head.word(2) != "vk" {
        return None;
    }
    let number: u32 = number.parse().ok()?;
    let second = c.after.iter().take_while(|t| t.kind != Kind::RParen).filter(|t| t.kind == Kind::Number).last();
    let set = match argument {
        0 => second.map_or(Some(0), |t| c.names.str(t.sym).parse().ok())?,
        _ => number,
    };
    let all: Vec<Range> = descriptors(s).into_iter().filter(|d| d.0 == set).map(|d| d.1).collect();
    let mut text = if argument == 0 { format!("binding {number} of set {set}") } else { format!("descriptor set {set}") };
    let here: Vec<&Range> = all.iter().filter(|r| r.first == number).collect();
    if argument == 0 && here.len() > 1 {
        let names: Vec<String> = here.iter().map(|r| format!("`{}`", r.name)).collect();
        text += &format!("\n\nSeveral have it: {}", names.join(", "));
    }
    text += &list(&all, "", "");
    if let Some(free) = first_free(&all, Some(1)) {
        text += &format!("\n\nThe first free binding is {free}.");
    }
    Some(text)
}
