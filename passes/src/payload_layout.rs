//! When the values of payload fields are alive, by their qualifiers, and a layout in which fields that never are alive at the
//! same time share storage (DXR, payload access qualifiers, optimization potential).
//!
//! A payload goes from stage to stage; a field is alive on a way if a stage before may have written it and one after
//! may read what it wrote. What a stage writes without reading ends what was there before. Stages work on copies: a field that
//! a stage reads and another one that it writes may have the same place.

use rtc_ir::{Module, Paq, PaqStage, Scalar, Type, TypeKind};

use PaqStage::{AnyHit, Caller, ClosestHit, Miss};

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

/// A field to be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Bytes.
    pub size: u32,
    /// Its place is a multiple of this.
    pub align: u32,
    /// When it is alive.
    pub alive: Ways,
}

/// A layout of a payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Byte offset of each field; `None` if it is never alive and needs no room.
    pub offsets: Vec<Option<u32>>,
    /// Bytes in all.
    pub size: u32,
}

/// All ways out of the stages from which a way of the set leads: where a stage ends, nobody knows which way comes next.
fn from_the_same(ways: Ways) -> Ways {
    let from = |s: PaqStage| WAYS.iter().enumerate().any(|(n, w)| ways >> n & 1 != 0 && w.0 == s);
    WAYS.iter().enumerate().filter(|(_, w)| from(w.0)).fold(0, |set, (n, _)| set | 1 << n)
}

/// Places fields so that those alive at the same time, or behind the same stage, are apart: large ones first, each as far
/// in front as it fits.
pub fn pack(fields: &[Room]) -> Layout {
    let mut order: Vec<usize> = (0..fields.len()).filter(|&n| fields[n].alive != 0).collect();
    order.sort_by_key(|&n| (std::cmp::Reverse(fields[n].align), std::cmp::Reverse(fields[n].size), n));
    let mut offsets: Vec<Option<u32>> = vec![None; fields.len()];
    let (mut size, mut align) = (0, 1);
    for (done, &n) in order.iter().enumerate() {
        let f = fields[n];
        let mut taken: Vec<(u32, u32)> = order[..done]
            .iter()
            .filter(|&&o| from_the_same(fields[o].alive) & f.alive != 0)
            .filter_map(|&o| Some((offsets[o]?, offsets[o]? + fields[o].size)))
            .collect();
        taken.sort_unstable();
        let mut at = 0u32;
        for (lo, hi) in taken {
            if at + f.size <= lo {
                break;
            }
            at = at.max(hi.next_multiple_of(f.align));
        }
        offsets[n] = Some(at);
        size = size.max(at + f.size);
        align = align.max(f.align);
    }
    Layout { offsets, size: u32::next_multiple_of(size, align) }
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
mod tests {
    use super::*;

    fn paq(read: &[PaqStage], write: &[PaqStage]) -> Paq {
        let set = |s: &[PaqStage]| s.iter().fold(0, |m, s| m | s.bit());
        Paq { read: set(read), write: set(write) }
    }

    fn ways(q: Paq) -> Vec<(PaqStage, PaqStage)> {
        let set = alive(q);
        WAYS.iter().enumerate().filter(|(n, _)| set >> n & 1 != 0).map(|(_, w)| *w).collect()
    }

    #[test]
    fn a_shortened_lifetime() {
        // The specification's `ahInput`: over once any-hit shaders are.
        assert_eq!(ways(paq(&[AnyHit], &[Caller])), [(Caller, AnyHit), (AnyHit, AnyHit)]);
    }

    #[test]
    fn disjoint_lifetimes_share_storage() {
        // The specification's `alpha` and `didHit`.
        let alpha = paq(&[ClosestHit], &[Caller, AnyHit]);
        let did_hit = paq(&[Caller], &[ClosestHit, Miss]);
        assert_eq!(ways(alpha), [(Caller, ClosestHit), (AnyHit, ClosestHit)]);
        assert_eq!(ways(did_hit), [(ClosestHit, Caller), (Miss, Caller)]);
        let room = |q| Room { size: 4, align: 4, alive: alive(q) };
        assert_eq!(pack(&[room(alpha), room(did_hit)]), Layout { offsets: vec![Some(0), Some(0)], size: 4 });
    }

    #[test]
    fn what_is_written_at_once_is_apart() {
        // One is over with any-hit shaders, the other one passes from them to closest-hit shaders; they never share a way, but the
        // caller, who cannot know which comes next, writes both.
        let tested = paq(&[AnyHit], &[Caller]);
        let tinted = paq(&[ClosestHit], &[Caller, AnyHit]);
        assert_eq!(alive(tested) & alive(tinted), 0);
        let room = |q| Room { size: 4, align: 4, alive: alive(q) };
        assert_eq!(pack(&[room(tested), room(tinted)]).size, 8);
        // Ends of any-hit shaders lead to misses as well as hits: nor do these share what they are given, but results follow.
        let sky = paq(&[Miss], &[Caller]);
        let hit = paq(&[ClosestHit], &[AnyHit]);
        let color = paq(&[Caller], &[ClosestHit, Miss]);
        let l = pack(&[room(sky), room(hit), room(color)]);
        assert_eq!(l, Layout { offsets: vec![Some(0), Some(4), Some(0)], size: 8 });
    }

    #[test]
    fn halves_of_traces_keep_what_is_shaded_later() {
        let alpha = paq(&[ClosestHit], &[Caller, AnyHit]);
        let all = [(Caller, ClosestHit), (Caller, Caller), (AnyHit, ClosestHit), (AnyHit, Caller)];
        let set = alive_in_halves(alpha);
        assert!(all.iter().all(|w| WAYS.iter().position(|x| x == w).is_some_and(|n| set >> n & 1 != 0)), "{set:b}");
        let seen = paq(&[Caller], &[AnyHit, ClosestHit, Miss]);
        assert_eq!(alive(alpha) & alive(seen), 0);
        assert_ne!(alive_in_halves(alpha) & alive_in_halves(seen), 0);
    }

    #[test]
    fn what_only_passes_is_alive_everywhere() {
        let all = ways(paq(&[Caller], &[Caller]));
        assert_eq!(all.len(), WAYS.len());
        assert_eq!(alive(paq(&[], &[])), 0);
        assert_eq!(alive(paq(&[Caller, AnyHit, ClosestHit, Miss], &[Caller, AnyHit, ClosestHit, Miss])), ALL_WAYS);
    }

    #[test]
    fn nothing_overlaps_what_is_alive_with_it() {
        // All combinations of qualifiers at once, in several sizes.
        let mut fields = Vec::new();
        for read in 0..16u8 {
            for write in 0..16u8 {
                let wide = (read ^ write) % 3 == 0;
                let (size, align) = if wide { (8, 8) } else { (4 * u32::from(1 + (read & 3)), 4) };
                fields.push(Room { size, align, alive: alive(Paq { read, write }) });
            }
        }
        let l = pack(&fields);
        for (i, a) in fields.iter().enumerate() {
            let Some(x) = l.offsets[i] else {
                assert_eq!(a.alive, 0);
                continue;
            };
            assert!(x % a.align == 0 && x + a.size <= l.size);
            for (j, b) in fields.iter().enumerate().filter(|(j, b)| *j != i && from_the_same(a.alive) & b.alive != 0) {
                let y = l.offsets[j].expect("it is alive");
                assert!(x + a.size <= y || y + b.size <= x, "{i} {j}");
            }
        }
        let apart: u32 = fields.iter().map(|f| f.size).sum();
        assert!(l.size < apart, "{} {apart}", l.size);
    }
}
