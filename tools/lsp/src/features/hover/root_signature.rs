//! Root signatures in string literals: what the word at a position means, the element it is in, and what the whole costs.

use rtc_frontend::hir::RootSignature;
use rtc_frontend::lex::Kind;
use rtc_rootsig::about::{Element, about, element_at};
use rtc_rootsig::{MAX_WORDS, RootVersion, Scope, parse};
use rtc_tables::attributes::attribute;

use super::Fact;
use crate::features::cursor::Cursor;
use crate::snapshot::Snapshot;

/// The root signature that has the literal at these bytes of a file among its parts, and where the literal begins in its text.
fn of_literal(s: &Snapshot, file: usize, bytes: (usize, usize)) -> Option<(&RootSignature, usize)> {
    s.analysis.module.root_signatures.iter().find_map(|r| {
        let part = r.text.pieces.iter().find(|p| s.spelled(p.1).is_some_and(|at| (at.file, at.lo, at.hi) == (file, bytes.0, bytes.1)))?;
        Some((r, part.0 as usize))
    })
}

/// Facts about byte `offset`, which is in a literal at `bytes` of a file; `c` is around it. `None`: it is no root signature.
pub fn in_literal(s: &Snapshot, file: usize, c: &Cursor<'_>, bytes: (usize, usize), offset: usize) -> Option<Fact> {
    let literal = c.text.get(bytes.0..bytes.1)?.trim_matches('"');
    let inside = offset.checked_sub(bytes.0 + 1)?;
    let whole = of_literal(s, file, bytes);
    // What a macro consists of, and code with errors.
    let is_one = whole.is_some()
        || c.kind(0) == Some(Kind::LParen) && attribute(c.word(1)).is_some_and(|a| a.name == "RootSignature")
        || c.directive().is_some() && element_at(literal, inside).is_some_and(|e| about(e.name).is_some());
    if !is_one {
        return None;
    }
    let (text, at) = match &whole {
        Some((r, from)) => (r.text.text.as_str(), from + inside),
        None => (literal, inside),
    };
    let element = element_at(text, at)?;
    let mut out = describe(&element)?;
    if let Some(n) = element.parameter.filter(|_| whole.is_some()) {
        out += &format!("\n\nRoot parameter {n}, `{}`.", element.name);
    }
    if let Some((r, _)) = whole
        && let Ok(signature) = parse(&r.text.text, RootVersion::V1_2, Scope::Any)
        && !signature.is_local()
    {
        out += &format!("\n\nRoot parameters: {}; they take {} of {MAX_WORDS} words.", signature.params.len(), signature.words());
    }
    // The word, if it is in this literal as in the text.
    let own = element.word.and_then(|(word, lo, hi)| {
        let from = bytes.0 + 1 + lo.checked_sub(at - inside)?;
        (c.text.get(from..from + (hi - lo)) == Some(word)).then_some((from, from + (hi - lo)))
    });
    Some(Fact { text: out, bytes: own.unwrap_or(bytes) })
}

fn describe(e: &Element<'_>) -> Option<String> {
    let Some((word, ..)) = e.word else { return Some(format!("`{}`\n\n{}", e.name, about(e.name)?)) };
    if let Some(text) = about(word) {
        return Some(format!("`{word}`\n\n{text}"));
    }
    let class = match word.chars().next()? {
        'b' => "constant buffers",
        't' => "what is only read",
        'u' => "what is read and written",
        's' => "samplers",
        _ => return None,
    };
    Some(format!("register `{word}`, of {class}"))
}
