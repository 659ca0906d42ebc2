//! Serialisation round trips; damaged bytes are rejected.

use super::*;

fn scene() -> (Arc<Bottom>, Arc<Bottom>, Top) {
    let mut random = Random(17);
    let micromaps = Arc::new(
        MicromapArray::build(&MicromapArrayDesc {
            data: vec![0b0110_0011],
            entries: vec![
                MicromapEntry { offset: 0, level: 1, format: MicromapFormat::TwoState },
                MicromapEntry { offset: 0, level: 1, format: MicromapFormat::FourState },
            ],
        })
        .unwrap(),
    );
    let mut geometry = triangles((0..30).map(|_| random.point(2.0)).collect(), GEOMETRY_OPAQUE);
    geometry.micromaps =
        Some(GeometryMicromaps { array: Some(Micromaps::number(0)), indices: Some(vec![0, 1, -1, -2, -3, -4, 0, 1, 0, 1]), base: 0 });
    let desc = BottomDesc { geometries: vec![geometry.clone(), geometry], flags: BuildFlags::default() };
    let tri = Arc::new(Bottom::build(&desc, &|_| Ok(micromaps.clone())).unwrap());
    let cubes = (0..5).map(|_| random.point(1.0)).map(|p| [p[0], p[1], p[2], p[0] + 1.0, p[1] + 1.0, p[2] + 1.0]);
    let cubes = bottom(vec![Geometry::new(GeometryData::Boxes(cubes.collect()), 0)]);
    let off = Placed { bottom: None, ..placed(&tri) };
    let top = top(&[placed(&cubes), off, Placed { id: 77, flags: 5, mask: 9, ..placed(&tri) }, placed(&cubes)]);
    (tri, cubes, top)
}

#[test]
fn what_is_written_is_read_back() {
    let (tri, cubes, top) = scene();
    for b in [&tri, &cubes] {
        assert_eq!(deserialize(&b.serialize(), &[]).unwrap(), Structure::Bottom((**b).clone()));
        assert!(deserialize(&b.serialize(), std::slice::from_ref(&tri)).is_err());
    }
    let bytes = top.serialize();
    assert_eq!(top.bottoms().len(), 2);
    assert_eq!(deserialize(&bytes, &[cubes.clone(), tri.clone()]).unwrap(), Structure::Top(top));
    for wrong in [&[][..], std::slice::from_ref(&cubes), &[cubes.clone(), tri.clone(), tri.clone()]] {
        assert!(deserialize(&bytes, wrong).is_err());
    }
    assert!(Bottom::deserialize(&bytes).is_err());
    let empty = Top::empty();
    assert_eq!(deserialize(&empty.serialize(), &[]).unwrap(), Structure::Top(empty));
}

#[test]
fn nothing_else_is_read() {
    let (tri, cubes, top) = scene();
    let bottoms = [cubes.clone(), tri.clone()];
    for bytes in [tri.serialize(), cubes.serialize(), top.serialize()] {
        for n in 0..bytes.len() {
            assert!(deserialize(&bytes[..n], &bottoms).is_err(), "{n} of {} bytes", bytes.len());
            let mut bent = bytes.clone();
            bent[n] ^= 1 << (n % 8);
            assert!(deserialize(&bent, &bottoms).is_err(), "byte {n}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(deserialize(&longer, &bottoms).is_err());
    }
}

#[test]
fn forged_bytes_are_refused_or_walked_without_harm() {
    let (tri, cubes, top) = scene();
    let bottoms = [cubes.clone(), tri.clone()];
    let mut random = Random(19);
    let mut read = 0;
    for round in 0..3000 {
        let mut bytes = match round % 3 {
            0 => tri.serialize(),
            1 => cubes.serialize(),
            _ => top.serialize(),
        };
        for _ in 0..1 + random.below(4) {
            let at = 20 + random.below(bytes.len() as u32 - 20) as usize;
            bytes[at] = random.bits() as u8;
        }
        super::super::encoding::forge(&mut bytes);
        let given: &[Arc<Bottom>] = if round % 3 == 2 { &bottoms } else { &[] };
        let found = match deserialize(&bytes, given) {
            Ok(Structure::Bottom(b)) => super::top(&[placed(&Arc::new(b))]),
            Ok(Structure::Top(t)) => t,
            Err(_) => continue,
        };
        read += 1;
        for _ in 0..10 {
            let (from, to) = (random.point(4.0), random.point(1.0));
            let mut walk = Traversal::new(ray(from, std::array::from_fn(|a| to[a] - from[a])), 0, 0xff, 0);
            while let Some(c) = walk.next(&found) {
                found.positions(&c);
                walk.commit();
                walk.commit_procedural(c.t);
            }
        }
    }
    assert!(read > 100, "{read}");
}
