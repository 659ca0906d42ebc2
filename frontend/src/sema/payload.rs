//! Payload structures: the attribute `[raypayload]` and the access qualifiers of their fields (DXR specification, "Payload
//! access qualifiers").
//!
//! Every field of a payload has one `read(…)` and one `write(…)`, except fields whose type is a payload: the qualifiers of its
//! fields apply. Two rules about the order of stages ensure that every read follows a write and every write is read.
//! Other errors are reported even where qualifiers are off. A field without qualifiers is an error where its structure is used as a payload.
//!
//! Decisions where the specification is silent: a base counts as a nested payload, so it must be one; in an array of payloads, and in
//! a structure that has payloads somewhere inside, a qualifier on the member applies to all of it (with a warning), as in the reference
//! compiler, and an array of payloads without qualifiers has those of its elements.

use rtc_base::similar::nearest;
use rtc_base::{Diagnostic, Span};
use rtc_ir::PaqStage;
use rtc_tables::attributes::AttributeId;
use rtc_tables::payload_access::{minimal_readers, minimal_writers};
use rustc_hash::FxHashSet;

use super::context::{Sema, Use};
use super::errors::{payload as err, types as err_types};
use crate::hir::{Field, Paq, PaqStages, RecordId, Ty, TyKind, Types};
use crate::syntax::ast::{self, Annotation, AnnotationKind};

/// The limit of members of a structure, including nested structures. Arrays count once.
const MAX_MEMBERS: u32 = 1 << 16;

/// A stage that a qualifier names, with its span.
type Named = (PaqStage, Span);

impl Sema<'_> {
    /// Whether this is `[raypayload]`; like other attributes in any case of letters.
    pub fn is_raypayload(&self, a: &ast::Attr) -> bool {
        self.attribute_id(a) == Some(AttributeId::RayPayload)
    }

    /// Reads `[raypayload]` from a declaration of a structure.
    pub fn payload_attribute(&mut self, record: RecordId, attrs: ast::List<ast::Attr>) {
        let all = self.ast.list(attrs).to_vec();
        let Some(a) = all.iter().find(|a| self.is_raypayload(a)) else {
            return;
        };
        if a.parens {
            self.report(err::misplaced_attribute(a.span, "takes no arguments"));
        }
        if self.records[record].complete && !self.m.types.records[record].raypayload {
            self.report(err::misplaced_attribute(a.span, "comes after the definition of the structure, where it belongs"));
        }
        self.m.types.records[record].raypayload = true;
    }

    /// Reads the qualifiers of a field, and checks them.
    pub fn payload_field(&mut self, record: RecordId, field: &mut Field, notes: ast::List<Annotation>) {
        let (mut read, mut write) = (Vec::new(), Vec::new());
        // After an error in the lists the rules about their order are not checked.
        let mut unknown = false;
        for a in self.ast.list(notes).to_vec() {
            let AnnotationKind::Access { write: writes, stages } = a.kind else { continue };
            let named = self.paq_stages(stages);
            unknown |= self.ast.list(stages).iter().any(|s| PaqStage::from_name(self.str(s.sym)).is_none());
            let set = named.iter().fold(0, |set, s| set | s.0.bit());
            let paq = field.paq.get_or_insert_with(Paq::default);
            let (slot, at, list, word) = if writes {
                (&mut paq.write, &mut field.paq_at.write, &mut write, "write")
            } else {
                (&mut paq.read, &mut field.paq_at.read, &mut read, "read")
            };
            if slot.is_some() {
                let first = *at;
                self.report(err::doubled_qualifier(a.span, word, first));
                continue;
            }
            *slot = Some(PaqStages(set));
            (*at, *list) = (a.span, named);
        }
        let payload = self.m.types.records[record].raypayload;
        if field.ty == Ty::ERROR || !payload && field.paq.is_none() {
            return;
        }
        let name = match self.str(field.name) {
            "" => "(anonymous structure)",
            name => name,
        };
        let (name, ty) = (name.to_string(), self.m.types.records[record].qualified.clone());
        if !payload {
            let (at, plain) = self.declared_name(record);
            return self.report(err::outside_payload(field.span, &name, &ty, at, &plain));
        }
        let nested = self.m.types.nested_payload(field.ty);
        if self.m.types.has_objects(field.ty) {
            // Reported at the declaration of the nested payload.
            if nested.is_none() {
                let text = self.show(field.ty);
                self.report(err::object(field.span, &name, &text, &ty));
            }
            return;
        }
        match (nested, field.paq) {
            (Some(q), Some(_)) if self.m.types.as_record(field.ty) == Some(q) => {
                let inner = &self.m.types.records[q];
                let (text, at) = (inner.qualified.clone(), inner.span);
                self.report(err::qualified_payload_field(field.span, &name, &text, at));
            }
            (Some(_), None) => {}
            (None, None) => {
                if self.opts.payload_qualifiers_on() {
                    let end = after_declarator(field.paq_at.declarator);
                    let d = self.traced(err::unqualified_field(field.span, &name, &ty, end));
                    self.stages.unqualified(record, d);
                }
            }
            (_, Some(paq)) => {
                if let Some(q) = nested.or_else(|| self.m.types.payload_inside(field.ty)) {
                    let inner = &self.m.types.records[q];
                    let (text, at) = (inner.qualified.clone(), inner.span);
                    self.report(err::covered(field.span, &name, &text, at));
                }
                if self.opts.payload_qualifiers_on() && !unknown {
                    self.check_qualifiers(field, paq, &read, &write);
                }
            }
        }
    }

    /// The stages of a qualifier.
    fn paq_stages(&mut self, stages: ast::List<ast::Name>) -> Vec<Named> {
        let mut out: Vec<Named> = Vec::new();
        for s in self.ast.list(stages).to_vec() {
            let text = self.str(s.sym).to_string();
            let Some(stage) = PaqStage::from_name(&text) else {
                let low = text.to_ascii_lowercase();
                let near = match PaqStage::from_name(&low) {
                    Some(_) => Some(low),
                    None => nearest(&low, PaqStage::ALL.map(PaqStage::name)),
                };
                self.report(err::unknown_stage(s.span, &text, near));
                continue;
            };
            match out.iter().find(|n| n.0 == stage) {
                Some(&(_, first)) => self.report(err::doubled_stage(s.span, &text, first)),
                None => out.push((stage, s.span)),
            }
        }
        out
    }

    /// Checks that both qualifiers are present and their stages are in a valid order.
    fn check_qualifiers(&mut self, field: &Field, paq: Paq, read: &[Named], write: &[Named]) {
        let name = self.str(field.name).to_string();
        let at = field.paq_at;
        let (r, w) = match (paq.read, paq.write) {
            (Some(r), Some(w)) => (r.0, w.0),
            (Some(PaqStages(0)), None) => {
                let both = format!("{} : write()", self.sources.snippet(at.read));
                return self.report(err::unused_field(field.span, &name, at.read, both));
            }
            (Some(r), None) => {
                let add = stages("write", minimal_writers(r.0));
                let both = format!("{} : {add}", self.sources.snippet(at.read));
                return self.report(err::half_qualified(field.span, &name, "write", at.read, both));
            }
            (None, w) => {
                let add = stages("read", minimal_readers(w.unwrap_or_default().0));
                let both = format!("{add} : {}", self.sources.snippet(at.write));
                return self.report(err::unread_field(field.span, &name, at.write, both));
            }
        };
        let early: Vec<(Span, &str)> = read.iter().filter(|s| s.0.predecessors() & w == 0).map(|s| (s.1, s.0.name())).collect();
        if let Some(first) = read.iter().find(|s| s.0.predecessors() & w == 0) {
            let fixed = stages("write", w | minimal_writers(r));
            let d = err::never_written(&early, &name, &list(first.0.predecessors()), at.write, fixed);
            self.report(d);
        }
        let late: Vec<(Span, &str)> = write.iter().filter(|s| s.0.successors() & r == 0).map(|s| (s.1, s.0.name())).collect();
        if let Some(first) = write.iter().find(|s| s.0.successors() & r == 0) {
            let fixed = stages("read", r | minimal_readers(w));
            let d = err::never_read(&late, &name, &list(first.0.successors()), at.read, fixed);
            self.report(d);
        }
    }

    /// The checks of a complete structure.
    pub fn check_payload(&mut self, record: RecordId, bases: ast::List<ast::TypeId>) {
        let r = &self.m.types.records[record];
        if !r.raypayload {
            return;
        }
        let (ty, span) = (r.qualified.clone(), r.span);
        if !self.opts.payload_qualifiers_on() {
            // Compute shaders have no payloads, and SPIR-V has no qualifiers.
            let matters = matches!(self.opts.target, super::Target::Library) && !self.opts.spirv;
            if matters && self.m.types.records[record].fields.iter().any(|f| f.paq.is_some()) {
                let d = err::qualifiers_off(span, &ty, self.opts.shader_model);
                self.report(d);
            }
            return;
        }
        let Some(base) = r.base else { return };
        let b = &self.m.types.records[base];
        if b.raypayload || b.fields.is_empty() {
            return;
        }
        let (text, (at, plain)) = (b.qualified.clone(), self.declared_name(base));
        let spelled = self.ast.list(bases).first().map_or(span, |&t| self.ast.types[t].span);
        self.report(err::plain_base(spelled, &ty, &text, at, &plain));
    }

    /// Whether a structure of numbers can be a payload: for a shader's parameter or the argument of a trace.
    pub fn check_payload_use(&mut self, r: RecordId, span: Span) -> bool {
        let rec = &self.m.types.records[r];
        let (name, at) = (rec.qualified.clone(), rec.span);
        let ty = self.m.types.record(r);
        if self.m.types.leaf_count(ty) == 0 {
            self.report(err::empty(span, &name, at));
            return false;
        }
        self.m.types.records[r].used_as_payload |= !self.reports.is_muted();
        if self.opts.payload_qualifiers_on() && !self.reports.is_muted() {
            // Functions that no shader reaches may use what they like, as with the reference compiler.
            if self.in_function() {
                self.used(Use::Payload(r, span));
            } else {
                self.require_qualifiers(r, span);
            }
        }
        true
    }

    /// Reports a payload without the attribute or qualifiers that it needs, once for each structure.
    pub fn require_qualifiers(&mut self, r: RecordId, span: Span) {
        self.report_unqualified(r);
        let rec = &self.m.types.records[r];
        let (name, at) = (rec.qualified.clone(), rec.span);
        if !rec.raypayload && self.reports.is_first(("raypayload", at)) {
            let plain = self.declared_name(r).1;
            let d = err::not_raypayload(span, &name, at, &plain, self.opts.shader_model);
            self.report(d);
        }
    }

    /// Reports the fields without qualifiers of a structure that is used as a payload, and of those in it.
    fn report_unqualified(&mut self, record: RecordId) {
        let mut todo = vec![record];
        let mut seen = FxHashSet::default();
        while let Some(r) = todo.pop() {
            if !self.stages.has_unqualified() || !seen.insert(r) {
                continue;
            }
            self.stages.take_unqualified(r).into_iter().for_each(|d| self.report(d));
            let rec = &self.m.types.records[r];
            let inside = rec.fields.iter().filter_map(|f| self.m.types.nested_payload(f.ty));
            todo.extend(rec.base.into_iter().chain(inside));
        }
    }

    /// Limits the size of structures, so that they can be walked recursively: a member beyond the limits gets the error type.
    pub fn measure_field(&mut self, record: RecordId, field: &mut Field) {
        let (mut t, mut depth, mut members) = (field.ty, 1, 1u32);
        while let TyKind::Array(e, _) = self.kind(t) {
            (t, depth) = (e, depth + 1);
        }
        match self.kind(t) {
            TyKind::Record(q) => {
                depth += self.records[q].size.depth;
                members = members.saturating_add(self.records[q].size.members);
            }
            TyKind::Matrix { .. } => depth += 1,
            _ => {}
        }
        let size = &mut self.records[record].size;
        let (depth, members) = (size.depth.max(depth), size.members.saturating_add(members));
        if depth > rtc_ir::verify::MAX_TYPE_DEPTH || members > MAX_MEMBERS {
            field.ty = Ty::ERROR;
            // The enclosing structure is too large as well.
            if self.reports.is_first(("record size", Span::NONE)) {
                self.report(self.m.types.record_too_large(record, "member", field.span));
            }
            return;
        }
        (size.depth, size.members) = (depth, members);
    }

    /// The span and the text of a structure's name; empty if it has no name that a fix-it could repeat.
    fn declared_name(&self, r: RecordId) -> (Span, String) {
        let rec = &self.m.types.records[r];
        let text = self.str(rec.name);
        let same = !rec.builtin && self.sources.snippet(rec.span) == text;
        (rec.span, if same { text.to_string() } else { String::new() })
    }
}

impl Types {
    /// Reports a structure that is too large with the member at `span`.
    pub(crate) fn record_too_large(&self, record: RecordId, with: &str, span: Span) -> Diagnostic {
        let ty = &self.records[record].qualified;
        err_types::record_too_large(span, ty, with, rtc_ir::verify::MAX_TYPE_DEPTH, MAX_MEMBERS)
    }

    /// The payload structure that the type is, or is an array of.
    fn nested_payload(&self, t: Ty) -> Option<RecordId> {
        match self.kind(self.strip_arrays(t).0) {
            TyKind::Record(q) => self.records[q].raypayload.then_some(q),
            _ => None,
        }
    }

    /// A payload structure with qualifiers nested in a plain structure.
    fn payload_inside(&self, t: Ty) -> Option<RecordId> {
        match self.kind(self.strip_arrays(t).0) {
            TyKind::Record(q) if self.records[q].raypayload => Some(q),
            TyKind::Record(q) => self.records[q].fields.iter().find_map(|f| self.payload_inside(f.ty)),
            _ => None,
        }
    }
}

/// The position after a declarator, for insertions; [`Span::NONE`] in a macro.
fn after_declarator(declarator: Span) -> Span {
    if declarator.hi.is_expanded() { Span::NONE } else { Span::new(declarator.hi, declarator.hi) }
}

/// `read(caller, miss)`, in the order in which stages run.
fn stages(word: &str, set: u8) -> String {
    format!("{word}({})", PaqStage::list(set, ", "))
}

fn list(set: u8) -> String {
    PaqStage::list(set, ", ")
}
