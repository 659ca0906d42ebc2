//! Live ranges of payload fields over the transitions between shader stages, by their qualifiers, and a layout in which fields whose
//! live ranges do not interfere share storage (DXR, payload access qualifiers, optimization potential).
//!
//! A payload goes from stage to stage; a field is alive on a transition if a stage before may have written it and one after
//! may read what it wrote. A stage that writes a field without reading it kills the old value. Stages work on copies: a field that
//! a stage reads and another that it writes may share storage.
//!
//! | file | what |
//! |---|---|
//! | `storage` | colouring: bit ranges for fields, apart where they interfere |
//! | `plan` | the packed layout of a payload type |
//! | `contents` | what the fields may hold, if a library is all that there is |
//! | `coding` | how a scalar is kept in fewer bits by that |

mod coding;
mod contents;
mod plan;
mod storage;

use rtc_ir::{Module, Paq, PaqStage, Scalar, Type, TypeKind};
use rtc_tables::payload_access::{ALL_STAGES, Transitions, transitions_in, transitions_where};

use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

pub use coding::Coding;
pub use contents::{Content, Contents, Number};
pub use plan::{
    Piece, Plan, PlannedField, ShaderFacts, Shared, Unpacked, declared, piece_bits, plan, plan_whole, plan_with, qualified_paths,
    take_shared,
};
pub use storage::{Interval, Layout, interfere, pack};

/// Payloads of more scalars keep the declared layout: every scalar is copied wherever a shader begins, traces or ends, which is work that grows
/// with their number, and code, too.
pub const MAX_SCALARS: usize = 4096;

/// The transitions on which a field with these qualifiers is alive.
pub fn alive(q: Paq) -> Transitions {
    // Needed where a stage begins: it reads the value, or leaves it alone and it is needed afterwards.
    let keeps = |s: PaqStage| q.reads(s) || !q.writes(s);
    let back = q.reads(Caller);
    let needed_at_end = |s: PaqStage| q.reads(s) || keeps(s) && back;
    let after_any_hit = needed_at_end(ClosestHit) || needed_at_end(Miss) || back;
    let any_hit = q.reads(AnyHit) || keeps(AnyHit) && after_any_hit;
    let needed = |to: PaqStage| match to {
        Caller => back,
        AnyHit => any_hit,
        s => needed_at_end(s),
    };
    // Defined where a stage ends: it writes the value, or it was defined before. A stage that only writes, and is
    // given no value, defines it as well, if perhaps with an undefined value.
    let any_hit_defined = q.writes(Caller) || q.writes(AnyHit);
    let defined = |from: PaqStage| match from {
        Caller => q.writes(Caller),
        AnyHit => any_hit_defined,
        s => q.writes(s) || any_hit_defined,
    };
    transitions_where(|from, to| defined(from) && needed(to))
}

/// The transitions on which a field is alive where traces may be split into recording and invoking a hit object: after
/// `HitObject::TraceRay` the caller keeps what later stages read, and before `HitObject::Invoke` it passes on what any-hit shaders wrote (DXR,
/// hit objects and payload access qualifiers).
pub fn alive_with_hit_objects(q: Paq) -> Transitions {
    split(q, ALL_STAGES)
}

/// [`alive_with_hit_objects`] where these stages alone have shaders. What the caller does for a stage it does by the qualifiers, whether the stage has
/// shaders or not: an invocation that runs no shader gives back what it was given.
fn split(declared: Paq, stages: u8) -> Transitions {
    let q = Paq { read: declared.read & stages, write: declared.write & stages };
    let at_end = ClosestHit.bit() | Miss.bit();
    let kept = if declared.read & at_end != 0 { Caller.bit() } else { 0 };
    let given = if declared.writes(AnyHit) { Caller.bit() } else { 0 };
    let trace = alive(Paq { read: q.read | kept, ..q });
    let invoke = alive(Paq { write: q.write | given, ..q });
    let between_callers = |from, to| (from, to) == (Caller, Caller);
    let of_trace = |from: PaqStage, to: PaqStage| !from.is_in(at_end) && !to.is_in(at_end);
    let trace_transitions = transitions_where(|from, to| between_callers(from, to) || of_trace(from, to));
    let invoke_transitions = transitions_where(|from, to| between_callers(from, to) || !of_trace(from, to));
    alive(q) | trace & trace_transitions | invoke & invoke_transitions
}

/// Whether one of these transitions leaves (`out`) or enters one of some stages: whether a copy of the payload there has the field.
pub fn crosses(set: Transitions, stages: u8, out: bool) -> bool {
    transitions_in(set).any(|(from, to)| if out { from.is_in(stages) } else { to.is_in(stages) })
}

/// Size and alignment of a type in a payload, in bytes, as DXIL lays it out.
pub fn size_align(m: &Module, t: Type) -> (u32, u32) {
    let scalar = |s: Scalar| match s.bits() {
        64 => 8,
        16 if m.native_16bit => 2,
        _ => 4,
    };
    match m.types.kind(t) {
        TypeKind::Scalar(s) => (scalar(s), scalar(s)),
        TypeKind::Vector(s, n) => (scalar(s) * n, scalar(s)),
        TypeKind::Array(e, n) => {
            let (size, align) = size_align(m, e);
            (size.next_multiple_of(align).saturating_mul(n), align)
        }
        TypeKind::Struct(s) => {
            let (mut size, mut align) = (0u32, 1);
            for f in &m.structs[s].fields {
                let (bytes, a) = size_align(m, f.ty);
                size = size.next_multiple_of(a).saturating_add(bytes);
                align = align.max(a);
            }
            (size.next_multiple_of(align), align)
        }
        _ => (4, 4),
    }
}

#[cfg(test)]
mod tests;
