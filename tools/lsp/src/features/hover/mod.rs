//! Hover: what is at a position. A name is described by its entity, a macro by its definition and what the use expands to; everything else by what
//! the tokens around it say ([`words`], and a file for each kind).

mod attributes;
mod payload;
mod preprocessor;
mod registers;
mod root_signature;
mod subobjects;
mod words;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::describe::{Description, describe};
use super::{macros, navigate};
use crate::snapshot::{FileRange, Snapshot};
use crate::workspace::Workspace;

/// Facts about some bytes of a file.
#[derive(Clone, PartialEq, Debug)]
struct Fact {
    /// In Markdown.
    text: String,
    /// The bytes.
    bytes: (usize, usize),
}

/// The hover at a position.
pub fn hover(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<Hover> {
    let (file, offset) = navigate::at(w, s, path, position)?;
    let names = s.names_at(file, offset);
    let mut text = String::new();
    let mut seen: Vec<Description> = Vec::new();
    for n in names {
        let d = describe(s, s.text(&n.place), s.occurrence(n).entity);
        // Names in templates have a meaning for each instance.
        if !seen.contains(&d) && seen.len() < MAX_MEANINGS {
            seen.push(d);
        }
    }
    for d in &seen {
        if !text.is_empty() {
            text += "\n\n---\n\n";
        }
        text += &format!("```hlsl\n{}\n```", d.code);
        d.text.iter().for_each(|line| text += &format!("\n\n{line}"));
    }
    let mut range = names.first().and_then(|n| navigate::range(w, s, &n.place));
    if seen.is_empty()
        && let Some(m) = macros::at(s, file, offset)
    {
        text = format!("```hlsl\n#{}\n```", m.text);
        if m.name.file != file || !(m.name.lo..=m.name.hi).contains(&offset) {
            text += &macros::expansion(s, file, offset).map(|e| format!("\n\nexpands to\n\n```hlsl\n{e}\n```")).unwrap_or_default();
        }
        text += &preprocessor::condition_at(s, file, offset).map(|c| format!("\n\n---\n\n{c}")).unwrap_or_default();
        range = None;
    } else if seen.is_empty() {
        let fact = words::at(w, s, file, offset)?;
        text = fact.text;
        range = navigate::range(w, s, &FileRange { file, lo: fact.bytes.0, hi: fact.bytes.1 });
    }
    if text.is_empty() {
        return None;
    }
    Some(Hover { contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text }), range })
}

/// How many meanings of a name are shown.
const MAX_MEANINGS: usize = 4;
