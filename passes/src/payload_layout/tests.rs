//! Tests of live ranges of payload fields and of their storage.

use super::storage::from_the_same;
use super::*;
use rtc_tables::payload_access::{ALL_TRANSITIONS, TRANSITIONS};

fn paq(read: &[PaqStage], write: &[PaqStage]) -> Paq {
    let set = |s: &[PaqStage]| s.iter().fold(0, |m, s| m | s.bit());
    Paq { read: set(read), write: set(write) }
}

fn transitions(q: Paq) -> Vec<(PaqStage, PaqStage)> {
    let set = alive(q);
    transitions_in(set).collect()
}

#[test]
fn a_shortened_lifetime() {
    // The specification's `ahInput`: over once any-hit shaders are.
    assert_eq!(transitions(paq(&[AnyHit], &[Caller])), [(Caller, AnyHit), (AnyHit, AnyHit)]);
}

#[test]
fn what_any_hit_shaders_leave_alone_passes_through_them() {
    // One of the last stages needs it, not both.
    for last in [ClosestHit, Miss] {
        let found = transitions(paq(&[last], &[Caller]));
        for through in [(Caller, AnyHit), (AnyHit, AnyHit), (Caller, last), (AnyHit, last)] {
            assert!(found.contains(&through), "{last:?}: {through:?} is not in {found:?}");
        }
        assert_eq!(found.len(), 4, "{last:?}: {found:?}");
    }
}

#[test]
fn a_gap_is_filled_to_its_last_bit() {
    let fields = [(33, 32), (32, 32), (31, 1)].map(|(bits, align)| Interval { bits, align, alive: 1 });
    assert_eq!(pack(&fields), Layout { offsets: vec![Some(0), Some(64), Some(33)], size: 12 });
}

#[test]
fn disjoint_lifetimes_share_storage() {
    // The specification's `alpha` and `didHit`.
    let alpha = paq(&[ClosestHit], &[Caller, AnyHit]);
    let did_hit = paq(&[Caller], &[ClosestHit, Miss]);
    assert_eq!(transitions(alpha), [(Caller, ClosestHit), (AnyHit, ClosestHit)]);
    assert_eq!(transitions(did_hit), [(ClosestHit, Caller), (Miss, Caller)]);
    let interval = |q| Interval { bits: 32, align: 32, alive: alive(q) };
    assert_eq!(pack(&[interval(alpha), interval(did_hit)]), Layout { offsets: vec![Some(0), Some(0)], size: 4 });
}

#[test]
fn what_is_written_at_once_is_apart() {
    // One is over with any-hit shaders, the other one passes from them to closest-hit shaders; they never share a way, but the
    // caller, for which the next stage is unknown, writes both.
    let tested = paq(&[AnyHit], &[Caller]);
    let tinted = paq(&[ClosestHit], &[Caller, AnyHit]);
    assert_eq!(alive(tested) & alive(tinted), 0);
    let interval = |q| Interval { bits: 32, align: 32, alive: alive(q) };
    assert_eq!(pack(&[interval(tested), interval(tinted)]).size, 8);
    // Ends of any-hit shaders lead to misses as well as hits: nor do these share what they are given, but results follow.
    let sky = paq(&[Miss], &[Caller]);
    let hit = paq(&[ClosestHit], &[AnyHit]);
    let color = paq(&[Caller], &[ClosestHit, Miss]);
    let l = pack(&[interval(sky), interval(hit), interval(color)]);
    assert_eq!(l, Layout { offsets: vec![Some(0), Some(32), Some(0)], size: 8 });
}

#[test]
fn halves_of_traces_keep_what_is_shaded_later() {
    let alpha = paq(&[ClosestHit], &[Caller, AnyHit]);
    let all = [(Caller, ClosestHit), (Caller, Caller), (AnyHit, ClosestHit), (AnyHit, Caller)];
    let set = alive_with_hit_objects(alpha);
    assert!(all.iter().all(|t| transitions_in(set).any(|u| u == *t)), "{set:b}");
    let seen = paq(&[Caller], &[AnyHit, ClosestHit, Miss]);
    assert_eq!(alive(alpha) & alive(seen), 0);
    assert_ne!(alive_with_hit_objects(alpha) & alive_with_hit_objects(seen), 0);
}

#[test]
fn what_only_passes_is_alive_everywhere() {
    let all = transitions(paq(&[Caller], &[Caller]));
    assert_eq!(all.len(), TRANSITIONS.len());
    assert_eq!(alive(paq(&[], &[])), 0);
    assert_eq!(alive(paq(&[Caller, AnyHit, ClosestHit, Miss], &[Caller, AnyHit, ClosestHit, Miss])), ALL_TRANSITIONS);
}

#[test]
fn nothing_overlaps_what_is_alive_with_it() {
    // All combinations of qualifiers at once, in several sizes.
    let mut fields = Vec::new();
    for read in 0..16u8 {
        for write in 0..16u8 {
            let wide = (read ^ write) % 3 == 0;
            let (bits, align) = if wide { (16, 16) } else { (32 * u32::from(1 + (read & 3)), 32) };
            let (bits, align) = if read == write { (1, 1) } else { (bits, align) };
            fields.push(Interval { bits, align, alive: alive(Paq { read, write }) });
        }
    }
    let l = pack(&fields);
    for (i, a) in fields.iter().enumerate() {
        let Some(x) = l.offsets[i] else {
            assert_eq!(a.alive, 0);
            continue;
        };
        assert!(x % a.align == 0 && x + a.bits <= 8 * l.size);
        for (j, b) in fields.iter().enumerate().filter(|(j, b)| *j != i && from_the_same(a.alive) & b.alive != 0) {
            let y = l.offsets[j].expect("it is alive");
            assert!(x + a.bits <= y || y + b.bits <= x, "{i} {j}");
        }
    }
    let separate: u32 = fields.iter().map(|f| f.bits).sum();
    assert!(8 * l.size < separate, "{} {separate}", l.size);
}

#[test]
fn no_order_is_worse_than_large_ones_first() {
    // Random fields: what `pack` finds is legal, never larger than the first order alone finds, now and then smaller.
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let mut smaller = 0;
    for _ in 0..500 {
        let mut fields = Vec::new();
        for _ in 0..2 + next(14) {
            let alive = alive(Paq { read: next(16) as u8, write: next(16) as u8 });
            let (one, align) = [(32, 32), (32, 32), (16, 16), (1, 1)][next(4) as usize];
            fields.push(Interval { bits: one * (1 + next(5) as u32), align, alive });
        }
        let l = pack(&fields);
        for (i, a) in fields.iter().enumerate() {
            let Some(x) = l.offsets[i] else { continue };
            assert!(x % a.align == 0 && x + a.bits <= 8 * l.size);
            for (j, b) in fields.iter().enumerate().filter(|(j, _)| *j != i) {
                let Some(y) = l.offsets[j] else { continue };
                assert!(from_the_same(a.alive) & b.alive == 0 || x + a.bits <= y || y + b.bits <= x);
            }
        }
        // Large ones first, each as far in front as it fits.
        let mut order: Vec<usize> = (0..fields.len()).filter(|&n| fields[n].alive != 0).collect();
        order.sort_by_key(|&n| (std::cmp::Reverse((fields[n].align, fields[n].bits)), n));
        let mut at: Vec<(usize, u32)> = Vec::new();
        for n in order {
            let f = fields[n];
            let free = |x: u32| {
                let clash =
                    |o: &(usize, u32)| from_the_same(fields[o.0].alive) & f.alive != 0 && x < o.1 + fields[o.0].bits && o.1 < x + f.bits;
                !at.iter().any(clash)
            };
            let x = (0..).step_by(f.align as usize).find(|&x| free(x)).expect("there is room");
            at.push((n, x));
        }
        let plain = at.iter().map(|&(n, x)| x + fields[n].bits).max().unwrap_or(0).div_ceil(32) * 4;
        assert!(l.size <= plain, "{} {plain}", l.size);
        smaller += usize::from(l.size < plain);
    }
    assert!(smaller > 0);
}

#[test]
fn many_fields_are_placed_in_time() {
    let field = |n: u32| {
        let q = Paq { read: (n * 7 % 16) as u8, write: (n * 5 % 13) as u8 };
        Interval { bits: 1 + n % 100, align: if n.is_multiple_of(3) { 32 } else { 1 }, alive: alive(q) }
    };
    let many: Vec<Interval> = (0..20_000).map(field).collect();
    let started = std::time::Instant::now();
    assert!(pack(&many).size > 0);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn what_is_known_of_all_shaders_ends_lives() {
    let tested = paq(&[AnyHit], &[Caller]);
    let alpha = paq(&[ClosestHit], &[Caller, AnyHit]);
    let seen = paq(&[Caller], &[AnyHit, ClosestHit, Miss]);
    let nothing = ShaderFacts::default();
    assert_eq!(nothing.alive(alpha), alive_with_hit_objects(alpha));
    let shaded = ShaderFacts { stages: ClosestHit.bit() | Miss.bit(), hit_objects: false };
    assert_eq!(shaded.alive(tested), 0);
    assert_eq!(shaded.alive(alpha) & shaded.alive(seen), 0);
    assert_eq!(shaded.alive(alpha).count_ones(), 1);
    // An invocation is given what any-hit shaders may write, though there are none: without a shader to run it gives that back.
    let split = ShaderFacts { hit_objects: true, ..shaded };
    assert!(transitions_in(split.alive(seen)).any(|t| t == (Caller, Caller)));
}
