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

/// What any-hit shaders write for closest-hit shaders: the caller has it between the two parts of a trace, and no other stage.
#[test]
fn halves_of_traces_carry_what_any_hit_shaders_wrote() {
    let set = alive_with_hit_objects(paq(&[ClosestHit], &[AnyHit]));
    let mut found: Vec<(PaqStage, PaqStage)> = transitions_in(set).collect();
    found.sort_unstable_by_key(|t| (t.0.bit(), t.1.bit()));
    let mut expected = [(Caller, ClosestHit), (AnyHit, Caller), (AnyHit, ClosestHit)];
    expected.sort_unstable_by_key(|t| (t.0.bit(), t.1.bit()));
    assert_eq!(found, expected);
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
    let before = rtc_oracles::measure::spent();
    assert!(pack(&many).size > 0);
    let took = rtc_oracles::measure::spent() - before;
    assert!(took.as_secs() < 20, "{took:?}");
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

/// Two types of payload in one shader; vectors, arrays and structures in them, stored and loaded whole, by part, and at a place that is computed.
const TWO_TYPES: &str = r#"module sm 6.6 props(inlined no_locals no_privates direct_handles)
struct s0 "Inner" { "x" : i32 "y" : i32 }
struct s1 "P" raypayload { "flat" : i32 "pair" : i32x2 "inner" : s0 "list" : [3 x i32] "wide" : i32x3 }
struct s2 "Q" raypayload { "pair" : i32x2 "flat" : i32 "other" : i32 }
g0 = resource "scene" : res(srv accel) space 0
g1 = resource "out" : res(uav raw) space 0
fn fn0 "Main" stage raygen {
 pl0 = payload out s1 "p"
 pl1 = payload out s2 "q"
 pl2 = callable out s0 "c"
 v0 = const i32 0 v1 = const i32 3 v2 = const f32 0.0 v3 = const f32 1.0 v4 = const i32 5 v5 = const i32 6 v6 = const i32 1 v7 = const i32 2
r0:
 v8 = resource g0
 v9 = resource g1
 v10 = construct v2, v2, v3 : f32x3
 v11 = construct v1, v4 : i32x2
 v12 = raw_load #4 v9, v0 : i32
 v13 = umin v12, v7 : i32
 v17 = construct v11, v7 : i32x3
 store pl0.4, v17
 store pl2.0, v6
 store pl0.0, v6
 store pl0.1, v11
 store pl0.2.0, v5
 store pl0.2.1, v7
 store pl0.3.0, v1
 store pl0.3[v13], v4
 store pl1.0, v11
 store pl1.0.0, v7
 store pl1.1, v0
 trace_ray pl0, v8, v0, v0, v0, v0, v0, v10, v2, v10, v3
 v14 = load pl0.1 : i32x2
 v15 = extract #1 v14 : i32
 store pl1.2, v15
 v16 = load pl0.2.1 : i32
 store pl0.0, v16
 trace_ray pl1, v8, v0, v0, v0, v0, v0, v10, v2, v10, v3
 return
}
"#;

#[test]
fn each_member_of_each_type_holds_what_is_stored_there() {
    let m = rtc_ir::text::parse(TWO_TYPES).unwrap_or_else(|e| panic!("{e}"));
    let all = Contents::of(&m);
    let numbers = |s: u32, path: &[u32]| {
        let path: Vec<rtc_ir::Step> = path.iter().map(|&n| rtc_ir::Step::At(n)).collect();
        let found = all.at(rtc_ir::Struct::from_u32(s), &path)?;
        let bits = |n: &Number| if let Number::Bits(b) = n { *b } else { u64::MAX };
        Some(found.numbers.as_ref()?.iter().map(bits).collect::<Vec<u64>>())
    };
    assert_eq!(numbers(1, &[0]), Some(vec![1, 2]), "what is loaded from elsewhere");
    assert_eq!([numbers(1, &[1, 0]), numbers(1, &[1, 1])], [Some(vec![3]), Some(vec![5])], "a vector that is stored whole");
    assert_eq!([numbers(1, &[2, 0]), numbers(1, &[2, 1])], [Some(vec![6]), Some(vec![2])], "members of a structure");
    assert_eq!(
        [0, 1, 2].map(|n| numbers(1, &[3, n])),
        [Some(vec![3, 5]), Some(vec![5]), Some(vec![5])],
        "elements, one of which is computed"
    );
    assert_eq!([numbers(2, &[0, 0]), numbers(2, &[0, 1])], [Some(vec![2, 3]), Some(vec![5])], "a component that is stored again");
    assert_eq!([numbers(2, &[1]), numbers(2, &[2])], [Some(vec![0]), Some(vec![5])], "a component of another payload");
    for (n, number) in [3, 5, 2].into_iter().enumerate() {
        let found = numbers(1, &[4, n as u32]);
        assert!(found.is_none_or(|all| all.contains(&number)), "a vector of a vector and a number");
    }
    assert_eq!(all.at(rtc_ir::Struct::from_u32(1), &[rtc_ir::Step::At(1)]), None, "a vector is no scalar");
    assert_eq!(all.at(rtc_ir::Struct::from_u32(0), &[rtc_ir::Step::At(0)]), None, "it is no payload");
}

#[test]
fn sizes_follow_from_the_widths_of_numbers() {
    let size = |native: &str, fields: &str| {
        let text = format!("module sm 6.6{native}\nstruct s0 \"Inner\" {{ \"a\" : f16 \"b\" : i64 }}\nstruct s1 \"P\" {{ {fields} }}\n");
        let mut m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let ty = m.types.struct_(rtc_ir::Struct::from_u32(1));
        size_align(&m, ty)
    };
    let small = r#""a" : f16 "b" : f16x3 "c" : i16"#;
    assert_eq!([size(" native16", small), size("", small)], [(10, 2), (20, 4)]);
    let mixed = r#""a" : f16 "b" : f32 "c" : f16"#;
    assert_eq!([size(" native16", mixed), size("", mixed)], [(12, 4), (12, 4)]);
    assert_eq!([size(" native16", r#""a" : [3 x s0] "b" : bool"#), size("", r#""a" : bool "b" : [3 x s0]"#)], [(56, 8), (56, 8)]);
    assert_eq!([size("", r#""a" : i32 "b" : f64x2"#), size("", r#""a" : f64 "b" : i32x3"#)], [(24, 8), (24, 8)]);
}

#[test]
fn a_copy_has_what_crosses_its_stage() {
    let set = alive(paq(&[AnyHit], &[Caller]));
    let leaves = [Caller, AnyHit, ClosestHit, Miss].map(|s| crosses(set, s.bit(), true));
    let enters = [Caller, AnyHit, ClosestHit, Miss].map(|s| crosses(set, s.bit(), false));
    assert_eq!((leaves, enters), ([true, true, false, false], [false, true, false, false]));
}

#[test]
fn scalars_are_spelt_as_they_were_declared() {
    let spelt = |native: &str| {
        let text = format!(
            "module sm 6.6{native}\nstruct s0 \"P\" raypayload {{ \"v\" : f16x2 read(miss) write(caller) \"n\" : i16x2 read(miss) write(caller) \
             \"m\" : f32x2 read(miss) write(caller) \"l\" : i64x2 read(miss) write(caller) \"d\" : f64x2 read(miss) write(caller) \
             \"k\" : i32x2 read(miss) write(caller) \"b\" : boolx2 read(miss) write(caller) }}\n"
        );
        let m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        // There are no facts about what is stored.
        let plan = plan_whole(&m, rtc_ir::Struct::from_u32(0), ShaderFacts::default(), None, &Contents::default()).expect("it is packed");
        let all: Vec<String> = plan.fields.iter().map(|f| format!("{} {}", f.hlsl, f.name)).collect();
        all.iter().step_by(2).map(String::as_str).collect::<Vec<&str>>().join(", ")
    };
    assert_eq!(spelt(" native16"), "half v.x, int16_t n.x, float m.x, int64_t l.x, double d.x, int k.x, bool b.x");
    assert_eq!(spelt(""), "min16float v.x, min16int n.x, float m.x, int64_t l.x, double d.x, int k.x, bool b.x");
}
