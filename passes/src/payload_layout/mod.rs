//! When the values of payload fields are alive, by their qualifiers, and a layout in which fields that never are alive at the
//! same time share storage (DXR, payload access qualifiers, optimization potential).
//!
//! A payload goes from stage to stage; a field is alive on a way if a stage before may have written it and one after
//! may read what it wrote. What a stage writes without reading ends what was there before. Stages work on copies: a field that
//! a stage reads and another one that it writes may have the same place.

mod place;
mod plan;

use rtc_ir::{Module, Paq, PaqStage, Scalar, Type, TypeKind};

use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

pub use place::{Layout, Room, apart, pack};
pub use plan::{Knowledge, MAX_SCALARS, Piece, Plan, PlannedField, Shared, Unpacked, declared, piece_bits, plan, plan_with, take_shared};

/// The ways from one stage to the next. Any stage in between may be left out, by ray flags or for lack of shaders.
pub const WAYS: [(PaqStage, PaqStage); 10] = [
    (Caller, AnyHit),
    (Caller, ClosestHit),
    (Caller, Miss),
    (Caller, Caller),
    (AnyHit, AnyHit),
    (AnyHit, ClosestHit),
    (AnyHit, Miss),
    (AnyHit, Caller),
    (ClosestHit, Caller),
    (Miss, Caller),
];

/// A set of ways: bit `n` is `WAYS[n]`.
pub type Ways = u16;

/// All ways: where no qualifiers say otherwise.
pub const ALL_WAYS: Ways = (1 << WAYS.len()) - 1;

/// The ways on which a field with these qualifiers is alive.
pub fn alive(q: Paq) -> Ways {
    let reads = |s: PaqStage| q.read & s.bit() != 0;
    let writes = |s: PaqStage| q.write & s.bit() != 0;
    // Needed where a stage begins: it reads it, or leaves it and it is needed afterwards.
    let leaves = |s: PaqStage| reads(s) || !writes(s);
    let back = reads(Caller);
    let shaded = |s: PaqStage| reads(s) || leaves(s) && back;
    let beyond = shaded(ClosestHit) || shaded(Miss) || back;
    let any_hit = reads(AnyHit) || leaves(AnyHit) && beyond;
    let needed = |to: PaqStage| match to {
        Caller => back,
        AnyHit => any_hit,
        s => shaded(s),
    };
    // Defined where a stage ends: it writes it, or it was defined before. A stage that only writes what it is
    // given no value for defines it as well, if perhaps to nothing in particular.
    let after_any_hit = writes(Caller) || writes(AnyHit);
    let defined = |from: PaqStage| match from {
        Caller => writes(Caller),
        AnyHit => after_any_hit,
        s => writes(s) || after_any_hit,
    };
    let all = WAYS.iter().enumerate().filter(|(_, w)| defined(w.0) && needed(w.1));
    all.fold(0, |set, (n, _)| set | 1 << n)
}

/// The ways on which a field is alive where traces come in two halves, too: behind `HitObject::TraceRay` what later stages read
/// is the caller's to keep, and in front of `HitObject::Invoke` what any-hit shaders wrote is the caller's to give (DXR,
/// hit objects and payload access qualifiers).
pub fn alive_in_halves(q: Paq) -> Ways {
    let shaded = ClosestHit.bit() | Miss.bit();
    let kept = if q.read & shaded != 0 { Caller.bit() } else { 0 };
    let given = if q.write & AnyHit.bit() != 0 { Caller.bit() } else { 0 };
    let trace = alive(Paq { read: q.read | kept, ..q });
    let invoke = alive(Paq { write: q.write | given, ..q });
    let within = |first: bool| {
        let here = |w: &(PaqStage, PaqStage)| w.0.bit() & shaded == 0 && w.1.bit() & shaded == 0;
        let all = WAYS.iter().enumerate().filter(|(_, w)| **w == (Caller, Caller) || here(w) == first);
        all.fold(0, |set, (n, _)| set | 1 << n)
    };
    alive(q) | trace & within(true) | invoke & within(false)
}

/// Whether one of these ways leads from (`out`) or to one of some stages: whether a transition there copies the field.
pub fn on_a_way(ways: Ways, stages: u8, out: bool) -> bool {
    let at = |w: &(PaqStage, PaqStage)| if out { w.0 } else { w.1 };
    WAYS.iter().enumerate().any(|(n, w)| ways >> n & 1 != 0 && stages & at(w).bit() != 0)
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
