//! Partitioned structures: after any changes they are equivalent to an ordinary structure of the same instances.

use super::*;

const DESC: PartitionedDesc =
    PartitionedDesc { instances: 40, max_in_partition: 40, partitions: 5, max_in_global: 40, fast_build: false, allow_translation: true };

fn shapes() -> Vec<Arc<Bottom>> {
    let mut random = Random(41);
    (0..3)
        .map(|_| {
            let positions = (0..60).map(|_| random.point(1.0)).collect();
            bottom(vec![triangles(positions, GEOMETRY_OPAQUE)])
        })
        .collect()
}

fn at(bottom: Option<Arc<Bottom>>, p: [f32; 3]) -> Placed {
    let mut transform = IDENTITY;
    (0..3).for_each(|a| transform[a][3] = p[a]);
    Placed { bottom, transform, id: u32::MAX - 3, mask: 0xff, hit_group_offset: 9, flags: 0 }
}

fn write(index: u32, partition: u32, placed: Placed) -> Written {
    Written { index, partition, placed, bounds: [0.0; 6] }
}

/// The reference model of a structure.
#[derive(Clone)]
struct Model {
    instances: Vec<Option<(usize, Placed)>>,
    moved: Vec<[f32; 3]>,
}

impl Model {
    fn top(&self) -> Top {
        let place = |i: &Option<(usize, Placed)>| match i {
            None => Placed { id: 0, hit_group_offset: 0, ..at(None, [0.0; 3]) },
            Some((part, p)) => {
                let mut p = Placed { id: 0, flags: p.flags & 63, ..p.clone() };
                (0..3).for_each(|a| p.transform[a][3] += self.moved[*part][a]);
                p
            }
        };
        top(&self.instances.iter().map(place).collect::<Vec<_>>())
    }
}

fn same(p: &Partitioned, model: &Model, random: &mut Random) -> u32 {
    let other = model.top();
    let mut hits = 0;
    for _ in 0..100 {
        let (from, to) = (random.point(12.0), random.point(6.0));
        let r = ray(from, std::array::from_fn(|a| to[a] - from[a]));
        let strip = |h: Option<Hit>| h.map(|h| (h.instance, h.primitive, h.t.to_bits(), h.hit_group_offset));
        let (a, b) = (closest(p.top(), r, 0), closest(&other, r, 0));
        assert_eq!(strip(a), strip(b));
        if let Some(h) = a {
            hits += 1;
            assert_eq!(h.instance_id, u32::MAX - 3);
        }
    }
    hits
}

#[test]
fn changes_give_what_building_gives() {
    let mut random = Random(43);
    let shapes = shapes();
    let mut p = Partitioned::build(&DESC, &[], &[], &[]).unwrap();
    let mut model = Model { instances: vec![None; 40], moved: vec![[0.0; 3]; 6] };
    let mut hits = 0;
    for _ in 0..60 {
        let mut indices: Vec<u32> = (0..DESC.instances).collect();
        (0..40).for_each(|i| indices.swap(i, random.below(40) as usize));
        let (mut writes, mut swaps, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..random.below(6) {
            let index = indices.pop().unwrap();
            let part = random.below(6) as usize;
            let bottom = (random.below(6) != 0).then(|| shapes[random.below(3) as usize].clone());
            let mut placed = at(bottom, random.point(6.0));
            match random.below(8) {
                0 => placed.transform[1][1] = f32::NAN,
                1 => (0..3).for_each(|a| placed.transform[a][a] = 0.0),
                _ => {}
            }
            let mut w = write(index, if part == 5 { GLOBAL_PARTITION } else { part as u32 }, placed.clone());
            if random.below(2) == 0 {
                w.placed.flags = INSTANCE_EXPLICIT_BOUNDS;
                let c: [f32; 3] = std::array::from_fn(|a| placed.transform[a][3]);
                w.bounds = std::array::from_fn(|i| if i < 3 { c[i] - 2.0 } else { c[i - 3] + 2.0 });
            }
            writes.push(w.clone());
            model.instances[index as usize] = Some((part, w.placed));
        }
        for _ in 0..random.below(4) {
            let index = indices.pop().unwrap();
            let Some((_, placed)) = &mut model.instances[index as usize] else { continue };
            if placed.bottom.is_none() && placed.flags == 0 {
                continue;
            }
            let bottom = shapes[random.below(3) as usize].clone();
            placed.bottom = Some(bottom.clone());
            placed.hit_group_offset = random.below(1 << 24);
            swaps.push(Swapped { index, bottom, hit_group_offset: placed.hit_group_offset });
        }
        if random.below(2) == 0 {
            let part = random.below(6) as usize;
            let by = random.point(3.0);
            moves.push(PartitionTranslation { partition: if part == 5 { GLOBAL_PARTITION } else { part as u32 }, by });
            model.moved[part] = by;
        }
        p = p.changed(&DESC, &writes, &swaps, &moves).unwrap();
        hits += same(&p, &model, &mut random);
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn tables_grow_and_shrink() {
    let shapes = shapes();
    let mut random = Random(47);
    let writes: Vec<Written> = (0..40).map(|i| write(i, i % 5, at(Some(shapes[i as usize % 3].clone()), random.point(6.0)))).collect();
    let p = Partitioned::build(&DESC, &writes, &[], &[]).unwrap();
    let keep = |n: usize, size: usize| Model {
        instances: writes.iter().take(n).map(|w| Some((w.partition as usize, w.placed.clone()))).chain(vec![None; size - n]).collect(),
        moved: vec![[0.0; 3]; 9],
    };
    assert!(same(&p, &keep(40, 40), &mut random) > 30);
    let less = PartitionedDesc { instances: 11, ..DESC };
    let small = p.changed(&less, &[], &[], &[]).unwrap();
    same(&small, &keep(11, 11), &mut random);
    let more = PartitionedDesc { instances: 50, partitions: 8, ..DESC };
    same(&small.changed(&more, &[], &[], &[]).unwrap(), &keep(11, 50), &mut random);
    // An instance must not stay in a removed partition.
    let fewer = PartitionedDesc { partitions: 4, ..DESC };
    assert!(p.changed(&fewer, &[], &[], &[]).unwrap_err().message.contains("instance 4 is in a partition that is gone"));
    let moved: Vec<Written> =
        writes.iter().filter(|w| w.partition == 4).map(|w| Written { partition: GLOBAL_PARTITION, ..w.clone() }).collect();
    same(&p.changed(&fewer, &moved, &[], &[]).unwrap(), &keep(40, 40), &mut random);
}

#[test]
fn wrong_changes_are_refused_and_change_nothing() {
    let b = shapes()[0].clone();
    let p = Partitioned::build(&DESC, &[write(3, 0, at(Some(b.clone()), [0.0; 3]))], &[], &[]).unwrap();
    let before = p.top().clone();
    let wrote = |w: Vec<Written>| p.changed(&DESC, &w, &[], &[]).unwrap_err().message;
    let one = |i, part| write(i, part, at(Some(b.clone()), [1.0; 3]));
    assert!(wrote(vec![one(40, 0)]).contains("instance 40, but there are 40"));
    assert!(wrote(vec![one(1, 5)]).contains("partition 5, but there are 5"));
    assert!(wrote(vec![one(1, 0), one(1, 1)]).contains("changed more than once"));
    let flags = Written { placed: Placed { flags: 0x80, ..at(None, [0.0; 3]) }, ..one(1, 0) };
    assert!(wrote(vec![flags]).contains("0x80"));
    let inside_out = Written {
        placed: Placed { flags: INSTANCE_EXPLICIT_BOUNDS, ..at(None, [0.0; 3]) },
        bounds: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        ..one(1, 0)
    };
    assert!(wrote(vec![inside_out]).contains("invalid box"));
    let swapped = |i, offset| {
        let s = Swapped { index: i, bottom: b.clone(), hit_group_offset: offset };
        p.changed(&DESC, &[], &[s], &[]).unwrap_err().message
    };
    assert!(swapped(2, 0).contains("never written") && swapped(3, 1 << 24).contains("24 bits"));
    let tight = PartitionedDesc { max_in_partition: 1, ..DESC };
    assert!(p.changed(&tight, &[one(1, 0)], &[], &[]).unwrap_err().message.contains("partition 0 has 2 instances"));
    let fixed = PartitionedDesc { allow_translation: false, ..DESC };
    let shift = |partition| PartitionTranslation { partition, by: [1.0; 3] };
    assert!(p.changed(&fixed, &[], &[], &[shift(0)]).is_err());
    assert!(p.changed(&DESC, &[], &[], &[shift(7)]).is_err());
    assert!(p.changed(&DESC, &[], &[], &[shift(1), shift(1)]).is_err());
    assert_eq!(*p.top(), before);
}
