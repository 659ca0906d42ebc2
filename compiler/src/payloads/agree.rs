//! Whether a layout file is that of a library: the payload types that both have are declared as the file says, and the library has no
//! shader that the file does not know of.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{InstData, Module, Opcode, PaqStage, SlotRole, Stage, Struct, TypeKind};
use rtc_passes::payload_layout::{self as layout, Knowledge};
use rtc_tables::diagnostics as codes;

use super::file::{File, Payload};
use super::{declared_at, types};
use crate::front_end::Front;

/// What is known of the shaders of one library that use a payload type.
pub fn known(m: &Module, s: Struct) -> Knowledge {
    let mut k = Knowledge { stages: PaqStage::Caller.bit(), halves: false };
    for f in m.funcs.values() {
        let of_type = |ty| m.types.kind(ty) == TypeKind::Struct(s);
        if f.slots.values().any(|x| x.role == SlotRole::PayloadIn && of_type(x.ty)) {
            k.stages |= stage(f.stage).map_or(0, PaqStage::bit);
        }
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Slot { op: Opcode::hit_trace | Opcode::hit_invoke, slot, .. } = f.insts[i] {
                k.halves |= of_type(f.slots[slot].ty);
            }
        });
    }
    k
}

fn stage(s: Stage) -> Option<PaqStage> {
    match s {
        Stage::AnyHit => Some(PaqStage::AnyHit),
        Stage::ClosestHit => Some(PaqStage::ClosestHit),
        Stage::Miss => Some(PaqStage::Miss),
        _ => None,
    }
}

/// What does not agree, once for each payload type.
pub fn agree(file: &File, front: &Front) -> Vec<Diagnostic> {
    let m = &front.module;
    let mut out = Vec::new();
    for s in types(m) {
        let name = &m.structs[s].name;
        let Some(p) = file.payloads.iter().find(|p| p.name.0 == *name) else { continue };
        let here = declared_at(front, name);
        let made = Made { name, here, file: p };
        out.extend(declaration(m, s, &made).or_else(|| shaders(m, s, &made)));
    }
    out
}

struct Made<'a> {
    name: &'a str,
    here: Span,
    file: &'a Payload,
}

impl Made<'_> {
    fn differs(&self, at: Span, why: String) -> Diagnostic {
        let message = format!("the payload `{}` is not the one of the layout file: {why}", self.name);
        Diagnostic::new(&codes::E0721, self.here, message)
            .label(at, "the layout file says so here")
            .note("make the layout anew from all libraries (rtc paq FILES -layout=FILE), and compile all of them with it")
    }
}

fn declaration(m: &Module, s: Struct, made: &Made) -> Option<Diagnostic> {
    let p = made.file;
    let plan = match layout::plan(m, s, p.known) {
        Ok(plan) => plan,
        Err(why) => return Some(made.differs(p.name.1, format!("{why}"))),
    };
    let list = |set: u8| PaqStage::list(set, ", ");
    for (n, f) in plan.fields.iter().enumerate() {
        let Some(x) = p.fields.get(n) else {
            return Some(made.differs(p.name.1, format!("`{} {}` is not in the file", f.hlsl, f.name)));
        };
        if (&f.name, &f.hlsl) != (&x.name, &x.ty) {
            return Some(made.differs(x.place, format!("`{} {}` is declared where the file has `{} {}`", f.hlsl, f.name, x.ty, x.name)));
        }
        for (what, here, there) in [("read", f.paq.read, x.paq.read), ("write", f.paq.write, x.paq.write)] {
            if here != there {
                let why = format!("`{}` has {what}({}) where the file has {what}({})", f.name, list(here), list(there));
                return Some(made.differs(x.place, why));
            }
        }
        if f.bits != x.bits {
            return Some(made.differs(x.place, format!("`{}` has {} bits where the file has {}", f.name, f.bits, x.bits)));
        }
        let whole = |at: u32| f.pieces.iter().all(|p| (at + p.at) % bits(m, p.scalar) == 0);
        if x.at.is_some_and(|at| !whole(at)) {
            return Some(made.differs(x.place, format!("`{}` cannot begin there: each of its numbers lies in one word", f.name)));
        }
    }
    if let Some(x) = p.fields.get(plan.fields.len()) {
        return Some(made.differs(x.place, format!("`{} {}` of the file is not declared", x.ty, x.name)));
    }
    let declared = layout::declared(m, s).bytes;
    (declared != p.declared)
        .then(|| made.differs(p.name.1, format!("it has {declared} bytes as declared where the file has {}", p.declared)))
}

/// What the first bit of a number is a multiple of.
fn bits(m: &Module, s: rtc_ir::Scalar) -> u32 {
    layout::piece_bits(m, s).min(32)
}

fn shaders(m: &Module, s: Struct, made: &Made) -> Option<Diagnostic> {
    let (here, p) = (known(m, s), made.file);
    let more = here.stages & !(p.known.stages | PaqStage::Caller.bit());
    if more != 0 {
        let why = format!("this library has {} shaders with it, of which the file does not know", PaqStage::list(more, " and "));
        return Some(made.differs(p.name.1, why));
    }
    (here.halves && !p.known.halves)
        .then(|| made.differs(p.name.1, "this library uses it with hit objects, of which the file does not know".into()))
}
