//! Opacity micromaps: the curve against a recursive reference, states, special indices, flags.

use super::*;
use crate::error::Result;
use rtc_tables::ray_flags as flag;

type P = [f64; 2];

/// Recursive reference of the curve: corner at the first vertex, middle, corner at the second, corner at the third, each with its
/// vertices in the order in which the curve visits them. Returns the centres of the micro-triangles.
fn descend(t: [P; 3], level: u32, out: &mut Vec<P>) {
    if level == 0 {
        out.push([0, 1].map(|i| (t[0][i] + t[1][i] + t[2][i]) / 3.0));
        return;
    }
    let mid = |a: P, b: P| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let [a, b, c] = t;
    let (ab, bc, ca) = (mid(a, b), mid(b, c), mid(c, a));
    for child in [[a, ab, ca], [ca, bc, ab], [ab, b, bc], [bc, ca, c]] {
        descend(child, level - 1, out);
    }
}

const WHOLE: [P; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

#[test]
fn the_index_is_the_place_on_the_curve() {
    for level in 0..=7 {
        let mut centres = Vec::new();
        descend(WHOLE, level, &mut centres);
        assert_eq!(centres.len(), 1 << (2 * level));
        for (i, c) in centres.iter().enumerate() {
            assert_eq!(micromap_index(c[0] as f32, c[1] as f32, level), i as u32, "level {level}");
        }
    }
}

#[test]
fn deeper_levels_divide_the_triangles_of_shallower_ones() {
    let mut random = Random(23);
    for _ in 0..20_000 {
        let (a, b) = (random.unit(), random.unit());
        let (u, v) = if a + b > 1.0 { (1.0 - a, 1.0 - b) } else { (a, b) };
        let deepest = micromap_index(u, v, MICROMAP_MAX_LEVEL);
        assert!(deepest < 1 << 24);
        for level in 0..MICROMAP_MAX_LEVEL {
            assert_eq!(micromap_index(u, v, level), deepest >> (2 * (MICROMAP_MAX_LEVEL - level)), "{u} {v} {level}");
        }
    }
}

#[test]
fn weights_outside_of_the_triangle_are_inside_of_the_map() {
    let odd = [-1.0, -0.0, 0.0, 0.25, 0.5, 0.999_999_94, 1.0, 1.000_000_1, 2.0, 1e30, f32::NAN, f32::INFINITY];
    for level in 0..=MICROMAP_MAX_LEVEL {
        for u in odd {
            for v in odd {
                assert!(micromap_index(u, v, level) < 1 << (2 * level));
            }
        }
        // The corners are in the expected micro-triangles.
        let last = (1u32 << (2 * level)) - 1;
        assert_eq!(micromap_index(0.0, 0.0, level), 0);
        assert_eq!(micromap_index(0.0, 1.0, level), last);
    }
    assert_eq!(micromap_index(1.0, 0.0, 1), 2);
    assert_eq!(micromap_index(0.3, 0.3, 1), 1);
}

fn array(data: Vec<u8>, entries: Vec<MicromapEntry>) -> Result<MicromapArray> {
    MicromapArray::build(&MicromapArrayDesc { data, entries })
}

#[test]
fn states_are_read_where_they_lie() {
    let mut random = Random(29);
    for format in [MicromapFormat::TwoState, MicromapFormat::FourState] {
        for level in 0..=5 {
            let offset = random.below(9);
            let bytes = offset as usize + format.bytes(level);
            let data: Vec<u8> = (0..bytes).map(|_| random.bits() as u8).collect();
            let a = array(data.clone(), vec![MicromapEntry { offset, level, format }]).unwrap();
            let mut centres = Vec::new();
            descend(WHOLE, level, &mut centres);
            for (i, c) in centres.iter().enumerate() {
                let bit = |k: usize| data[offset as usize + k / 8] >> (k % 8) & 1;
                let expected = match format {
                    MicromapFormat::TwoState => bit(i),
                    MicromapFormat::FourState => bit(2 * i) | bit(2 * i + 1) << 1,
                };
                assert_eq!(a.state(0, c.map(|x| x as f32)), State::from_bits(expected));
            }
        }
    }
    assert_eq!(MicromapFormat::FourState.bytes(12), 4 << 20);
}

#[test]
fn wrong_arrays_and_references_are_refused() {
    let entry = |offset, level| MicromapEntry { offset, level, format: MicromapFormat::TwoState };
    let message = |e: MicromapEntry| array(vec![0; 8], vec![e]).unwrap_err().message;
    assert!(message(entry(0, 13)).contains("level 13"));
    assert!(message(entry(0, 4)).contains("ends at byte 32"));
    assert!(message(entry(u32::MAX, 0)).contains("there are 8 bytes"));
    let maps = Arc::new(array(vec![0; 8], vec![entry(0, 0), entry(4, 1)]).unwrap());
    let build = |indices: Option<Vec<i32>>, base: u32, linked: bool| {
        let mut g = triangles(vec![[0.0; 3]; 9], 0);
        g.micromaps = Some(GeometryMicromaps { array: linked.then(|| Micromaps::number(0)), indices, base });
        Bottom::build(&BottomDesc { geometries: vec![g], flags: BuildFlags::default() }, &|_| Ok(maps.clone()))
    };
    let refused = |i: Option<Vec<i32>>, base, linked| build(i, base, linked).unwrap_err().message;
    assert!(refused(None, 0, true).contains("micromap 2, but the array has 2"));
    assert!(refused(Some(vec![0, 1]), 0, true).contains("2 indices of micromaps for 3 triangles"));
    assert!(refused(Some(vec![0, 1, 1]), 1, true).contains("micromap 2"));
    assert!(refused(Some(vec![0, 1, i32::MAX]), u32::MAX, true).contains("the array has 2"));
    assert!(refused(Some(vec![-5, 0, 0]), 0, true).contains("-5 is no index"));
    assert!(refused(Some(vec![-1, 0, -1]), 0, false).contains("the array has 0"));
    assert!(build(Some(vec![-1, -2, -4]), 7, false).is_ok() && build(Some(vec![0, 1, -3]), 0, true).is_ok());
}

const FORWARD: Ray = Ray { origin: [0.0, 0.0, -1.0], t_min: 0.0, direction: [0.0, 0.0, 1.0], t_max: 100.0 };

/// The result of a ray through micro-triangle `i` of level 1 with the states transparent, opaque, unknown transparent, unknown
/// opaque along the curve: `T`ransparent, `O`paque, or `?`.
fn outcome(i: usize, geometry: u32, instance: u32, ray: u32) -> char {
    let entry = MicromapEntry { offset: 0, level: 1, format: MicromapFormat::FourState };
    let maps = Arc::new(array(vec![0b1110_0100], vec![entry]).unwrap());
    let mut g = triangles(vec![[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 0.0, 0.0]], geometry);
    g.micromaps = Some(GeometryMicromaps { array: Some(Micromaps::number(0)), indices: None, base: 0 });
    let desc = BottomDesc { geometries: vec![g], flags: BuildFlags::default() };
    let bottom = Arc::new(Bottom::build(&desc, &|_| Ok(maps.clone())).unwrap());
    let mut centres = Vec::new();
    descend(WHOLE, 1, &mut centres);
    let [u, v] = centres[i].map(|x| x as f32);
    decide(&bottom, [4.0 * v, 4.0 * u], instance, ray)
}

fn decide(bottom: &Arc<Bottom>, at: [f32; 2], instance: u32, flags: u32) -> char {
    let top = top(&[Placed { flags: instance, ..placed(bottom) }]);
    let mut walk = Traversal::new(Ray { origin: [at[0], at[1], -1.0], ..FORWARD }, flags, 0xff, 0);
    match (walk.next(&top), walk.committed()) {
        (Some(_), _) => '?',
        (None, Some(_)) => 'O',
        (None, None) => 'T',
    }
}

#[test]
fn flags_apply_after_micromaps() {
    let seen = |g: u32, i: u32, r: u32| (0..4).map(|at| outcome(at, g, i, r)).collect::<String>();
    let two = INSTANCE_FORCE_OMM_2_STATE;
    #[rustfmt::skip]
    let rows = [
        (0,               0,                           0,                              "TO??"),
        (GEOMETRY_OPAQUE, 0,                           0,                              "TO??"),
        (0,               0,                           flag::FORCE_2_STATE,            "TOTO"),
        (0,               two,                         0,                              "TOTO"),
        (0,               0,                           flag::FORCE_OPAQUE,             "TOOO"),
        (0,               0,                           flag::FORCE_NON_OPAQUE,         "T???"),
        (0,               INSTANCE_FORCE_OPAQUE,       0,                              "TOOO"),
        (0,               INSTANCE_FORCE_NON_OPAQUE,   0,                              "T???"),
        (0,               0,                           flag::CULL_OPAQUE,              "TT??"),
        (0,               0,                           flag::CULL_NON_OPAQUE,          "TOTT"),
        (0,               INSTANCE_DISABLE_OMMS,       0,                              "????"),
        (GEOMETRY_OPAQUE, INSTANCE_DISABLE_OMMS,       0,                              "OOOO"),
        (0,               INSTANCE_DISABLE_OMMS | two, flag::FORCE_2_STATE,            "????"),
        (0,               two,                         flag::FORCE_NON_OPAQUE,         "T?T?"),
    ];
    for (g, i, r, expected) in rows {
        assert_eq!(seen(g, i, r), expected, "{g} {i:#x} {r:#x}");
    }
}

#[test]
fn special_indices_are_the_same_everywhere() {
    let row = |x: f32| [[x, 0.0, 0.0], [x, 1.0, 0.0], [x + 1.0, 0.0, 0.0]];
    let mut g = triangles([row(0.0), row(1.0), row(2.0), row(3.0)].concat(), 0);
    g.micromaps = Some(GeometryMicromaps { array: None, indices: Some(vec![-1, -2, -3, -4]), base: 5 });
    let bottom = bottom(vec![g]);
    let seen = |flags: u32| (0..4).map(|i| decide(&bottom, [i as f32 + 0.2, 0.2], 0, flags)).collect::<String>();
    assert_eq!(seen(0), "TO??");
    assert_eq!(seen(flag::FORCE_2_STATE), "TOTO");
}

#[test]
fn updates_may_link_other_micromaps_only_if_they_were_built_for_it() {
    let one =
        |state: u8| Arc::new(array(vec![state], vec![MicromapEntry { offset: 0, level: 0, format: MicromapFormat::TwoState }]).unwrap());
    let desc = |flags| {
        let mut g = triangles(vec![[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 0.0, 0.0]], 0);
        g.micromaps = Some(GeometryMicromaps { array: Some(Micromaps::number(0)), indices: None, base: 0 });
        BottomDesc { geometries: vec![g], flags }
    };
    let flags = BuildFlags { allow_update: true, allow_omm_update: true, ..BuildFlags::default() };
    let built = Bottom::build(&desc(flags), &|_| Ok(one(0))).unwrap();
    let updated = built.updated(&desc(flags), &|_| Ok(one(1))).unwrap();
    assert_eq!((decide(&Arc::new(built), [1.0; 2], 0, 0), decide(&Arc::new(updated), [1.0; 2], 0, 0)), ('T', 'O'));
    let fixed = BuildFlags { allow_omm_update: false, ..flags };
    let built = Bottom::build(&desc(fixed), &|_| Ok(one(0))).unwrap();
    assert!(built.updated(&desc(fixed), &|_| Ok(one(1))).unwrap_err().message.contains("allow_omm_update"));
    assert!(built.updated(&desc(fixed), &|_| Ok(one(0))).is_ok());
}
