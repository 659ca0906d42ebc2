//! Validation of a layout file against a library: the payload types of both are declared alike, and the library has no
//! shader that the file does not list.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{InstData, Module, Opcode, PaqStage, SlotRole, Struct, TypeKind};
use rtc_passes::payload_layout::{self as layout, ShaderFacts};
use rtc_tables::diagnostics as codes;

use super::file::{File, Payload};
use super::{declared_at, types};
use crate::front_end::Front;

/// Facts about the shaders of one library that use a payload type.
pub fn shader_facts(m: &Module, s: Struct) -> ShaderFacts {
    let mut k = ShaderFacts { stages: PaqStage::Caller.bit(), hit_objects: false };
    for f in m.funcs.values() {
        let of_type = |ty| m.types.kind(ty) == TypeKind::Struct(s);
        if f.slots.values().any(|x| x.role == SlotRole::PayloadIn && of_type(x.ty)) {
            k.stages |= PaqStage::of_shader(f.stage).map_or(0, PaqStage::bit);
        }
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Slot { op: Opcode::hit_trace | Opcode::hit_invoke, slot, .. } = f.insts[i] {
                k.hit_objects |= of_type(f.slots[slot].ty);
            }
        });
    }
    k
}

/// The first difference of each payload type.
pub fn agree(file: &File, front: &Front) -> Vec<Diagnostic> {
    let m = &front.module;
    let mut out = Vec::new();
    for s in types(m) {
        let name = &m.structs[s].name;
        let Some(p) = file.payloads.iter().find(|p| p.name.0 == *name) else { continue };
        let here = declared_at(front, name);
        let comparison = Comparison { name, here, file: p };
        out.extend(declaration(m, s, &comparison).or_else(|| shaders(m, s, &comparison)));
    }
    out
}

struct Comparison<'a> {
    name: &'a str,
    here: Span,
    file: &'a Payload,
}

impl Comparison<'_> {
    fn differs(&self, at: Span, why: String) -> Diagnostic {
        let message = format!("the payload `{}` does not match the layout file: {why}", self.name);
        Diagnostic::new(&codes::E0721, self.here, message)
            .label(at, "in the layout file")
            .note("regenerate the layout from all libraries (rtc paq FILES -layout=FILE), and compile all of them with it")
    }
}

fn declaration(m: &Module, s: Struct, comparison: &Comparison) -> Option<Diagnostic> {
    let p = comparison.file;
    let plan = match layout::plan(m, s, p.facts) {
        Ok(plan) => plan,
        Err(why) => return Some(comparison.differs(p.name.1, format!("{why}"))),
    };
    let list = |set: u8| PaqStage::list(set, ", ");
    for (n, f) in plan.fields.iter().enumerate() {
        let Some(x) = p.fields.get(n) else {
            return Some(comparison.differs(p.name.1, format!("`{} {}` is not in the file", f.hlsl, f.name)));
        };
        if (&f.name, &f.hlsl) != (&x.name, &x.ty) {
            return Some(
                comparison.differs(x.span, format!("`{} {}` is declared where the file has `{} {}`", f.hlsl, f.name, x.ty, x.name)),
            );
        }
        for (what, here, there) in [("read", f.paq.read, x.paq.read), ("write", f.paq.write, x.paq.write)] {
            if here != there {
                let why = format!("`{}` has {what}({}) where the file has {what}({})", f.name, list(here), list(there));
                return Some(comparison.differs(x.span, why));
            }
        }
        if f.bits != x.bits {
            return Some(comparison.differs(x.span, format!("`{}` has {} bits where the file has {}", f.name, f.bits, x.bits)));
        }
        let whole = |at: u32| f.pieces.iter().all(|p| (at + p.at).is_multiple_of(bits(m, p.scalar)));
        if x.at.is_some_and(|at| !whole(at)) {
            return Some(comparison.differs(x.span, format!("`{}` cannot start there: a number must not cross a word", f.name)));
        }
    }
    if let Some(x) = p.fields.get(plan.fields.len()) {
        return Some(comparison.differs(x.span, format!("`{} {}` of the file is not declared", x.ty, x.name)));
    }
    let declared = layout::declared(m, s).bytes;
    (declared != p.declared)
        .then(|| comparison.differs(p.name.1, format!("it has {declared} bytes as declared where the file has {}", p.declared)))
}

/// The alignment of a number in bits.
fn bits(m: &Module, s: rtc_ir::Scalar) -> u32 {
    layout::piece_bits(m, s).min(32)
}

fn shaders(m: &Module, s: Struct, comparison: &Comparison) -> Option<Diagnostic> {
    let (here, p) = (shader_facts(m, s), comparison.file);
    let more = here.stages & !(p.facts.stages | PaqStage::Caller.bit());
    if more != 0 {
        let why = format!("this library has {} shaders with it, which the file does not list", PaqStage::list(more, " and "));
        return Some(comparison.differs(p.name.1, why));
    }
    (here.hit_objects && !p.facts.hit_objects)
        .then(|| comparison.differs(p.name.1, "this library uses it with hit objects, which the file excludes".into()))
}
