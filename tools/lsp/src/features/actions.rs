//! Quick fixes: those that the compiler's diagnostics have, and a description of the project where one is missing.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CreateFile, CreateFileOptions, DiagnosticSeverity, DocumentChangeOperation,
    DocumentChanges, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, Range, ResourceOp, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
};
use rtc_tables::diagnostics as codes;

use crate::diagnostics::Finding;
use crate::paths::to_uri;
use crate::project::descriptions_around;
use crate::workspace::Workspace;

/// The fixes of the diagnostics in a range of a document.
pub fn actions(w: &Workspace, path: &str, range: Range) -> Vec<CodeActionOrCommand> {
    let touches = |r: Range| r.start <= range.end && range.start <= r.end;
    let found: Vec<Finding> = w.found_in(path).into_iter().filter(|f| touches(f.diagnostic.range)).collect();
    let mut out: Vec<CodeActionOrCommand> = found.iter().filter(|f| !f.fix.is_empty()).filter_map(|f| action(w, f)).collect();
    out.extend(found.iter().find(|f| lacks_description(f)).and_then(|f| describe(w, path, f)));
    out
}

/// Whether a diagnostic may be there because nothing says how sources are compiled: names that a header does not declare, files that are not found.
fn lacks_description(f: &Finding) -> bool {
    let unknown = [codes::E0301.id, codes::E0302.id, codes::E0303.id];
    matches!(&f.diagnostic.code, Some(NumberOrString::String(code))
        if code == codes::E0124.id || f.diagnostic.severity == Some(DiagnosticSeverity::INFORMATION) && unknown.contains(&code.as_str()))
}

/// Writes an rtc.toml into the folder that the client has open, unless a description is there.
fn describe(w: &Workspace, path: &str, f: &Finding) -> Option<CodeActionOrCommand> {
    if !w.creates_files || !descriptions_around(path).is_empty() {
        return None;
    }
    let inside = |f: &&String| path.strip_prefix(f.as_str()).is_some_and(|rest| rest.starts_with('/'));
    let folder = w.folders.iter().filter(inside).max_by_key(|f| f.len())?;
    let uri = to_uri(&format!("{folder}/rtc.toml"))?;
    let options = w.roots.get(&w.root_of(path)).and_then(|r| r.options.as_ref())?;
    let relative = |dir: &String| dir.strip_prefix(folder.as_str()).map(|d| d.trim_start_matches('/').to_owned());
    let mut dirs: Vec<String> =
        options.include_dirs.iter().filter_map(relative).map(|d| if d.is_empty() { ".".into() } else { d }).collect();
    dirs.dedup();
    let text = format!(
        "# How the shaders of this folder are compiled: `rtc build` makes them, editors read them.\nout = \"build/shaders\"\n\n[defaults]\n\
         include_dirs = {dirs:?}\n\n[shader.all]\nsource = \"**/*.hlsl\"\nprofile = \"{}\"\n",
        options.profile
    );
    let create = CreateFile {
        uri: uri.clone(),
        options: Some(CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) }),
        annotation_id: None,
    };
    let start = Range::default();
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(TextEdit { range: start, new_text: text })],
    };
    let operations = vec![DocumentChangeOperation::Op(ResourceOp::Create(create)), DocumentChangeOperation::Edit(edit)];
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: format!("write an rtc.toml in `{folder}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![f.diagnostic.clone()]),
        edit: Some(WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(operations)), ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    }))
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
        [a, b] if [a, b].iter().all(|e| e.range.start == e.range.end) => format!("insert `{}` and `{}`", a.text.trim(), b.text.trim()),
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
