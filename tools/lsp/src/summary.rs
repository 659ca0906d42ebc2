//! What is kept of a source of the project that is not open: its names and declarations, without trees and texts.

use lsp_types::{Range, SymbolKind};

use crate::outline::{Item, outline};
use crate::snapshot::Snapshot;
use crate::text::Columns;

/// A use or declaration of an entity that a file declares.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    /// The file, by number.
    pub file: usize,
    /// The name.
    pub range: Range,
    /// The file that declares the entity, and the byte at which its name is there.
    pub declared: (usize, usize),
    /// Whether it declares the entity.
    pub declares: bool,
}

/// A declaration for the search in the workspace.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The file, by number.
    pub file: usize,
    /// Its name's range.
    pub range: Range,
    /// The name of what contains it.
    pub container: Option<String>,
}

/// The summary of a source.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The paths of its files.
    pub files: Vec<String>,
    /// Names.
    pub uses: Vec<Use>,
    /// Declarations.
    pub symbols: Vec<Symbol>,
}

impl Summary {
    /// The summary of a snapshot.
    pub fn of(s: &Snapshot, columns: Columns) -> Summary {
        let files = s.files.iter().map(|f| f.path.clone()).collect();
        let range = |p: &crate::snapshot::FileRange| s.files[p.file].lines.span(&s.files[p.file].text, p.range(), columns);
        let uses = s.names.iter().filter_map(|n| {
            let declared = n.declared.as_ref()?;
            let declares = n.role != rtc_frontend::index::Role::Reference;
            Some(Use { file: n.place.file, range: range(&n.place), declared: (declared.file, declared.lo), declares })
        });
        let mut symbols = Vec::new();
        for file in (0..s.files.len()).filter(|&f| !s.files[f].path.starts_with('<')) {
            for item in outline(s, file) {
                add(&item, None, &range, &mut symbols);
            }
        }
        Summary { files, uses: uses.collect(), symbols }
    }
}

fn add(item: &Item, container: Option<&str>, range: &dyn Fn(&crate::snapshot::FileRange) -> Range, out: &mut Vec<Symbol>) {
    let container_name = container.map(str::to_owned);
    out.push(Symbol { name: item.name.clone(), kind: item.kind, file: item.at.file, range: range(&item.at), container: container_name });
    for child in &item.children {
        add(child, Some(&item.name), range, out);
    }
}
