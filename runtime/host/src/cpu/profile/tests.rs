//! The counters against hand-computed values.

use super::*;
use crate::cpu::trace::tables::Table;

const A: Next = Next(3 << 32 | 1);
const B: Next = Next(3 << 32 | 2);
const MISS: Next = Next(2 << 32);

fn iteration(all: &[((Next, u32), u64)]) -> Iteration {
    let mut out = Iteration::default();
    for &(what, count) in all {
        for n in 0..count {
            assert_eq!(out.add(what), n == 0);
        }
    }
    out
}

#[test]
fn different_targets_and_hints_of_a_wave_are_counted() {
    let mut t = WaveStats::default();
    assert_eq!(t.wave(&[(A, 1), (B, 1), (A, 2), (Next::NOP, 3)], 8, &Weights::default()), 3);
    assert_eq!(t.wave(&[(A, 0)], 8, &Weights::default()), 1);
    assert_eq!(t, WaveStats { rays: 5, waves: 2, lanes: 16, groups: 4, hints: 4, work: 0 });
}

#[test]
fn sorted_rays_fill_waves() {
    // 10 of A, 5 of B, 3 misses in waves of 4: MMMA AAAA AAAA ABBB BB.
    let mut t = WaveStats::default();
    t.sorted(iteration(&[((A, 0), 10), ((B, 0), 5), ((MISS, 0), 3)]), 4, &Weights::default());
    assert_eq!(t, WaveStats { rays: 18, waves: 5, lanes: 20, groups: 2 + 1 + 1 + 2 + 1, hints: 5, work: 0 });
}

#[test]
fn hints_are_sorted_after_groups() {
    // A0 A0 A0 A1 | A1 A2 A2 B0 | B2: the same hint of two groups is one.
    let mut t = WaveStats::default();
    t.sorted(iteration(&[((A, 0), 3), ((A, 1), 2), ((A, 2), 2), ((B, 0), 1), ((B, 2), 1)]), 4, &Weights::default());
    assert_eq!(t, WaveStats { rays: 9, waves: 3, lanes: 12, groups: 1 + 2 + 1, hints: 2 + 3 + 1, work: 0 });
    let mut t = WaveStats::default();
    t.sorted(iteration(&[((A, 7), 2), ((B, 7), 2)]), 4, &Weights::default());
    assert_eq!((t.groups, t.hints), (2, 1));
}

#[test]
fn waves_execute_the_shaders_of_all_their_targets() {
    let weights = Weights([(A, 1000), (B, 10)].into_iter().collect());
    let mut t = WaveStats::default();
    t.wave(&[(A, 1), (B, 1), (A, 2), (MISS, 3)], 4, &weights);
    t.wave(&[(B, 1)], 4, &weights);
    assert_eq!(t.work, 1010 + 10);
    // MMMA AAAA AAAA ABBB BB.
    let mut t = WaveStats::default();
    t.sorted(iteration(&[((A, 0), 10), ((B, 0), 5), ((MISS, 0), 3)]), 4, &weights);
    assert_eq!(t.work, 1000 + 2000 + 1010 + 10);
}

#[test]
fn sorting_by_counts_equals_sorting_by_rays() {
    let mut seed = 1u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    for width in [1, 2, 7, 32, 128] {
        let all: Vec<((Next, u32), u64)> = (0..6).map(|n| ((Next((3 << 32) | (n / 2)), n as u32 % 2), 1 + next(300))).collect();
        let mut quick = WaveStats::default();
        quick.sorted(iteration(&all), width, &Weights::default());
        let rays: Vec<(Next, u32)> = all.iter().flat_map(|&(what, n)| std::iter::repeat_n(what, n as usize)).collect();
        let mut slow = WaveStats::default();
        rays.chunks(width as usize).for_each(|wave| _ = slow.wave(wave, width, &Weights::default()));
        assert_eq!(quick, slow, "{width}");
    }
}

fn named(name: &str, number: usize) -> crate::cpu::trace::Record {
    let mut record = crate::cpu::trace::tables::NO_RECORD.clone();
    (record.name, record.number) = (name.into(), number);
    record
}

#[test]
fn records_of_one_group_are_the_same() {
    let records = [named("A", 2), named("B", 3), named("A", 4), named("", 5)];
    let tables = Tables::of_records([vec![named("R", 0)], vec![named("M", 1)], records.to_vec(), vec![]]);
    let p = Profile::new(&tables, [4, 2, 1], 2);
    let hit = |n| p.record(&tables, Table::Hit, n);
    assert!(hit(0) == hit(2) && hit(0) != hit(1) && hit(0) != p.record(&tables, Table::Miss, 0));
    assert_eq!((hit(3), hit(4), crate::cpu::trace::hit_object::target(None, &p, &tables)), (Next::NOP, Next::NOP, Next::NOP));
}

#[test]
fn observations_are_counted_by_point_and_iteration_and_drawn() {
    use crate::cpu::wave::lane_ops::ActiveLane;
    let tables = Tables::of_records(Default::default());
    let p = Profile::new(&tables, [4, 2, 1], 1);
    let observation = |site: u32, round: u64, rays: &[(u64, Next, u32)]| {
        let lanes: Vec<ActiveLane> = rays
            .iter()
            .map(|&(ray, next, hint)| ActiveLane { lane: ray as u32 % 4, slots: vec![next.0, hint.into(), ray, round, 0, 1] })
            .collect();
        p.point(&Observation { site, width: 4, lanes: &lanes, parts: rays.len() as u32 / 2 });
    };
    // Two waves, the rows of the dispatch: stripes in the first, then only its first two rays again in another iteration.
    observation(0, 9, &[(0, A, 0), (1, B, 0), (2, A, 0), (3, B, 0)]);
    observation(0, 9, &[(4, A, 0), (5, A, 1), (6, A, 1), (7, A, 1)]);
    observation(0, 8, &[(0, A, 0), (1, A, 0)]);
    // A hint alone is not on the map.
    observation(1, 7, &[(0, Next::NOP, 1), (3, Next::NOP, 2)]);
    // A trace into a hit object is no point.
    let lane = ActiveLane { lane: 0, slots: vec![Next::NOP.0, 0, 0, 9, 0, 0] };
    p.point(&Observation { site: 2, width: 4, lanes: &[lane], parts: 1 });
    p.end(3);
    p.end(2);
    let program = crate::cpu::thread::context::Loaded {
        codes: Vec::new(),
        functions: Vec::new(),
        shaders: Vec::new(),
        resources: Vec::new(),
        sites: Vec::new(),
        shared_bytes: 0,
    };
    let report = p.finish(&program);
    let [one, two] = &report.rows[..] else { panic!("{report}") };
    assert_eq!((one.times, one.before.waves, one.before.groups), (10, 3, (2.0 + 1.0 + 1.0) / 3.0));
    // Sorted: A0 A0 A0 A1 | A1 A1 B0 B0, and the other iteration.
    assert_eq!((one.after.waves, one.after.groups), (3, (1.0 + 2.0 + 1.0) / 3.0));
    assert_eq!((one.before.hints, one.after.hints), ((1.0 + 2.0 + 1.0) / 3.0, (2.0 + 2.0 + 1.0) / 3.0));
    assert_eq!((one.before.occupancy, one.after.occupancy), (10.0 / 12.0, 10.0 / 12.0));
    assert_eq!((two.before.groups, two.before.hints, two.before.occupancy), (1.0, 2.0, 0.5));
    assert_eq!((one.parts, two.parts, report.parts_at_end), ((2.0 + 2.0 + 1.0) / 3.0, 1.0, 2.5));
    assert_eq!(report.map, [1.5, 1.5, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
    let png = report.heat_map().expect("a picture");
    let picture = image::load_from_memory(&png).expect("a PNG").to_rgb8();
    assert_eq!(picture.dimensions(), (4, 2));
    assert_eq!((picture.get_pixel(3, 0).0, picture.get_pixel(0, 1).0), ([255, 255, 190], [0, 0, 0]));
    let text = report.to_string();
    assert!(text.starts_with("coherence of 4 x 2 rays in waves of 4;"), "{text}");
}
