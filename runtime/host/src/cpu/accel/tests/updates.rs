//! Updates are equivalent to rebuilds; invalid updates are rejected.

use super::*;

const UPDATABLE: BuildFlags = BuildFlags {
    allow_update: true,
    allow_compaction: true,
    prefer_fast_build: false,
    low_memory: false,
    allow_data_access: false,
    allow_omm_update: false,
    allow_disable_omms: false,
};

fn soup(random: &mut Random, n: u32) -> Vec<[f32; 3]> {
    (0..n)
        .flat_map(|_| {
            let p = random.point(4.0);
            std::array::from_fn::<_, 3, _>(|_| {
                let q = random.point(0.5);
                std::array::from_fn(|a| p[a] + q[a])
            })
        })
        .collect()
}

fn desc(positions: Vec<[f32; 3]>) -> BottomDesc {
    BottomDesc { geometries: vec![triangles(positions, GEOMETRY_OPAQUE)], flags: UPDATABLE }
}

fn same_answers(a: &Top, b: &Top, random: &mut Random) {
    let mut hits = 0;
    for _ in 0..500 {
        let (from, to) = (random.point(8.0), random.point(4.0));
        let r = ray(from, std::array::from_fn(|a| to[a] - from[a]));
        let strip = |h: Option<Hit>| h.map(|h| (h.instance, h.geometry, h.primitive, h.t.to_bits(), h.barycentrics));
        let (x, y) = (strip(closest(a, r, 0)), strip(closest(b, r, 0)));
        assert_eq!(x, y);
        hits += u32::from(x.is_some());
    }
    assert!(hits > 50);
}

#[test]
fn refitted_is_rebuilt() {
    let mut random = Random(3);
    let old = Bottom::build(&desc(soup(&mut random, 300)), &no_micromaps).unwrap();
    let new = desc(soup(&mut random, 300));
    let updated = Arc::new(old.updated(&new, &no_micromaps).unwrap());
    let rebuilt = Arc::new(Bottom::build(&new, &no_micromaps).unwrap());
    assert_ne!(updated.bvh, rebuilt.bvh);
    same_answers(&top(&[placed(&updated)]), &top(&[placed(&rebuilt)]), &mut random);

    let at = |x: f32, b: &Arc<Bottom>| {
        let mut p = placed(b);
        p.transform[0][3] = x;
        p
    };
    let before = [at(0.0, &updated), at(3.0, &updated), at(-4.0, &rebuilt)];
    let after = [at(1.0, &rebuilt), at(-3.0, &updated), at(0.5, &updated)];
    let built = Top::build(&before, UPDATABLE).unwrap();
    let moved = built.updated(&after, UPDATABLE).unwrap();
    same_answers(&moved, &Top::build(&after, UPDATABLE).unwrap(), &mut random);
    // One that becomes inactive, one that becomes active.
    let mut fewer = after.clone();
    fewer[0].bottom = None;
    let gone = moved.updated(&fewer, UPDATABLE).unwrap();
    same_answers(&gone, &Top::build(&fewer, UPDATABLE).unwrap(), &mut random);
    same_answers(&gone.updated(&before, UPDATABLE).unwrap(), &built, &mut random);
}

#[test]
fn triangles_that_become_active_are_found() {
    let mut random = Random(5);
    let all = soup(&mut random, 300);
    let mut some = all.clone();
    some[7][0] = f32::NAN;
    let old = Bottom::build(&desc(some), &no_micromaps).unwrap();
    assert_eq!(old.primitives(), 299);
    let new = Arc::new(old.updated(&desc(all.clone()), &no_micromaps).unwrap());
    let rebuilt = Arc::new(Bottom::build(&desc(all), &no_micromaps).unwrap());
    same_answers(&top(&[placed(&new)]), &top(&[placed(&rebuilt)]), &mut random);
}

#[test]
fn other_shapes_are_refused() {
    let mut random = Random(9);
    let one = desc(soup(&mut random, 20));
    let built = Bottom::build(&one, &no_micromaps).unwrap();
    let refused = |d: &BottomDesc| built.updated(d, &no_micromaps).unwrap_err().message;
    assert!(refused(&desc(soup(&mut random, 21))).contains("another number of primitives"));
    let mut indexed = one.clone();
    if let GeometryData::Triangles { indices, .. } = &mut indexed.geometries[0].data {
        *indices = Some((0..60).collect());
    }
    assert!(refused(&indexed).contains("other geometries"));
    let boxes = vec![Geometry::new(GeometryData::Boxes(vec![[0.0; 6]; 20]), 0)];
    assert!(refused(&BottomDesc { geometries: boxes, flags: UPDATABLE }).contains("other geometries"));
    let fixed = Bottom::build(&BottomDesc { flags: BuildFlags::default(), ..one.clone() }, &no_micromaps).unwrap();
    assert!(fixed.updated(&one, &no_micromaps).unwrap_err().message.contains("allow_update"));
    assert!(fixed.compacted().is_err());
    let top = Top::build(&[], UPDATABLE).unwrap();
    assert!(top.updated(&[placed(&Arc::new(built.clone()))], UPDATABLE).is_err());
    assert!(super::top(&[]).updated(&[], BuildFlags::default()).is_err());
    let wide = Placed { id: 1 << 24, ..placed(&Arc::new(built)) };
    assert!(Top::build(&[wide], UPDATABLE).unwrap_err().message.contains("24 bits"));
}

#[test]
fn wrong_inputs_are_refused() {
    let build = |g: Vec<Geometry>| Bottom::build(&BottomDesc { geometries: g, flags: UPDATABLE }, &no_micromaps);
    let tri = triangles(vec![[0.0; 3]; 3], 0);
    let boxes = Geometry::new(GeometryData::Boxes(vec![[0.0; 6]]), 0);
    let message = |g: Vec<Geometry>| build(g).unwrap_err().message;
    assert!(message(vec![tri.clone(), boxes.clone()]).contains("mixes triangles and boxes"));
    assert!(message(vec![triangles(vec![[0.0; 3]; 4], 0)]).contains("whole triangles"));
    let data = GeometryData::Triangles { positions: vec![[0.0; 3]; 2], indices: Some(vec![0, 1, 2]), transform: None };
    assert!(message(vec![tri.clone(), Geometry::new(data, 0)]).contains("geometry 1"));
    // Empty inputs, and inputs without active primitives, are valid.
    assert_eq!(build(vec![]).unwrap().primitives(), 0);
    let none = build(vec![triangles(vec![[f32::NAN; 3]; 3], 0)]).unwrap();
    assert!(none.bounds().is_none());
    assert!(closest(&top(&[placed(&Arc::new(none))]), ray([0.0; 3], [1.0, 0.0, 0.0]), 0).is_none());
    // The largest numbers cause neither panic nor hang.
    let huge = triangles(vec![[f32::MAX; 3], [f32::MIN; 3], [f32::INFINITY, 0.0, f32::NAN]], GEOMETRY_OPAQUE);
    let b = Arc::new(build(vec![huge, tri]).unwrap());
    closest(&top(&[placed(&b)]), ray([0.0; 3], [1.0, 2.0, 3.0]), 0);
}

#[test]
fn compacting_makes_it_smaller_and_changes_nothing() {
    let mut random = Random(13);
    let built = Bottom::build(&desc(soup(&mut random, 1000)), &no_micromaps).unwrap();
    let small = built.compacted().unwrap();
    assert!(small.size() < built.size());
    assert_eq!(small, built);
}
