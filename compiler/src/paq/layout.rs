//! Layout files: each payload type that several libraries declare alike, packed by the facts that hold if they are
//! the whole program: which stages have shaders with it, and whether it is used with hit objects.

use std::collections::BTreeMap;

use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_frontend::preprocess::{Includes, Pragmas};
use rtc_ir::Struct;
use rtc_passes::payload_layout::{self, ShaderFacts};
use rtc_tables::diagnostics as codes;

use crate::compilation::Compilation;
use crate::front_end::{Front, front};
use crate::options::{Options, PayloadLayout, Target};
use crate::payloads::file::{self, File, Payload};
use crate::payloads::{self, Packing, agree};
use crate::warnings;

/// A layout file and its diagnostics.
pub struct LayoutOutput {
    /// The compilations of the libraries, with what they reported.
    pub libraries: Vec<Compilation>,
    /// Diagnostics across libraries, without spans: the source maps differ, so the text has the source locations.
    pub diagnostics: Vec<Diagnostic>,
    /// The file; none after an error.
    pub text: Option<String>,
}

/// A payload type with all that uses it.
struct Type<'a> {
    front: &'a Front,
    ty: Struct,
    at: String,
    alone: Payload,
    facts: ShaderFacts,
    conflict: bool,
}

/// Compiles the libraries and lays their payloads out. Those without qualifiers keep the declared layout and are not in the file.
pub fn layout(sources: &[(String, Vec<u8>)], includes: &mut dyn Includes, o: &Options) -> LayoutOutput {
    let options = Options { target: Target::Spirv, payload_layout: PayloadLayout::Packed, ..o.clone() };
    let mut out = LayoutOutput { libraries: Vec::new(), diagnostics: Vec::new(), text: None };
    let mut fronts = Vec::new();
    for (name, bytes) in sources {
        let mut c = Compilation::default();
        let mut pragmas = Pragmas::default();
        let made = front(name, bytes, includes, &options, &mut c, &mut pragmas, false);
        if let Some(f) = &made {
            c.diagnostics.extend(payloads::unpacked(&Packing::Own, f));
        }
        let found = std::mem::take(&mut c.diagnostics);
        c.diagnostics = warnings::apply(found, &o.warnings, &pragmas, &c.sources);
        fronts.push(made);
        out.libraries.push(c);
    }
    if out.libraries.iter().any(Compilation::failed) {
        return out;
    }
    let mut types: BTreeMap<String, Type> = BTreeMap::new();
    for (f, c) in fronts.iter().zip(&out.libraries) {
        let Some(f) = f else { continue };
        add(f, &c.sources, &mut types, &mut out.diagnostics);
    }
    if out.diagnostics.iter().any(Diagnostic::is_error) {
        return out;
    }
    let mut all = File::default();
    for (name, t) in &types {
        let m = &t.front.module;
        // It was planned before.
        let Ok(plan) = payload_layout::plan(m, t.ty, t.facts) else { continue };
        all.payloads.push(Payload::of(name, payload_layout::declared(m, t.ty).bytes, &plan, t.facts));
    }
    out.text = Some(file::text(&all));
    out
}

/// Adds the payload types of a library.
fn add<'a>(f: &'a Front, sources: &SourceMap, types: &mut BTreeMap<String, Type<'a>>, out: &mut Vec<Diagnostic>) {
    let m = &f.module;
    for ty in payloads::types(m) {
        let Ok(plan) = payload_layout::plan(m, ty, ShaderFacts::default()) else { continue };
        let name = &m.structs[ty].name;
        let facts = agree::shader_facts(m, ty);
        let alone = Payload::of(name, payload_layout::declared(m, ty).bytes, &plan, facts);
        let at = sources.loc(payloads::declared_at(f, name)).map_or_else(String::new, |l| format!("{}:{}:{}", l.file, l.line, l.column));
        let Some(t) = types.get_mut(name) else {
            types.insert(name.clone(), Type { front: f, ty, at, alone, facts, conflict: false });
            continue;
        };
        t.facts.stages |= facts.stages;
        t.facts.hit_objects |= facts.hit_objects;
        if t.conflict || (&t.alone.fields, t.alone.declared) == (&alone.fields, alone.declared) {
            continue;
        }
        t.conflict = true;
        let both = || t.alone.fields.iter().zip(&alone.fields);
        let members = t.alone.fields.len() != alone.fields.len() || both().any(|(a, b)| (&a.name, &a.ty) != (&b.name, &b.ty));
        let what = if members { "members" } else { "access qualifiers, or number formats," };
        let message = format!("the payload `{name}` has other {what} at {at} than at {}", t.at);
        let mut d = Diagnostic::new(&codes::E0712, Span::NONE, message);
        if let Some((a, b)) = both().find(|(a, b)| a != b) {
            d = d.note(format!("`{} {}` at {}, `{} {}` at {at}", a.ty, a.name, t.at, b.ty, b.name));
        }
        out.push(d.note("a layout is shared by libraries that declare the payload alike"));
    }
}
