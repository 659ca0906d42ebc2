//! The workspace: open documents, the sources that are analysed, what each includes.
//!
//! A *root* is a source that is analysed as a whole. A document is one, unless it is a header that a root includes: then it is seen as that
//! root sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use lsp_types::Uri;
use rustc_hash::FxHashMap;

use crate::diagnostics::{ByPath, Finding, merge, problem};
use crate::edit::Read;
use crate::overlay::Overlay;
use crate::paths::{is_header, to_uri};
use crate::project::{Problem, Projects};
use crate::settings::Settings;
use crate::snapshot::{File, Snapshot};
use crate::summary::Summary;
use crate::text::{Columns, Lines};
use crate::worker::Compiled;

/// An open document.
pub struct Document {
    /// Its URI, as the client spells it.
    pub uri: Uri,
    /// Its version.
    pub version: i32,
    /// Its text.
    pub text: Arc<str>,
    /// The lines of its text.
    pub lines: Lines,
}

/// A source that is analysed.
#[derive(Default)]
pub struct Root {
    /// The latest change that concerns it.
    pub generation: u64,
    /// When a document that is seen in it was last opened, changed, or the subject of a request: a number that grows.
    pub used: u64,
    /// The files of its snapshot with another text than now, though it is the same program with that: only positions in them are others.
    pub outdated: BTreeSet<String>,
    /// When it was last analysed.
    pub analysed_at: Option<Instant>,
    /// The latest generation whose analysis ended, with or without a result.
    pub analysed: u64,
    /// Its latest analysis; none if that failed, or was dropped because others are in use.
    pub snapshot: Option<Arc<Snapshot>>,
    /// What the latest analysis has read.
    pub read: Option<Read>,
    /// Whether the latest analysis was dropped: its names are in the summaries then.
    pub is_dropped: bool,
    /// Whether it is analysed to be compiled: then that follows at once.
    pub compiles_next: bool,
    /// The diagnostics of the front end.
    pub diagnostics: ByPath,
    /// Whether there is an error of the front end.
    pub failed: bool,
    /// The options of its first configuration, once a job for it began.
    pub options: Option<rtc::Options>,
    /// The names of its configurations, in their order.
    pub configurations: Vec<String>,
    /// The problems of descriptions that concern it.
    pub problems: Vec<Problem>,
    /// When it is compiled.
    pub compile_at: Option<Instant>,
    /// Its latest compilation, and the generation of that.
    pub compiled: Option<(u64, Box<Compiled>)>,
    /// The warnings of its latest compilation that the front end does not have, each with the text of its line. While the source is edited, they stay
    /// where their lines are the same.
    pub later: Vec<(String, Finding, String)>,
    /// The paths that have diagnostics of it.
    pub published: BTreeSet<String>,
}

impl Root {
    /// Whether its analysis is of its latest generation.
    pub fn is_current(&self) -> bool {
        self.analysed == self.generation
    }

    /// It is out of date since the change of this number.
    pub fn renew(&mut self, generation: u64) {
        self.generation = generation;
        self.outdated.clear();
        self.compiles_next = false;
    }

    /// It is to be analysed again for its positions, or because its analysis was dropped: then what was compiled stays.
    pub fn again(&mut self, generation: u64) {
        if self.outdated.is_empty() {
            self.analysed = 0;
        } else {
            self.renew(generation);
        }
    }

    /// Whether all positions of its names are those of now, too.
    pub fn is_up_to_date(&self) -> bool {
        self.is_current() && self.outdated.is_empty()
    }

    /// Whether its snapshot is there, and of now.
    pub fn is_exact(&self) -> bool {
        self.is_up_to_date() && !self.is_dropped
    }

    /// Whether a diagnostic has a place in a file.
    pub fn mentions(&self, path: &str) -> bool {
        let uri = to_uri(path);
        let is_there = |f: &Finding| {
            let related = f.diagnostic.related_information.iter().flatten();
            related.into_iter().any(|r| Some(&r.location.uri) == uri.as_ref()) || f.fix.iter().any(|e| e.path == path)
        };
        let found = found_by(self);
        self.published.contains(path) || found.contains_key(path) || found.values().flatten().any(is_there)
    }

    /// Its latest compilation, if it is of the latest generation.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.as_ref().filter(|c| c.0 == self.generation).map(|c| &*c.1)
    }
}

/// What the client has open, with the analyses of it.
pub struct Workspace {
    /// The unit of columns.
    pub columns: Columns,
    /// The settings.
    pub settings: Settings,
    /// The texts of open documents.
    pub overlay: Overlay,
    /// The open documents by path.
    pub documents: BTreeMap<String, Document>,
    /// The sources that are analysed, by path.
    pub roots: BTreeMap<String, Root>,
    /// The other sources of the project.
    pub summaries: BTreeMap<String, Summary>,
    /// The descriptions of the project.
    pub projects: Projects,
    /// The folders that the client has open.
    pub folders: Vec<String>,
    /// The roots that include a file.
    pub includers: FxHashMap<String, BTreeSet<String>>,
    /// The roots that the user chose for headers.
    pub chosen_roots: FxHashMap<String, String>,
    /// The roots in which open headers are seen: a view stays while others are found.
    pub seen_in: FxHashMap<String, String>,
    /// The configurations that the user chose for roots.
    pub chosen_configurations: FxHashMap<String, String>,
    /// Whether the client creates files that an edit names.
    pub creates_files: bool,
}

/// A source, and one of its configurations, in which a document can be seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The path of the source.
    pub root: String,
    /// The name of the configuration; empty if there is one only.
    pub configuration: String,
    /// Whether the document is seen in it.
    pub active: bool,
}

/// How many of the sources that include an open header are analysed for its diagnostics.
const MAX_INCLUDERS: usize = 4;

impl Workspace {
    /// Nothing is open.
    pub fn new(overlay: Overlay, columns: Columns, folders: Vec<String>) -> Workspace {
        Workspace {
            columns,
            settings: Settings::default(),
            overlay,
            documents: BTreeMap::new(),
            roots: BTreeMap::new(),
            summaries: BTreeMap::new(),
            projects: Projects::default(),
            folders,
            includers: FxHashMap::default(),
            chosen_roots: FxHashMap::default(),
            seen_in: FxHashMap::default(),
            chosen_configurations: FxHashMap::default(),
            creates_files: false,
        }
    }

    /// The root in which a document is seen.
    pub fn root_of(&self, path: &str) -> String {
        if is_header(path)
            && let Some(all) = self.includers.get(path)
        {
            let chosen = self.chosen_roots.get(path).filter(|r| all.contains(*r));
            let seen = self.seen_in.get(path).filter(|r| all.contains(*r));
            let is_open = |r: &&String| self.documents.contains_key(*r);
            let open = || seen.filter(is_open).or_else(|| all.iter().find(is_open));
            if let Some(root) = chosen.or_else(open).or(seen).or(all.iter().next()) {
                return root.clone();
            }
        }
        path.to_owned()
    }

    /// The roots that the open documents need: those in which they are seen, and the others that include an open header, open ones first.
    pub fn needed(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for d in self.documents.keys() {
            let own = self.root_of(d);
            if own != *d
                && let Some(all) = self.includers.get(d)
            {
                let open = all.iter().filter(|r| self.documents.contains_key(*r));
                let others = all.iter().filter(|r| !self.documents.contains_key(*r));
                out.extend(open.chain(others).filter(|r| **r != own).take(MAX_INCLUDERS - 1).cloned());
            }
            out.insert(own);
        }
        out
    }

    /// In which sources and configurations a document can be seen.
    pub fn choices(&self, path: &str) -> Vec<Choice> {
        let own = self.root_of(path);
        let roots: Vec<&String> = match self.includers.get(path).filter(|_| is_header(path)) {
            Some(all) => all.iter().collect(),
            None => vec![&own],
        };
        let mut out = Vec::new();
        for root in roots {
            let names = self.roots.get(root).map_or(&[][..], |r| &r.configurations);
            if names.len() < 2 {
                out.push(Choice { root: root.clone(), configuration: String::new(), active: *root == own });
                continue;
            }
            // The first configuration is the one that counts; the list has the order of the names.
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort();
            out.extend(sorted.into_iter().map(|name| Choice {
                root: root.clone(),
                configuration: name.clone(),
                active: *root == own && names.first() == Some(name),
            }));
        }
        out
    }

    /// Remembers what a root includes.
    pub fn note_includes(&mut self, snapshot: &Snapshot) {
        self.forget_includes(&snapshot.root);
        if is_header(&snapshot.root) {
            return;
        }
        for f in snapshot.files.iter().filter(|f| f.path != snapshot.root && !f.path.starts_with('<')) {
            self.includers.entry(f.path.clone()).or_default().insert(snapshot.root.clone());
        }
        // What is seen in a source stays seen in it.
        let seen: Vec<(String, String)> = self.documents.keys().filter(|d| is_header(d)).map(|d| (d.clone(), self.root_of(d))).collect();
        self.seen_in = seen.into_iter().filter(|(header, root)| header != root).collect();
    }

    /// Forgets what a root includes.
    pub fn forget_includes(&mut self, root: &str) {
        self.includers.values_mut().for_each(|roots| _ = roots.remove(root));
        self.includers.retain(|_, roots| !roots.is_empty());
    }

    /// What all roots say about a file.
    pub fn found_in(&self, path: &str) -> Vec<Finding> {
        let mut all = ByPath::default();
        let own = self.root_of(path);
        let mut roots: Vec<(&String, &Root)> = self.roots.iter().filter(|(_, r)| r.published.contains(path)).collect();
        // What the source says in which the document is seen comes first. What only another one says names it.
        roots.sort_by_key(|(name, _)| **name != own);
        for (name, r) in roots {
            if let Some(mut list) = found_by(r).remove(path) {
                if *name != own && *name != path {
                    let file = name.rsplit('/').next().unwrap_or(name);
                    list.iter_mut().for_each(|f| f.diagnostic.message += &format!("\nas `{file}` sees it"));
                }
                merge(&mut all, ByPath::from_iter([(path.to_owned(), list)]));
            }
            let problems = r.problems.iter().filter(|p| p.file == path).map(problem);
            merge(&mut all, ByPath::from_iter([(path.to_owned(), problems.collect())]));
        }
        all.remove(path).unwrap_or_default()
    }
}

/// All diagnostics of a root: those of its compilation if that is current, which has those of the front end; else those of the front end, with the
/// warnings of the latest compilation on lines that are the same.
pub fn found_by(r: &Root) -> ByPath {
    if let Some(c) = r.compiled().filter(|_| !r.failed) {
        return c.diagnostics.clone();
    }
    let mut all = r.diagnostics.clone();
    if let Some(s) = r.snapshot.as_deref().filter(|_| !r.failed) {
        let mut more = ByPath::default();
        for (path, finding, line) in &r.later {
            if let Some(moved) = moved(s, path, finding, line) {
                more.entry(path.clone()).or_default().push(moved);
            }
        }
        merge(&mut all, more);
    }
    all
}

/// The warnings that a compilation has and the front end does not, with the text of their lines.
pub fn later(s: &Snapshot, front: &ByPath, compiled: &ByPath) -> Vec<(String, Finding, String)> {
    let mut out = Vec::new();
    for (path, list) in compiled {
        for finding in list.iter().filter(|f| front.get(path).is_none_or(|known| !known.contains(f))) {
            if let Some(line) = s.file(path).and_then(|f| line(&s.files[f], finding.diagnostic.range.start.line)) {
                out.push((path.clone(), finding.clone(), line.to_owned()));
            }
        }
    }
    out
}

/// Line `number` of a file.
fn line(f: &File, number: u32) -> Option<&str> {
    let number = number as usize;
    if number < f.lines.count() { f.text.get(f.lines.range(&f.text, number)) } else { None }
}

/// How far a line is looked for from where it was.
const MAX_MOVE: u32 = 500;

/// A warning on the nearest line with the same text. Its fix, which may touch other lines, is gone.
fn moved(s: &Snapshot, path: &str, finding: &Finding, text: &str) -> Option<Finding> {
    let file = &s.files[s.file(path)?];
    let was = finding.diagnostic.range.start.line;
    let near = (0..MAX_MOVE).flat_map(|d| [was.checked_add(d), was.checked_sub(d)]).flatten();
    let now = near.take(2 * MAX_MOVE as usize).find(|&n| line(file, n) == Some(text))?;
    let mut diagnostic = finding.diagnostic.clone();
    let lines = diagnostic.range.end.line - was;
    (diagnostic.range.start.line, diagnostic.range.end.line) = (now, now + lines);
    Some(Finding { diagnostic, fix: Vec::new() })
}
