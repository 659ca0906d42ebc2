//! Random triangles and boxes in random instances, against a brute-force reference in 64-bit floats.

use super::*;

/// A result of the reference: a primitive that the ray intersects and that the flags accept.
struct Candidate {
    /// Instance, geometry, primitive.
    key: (u32, u32, u32),
    t: f64,
    front: bool,
    opaque: bool,
    /// So close to an edge or to the ends of the ray that either answer is correct.
    doubtful: bool,
}

struct World {
    instances: Vec<Placed>,
    /// For each instance: its geometries.
    shapes: Vec<Vec<Geometry>>,
}

fn world(random: &mut Random) -> World {
    let mut out = World { instances: Vec::new(), shapes: Vec::new() };
    for _ in 0..1 + random.below(6) {
        let boxes = random.below(4) == 0;
        let geometries: Vec<Geometry> = (0..1 + random.below(3))
            .map(|_| {
                let flags = random.below(4);
                let n = random.below(60);
                if boxes {
                    let one = |random: &mut Random| {
                        let (p, s) = (random.point(3.0), random.within(0.1, 1.0));
                        let x = if random.below(20) == 0 { f32::NAN } else { p[0] };
                        [x, p[1], p[2], p[0] + s, p[1] + s, p[2] + s]
                    };
                    return Geometry::new(GeometryData::Boxes((0..n).map(|_| one(random)).collect()), flags);
                }
                let transform = (random.below(3) == 0).then(|| matrix(random));
                let mut positions: Vec<[f32; 3]> = Vec::new();
                for _ in 0..n {
                    let p = random.point(3.0);
                    for _ in 0..3 {
                        let q = random.point(1.0);
                        positions.push(std::array::from_fn(|a| p[a] + q[a]));
                    }
                    if random.below(20) == 0 {
                        positions.last_mut().unwrap()[0] = f32::NAN;
                    }
                }
                let indices = (random.below(2) == 0).then(|| (0..3 * n).rev().collect());
                Geometry::new(GeometryData::Triangles { positions, indices, transform }, flags)
            })
            .collect();
        out.instances.push(Placed {
            bottom: (random.below(10) != 0).then(|| bottom(geometries.clone())),
            transform: matrix(random),
            id: random.below(1 << 24),
            mask: random.bits() as u8,
            hit_group_offset: random.below(1 << 24),
            flags: random.below(16),
        });
        out.shapes.push(geometries);
    }
    out
}

/// A matrix that rotates, scales, possibly mirrors, and translates.
fn matrix(random: &mut Random) -> [[f32; 4]; 3] {
    loop {
        let mut m: [[f32; 4]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.within(-1.5, 1.5)));
        m.iter_mut().for_each(|row| row[3] *= 2.0);
        let d = |a: usize, b: usize, c: usize| f64::from(m[0][a]) * f64::from(m[1][b]) * f64::from(m[2][c]);
        let det = d(0, 1, 2) + d(1, 2, 0) + d(2, 0, 1) - d(2, 1, 0) - d(0, 2, 1) - d(1, 0, 2);
        if det.abs() > 0.3 {
            return m;
        }
    }
}

type D3 = [f64; 3];

fn apply(m: &[[f32; 4]; 3], p: D3) -> D3 {
    m.map(|r| f64::from(r[0]) * p[0] + f64::from(r[1]) * p[1] + f64::from(r[2]) * p[2] + f64::from(r[3]))
}
fn sub(a: D3, b: D3) -> D3 {
    std::array::from_fn(|i| a[i] - b[i])
}
fn cross(a: D3, b: D3) -> D3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: D3, b: D3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl World {
    /// Every intersection along the ray, unordered; intersected boxes separately.
    fn look(&self, ray: &Ray, flags: u32, mask: u32) -> (Vec<Candidate>, Vec<Candidate>) {
        let (mut out, mut boxes) = (Vec::new(), Vec::new());
        let (o, d) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
        for (i, (inst, shapes)) in self.instances.iter().zip(&self.shapes).enumerate() {
            if inst.bottom.is_none() || u32::from(inst.mask) & mask & 0xff == 0 {
                continue;
            }
            for (g, geometry) in shapes.iter().enumerate() {
                let mut opaque = geometry.flags & GEOMETRY_OPAQUE != 0;
                if inst.flags & INSTANCE_FORCE_OPAQUE != 0 {
                    opaque = true;
                } else if inst.flags & INSTANCE_FORCE_NON_OPAQUE != 0 {
                    opaque = false;
                }
                if opaque && flags & 0x40 != 0 || !opaque && flags & 0x80 != 0 {
                    continue;
                }
                if flags & 1 != 0 {
                    opaque = true;
                } else if flags & 2 != 0 {
                    opaque = false;
                }
                match &geometry.data {
                    GeometryData::Triangles { positions, indices, transform } if flags & 0x100 == 0 => {
                        let count = indices.as_ref().map_or(positions.len(), Vec::len) / 3;
                        for p in 0..count {
                            let corner = |k: usize| {
                                let at = indices.as_ref().map_or(p * 3 + k, |x| x[p * 3 + k] as usize);
                                let local = positions[at].map(f64::from);
                                transform.as_ref().map_or(local, |m| apply(m, local))
                            };
                            let local = [corner(0), corner(1), corner(2)];
                            if local.iter().any(|c| c[0].is_nan()) {
                                continue;
                            }
                            // Facing is in object space: a mirroring instance does not reverse triangles.
                            let v = local.map(|c| apply(&inst.transform, c));
                            let (e1, e2) = (sub(v[1], v[0]), sub(v[2], v[0]));
                            let (p1, s) = (cross(d, e2), sub(o, v[0]));
                            let (det, q) = (dot(e1, p1), cross(s, e1));
                            let (u, w, t) = (dot(s, p1) / det, dot(d, q) / det, dot(e2, q) / det);
                            let c = |a: usize| inst.transform.map(|r| f64::from(r[a]));
                            let mirrored = dot(cross(c(0), c(1)), c(2)) < 0.0;
                            let turned = inst.flags & INSTANCE_FRONT_COUNTERCLOCKWISE != 0;
                            let front = (det > 0.0) ^ mirrored ^ turned;
                            let cull = inst.flags & INSTANCE_CULL_DISABLE == 0 && flags & if front { 0x20 } else { 0x10 } != 0;
                            let near = [u, w, 1.0 - u - w].into_iter().fold(f64::MAX, f64::min);
                            let ends = [t - f64::from(ray.t_min), f64::from(ray.t_max) - t];
                            let close = near.abs() < 1e-4 || ends.iter().any(|e| e.abs() < 1e-3) || det.abs() < 1e-2;
                            let met = near > 0.0 && ends.iter().all(|&e| e > 0.0);
                            if !cull && (met || close && near > -1e-4 && ends.iter().all(|&e| e > -1e-3)) {
                                out.push(Candidate { key: (i as u32, g as u32, p as u32), t, front, opaque, doubtful: close });
                            }
                        }
                    }
                    GeometryData::Boxes(list) if flags & 0x200 == 0 => {
                        let inverse = super::super::math::inverse(&inst.transform).unwrap();
                        let (lo, ld) = (apply(&inverse, o), sub(apply(&inverse, d), apply(&inverse, [0.0; 3])));
                        for (p, b) in list.iter().enumerate().filter(|(_, b)| !b[0].is_nan()) {
                            let (mut enter, mut leave) = (f64::from(ray.t_min), f64::from(ray.t_max));
                            for a in 0..3 {
                                let at = [b[a], b[a + 3]].map(|x| (f64::from(x) - lo[a]) / ld[a]);
                                enter = enter.max(at[0].min(at[1]));
                                leave = leave.min(at[0].max(at[1]));
                            }
                            if enter < leave + 1e-3 {
                                boxes.push(Candidate {
                                    key: (i as u32, g as u32, p as u32),
                                    t: enter,
                                    front: false,
                                    opaque,
                                    doubtful: enter > leave - 1e-3,
                                });
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        (out, boxes)
    }
}

/// Whether the simulated any-hit shader accepts a primitive.
fn accepts(key: (u32, u32, u32)) -> bool {
    !(key.0 * 7 + key.1 * 5 + key.2 * 3).is_multiple_of(3)
}

#[test]
fn random_worlds_are_walked_as_a_simple_program_walks_them() {
    let mut random = Random(7);
    let exclusive = [0, 1, 2, 0x40, 0x80];
    let (mut hits, mut candidates, mut boxes_met) = (0, 0, 0);
    for _ in 0..100 {
        let world = world(&mut random);
        let top = top(&world.instances);
        for _ in 0..60 {
            let t_min = if random.below(2) == 0 { 0.0 } else { random.within(0.0, 2.0) };
            let (origin, target) = (random.point(6.0), random.point(2.0));
            let ray = Ray {
                origin,
                t_min,
                direction: std::array::from_fn(|a| (target[a] - origin[a]) * 0.2),
                t_max: if random.below(2) == 0 { f32::INFINITY } else { t_min + random.within(0.0, 20.0) },
            };
            let cull = [0, 0x10, 0x20][random.below(3) as usize];
            let skip = [0, 0, 0, 0x100, 0x200][random.below(5) as usize];
            let flags = exclusive[random.below(5) as usize] | cull | skip;
            let mask = random.bits();
            let (found, boxes) = world.look(&ray, flags, mask);

            let mut seen = Vec::new();
            let mut walk = Traversal::new(ray, flags, mask, 0);
            loop {
                let mut plain = walk.clone();
                let next = walk.next(&top);
                assert_eq!(plain.next_baseline(&top), next, "with vectors of eight and without");
                let Some(c) = next else { break };
                let key = (c.instance, c.geometry, c.primitive);
                assert!(!seen.contains(&key), "{key:?} comes twice");
                seen.push(key);
                assert_eq!(c.instance_id, world.instances[c.instance as usize].id);
                assert_eq!(c.hit_group_offset, world.instances[c.instance as usize].hit_group_offset);
                match c.kind {
                    Kind::Triangle => {
                        candidates += 1;
                        let f = found.iter().find(|f| f.key == key).expect("a candidate that is not there");
                        assert!(!f.opaque && !c.opaque);
                        if !f.doubtful {
                            assert_eq!(f.front, c.front_face, "{key:?}");
                            assert!((f.t - f64::from(c.t)).abs() < 1e-3 * (1.0 + f.t));
                        }
                        if accepts(key) {
                            walk.commit();
                            walk.commit();
                        }
                    }
                    Kind::Procedural => {
                        boxes_met += 1;
                        let b = boxes.iter().find(|f| f.key == key).expect("a box that is not there");
                        assert_eq!(b.opaque, c.opaque);
                        assert!(!walk.commit_procedural(f32::NAN));
                    }
                }
            }
            let expected = found.iter().filter(|f| !f.doubtful && (f.opaque || accepts(f.key))).min_by(|a, b| a.t.total_cmp(&b.t));
            let hit = walk.committed().copied();
            // An ambiguous one may or may not have been hit in front.
            let doubtful = |t: f64| found.iter().any(|f| f.doubtful && f.t < t + 1e-3);
            match (hit, expected) {
                (Some(h), Some(e)) => {
                    hits += 1;
                    let key = (h.instance, h.geometry, h.primitive);
                    assert!(key == e.key || doubtful(e.t), "{key:?} at {} instead of {:?} at {}", h.t, e.key, e.t);
                    if key == e.key {
                        assert_eq!(h.front_face, e.front);
                        assert_eq!(h.opaque, e.opaque);
                        assert!((e.t - f64::from(h.t)).abs() < 1e-3 * (1.0 + e.t));
                    }
                }
                (Some(h), None) => assert!(doubtful(f64::from(h.t)), "{h:?}"),
                (None, Some(e)) => panic!("{:?} is missed", e.key),
                (None, None) => {}
            }
            // Every candidate in front of the hit was returned.
            let end = hit.map_or(f64::MAX, |h| f64::from(h.t) - 1e-3);
            for f in found.iter().filter(|f| !f.opaque && !f.doubtful && f.t < end) {
                assert!(seen.contains(&f.key), "{:?} was not offered", f.key);
            }
            for b in boxes.iter().filter(|b| !b.doubtful && b.t < end) {
                assert!(seen.contains(&b.key), "box {:?} was not offered", b.key);
            }
        }
    }
    assert!(hits > 200 && candidates > 200 && boxes_met > 200, "{hits} {candidates} {boxes_met}");
}
