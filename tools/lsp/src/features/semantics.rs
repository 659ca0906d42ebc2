//! What a semantic means and where it is legal, as text: from the tables of signatures.

use rtc_tables::signature::{Interpretation, Semantic, SigPoint};

/// The facts about a system value.
pub fn describe(semantic: Semantic) -> Vec<String> {
    let row = semantic.info();
    let mut out = vec![semantic.about().to_owned(), format!("Type: {}", row.demand.text())];
    let at = |p: SigPoint| semantic.at(p).filter(|i| *i != Interpretation::Arbitrary).map(|i| (p, i));
    let mut places: Vec<String> =
        SigPoint::ALL.into_iter().filter_map(|p| at(p.0)).map(|(p, i)| format!("* {}{}", p.name(), how(i))).collect();
    if semantic.is_of_compute() {
        places.insert(0, "* a compute shader's input".into());
    }
    if !places.is_empty() {
        out.push(format!("Legal as\n{}", places.join("\n")));
    }
    if row.model > 0 {
        out.push(format!("Shader model 6.{}", row.model));
    }
    out.extend(row.op.map(|op| format!("DXIL operation `{}`", op.row().name)));
    out
}

/// What the element becomes, where that is special.
fn how(i: Interpretation) -> &'static str {
    match i {
        Interpretation::NotInSignature => " (an operation gives it; it is not in the signature)",
        Interpretation::Shadow => " (an operation gives it; the signature has it without a register)",
        Interpretation::NotPacked => " (without a register)",
        Interpretation::SystemGenerated => " (the hardware makes it)",
        _ => "",
    }
}

/// A semantic's name without its index, and the index.
pub fn split(name: &str) -> (&str, u32) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0))
}
