//! The layout file format: for each payload type that libraries share, its declaration and the offset of each field. It is TOML,
//! deterministic, and meant to be read and compared by people.

use std::fmt::Write as _;

use rtc_base::Span;
use rtc_ir::{Paq, PaqStage};
use rtc_passes::payload_layout::{Plan, ShaderFacts, Shared};

/// The format that this code writes; others are refused.
pub const VERSION: u32 = 1;

/// A layout file.
#[derive(Clone, Default, Debug)]
pub struct File {
    /// The payload types.
    pub payloads: Vec<Payload>,
}

/// A payload type. Spans are those of the file.
#[derive(Clone, Debug)]
pub struct Payload {
    /// Its name with its span.
    pub name: (String, Span),
    /// Bytes as declared.
    pub declared: u32,
    /// Bytes packed.
    pub packed: u32,
    /// The facts about its shaders from which the layout was made.
    pub facts: ShaderFacts,
    /// Its fields in the order of the declaration.
    pub fields: Vec<Field>,
}

/// A field.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its span in the file.
    pub span: Span,
    /// Its name from the payload on.
    pub name: String,
    /// Its type as HLSL spells it.
    pub ty: String,
    /// Its qualifiers.
    pub paq: Paq,
    /// How many bits it has.
    pub bits: u32,
    /// Its first bit; none: it has no storage.
    pub at: Option<u32>,
}

impl Payload {
    /// From a plan.
    pub fn of(name: &str, declared: u32, plan: &Plan, facts: ShaderFacts) -> Payload {
        let fields = plan.fields.iter().map(|f| Field {
            span: Span::NONE,
            name: f.name.clone(),
            ty: f.hlsl.clone(),
            paq: f.paq,
            bits: f.bits,
            at: f.at,
        });
        Payload { name: (name.into(), Span::NONE), declared, packed: plan.bytes, facts, fields: fields.collect() }
    }

    /// The layout in the form that the pass `pack_payload` uses.
    pub fn shared(&self) -> Shared {
        Shared { name: self.name.0.clone(), facts: self.facts, at: self.fields.iter().map(|f| f.at).collect(), bytes: self.packed }
    }
}

/// The stages of a set, as a list of strings.
fn stages(set: u8) -> String {
    let names = PaqStage::list(set, " ");
    let quoted: Vec<String> = names.split(' ').filter(|n| !n.is_empty()).map(quote).collect();
    format!("[{}]", quoted.join(", "))
}

/// A basic string of TOML.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => _ = write!(out, "\\u{:04X}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The text of the file.
pub fn text(f: &File) -> String {
    let mut out = String::from(
        "# The layout of payloads that several libraries share, made by `rtc paq -layout`. Every library of the pipeline is compiled\n\
         # with -payload-layout-file=THIS, which compares it with the library's declarations. `at` and `bits` count bits of the packed payload.\n",
    );
    _ = writeln!(out, "version = {VERSION}");
    for p in &f.payloads {
        _ = write!(
            out,
            "\n[[payload]]\nname = {}\ndeclared = {} # bytes\npacked = {} # bytes\nstages = {} # that have shaders with it\nhit_objects = {} # trace with it\nfields = [\n",
            quote(&p.name.0),
            p.declared,
            p.packed,
            stages(p.facts.stages),
            p.facts.hit_objects,
        );
        for f in &p.fields {
            let at = f.at.map_or(String::new(), |at| format!(", at = {at}"));
            _ = writeln!(
                out,
                "    {{ name = {}, type = {}, read = {}, write = {}, bits = {}{at} }},",
                quote(&f.name),
                quote(&f.ty),
                stages(f.paq.read),
                stages(f.paq.write),
                f.bits,
            );
        }
        out.push_str("]\n");
    }
    out
}
