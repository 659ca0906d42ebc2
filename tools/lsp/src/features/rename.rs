//! Rename, over all files of the project that use the name.

use std::collections::HashMap;

use lsp_types::{Position, PrepareRenameResponse, TextEdit, Uri, WorkspaceEdit};
use rtc_base::{Interner, Span};
use rtc_frontend::classify::classify;
use rtc_frontend::lex::{Kind, RawToken, Token, lex_file};
use rtc_frontend::report::Report;

use super::{macros, navigate};
use crate::meaning;
use crate::paths::to_uri;
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;

/// What is renamed at a position; `None` if nothing can be.
pub fn prepare(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<PrepareRenameResponse> {
    let (file, offset) = navigate::at(w, s, path, position)?;
    let place = match s.names_at(file, offset).iter().find(|n| n.declared.is_some()) {
        Some(n) => n.place.clone(),
        None => {
            let m = macros::at(s, file, offset)?;
            macros::uses(s, &m).into_iter().find(|p| p.file == file && p.lo <= offset && offset <= p.hi)?
        }
    };
    Some(PrepareRenameResponse::RangeWithPlaceholder { range: navigate::range(w, s, &place)?, placeholder: s.text(&place).to_owned() })
}

/// The edits that rename the entity at a position.
///
/// # Errors
/// The new name is not an identifier, there is nothing to rename, or the name is in what is no file.
// The protocol's type has this key.
#[allow(clippy::mutable_key_type)]
pub fn rename(w: &Workspace, s: &Snapshot, path: &str, position: Position, name: &str) -> Result<WorkspaceEdit, String> {
    let mut interner = Interner::new();
    let raw = lex_file(name, &mut interner);
    if raw.tokens.len() != 2 || raw.tokens[0].kind != Kind::Ident || raw.tokens[0].hi as usize != name.len() {
        return Err(format!("`{name}` is not an identifier"));
    }
    if is_of_the_language(name) {
        return Err(format!("`{name}` is a word or a type of the language"));
    }
    prepare(w, s, path, position).ok_or("there is no name of the program here")?;
    let all = navigate::occurrences(w, s, path, position).unwrap_or_default();
    if let Some(o) = all.iter().find(|o| to_uri(&o.path).is_none()) {
        return Err(format!("the name is written in `{}`, which is no file", o.path));
    }
    keeps_the_meaning(w, s, &all, name)?;
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for o in all {
        let uri = w.documents.get(&o.path).map(|d| d.uri.clone()).or_else(|| to_uri(&o.path));
        changes.entry(uri.ok_or("a file has no URI")?).or_default().push(TextEdit { range: o.lsp_range(), new_text: name.to_owned() });
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Whether the parser takes a word for something else than a name that nothing has declared.
fn is_of_the_language(name: &str) -> bool {
    let terminal = |word: &str| {
        let mut interner = Interner::new();
        let raw = lex_file(word, &mut interner);
        let token = |t: &RawToken| Token { kind: t.kind, flags: t.flags, sym: t.sym, span: Span::NONE };
        let tokens: Vec<Token> = raw.tokens.iter().map(token).collect();
        classify(&tokens, &mut interner, &mut Report::new()).first().map(|t| t.tok)
    };
    terminal(name) != terminal("rtc_name_that_nothing_has")
}

/// Checks that the program means the same with the new name: the sources that are open, or that open headers are seen in, are analysed with it.
fn keeps_the_meaning(w: &Workspace, s: &Snapshot, all: &[navigate::Occurrence], name: &str) -> Result<(), String> {
    let mut edits = meaning::Edits::default();
    for o in all {
        let text = w.overlay.text(&o.path).ok_or_else(|| format!("`{}` cannot be read", o.path))?;
        edits.add(&o.path, &text, o.lsp_range(), w.columns);
    }
    let current = w.roots.iter().filter(|(_, r)| r.is_up_to_date());
    for (root, r) in current {
        let Some(options) = &r.options else { continue };
        let is_own = r.snapshot.as_deref().is_some_and(|old| std::ptr::eq(old, s));
        if !is_own && !r.read.as_ref().is_some_and(|read| edits.touch(read.paths())) {
            continue;
        }
        let again = if r.is_dropped { meaning::now(w, root, options) } else { None };
        let Some(old) = r.snapshot.as_deref().or(again.as_ref()) else { continue };
        if let Some(difference) = meaning::difference(w, root, old, options, &edits, name) {
            return Err(format!("with the name `{name}` the program would not mean the same: {difference}"));
        }
    }
    Ok(())
}
