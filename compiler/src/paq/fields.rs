//! Which declarations the fields of payload types are, in all libraries: members of bases and of nested payloads are one field
//! wherever they occur, instances of a template share the template's members, and structures of one name in several
//! libraries are one type, which must then have the same members.

use std::collections::HashMap;

use rtc_base::source::Pos;
use rtc_base::{SourceMap, Span};
use rtc_frontend::hir::{self, RecordId};
use rtc_ir::{Module, Struct, Type, TypeKind};

use super::solve::FieldId;
use crate::front_end::Front;

/// A range of a source file that can be rewritten.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SourceRange {
    /// The file's path, without `.` and `..`.
    pub file: String,
    /// The first byte.
    pub start: usize,
    /// One past the end.
    pub end: usize,
}

/// One declaration of a field in a source. The same field can be declared in several files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name.
    pub name: SourceRange,
    /// `read(…)`, if it is written.
    pub read: Option<SourceRange>,
    /// `write(…)`
    pub write: Option<SourceRange>,
    /// After the declarator.
    pub end: Option<SourceRange>,
    /// A macro made it, or part of it.
    pub in_macro: bool,
    /// Its qualifiers as written.
    pub paq: Option<hir::Paq>,
    /// `file:line:column`
    pub at: String,
}

/// A field with all its declarations.
#[derive(Clone, Debug, Default)]
pub struct FieldInfo {
    /// The structure that declares it and its name there: `Payload::color`.
    pub name: String,
    /// Where it is declared.
    pub declared: Vec<Declared>,
    /// The names of other bit-fields of the same number, which share its qualifiers.
    pub neighbours: Vec<String>,
}

/// Where a structure is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLocation {
    /// Its name as people read it.
    pub name: String,
    /// Its name in the source, before which `[raypayload]` belongs; `None` in a macro.
    pub place: Option<SourceRange>,
    /// The declaration has no name; that of an alias comes after it.
    pub nameless: bool,
    /// Declared `[raypayload]`.
    pub raypayload: bool,
    /// `file:line:column`
    pub at: String,
}

/// All fields.
#[derive(Default)]
pub struct Fields {
    /// Each by its number; those that were found to be others are empty.
    pub all: Vec<FieldInfo>,
    /// Which field a number stands for.
    same: Vec<FieldId>,
    names: HashMap<String, FieldId>,
    places: HashMap<SourceRange, FieldId>,
}

impl Fields {
    /// The number that stands for a field.
    pub fn find(&self, mut f: FieldId) -> FieldId {
        while self.same[f] != f {
            f = self.same[f];
        }
        f
    }

    fn unite(&mut self, a: FieldId, b: FieldId) -> FieldId {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        let (keep, gone) = (a.min(b), a.max(b));
        self.same[gone] = keep;
        let gone = std::mem::take(&mut self.all[gone]);
        for d in gone.declared {
            self.declare(keep, d);
        }
        keep
    }

    fn declare(&mut self, f: FieldId, d: Declared) {
        let list = &mut self.all[f].declared;
        if !list.contains(&d) {
            list.push(d);
        }
    }

    /// The field that this declaration is.
    fn field(&mut self, name: String, d: Declared) -> FieldId {
        let by_place = (!d.in_macro).then(|| self.places.get(&d.name).copied()).flatten();
        let known = match (self.names.get(&name).copied(), by_place) {
            (Some(a), Some(b)) => Some(self.unite(a, b)),
            (a, b) => a.or(b),
        };
        let f = known.unwrap_or_else(|| {
            self.all.push(FieldInfo { name: name.clone(), ..FieldInfo::default() });
            self.same.push(self.all.len() - 1);
            self.all.len() - 1
        });
        let f = self.find(f);
        self.names.insert(name, f);
        if !d.in_macro {
            self.places.insert(d.name.clone(), f);
        }
        self.declare(f, d);
        f
    }
}

/// Looks types of one library up.
pub struct Library<'a> {
    /// What the front end made.
    pub front: &'a Front,
    /// Its sources.
    pub sources: &'a SourceMap,
    records: HashMap<String, RecordId>,
    /// Where macros are used, by positions, in order and apart.
    macros: Vec<(Pos, Pos)>,
}

impl<'a> Library<'a> {
    /// The library.
    pub fn new(front: &'a Front, sources: &'a SourceMap) -> Self {
        let records = front.hir.types.records.iter().filter(|(_, r)| !r.builtin);
        // Of several the first has the name without a number, as in the IR.
        let mut by_name = HashMap::new();
        for (id, r) in records {
            by_name.entry(r.qualified.clone()).or_insert(id);
        }
        let mut uses: Vec<(Pos, Pos)> =
            sources.macro_uses().filter(|s| !s.lo.is_expanded() && !s.hi.is_expanded()).map(|s| (s.lo, s.hi)).collect();
        uses.sort_unstable();
        let mut macros: Vec<(Pos, Pos)> = Vec::new();
        for (lo, hi) in uses {
            match macros.last_mut() {
                Some(last) if lo < last.1 => last.1 = last.1.max(hi),
                _ => macros.push((lo, hi)),
            }
        }
        Library { front, sources, records: by_name, macros }
    }

    fn module(&self) -> &Module {
        &self.front.module
    }

    /// The record that the structure was made of.
    pub fn record(&self, s: Struct) -> Option<RecordId> {
        self.records.get(&self.module().structs[s].name).copied()
    }

    /// Where a record is declared.
    pub fn record_location(&self, r: RecordId) -> RecordLocation {
        let rec = &self.front.hir.types.records[r];
        let text = self.sources.snippet(rec.span);
        // Instances are declared by their template.
        let named = !text.is_empty() && (text == self.front.names.str(rec.name) || rec.qualified.contains(&format!("{text}<")));
        // Its place is its keyword then.
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        let keyword = |word| text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(goes_on));
        RecordLocation {
            name: rec.qualified.clone(),
            nameless: keyword("struct") || keyword("class"),
            place: self.place(rec.span).filter(|_| named),
            raypayload: rec.raypayload,
            at: self.at(rec.span),
        }
    }

    /// `file:line:column`
    pub fn at(&self, span: Span) -> String {
        self.sources.loc(span).map_or_else(String::new, |l| format!("{}:{}:{}", l.file, l.line, l.column))
    }

    fn place(&self, span: Span) -> Option<SourceRange> {
        if span.is_none() || span.lo.is_expanded() || span.hi.is_expanded() {
            return None;
        }
        // An argument of a macro has a location in the source, but its expansion belongs to the macro.
        let next = self.macros.partition_point(|m| m.1 <= span.lo);
        if self.macros.get(next).is_some_and(|m| m.0 < span.hi || m.0 < span.lo) {
            return None;
        }
        let (file, range) = self.sources.range(span)?;
        let file = plain(&self.sources.file(file).name);
        Some(SourceRange { file, start: range.start, end: range.end })
    }

    fn layout_base(&self, r: RecordId) -> Option<RecordId> {
        self.front.hir.types.layout_base(r)
    }

    /// The numbers of the record's fields of each field of the structure; none for the base.
    fn members(&self, s: Struct, r: RecordId) -> Vec<Vec<usize>> {
        let fields = &self.module().structs[s].fields;
        let mut out: Vec<Vec<usize>> = Vec::with_capacity(fields.len());
        let base = self.layout_base(r);
        out.extend(base.map(|_| Vec::new()));
        let inherited = base.map_or(0, |b| self.front.hir.types.records[b].fields.len());
        for (n, f) in self.front.hir.types.records[r].fields.iter().enumerate().skip(inherited) {
            let next = fields.get(out.len()).is_some_and(|next| next.name == self.front.names.str(f.name));
            match out.last_mut() {
                // A bit-field of the number before.
                Some(last) if !next => last.push(n),
                _ => out.push(vec![n]),
            }
        }
        out
    }

    /// The fields that the member with this path in the structure stands for: one, or all of the payloads in an array.
    pub fn fields_at(&self, s: Struct, path: &[u32], fields: &mut Fields, records: &mut Vec<RecordId>) -> Option<Vec<FieldId>> {
        let r = self.record(s)?;
        self.note_record(r, records);
        let (&first, rest) = path.split_first()?;
        let inner = self.module().structs[s].fields.first().map(|f| self.module().types.kind(f.ty));
        if let (0, Some(_), Some(TypeKind::Struct(base))) = (first, self.layout_base(r), inner) {
            return self.fields_at(base, rest, fields, records);
        }
        let members = self.members(s, r).get(first as usize)?.clone();
        let ty = self.module().structs[s].fields[first as usize].ty;
        if !rest.is_empty() {
            // Elements of an array of payloads have the fields of these.
            let (mut inner, mut rest) = (ty, rest);
            while let TypeKind::Array(e, _) = self.module().types.kind(inner) {
                (inner, rest) = (e, rest.get(1..)?);
            }
            let TypeKind::Struct(inner) = self.module().types.kind(inner) else { return None };
            return self.fields_at(inner, rest, fields, records);
        }
        let f = &self.front.hir.types.records[r].fields[*members.first()?];
        if f.paq.is_none()
            && let Some(inner) = self.payload_elements(ty)
        {
            let n = self.module().structs[inner].fields.len() as u32;
            let mut all = Vec::new();
            for i in 0..n {
                all.extend(self.fields_at(inner, &[i], fields, records)?);
            }
            return Some(all);
        }
        let mut ids: Vec<FieldId> = members.iter().map(|&m| self.declared(r, m, fields)).collect();
        // Bit-fields of one number are written together: a stage that writes one keeps the others.
        let neighbours: Vec<String> =
            members[1..].iter().map(|&m| self.front.names.str(self.front.hir.types.records[r].fields[m].name).to_owned()).collect();
        while let [a, b, ..] = ids[..] {
            ids.drain(..2);
            ids.insert(0, fields.unite(a, b));
        }
        if !neighbours.is_empty() {
            fields.all[ids[0]].neighbours = neighbours;
        }
        Some(ids)
    }

    /// The record of this name, if it is used as a payload.
    pub fn used_as_payload(&self, name: &str) -> Option<RecordId> {
        self.records.get(name).copied().filter(|&r| self.front.hir.types.records[r].used_as_payload)
    }

    /// Notes the declarations of a payload of other libraries that only functions without a caller use as one here, if its members are those fields.
    pub fn declare_unused(&self, r: RecordId, fields: &mut Fields, records: &mut Vec<RecordId>) {
        let types = &self.front.hir.types;
        let all = 0..types.records[r].fields.len();
        if !all.clone().all(|n| fields.names.contains_key(&self.field_name(r, n).1) || self.inner_payload(r, n).is_some()) {
            return;
        }
        self.note_record(r, records);
        for n in all {
            match self.inner_payload(r, n) {
                Some(inner) if !records.contains(&inner) => self.declare_unused(inner, fields, records),
                Some(_) => {}
                None => _ = self.declared(r, n, fields),
            }
        }
    }

    /// The payload that member `n` of the record is, or holds as elements.
    fn inner_payload(&self, r: RecordId, n: usize) -> Option<RecordId> {
        let types = &self.front.hir.types;
        match types.kind(types.strip_arrays(types.records[r].fields[n].ty).0) {
            hir::TyKind::Record(inner) if types.records[inner].raypayload || types.records[inner].used_as_payload => Some(inner),
            _ => None,
        }
    }

    /// The record that declares member `n` of `r`, and the name of the field that it is.
    fn field_name(&self, mut r: RecordId, n: usize) -> (RecordId, String) {
        let types = &self.front.hir.types;
        while let Some(b) = types.records[r].base.filter(|&b| n < types.records[b].fields.len()) {
            r = b;
        }
        let rec = &types.records[r];
        (r, format!("{}::{}", rec.qualified, self.front.names.str(rec.fields[n].name)))
    }

    /// Notes that a record is a payload, with its bases.
    fn note_record(&self, r: RecordId, records: &mut Vec<RecordId>) {
        let mut at = Some(r);
        while let Some(r) = at {
            let rec = &self.front.hir.types.records[r];
            if !records.contains(&r) && !rec.fields.is_empty() {
                records.push(r);
            }
            at = rec.base;
        }
    }

    /// The payload that a member of type `t` is, or holds as elements.
    fn payload_elements(&self, mut t: Type) -> Option<Struct> {
        let m = self.module();
        while let TypeKind::Array(e, _) = m.types.kind(t) {
            t = e;
        }
        match m.types.kind(t) {
            TypeKind::Struct(s) if m.structs[s].raypayload => Some(s),
            _ => None,
        }
    }

    /// The field that member `n` of the record is.
    fn declared(&self, r: RecordId, n: usize, fields: &mut Fields) -> FieldId {
        let (r, name) = self.field_name(r, n);
        let f = &self.front.hir.types.records[r].fields[n];
        let at = f.paq_at;
        let place = |span: Span| self.place(span);
        let end = Span::new(at.declarator.hi, at.declarator.hi);
        let expanded = |s: Span| !s.is_none() && place(s).is_none();
        let d = Declared {
            name: place(f.span).unwrap_or_else(|| SourceRange { file: String::new(), start: 0, end: 0 }),
            read: place(at.read),
            write: place(at.write),
            end: place(end),
            in_macro: place(f.span).is_none() || expanded(at.read) || expanded(at.write) || place(end).is_none(),
            paq: f.paq,
            at: self.at(f.span),
        };
        fields.field(name, d)
    }
}

/// The path without `.` and, as far as it goes, `..`.
pub fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for p in path.split('/') {
        match p {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|&l| l != ".." && !l.is_empty()) => _ = parts.pop(),
            _ => parts.push(p),
        }
    }
    parts.join("/")
}
