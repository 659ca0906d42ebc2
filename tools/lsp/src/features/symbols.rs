//! Symbols of a document, and of the workspace.

use std::collections::BTreeSet;

use lsp_types::{DocumentSymbol, Location, SymbolInformation, SymbolKind};

use super::{macros, navigate};
use crate::outline::{Item, outline};
use crate::paths::to_uri;
use crate::snapshot::Snapshot;
use crate::summary::Summary;
use crate::workspace::Workspace;

/// The symbols of a document as a tree, with its macros.
pub fn document(w: &Workspace, s: &Snapshot, path: &str) -> Option<Vec<DocumentSymbol>> {
    let file = s.file(path)?;
    let mut out: Vec<DocumentSymbol> = outline(s, file).iter().filter_map(|i| symbol(w, s, i)).collect();
    for m in macros::definitions(s, file, None) {
        let Some(range) = navigate::range(w, s, &m.name) else { continue };
        let item = Item {
            name: s.text(&m.name).to_owned(),
            kind: SymbolKind::CONSTANT,
            whole: m.name.clone(),
            at: m.name.clone(),
            detail: "macro".into(),
            children: Vec::new(),
        };
        out.extend(symbol(w, s, &item).map(|d| DocumentSymbol { range, ..d }));
    }
    out.sort_by_key(|d| d.range.start);
    Some(out)
}

fn symbol(w: &Workspace, s: &Snapshot, i: &Item) -> Option<DocumentSymbol> {
    let children: Vec<DocumentSymbol> = i.children.iter().filter_map(|c| symbol(w, s, c)).collect();
    #[allow(deprecated)]
    Some(DocumentSymbol {
        name: i.name.clone(),
        detail: (!i.detail.is_empty()).then(|| i.detail.clone()),
        kind: i.kind,
        tags: None,
        deprecated: None,
        range: navigate::range(w, s, &i.whole)?,
        selection_range: navigate::range(w, s, &i.at)?,
        children: (!children.is_empty()).then_some(children),
    })
}

/// How many symbols a search gives.
const MAX_FOUND: usize = 500;

/// The symbols of the workspace whose names have the characters of `query` in this order, whatever their case.
pub fn workspace(w: &Workspace, query: &str) -> Vec<SymbolInformation> {
    let query: Vec<char> = query.to_lowercase().chars().collect();
    let mut out: Vec<SymbolInformation> = Vec::new();
    let none = BTreeSet::new();
    let open = w.roots.values().filter_map(|r| Some((Summary::of(r.snapshot.as_deref()?, w.columns), &r.outdated)));
    let open: Vec<(Summary, &BTreeSet<String>)> = open.collect();
    for (summary, outdated) in open
        .iter()
        .map(|(s, outdated)| (s, *outdated))
        .chain(w.summaries.iter().map(|(name, s)| (s, w.roots.get(name).map_or(&none, |r| &r.outdated))))
    {
        // Another source has those of a file whose positions are others now.
        for symbol in summary.symbols.iter().filter(|s| !outdated.contains(&summary.files[s.file])) {
            if out.len() >= MAX_FOUND {
                return out;
            }
            let Some(uri) = matches(&symbol.name, &query).then(|| to_uri(&summary.files[symbol.file])).flatten() else { continue };
            let location = Location { uri, range: symbol.range };
            if out.iter().any(|o| o.location == location) {
                continue;
            }
            #[allow(deprecated)]
            out.push(SymbolInformation {
                name: symbol.name.clone(),
                kind: symbol.kind,
                tags: None,
                deprecated: None,
                location,
                container_name: symbol.container.clone(),
            });
        }
    }
    out
}

fn matches(name: &str, query: &[char]) -> bool {
    let mut rest = query.iter().peekable();
    for c in name.chars().flat_map(char::to_lowercase) {
        rest.next_if(|q| **q == c);
    }
    rest.peek().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_a_subsequence() {
        let q = |text: &str| text.chars().collect::<Vec<_>>();
        assert!(matches("ClosestHitMain", &q("chm")) && matches("x", &[]));
        assert!(!matches("ClosestHit", &q("hc")));
    }
}
