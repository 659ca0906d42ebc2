//! The payload report as a chart: one row for each field, one column for each stage of a trace. A bar between two stages shows that the
//! field is live there; bars of one colour share storage in the packed payload. The letters r and w mark the stages that read and write.

use std::fmt::Write as _;

use rtc_ir::PaqStage;
use rtc_tables::payload_access::{Transitions, transitions_where};

use super::{PayloadReport, Report, View, charted};
use crate::report::markup::escape;

const ROW: u32 = 22;
const NAMES: u32 = 250;
const COLUMN: u32 = 64;
/// Space around a payload's chart.
const HEAD: u32 = 64;
const FOOT: u32 = 48;

/// A column: a stage, or the transitions between two stages.
enum Column {
    Stage(&'static str, PaqStage),
    /// The transitions from any of the first stages to any of the second.
    Between(&'static [PaqStage], &'static [PaqStage]),
}

use Column::{Between, Stage};
use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

const COLUMNS: &[Column] = &[
    Stage("caller", Caller),
    Between(&[Caller], &[AnyHit, ClosestHit, Miss, Caller]),
    Stage("anyhit", AnyHit),
    Between(&[AnyHit], &[AnyHit]),
    Between(&[AnyHit], &[ClosestHit, Miss, Caller]),
    Stage("closesthit", ClosestHit),
    Between(&[ClosestHit], &[Caller]),
    Stage("miss", Miss),
    Between(&[Miss], &[Caller]),
    Stage("caller", Caller),
];

fn transitions(from: &[PaqStage], to: &[PaqStage]) -> Transitions {
    transitions_where(|a, b| from.contains(&a) && to.contains(&b))
}

/// The largest number of live bytes on a transition of a column.
fn bytes(v: &View, set: Transitions) -> u32 {
    let on = v.bytes.iter().enumerate().filter(|(n, _)| set >> n & 1 != 0);
    on.map(|(_, &b)| b).max().unwrap_or(0)
}

fn height(p: &PayloadReport) -> u32 {
    HEAD + FOOT + ROW * p.members.len() as u32
}

/// The report as one SVG image.
pub fn svg(r: &Report) -> String {
    let width = NAMES + COLUMN * COLUMNS.len() as u32 + 90;
    let total: u32 = r.payloads.iter().map(height).sum::<u32>() + 10;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{total}\" viewBox=\"0 0 {width} {total}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <title>Payloads of {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escape(&r.file)
    );
    let mut y = 0;
    for p in &r.payloads {
        payload(&mut out, p, y);
        y += height(p);
    }
    out + "</svg>\n"
}

fn payload(out: &mut String, p: &PayloadReport, y: u32) {
    let (what, v) = charted(p);
    let put = |out: &mut String, x: u32, y: u32, anchor: &str, more: &str, text: &str| {
        _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{more}>{}</text>", escape(text));
    };
    let title = format!("{}: {} bytes, packed {} ({what})", p.name, p.size, v.packed.size);
    put(out, 10, y + 22, "start", " font-weight=\"bold\" font-size=\"14\"", &title);
    let top = y + HEAD;
    for (i, c) in COLUMNS.iter().enumerate() {
        let x = NAMES + COLUMN * i as u32;
        if let Stage(name, _) = c {
            let tall = ROW * p.members.len() as u32;
            _ = writeln!(out, "<rect x=\"{x}\" y=\"{top}\" width=\"{COLUMN}\" height=\"{tall}\" fill=\"#f0f0f0\"/>");
            put(out, x + COLUMN / 2, top - 8, "middle", "", name);
        }
    }
    for (n, m) in p.members.iter().enumerate() {
        let row = top + ROW * n as u32;
        let text = row + 15;
        put(out, NAMES - 8, text, "end", "", &format!("{} {} ({})", m.ty, m.name, m.size.0));
        for (i, c) in COLUMNS.iter().enumerate() {
            let x = NAMES + COLUMN * i as u32;
            match c {
                Stage(_, stage) => {
                    let q = v.qualifiers[n];
                    let (first, last) = (i == 0, i + 1 == COLUMNS.len());
                    let reads = q.read & stage.bit() != 0 && !first;
                    let writes = q.write & stage.bit() != 0 && !last;
                    let letters = [if reads { "r" } else { "" }, if writes { "w" } else { "" }].concat();
                    put(out, x + COLUMN / 2, text, "middle", "", &letters);
                }
                Between(from, to) => {
                    if v.alive[n] & transitions(from, to) != 0 {
                        let (y, tall) = (row + 4, ROW - 8);
                        let colour = colour(v.packed.at[n].unwrap_or(0));
                        _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{COLUMN}\" height=\"{tall}\" fill=\"{colour}\"/>");
                    }
                }
            }
        }
        let offset = v.packed.at[n].map_or("no storage".to_owned(), |o| format!("at {}", super::byte(o)));
        put(out, NAMES + COLUMN * COLUMNS.len() as u32 + 8, text, "start", "", &offset);
    }
    let foot = top + ROW * p.members.len() as u32 + 16;
    put(out, NAMES - 8, foot, "end", " fill=\"#666\"", "bytes live, of all");
    for (i, c) in COLUMNS.iter().enumerate() {
        if let Between(from, to) = c {
            let x = NAMES + COLUMN * i as u32 + COLUMN / 2;
            put(out, x, foot, "middle", " fill=\"#666\"", &format!("{}/{}", bytes(&v, transitions(from, to)), p.size));
        }
    }
}

/// A colour for an offset in the packed payload.
fn colour(bit: u32) -> String {
    // Adjacent words get different hues.
    format!("hsl({}, 55%, 62%)", bit / 32 * 137 % 360)
}

/// The chart and the text as an HTML page.
pub fn html(r: &Report) -> String {
    let title = escape(&r.file);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Payloads of {title}</title></head><body>\n<h1>Payloads of {title}</h1>\n{}<pre>{}</pre>\n</body></html>\n",
        svg(r),
        escape(&super::text(r))
    )
}
