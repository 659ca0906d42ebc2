//! Snapshots: the analysis of one version of a source and the files that it includes, prepared for questions about positions.

use std::ops::Range;
use std::sync::Arc;

use rtc::analysis::Analysis;
use rtc_base::{FileId, Span};
use rtc_frontend::index::{Occurrence, Role};
use rustc_hash::FxHashMap;

use crate::paths::normal;
use crate::text::Lines;

/// A file of a snapshot.
#[derive(Debug)]
pub struct File {
    /// Its path.
    pub path: String,
    /// Its text, as it was analysed.
    pub text: Arc<str>,
    /// Its lines.
    pub lines: Lines,
}

/// A place: a file of the snapshot, and bytes of it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileRange {
    /// The number of the file.
    pub file: usize,
    /// The first byte.
    pub lo: usize,
    /// One past the last byte.
    pub hi: usize,
}

impl FileRange {
    /// The bytes.
    pub fn range(&self) -> Range<usize> {
        self.lo..self.hi
    }
}

/// A name in a file.
#[derive(Clone, Debug)]
pub struct NameAt {
    /// Where it is written.
    pub place: FileRange,
    /// Where its entity is declared; `None` for names of the language.
    pub declared: Option<FileRange>,
    /// Why it is written.
    pub role: Role,
    /// The occurrence in the index of the analysis.
    pub occurrence: usize,
}

/// An analysis with its files and names by position.
pub struct Snapshot {
    /// The path of the source.
    pub root: String,
    /// Which change of the server's state it is of.
    pub generation: u64,
    /// The analysis.
    pub analysis: Analysis,
    /// The files; one that was included several times is there once.
    pub files: Vec<File>,
    /// All names by place.
    pub names: Vec<NameAt>,
    numbers: FxHashMap<FileId, usize>,
}

impl Snapshot {
    /// Prepares an analysis.
    pub fn new(root: &str, generation: u64, analysis: Analysis) -> Snapshot {
        let mut files: Vec<File> = Vec::new();
        let mut numbers = FxHashMap::default();
        let mut by_path: FxHashMap<String, usize> = FxHashMap::default();
        for (id, f) in analysis.sources.files() {
            let path = if Some(id) == analysis.main { root.to_owned() } else { normal(&f.name) };
            let number = *by_path.entry(path.clone()).or_insert_with(|| {
                files.push(File { path, text: f.text.clone(), lines: Lines::of(&f.text) });
                files.len() - 1
            });
            numbers.insert(id, number);
        }
        let mut s = Snapshot { root: root.to_owned(), generation, analysis, files, names: Vec::new(), numbers };
        let mut names: Vec<NameAt> = Vec::with_capacity(s.analysis.index.occurrences.len());
        for (occurrence, o) in s.analysis.index.occurrences.iter().enumerate() {
            if let Some(place) = s.spelled(o.span).filter(|p| s.text(p) == s.analysis.names.str(o.name)) {
                names.push(NameAt { place, declared: s.spelled(o.declared), role: o.role, occurrence });
            }
        }
        names.sort_by(|a, b| (&a.place, &a.declared, a.role).cmp(&(&b.place, &b.declared, b.role)));
        names.dedup_by(|b, a| a.place == b.place && a.declared == b.declared);
        s.names = names;
        s
    }

    /// The number of the file at `path`.
    pub fn file(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|f| f.path == path)
    }

    /// The number of a file of the source map.
    pub fn number(&self, id: FileId) -> Option<usize> {
        self.numbers.get(&id).copied()
    }

    /// The text at a place.
    pub fn text(&self, place: &FileRange) -> &str {
        self.files.get(place.file).and_then(|f| f.text.get(place.range())).unwrap_or("")
    }

    /// Where the text of a span is in a file: of what a macro produced, the use of the macro.
    pub fn place(&self, span: Span) -> Option<FileRange> {
        if span.is_none() {
            return None;
        }
        let (id, range) = self.analysis.sources.range(span)?;
        Some(FileRange { file: self.number(id)?, lo: range.start, hi: range.end })
    }

    /// Where the text of a span is spelled: of what a macro produced, in the macro.
    pub fn spelled(&self, span: Span) -> Option<FileRange> {
        if span.is_none() { None } else { self.place(self.analysis.sources.spelling(span)) }
    }

    /// The occurrence of a name.
    pub fn occurrence(&self, name: &NameAt) -> &Occurrence {
        &self.analysis.index.occurrences[name.occurrence]
    }

    /// The names at byte `offset` of a file: one, or in templates and macros those of several instances. The end of a name counts.
    pub fn names_at(&self, file: usize, offset: usize) -> &[NameAt] {
        let from = self.names.partition_point(|n| (n.place.file, n.place.hi) < (file, offset));
        let rest = &self.names[from..];
        let at = rest.iter().position(|n| n.place.file == file && n.place.lo <= offset && offset <= n.place.hi);
        let Some(at) = at.filter(|&i| i < 2) else { return &[] };
        // Of two names that touch, the one that begins there.
        let at = rest[at..].iter().position(|n| n.place.file == file && n.place.lo == offset).map_or(at, |next| at + next);
        let place = &rest[at].place;
        let count = rest[at..].iter().take_while(|n| n.place == *place).count();
        &rest[at..at + count]
    }

    /// The names in a file.
    pub fn names_in(&self, file: usize) -> &[NameAt] {
        let from = self.names.partition_point(|n| n.place.file < file);
        let to = self.names.partition_point(|n| n.place.file <= file);
        &self.names[from..to]
    }
}
