//! Payload access qualifiers: which stages read and write a member, and where its value goes.

use rtc_base::Span;
use rtc_frontend::hir::{Field, PaqStages};
use rtc_tables::payload_access::{PaqStage, TRANSITIONS};

use crate::snapshot::Snapshot;

/// The member whose qualifier is at byte `lo` of a file.
fn member(s: &Snapshot, file: usize, lo: usize) -> Option<&Field> {
    let covers = |span: Span| s.place(span).is_some_and(|p| p.file == file && p.lo <= lo && lo <= p.hi);
    let fields = s.analysis.module.types.records.values().flat_map(|r| &r.fields);
    fields.into_iter().find(|f| covers(f.paq_at.read) || covers(f.paq_at.write))
}

/// The qualifier `read(…)` or `write(…)`.
pub fn qualifier(s: &Snapshot, file: usize, lo: usize, word: &str) -> Option<String> {
    let about = match word {
        "read" => "The stages that read the member.",
        _ => "The stages that write the member.",
    };
    Some(format!("payload access qualifier `{word}`\n\n{about}\n\n{}", member(s, file, lo).map(|f| summary(s, f)).unwrap_or_default()))
}

/// A stage in a qualifier.
pub fn stage(s: &Snapshot, file: usize, lo: usize, qualifier: &str, word: &str) -> Option<String> {
    let stage = PaqStage::from_name(word)?;
    let what = match stage {
        PaqStage::Caller => "The shader that traces the ray: it fills the payload before, and takes the results after the trace.",
        PaqStage::AnyHit => "Any-hit shaders, which run for hits that are not opaque.",
        PaqStage::ClosestHit => "The closest-hit shader, which ends the trace.",
        PaqStage::Miss => "The miss shader, which ends the trace.",
    };
    let may = if qualifier == "read" { "reads" } else { "writes" };
    Some(format!("`{word}` {may} the member\n\n{what}\n\n{}", member(s, file, lo).map(|f| summary(s, f)).unwrap_or_default()))
}

/// What the qualifiers of a member say together.
fn summary(s: &Snapshot, f: &Field) -> String {
    let bits = |stages: Option<PaqStages>| stages.map_or(0, |s| s.0);
    let (read, write) = f.paq.map_or((0, 0), |q| (bits(q.read), bits(q.write)));
    let mut text = format!("Member `{}`:", s.analysis.names.str(f.name));
    text += "\n\n| stage | reads | writes |\n|---|---|---|";
    for stage in PaqStage::IN_FLOW_ORDER {
        let yes = |set: u8| if stage.is_in(set) { "yes" } else { "" };
        text += &format!("\n| {} | {} | {} |", stage.name(), yes(read), yes(write));
    }
    // A value goes from a stage that writes it to the next one that reads it.
    let passed = TRANSITIONS.iter().filter(|(from, to)| from.is_in(write) && to.is_in(read));
    let passed: Vec<String> = passed.map(|(from, to)| format!("{} → {}", from.name(), to.name())).collect();
    text += &match passed.is_empty() {
        true => "\n\nNo stage reads what the one before it writes.".to_owned(),
        false => format!("\n\nWhat one stage writes the next one reads on {}.", passed.join(", ")),
    };
    text
}
