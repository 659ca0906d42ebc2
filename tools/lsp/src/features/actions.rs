//! Quick fixes: those that the compiler's diagnostics have.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Uri, WorkspaceEdit};

use crate::diagnostics::Finding;
use crate::paths::to_uri;
use crate::workspace::Workspace;

/// The fixes of the diagnostics in a range of a document.
pub fn actions(w: &Workspace, path: &str, range: Range) -> Vec<CodeActionOrCommand> {
    let touches = |r: Range| r.start <= range.end && range.start <= r.end;
    let found = w.found_in(path);
    found.iter().filter(|f| touches(f.diagnostic.range) && !f.fix.is_empty()).filter_map(|f| action(w, f)).collect()
}

// The protocol's type has this key.
#[allow(clippy::mutable_key_type)]
fn action(w: &Workspace, f: &Finding) -> Option<CodeActionOrCommand> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for e in &f.fix {
        let uri = w.documents.get(&e.path).map(|d| d.uri.clone()).or_else(|| to_uri(&e.path))?;
        changes.entry(uri).or_default().push(TextEdit { range: e.range, new_text: e.text.clone() });
    }
    let title = match &f.fix[..] {
        [one] if one.text.is_empty() => "remove this".to_owned(),
        [one] if one.range.start == one.range.end => format!("insert `{}`", one.text.trim()),
        [one] => format!("replace by `{}`", one.text.trim()),
        several => format!("apply {} changes", several.len()),
    };
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![f.diagnostic.clone()]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: Some(true),
        ..CodeAction::default()
    }))
}
