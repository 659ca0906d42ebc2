//! Hover: what the name, macro or include at a position is.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::describe::{Description, describe};
use super::{macros, navigate};
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;

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
        range = None;
    }
    if text.is_empty() {
        return None;
    }
    Some(Hover { contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text }), range })
}

/// How many meanings of a name are shown.
const MAX_MEANINGS: usize = 4;
