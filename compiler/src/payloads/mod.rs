//! Payload layouts across libraries: the layout file that they share (format and writer: [`file`], reader: [`read`], validation against the
//! declarations: [`agree`]), those of a library that is all that there is ([`whole`]), and the payload types that a package records.

pub(crate) mod agree;
pub(crate) mod file;
mod read;
pub(crate) mod whole;

use rtc_base::{Diagnostic, SourceMap, Span};
use rtc_ir::{Module, SlotRole, Struct, TypeKind};
use rtc_package::{PayloadField, PayloadType, PayloadUse, Payloads};
use rtc_passes::payload_layout::{self as layout, Plan, ShaderFacts, Shared, Unpacked};
use rtc_tables::diagnostics as codes;

use crate::front_end::Front;
use crate::options::{Options, PayloadLayout, Target};

/// How payloads are laid out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Packing {
    /// As declared.
    Declared,
    /// Packed, as follows from the declaration.
    Own,
    /// As the layout file says.
    Shared(Vec<Shared>),
    /// Packed by all that the library does: these types, once it is known.
    Whole(Vec<(Struct, Plan)>),
}

impl Packing {
    /// The packed layout of a payload type; `Err`: it keeps the declared one, because it is not packed for this reason,
    /// or (`None`) because packing is not enabled for it.
    fn plan(&self, m: &Module, s: Struct) -> Result<Plan, Option<Unpacked>> {
        match self {
            Packing::Declared => Err(None),
            Packing::Own => layout::plan(m, s, ShaderFacts::default()).map_err(Some),
            Packing::Shared(all) => match all.iter().find(|l| l.name == m.structs[s].name) {
                Some(l) => layout::take_shared(m, s, l).map_err(Some),
                None => Err(None),
            },
            Packing::Whole(all) => all.iter().find(|p| p.0 == s).map(|p| p.1.clone()).ok_or(None),
        }
    }
}

/// The layout that the options request. A layout file is read and validated against the declarations; `None` after an error.
pub(crate) fn packing(o: &Options, front: &Front, sources: &mut SourceMap, out: &mut Vec<Diagnostic>) -> Option<Packing> {
    if !matches!(o.target, Target::Spirv | Target::Package | Target::Ir) {
        return Some(Packing::Declared);
    }
    match &o.payload_layout {
        PayloadLayout::Declared => Some(Packing::Declared),
        PayloadLayout::Packed => Some(Packing::Own),
        PayloadLayout::Whole => Some(Packing::Whole(Vec::new())),
        PayloadLayout::File { name, text } => {
            let file = read::read(name, text, sources).map_err(|e| out.push(*e)).ok()?;
            let errors = agree::agree(&file, front);
            let good = errors.is_empty();
            out.extend(errors);
            good.then(|| Packing::Shared(file.payloads.iter().map(file::Payload::shared).collect()))
        }
    }
}

/// Payload types of slots without duplicates, in the order of the slots.
pub(crate) fn types(m: &Module) -> Vec<Struct> {
    let mut out: Vec<Struct> = Vec::new();
    for slot in m.funcs.values().flat_map(|f| f.slots.values()) {
        if let (SlotRole::PayloadIn | SlotRole::PayloadOut, TypeKind::Struct(s)) = (slot.role, m.types.kind(slot.ty))
            && !out.contains(&s)
        {
            out.push(s);
        }
    }
    out
}

/// Warnings about payloads that are to be packed and cannot be.
pub(crate) fn unpacked(packing: &Packing, front: &Front) -> Vec<Diagnostic> {
    let m = &front.module;
    let mut out = Vec::new();
    for s in types(m) {
        let why = match packing.plan(m, s) {
            Err(Some(why)) => why.to_string(),
            Err(None) if matches!(packing, Packing::Shared(_)) => "the layout file does not have it".into(),
            _ => continue,
        };
        let name = &m.structs[s].name;
        out.push(keeps(name, declared_at(front, name), &why));
    }
    out
}

/// The warning that a payload keeps its declared layout.
pub(crate) fn keeps(name: &str, declared: Span, why: &str) -> Diagnostic {
    Diagnostic::new(&codes::W0722, declared, format!("the payload `{name}` keeps its declared layout: {why}"))
}

/// Where the structure with this name is declared.
pub(crate) fn declared_at(front: &Front, name: &str) -> Span {
    let mut records = front.hir.types.records.values();
    records.find(|r| !r.builtin && r.qualified == name).map_or(Span::NONE, |r| r.span)
}

/// The payload types of a module before packing, and their uses by the names of entry points.
#[derive(Clone, Default)]
pub(crate) struct Recorded {
    types: Vec<PayloadType>,
    uses: Vec<(String, u32, bool)>,
}

/// Collects the payload types for a package. `m` must be inlined, so that each entry point has its own traces.
pub(crate) fn record(m: &Module, packing: &Packing) -> Recorded {
    let mut out = Recorded { types: Vec::new(), uses: Vec::new() };
    let mut known: Vec<Struct> = Vec::new();
    for f in m.funcs.values().filter(|f| f.is_entry()) {
        for slot in f.slots.values() {
            let traces = match slot.role {
                SlotRole::PayloadIn => false,
                SlotRole::PayloadOut => true,
                _ => continue,
            };
            let TypeKind::Struct(s) = m.types.kind(slot.ty) else { continue };
            let n = known.iter().position(|&k| k == s).unwrap_or_else(|| {
                known.push(s);
                out.types.push(payload_type(m, s, packing));
                known.len() - 1
            });
            let used = (f.name.clone(), n as u32, traces);
            if !out.uses.contains(&used) {
                out.uses.push(used);
            }
        }
    }
    out
}

fn payload_type(m: &Module, s: Struct, packing: &Packing) -> PayloadType {
    let (plan, packed) = match packing.plan(m, s) {
        Ok(plan) => (plan, true),
        Err(_) => (layout::declared(m, s), false),
    };
    let fields = plan.fields.into_iter().map(|f| PayloadField {
        name: f.name,
        ty: f.hlsl,
        offset: f.at,
        bits: f.bits,
        read: f.paq.read,
        write: f.paq.write,
        alive: f.alive,
    });
    PayloadType {
        name: m.structs[s].name.clone(),
        declared_size: layout::declared(m, s).bytes,
        size: plan.bytes,
        packed,
        fields: fields.collect(),
    }
}

impl Recorded {
    /// The form for a package with these entry points.
    pub fn finish(self, entries: &[rtc_package::EntryPoint]) -> Payloads {
        let uses = self.uses.into_iter().filter_map(|(name, payload, traces)| {
            let entry = entries.iter().position(|e| e.export == name)?;
            Some(PayloadUse { entry: entry as u32, payload, traces })
        });
        Payloads { uses: uses.collect(), types: self.types }
    }
}
