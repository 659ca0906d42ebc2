//! Whether an edit of names keeps what a program means: it is analysed with the edit, and every name has to refer to the same declaration as before.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::Range;
use rtc::{Files, Includes, Options, Session};
use rustc_hash::FxHashMap;

use crate::overlay::Overlay;
use crate::paths::normal;
use crate::snapshot::{FileRange, Snapshot};
use crate::text::{Columns, Lines};
use crate::workspace::Workspace;

/// A place in a file: its path and the byte.
type At<'a> = (&'a str, usize);

/// The longest analysis for a comparison.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Places that get another name, by file: bytes, in order.
#[derive(Default)]
pub struct Edits(FxHashMap<String, Vec<(usize, usize)>>);

impl Edits {
    /// Adds a range of a file, whose text is this.
    pub fn add(&mut self, path: &str, text: &str, range: Range, columns: Columns) {
        let lines = Lines::of(text);
        let bytes = (lines.offset(text, range.start, columns), lines.offset(text, range.end, columns));
        let all = self.0.entry(path.to_owned()).or_default();
        if let Err(at) = all.binary_search(&bytes) {
            all.insert(at, bytes);
        }
    }

    /// Whether one of these files changes.
    pub fn touch<'a>(&self, mut paths: impl Iterator<Item = &'a str>) -> bool {
        paths.any(|path| self.0.contains_key(path))
    }

    /// A text with the new name.
    fn applied(&self, path: &str, text: &str, name: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for &(lo, hi) in self.0.get(path).into_iter().flatten() {
            out += text.get(at..lo).unwrap_or("");
            out += name;
            at = hi;
        }
        out + text.get(at..).unwrap_or("")
    }

    /// Where a byte of a file is afterwards.
    fn moved(&self, path: &str, byte: usize, name: &str) -> usize {
        let before = self.0.get(path).into_iter().flatten().take_while(|e| e.0 < byte);
        before.fold(byte, |at, &(lo, hi)| at + name.len() - (hi - lo).min(at))
    }
}

/// The files with the edits.
struct Edited<'a> {
    overlay: &'a Overlay,
    edits: &'a Edits,
    name: &'a str,
}

impl Includes for Edited<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        let plain = normal(path);
        match self.edits.0.contains_key(&plain).then(|| self.overlay.text(&plain)).flatten() {
            Some(text) => Ok(Some(Arc::from(self.edits.applied(&plain, &text, self.name).as_bytes()))),
            None => Files::read(self.overlay, path),
        }
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        Files::same_but_case(self.overlay, path)
    }

    fn identity(&mut self, path: &str) -> String {
        Files::identity(self.overlay, path)
    }
}

/// A source as it is now, where its analysis was dropped.
pub fn now(w: &Workspace, root: &str, options: &Options) -> Option<Snapshot> {
    let text = w.overlay.text(root)?;
    let session = Session::for_one_job(w.overlay.clone());
    let analysis = session.job().time_limit(TIME_LIMIT).analyse(root, text.as_bytes(), options, None).ok()?;
    Some(Snapshot::new(root, 0, analysis))
}

/// What is different with the edits; `None`: nothing is.
pub fn difference(w: &Workspace, root: &str, old: &Snapshot, options: &Options, edits: &Edits, name: &str) -> Option<String> {
    let text = edits.applied(root, &w.overlay.text(root)?, name);
    let session = Session::for_one_job(rtc::NoIncludes);
    let mut files = Edited { overlay: &w.overlay, edits, name };
    let job = session.job().includes(&mut files).time_limit(TIME_LIMIT);
    let analysis = match job.analyse(root, text.as_bytes(), options, None) {
        Ok(analysis) => analysis,
        Err(e) => return Some(format!("it cannot be analysed: {e}")),
    };
    let errors = |a: &rtc::analysis::Analysis| a.diagnostics.iter().filter(|d| d.is_error()).count();
    if errors(&analysis) > errors(&old.analysis) {
        let error = analysis.diagnostics.iter().find(|d| d.is_error())?;
        let at = analysis.sources.loc(error.span()).map(|l| format!("{}:{}: ", l.file, l.line)).unwrap_or_default();
        return Some(format!("{at}{}", error.message));
    }
    let new = Snapshot::new(root, old.generation, analysis);
    let moved = |p: &FileRange| {
        let path = old.files[p.file].path.as_str();
        (path, edits.moved(path, p.lo, name))
    };
    let place = |s: &Snapshot, p: &FileRange| format!("{}:{}", s.files[p.file].path, s.files[p.file].lines.line_of(p.lo) + 1);
    let known: FxHashMap<At<'_>, Vec<Option<At<'_>>>> = new.names.iter().fold(FxHashMap::default(), |mut all, n| {
        let of = |p: &FileRange| (new.files[p.file].path.as_str(), p.lo);
        all.entry(of(&n.place)).or_insert_with(Vec::new).push(n.declared.as_ref().map(of));
        all
    });
    for n in &old.names {
        let wanted = n.declared.as_ref().map(moved);
        match known.get(&moved(&n.place)) {
            Some(found) if found.contains(&wanted) => {}
            Some(_) => return Some(format!("`{}` at {} would be another one", old.text(&n.place), place(old, &n.place))),
            None => return Some(format!("`{}` at {} would be no name", old.text(&n.place), place(old, &n.place))),
        }
    }
    (new.names.len() != old.names.len()).then(|| "other names would be found".to_owned())
}
