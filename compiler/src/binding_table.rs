//! Binding tables: registers and spaces of resources from a table of comma-separated values, by name and class.
//!
//! The first row names the columns `ResourceName`, `Binding` and `Space` in any order and case; a row ends at a newline or a semicolon. As in the
//! reference compiler a table gives registers to resources that have none in the source.

use rtc_base::{Diagnostic, Interner, Span};
use rtc_frontend::lex::Token;
use rtc_frontend::preprocess::expansion;
use rtc_frontend::token_text::Text;
use rtc_ir::{GlobalKind, Module, TypeKind};
use rtc_tables::diagnostics as codes;
use rtc_tables::resources::ResourceClass;

use crate::compilation::Compilation;
use crate::options::BindingTable;

/// A row of a table.
struct Entry {
    name: String,
    class: ResourceClass,
    register: u32,
    space: u32,
}

/// What is wrong with a table, at an offset of its text.
struct Fault {
    at: usize,
    message: String,
}

/// A cell: its text without quotation marks and the white space around it, and where it is.
struct Cell {
    at: usize,
    text: String,
}

/// Gives the resources of a module the registers of a table.
pub(crate) fn apply(m: &mut Module, table: &BindingTable, expanded: &[(String, Vec<Token>)], names: &Interner, c: &mut Compilation) {
    let (entries, span) = match table {
        BindingTable::File(path, text) => {
            let file = c.sources.add_file(path.clone(), text.as_str(), None);
            let start = file.map(|f| c.sources.file(f).start);
            let place = move |at: usize| start.map_or(Span::NONE, |s| Span::new(s.offset(at as u32), s.offset(at as u32 + 1)));
            (parse(text), Box::new(place) as Box<dyn Fn(usize) -> Span>)
        }
        BindingTable::Macro(name) => {
            let Some(tokens) = expansion(expanded, name) else {
                let message = format!("there is no macro `{name}` to take a binding table from");
                return c.diagnostics.push(Diagnostic::new(&codes::E0649, Span::NONE, message));
            };
            let text = Text::of_tokens(tokens, names);
            let entries = parse(&text.text);
            let sources = &c.sources;
            (entries, Box::new(move |at: usize| text.location(sources, at, 1).0) as Box<dyn Fn(usize) -> Span>)
        }
    };
    let entries = match entries {
        Ok(entries) => entries,
        Err(f) => {
            let d = Diagnostic::new(&codes::E0649, span(f.at), format!("in this binding table: {}", f.message));
            drop(span);
            return c.diagnostics.push(d);
        }
    };
    for g in m.globals.values_mut() {
        let GlobalKind::Resource(r) = &mut g.kind else { continue };
        let TypeKind::Resource(ty) = m.types.kind(r.ty) else { continue };
        // The last row of a name counts.
        let row = entries.iter().rev().find(|e| e.name == g.name && e.class == ty.class);
        if let (Some(e), None) = (row, r.binding.register) {
            r.binding.register = Some(e.register);
            r.binding.space = e.space;
        }
    }
}

fn parse(text: &str) -> Result<Vec<Entry>, Fault> {
    let mut rows = rows(text)?.into_iter();
    let fault = |at, message: &str| Fault { at, message: message.to_string() };
    let head = rows.next().ok_or_else(|| fault(0, "it is empty"))?;
    let column = |name: &str| -> Result<usize, Fault> {
        let mut found = head.iter().enumerate().filter(|(_, c)| c.text.eq_ignore_ascii_case(name));
        let first = found.next().ok_or_else(|| fault(0, "its first row must name the columns ResourceName, Binding and Space"))?;
        match found.next() {
            Some((_, again)) => Err(Fault { at: again.at, message: format!("the column `{name}` occurs twice") }),
            None => Ok(first.0),
        }
    };
    let (name, binding, space) = (column("ResourceName")?, column("Binding")?, column("Space")?);
    let mut entries = Vec::new();
    for row in rows {
        if row.len() != head.len() {
            let at = row.last().map_or(0, |c| c.at);
            return Err(Fault { at, message: format!("a row of {} cells, where there are {} columns", row.len(), head.len()) });
        }
        let (class, register) = register(&row[binding])?;
        entries.push(Entry { name: row[name].text.clone(), class, register, space: number(&row[space].text, &row[space])? });
    }
    Ok(entries)
}

/// The rows of a table. A comma after the last cell of a row is left out.
fn rows(text: &str) -> Result<Vec<Vec<Cell>>, Fault> {
    let is_end = |c: char| matches!(c, '\n' | '\r' | ';');
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut row: Vec<Cell> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first == ' ' || first == '\t' {
            at += 1;
            continue;
        }
        if is_end(first) {
            if !row.is_empty() {
                rows.push(std::mem::take(&mut row));
            }
            at += 1;
            continue;
        }
        let rest = &text[at..];
        let cell = if let Some(inside) = rest.strip_prefix('"') {
            let end = inside.find(['"', '\n', '\r']).filter(|&i| inside[i..].starts_with('"'));
            let Some(end) = end else {
                return Err(Fault { at, message: "a quotation mark is not closed".into() });
            };
            let cell = Cell { at, text: inside[..end].trim().to_string() };
            at += end + 2;
            cell
        } else {
            let end = rest.find(|c| c == ',' || is_end(c)).unwrap_or(rest.len());
            if let Some(mark) = rest[..end].find('"') {
                return Err(Fault { at: at + mark, message: "a quotation mark inside of a cell".into() });
            }
            let cell = Cell { at, text: rest[..end].trim().to_string() };
            at += end;
            cell
        };
        row.push(cell);
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
        match text[at..].chars().next() {
            Some(',') => at += 1,
            Some(c) if !is_end(c) => return Err(Fault { at, message: "a cell must end after its quotation mark".into() }),
            _ => {}
        }
    }
    if !row.is_empty() {
        rows.push(row);
    }
    Ok(rows)
}

/// `t3`: class and number.
fn register(cell: &Cell) -> Result<(ResourceClass, u32), Fault> {
    let mut chars = cell.text.chars();
    let class = match chars.next() {
        Some('b') => ResourceClass::Cbv,
        Some('s') => ResourceClass::Sampler,
        Some('t') => ResourceClass::Srv,
        Some('u') => ResourceClass::Uav,
        _ => return Err(Fault { at: cell.at, message: "a binding begins with `b`, `s`, `t` or `u`".into() }),
    };
    Ok((class, number(chars.as_str(), cell)?))
}

/// An unsigned number of 32 bits, decimal, hexadecimal or octal.
fn number(text: &str, cell: &Cell) -> Result<u32, Fault> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
        None => (text, 10),
    };
    let number = if digits.starts_with('+') { None } else { u32::from_str_radix(digits, radix).ok() };
    number.ok_or_else(|| Fault { at: cell.at, message: format!("`{text}` is no number of 32 bits") })
}
