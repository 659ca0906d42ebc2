//! Definition, declaration, type definition, references, highlights, links of includes.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentLink, Location, Position, Range};
use rtc_frontend::hir::{Ty, TyKind};
use rtc_frontend::index::{Entity, Role};
use rustc_hash::FxHashSet;

use super::macros;
use crate::paths::{folder, normal, to_uri};
use crate::snapshot::{FileRange, NameAt, Snapshot};
use crate::workspace::Workspace;

/// The byte at a position of a file of the snapshot, and the number of the file.
pub fn at(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<(usize, usize)> {
    let file = s.file(path)?;
    let f = &s.files[file];
    Some((file, f.lines.offset(&f.text, position, w.columns)))
}

/// The range of a place.
pub fn range(w: &Workspace, s: &Snapshot, p: &FileRange) -> Option<Range> {
    let f = s.files.get(p.file)?;
    Some(f.lines.span(&f.text, p.range(), w.columns))
}

/// A place as a location; `None` for what is in no file.
pub fn location(w: &Workspace, s: &Snapshot, p: &FileRange) -> Option<Location> {
    Some(Location { uri: to_uri(&s.files.get(p.file)?.path)?, range: range(w, s, p)? })
}

/// Where the entity at a position is defined; with `declaration`, where it is declared first.
pub fn definition(w: &Workspace, s: &Snapshot, path: &str, position: Position, declaration: bool) -> Option<Vec<Location>> {
    let (file, offset) = at(w, s, path, position)?;
    if let Some(included) = included_at(w, s, file, offset) {
        let start = Range::new(Position::new(0, 0), Position::new(0, 0));
        return Some(vec![Location { uri: to_uri(&included)?, range: start }]);
    }
    let names = s.names_at(file, offset);
    let mut out: Vec<Location> = Vec::new();
    for name in names {
        let Some(declared) = &name.declared else { continue };
        let wanted = if declaration { declared_first(s, declared) } else { Some(declared.clone()) };
        if let Some(l) = wanted.and_then(|p| location(w, s, &p))
            && !out.contains(&l)
        {
            out.push(l);
        }
    }
    if out.is_empty()
        && let Some(m) = macros::at(s, file, offset)
    {
        out.extend(location(w, s, &m.name));
    }
    Some(out)
}

/// The first declaration of what is defined at `defined`.
fn declared_first(s: &Snapshot, defined: &FileRange) -> Option<FileRange> {
    let all = s.names.iter().filter(|n| n.declared.as_ref() == Some(defined));
    let mut declarations: Vec<&NameAt> = all.filter(|n| n.role != Role::Reference).collect();
    declarations.sort_by_key(|n| n.role);
    declarations.first().map(|n| n.place.clone())
}

/// The file that the `#include` at a position includes.
pub fn include_at(s: &Snapshot, file: usize, offset: usize) -> Option<usize> {
    let line = s.files[file].lines.line_of(offset);
    s.analysis.sources.files().find_map(|(id, f)| {
        let at = s.place(f.included_at?)?;
        (at.file == file && s.files[file].lines.line_of(at.lo) == line).then(|| s.number(id))?
    })
}

/// The path of the file that the `#include` at a position includes, also where this source does not read it: it may have been included before, or the
/// line is skipped.
pub fn included_at(w: &Workspace, s: &Snapshot, file: usize, offset: usize) -> Option<String> {
    if let Some(number) = include_at(s, file, offset) {
        return Some(s.files[number].path.clone());
    }
    let f = &s.files[file];
    let line = f.lines.line_of(offset);
    includes_of(&f.text).into_iter().find(|i| f.lines.line_of(i.bytes.start) == line).and_then(|i| found(w, s, &f.path, &i))
}

/// An `#include` as a file has it.
struct Written {
    name: String,
    angled: bool,
    /// The name with its quotes or brackets.
    bytes: std::ops::Range<usize>,
}

/// The includes of a text whose names are written in it.
fn includes_of(text: &str) -> Vec<Written> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let Some(rest) = line.trim_start().strip_prefix('#').map(str::trim_start).and_then(|l| l.strip_prefix("include")) else { continue };
        let named = rest.trim_start();
        let (open, close) = match named.chars().next() {
            Some('"') => ('"', '"'),
            Some('<') => ('<', '>'),
            _ => continue,
        };
        let Some(length) = named[1..].find(close) else { continue };
        let first = begin + (line.len() - named.len());
        out.push(Written { name: named[1..=length].to_owned(), angled: open == '<', bytes: first..first + length + 2 });
    }
    out
}

/// The file that an include of the file `from` names: in the folder of that file, of the files that include it, or of the options.
fn found(w: &Workspace, s: &Snapshot, from: &str, include: &Written) -> Option<String> {
    let options = w.roots.get(&s.root).and_then(|r| r.options.as_ref());
    let given = options.map_or(&[][..], |o| &o.include_dirs).iter().map(String::as_str);
    let includers = [folder(from), folder(&s.root)];
    let dirs: Vec<&str> = if include.angled { given.chain(includers).collect() } else { includers.into_iter().chain(given).collect() };
    let path = |dir: &str| normal(&format!("{dir}/{}", include.name));
    let is_file = |path: &String| w.documents.contains_key(path) || std::path::Path::new(path).is_file();
    dirs.into_iter().map(path).find(is_file)
}

/// The links of the includes of a file.
pub fn links(w: &Workspace, s: &Snapshot, path: &str) -> Option<Vec<DocumentLink>> {
    let file = s.file(path)?;
    let mut out: Vec<DocumentLink> = Vec::new();
    for (id, f) in s.analysis.sources.files() {
        let Some(at) = f.included_at.and_then(|span| s.place(span)).filter(|p| p.file == file) else { continue };
        let (Some(range), Some(number)) = (range(w, s, &at), s.number(id)) else { continue };
        let target = to_uri(&s.files[number].path);
        if target.is_some() && !out.iter().any(|l| l.range == range) {
            out.push(DocumentLink { range, target, tooltip: None, data: None });
        }
    }
    let f = &s.files[file];
    for include in includes_of(&f.text) {
        let range = f.lines.span(&f.text, include.bytes.clone(), w.columns);
        let is_there = out.iter().any(|l| l.range.start.line == range.start.line);
        if let Some(target) = (!is_there).then(|| found(w, s, path, &include)).flatten().and_then(|p| to_uri(&p)) {
            out.push(DocumentLink { range, target: Some(target), tooltip: None, data: None });
        }
    }
    out.sort_by_key(|l| l.range.start.line);
    Some(out)
}

/// Where the type of the entity at a position is defined.
pub fn type_definition(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<Vec<Location>> {
    let (file, offset) = at(w, s, path, position)?;
    let module = &s.analysis.module;
    let mut out = Vec::new();
    for name in s.names_at(file, offset) {
        let Some(ty) = type_of(s, s.occurrence(name).entity) else { continue };
        let mut ty = module.types.strip_arrays(ty).0;
        if let Some(elem) = module.types.as_resource(ty).and_then(|r| r.elem) {
            ty = elem;
        }
        let span = match module.types.kind(ty) {
            TyKind::Record(r) => module.types.records[r].span,
            TyKind::Enum(e) => module.types.enums[e].span,
            _ => continue,
        };
        out.extend(s.spelled(span).and_then(|p| location(w, s, &p)).filter(|l| !out.contains(l)));
    }
    Some(out)
}

/// The type of an entity, if it has one.
pub fn type_of(s: &Snapshot, e: Entity) -> Option<Ty> {
    let m = &s.analysis.module;
    Some(match e {
        Entity::Local { ty, .. } | Entity::Type(ty) | Entity::Constant(ty, _) | Entity::Subobject(ty) => ty,
        Entity::Global(g) => m.globals[g].ty,
        Entity::BlockMember(g, n) => {
            let record = m.types.as_resource(m.globals[g].ty)?.elem.and_then(|t| m.types.as_record(t))?;
            m.types.records[record].fields.get(n as usize)?.ty
        }
        Entity::Field(r, n) => m.types.records[r].fields.get(n as usize)?.ty,
        Entity::Function(f) => m.funcs[f].ret,
        Entity::Intrinsic(_) | Entity::Template | Entity::Namespace | Entity::Heap => return None,
    })
}

/// An occurrence in some file of the workspace.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Occurrence {
    /// The path of the file.
    pub path: String,
    /// The first and last position of the name.
    pub range: (u32, u32, u32, u32),
    /// Whether it declares.
    pub declares: bool,
}

impl Occurrence {
    fn new(path: &str, r: Range, declares: bool) -> Occurrence {
        Occurrence { path: path.to_owned(), range: (r.start.line, r.start.character, r.end.line, r.end.character), declares }
    }

    /// The range of the name.
    pub fn lsp_range(&self) -> Range {
        let (a, b, c, d) = self.range;
        Range::new(Position::new(a, b), Position::new(c, d))
    }
}

/// All occurrences of the entity at a position: in this snapshot, in the other roots that see its declaration, and in the sources of the project that are
/// not open. `None`: there is no entity of the program.
pub fn occurrences(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<Vec<Occurrence>> {
    let (file, offset) = at(w, s, path, position)?;
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    let mut add = |o: Occurrence| {
        if seen.insert(o.clone()) {
            out.push(o);
        }
    };
    let declared: Vec<FileRange> = s.names_at(file, offset).iter().filter_map(|n| n.declared.clone()).collect();
    if declared.is_empty() {
        let m = macros::at(s, file, offset)?;
        for p in macros::uses(s, &m) {
            if let Some(r) = range(w, s, &p) {
                add(Occurrence::new(&s.files[p.file].path, r, p == m.name));
            }
        }
        return Some(out);
    }
    // Within a snapshot declarations are places; in others they are a path and an offset.
    let keys: Vec<(&str, usize)> = declared.iter().map(|d| (s.files[d.file].path.as_str(), d.lo)).collect();
    let current = w.roots.values().filter(|r| r.is_exact()).filter_map(|r| r.snapshot.as_deref());
    for other in std::iter::once(s).chain(current.filter(|o| !std::ptr::eq(*o, s))) {
        let places: Vec<(usize, usize)> = keys.iter().filter_map(|&(path, lo)| Some((other.file(path)?, lo))).collect();
        if places.is_empty() {
            continue;
        }
        for n in &other.names {
            if n.declared.as_ref().is_some_and(|d| places.contains(&(d.file, d.lo)))
                && let Some(r) = range(w, other, &n.place)
            {
                add(Occurrence::new(&other.files[n.place.file].path, r, n.role != Role::Reference));
            }
        }
    }
    for summary in w.summaries.values() {
        let number = |path: &str| summary.files.iter().position(|f| f == path);
        let places: Vec<(usize, usize)> = keys.iter().filter_map(|&(path, lo)| Some((number(path)?, lo))).collect();
        if places.is_empty() {
            continue;
        }
        for u in summary.uses.iter().filter(|u| places.contains(&u.declared)) {
            add(Occurrence::new(&summary.files[u.file], u.range, u.declares));
        }
    }
    // One name may be seen as a declaration by one root only.
    out.sort_by(|a, b| (&a.path, a.range, !a.declares).cmp(&(&b.path, b.range, !b.declares)));
    out.dedup_by(|b, a| a.path == b.path && a.range == b.range);
    Some(out)
}

/// The references of the entity at a position.
pub fn references(w: &Workspace, s: &Snapshot, path: &str, position: Position, with_declaration: bool) -> Option<Vec<Location>> {
    let all = occurrences(w, s, path, position)?;
    let wanted = all.into_iter().filter(|o| with_declaration || !o.declares);
    Some(wanted.filter_map(|o| Some(Location { uri: to_uri(&o.path)?, range: o.lsp_range() })).collect())
}

/// The occurrences in the same file.
pub fn highlights(w: &Workspace, s: &Snapshot, path: &str, position: Position) -> Option<Vec<DocumentHighlight>> {
    let all = occurrences(w, s, path, position)?;
    let own = all.into_iter().filter(|o| o.path == path);
    let kind = |declares| if declares { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ };
    Some(own.map(|o| DocumentHighlight { range: o.lsp_range(), kind: Some(kind(o.declares)) }).collect())
}
