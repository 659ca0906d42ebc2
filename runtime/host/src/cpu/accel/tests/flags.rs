//! The effect of each ray, instance and geometry flag.

use super::*;
use rtc_tables::ray_flags as flag;

/// Clockwise from the origin side in a left-handed system, at z = `z`.
fn clockwise(z: f32) -> Vec<[f32; 3]> {
    vec![[-1.0, -1.0, z], [-1.0, 3.0, z], [3.0, -1.0, z]]
}

const FORWARD: Ray = Ray { origin: [0.0, 0.0, -1.0], t_min: 0.0, direction: [0.0, 0.0, 1.0], t_max: 100.0 };

fn one(flags: u32) -> Arc<Bottom> {
    bottom(vec![triangles(clockwise(0.0), flags)])
}

#[test]
fn clockwise_faces_front() {
    let top = top(&[placed(&one(GEOMETRY_OPAQUE))]);
    let hit = closest(&top, FORWARD, 0).unwrap();
    assert!(hit.front_face && hit.opaque && hit.t == 1.0);
    assert_eq!(hit.triangle_hit_kind(), 0xfe);
    assert_eq!(hit.barycentrics, [0.25, 0.25]);
    assert_eq!(top.positions(&hit).unwrap().to_vec(), clockwise(0.0));
    let back = Ray { origin: [0.0, 0.0, 1.0], direction: [0.0, 0.0, -1.0], ..FORWARD };
    assert!(!closest(&top, back, 0).unwrap().front_face);
    assert!(closest(&top, back, flag::CULL_BACK_FACING).is_none());
    assert!(closest(&top, back, flag::CULL_FRONT_FACING).is_some());
    assert!(closest(&top, FORWARD, flag::CULL_FRONT_FACING).is_none());
}

#[test]
fn instances_turn_faces_only_by_their_flag() {
    let bottom = one(GEOMETRY_OPAQUE);
    let seen = |transform: [[f32; 4]; 3], flags: u32, ray: u32| {
        let p = Placed { transform, flags, ..placed(&bottom) };
        closest(&top(&[p]), FORWARD, ray).map(|h| h.front_face)
    };
    let mirror = [[-1.0, 0.0, 0.0, 0.0], IDENTITY[1], IDENTITY[2]];
    assert_eq!(seen(mirror, 0, 0), Some(true));
    assert_eq!(seen(IDENTITY, INSTANCE_FRONT_COUNTERCLOCKWISE, 0), Some(false));
    assert_eq!(seen(IDENTITY, INSTANCE_FRONT_COUNTERCLOCKWISE, flag::CULL_BACK_FACING), None);
    let both = INSTANCE_FRONT_COUNTERCLOCKWISE | INSTANCE_CULL_DISABLE;
    assert_eq!(seen(IDENTITY, both, flag::CULL_BACK_FACING), Some(false));
    assert_eq!(seen(IDENTITY, INSTANCE_CULL_DISABLE, flag::SKIP_TRIANGLES), None);
    // A geometry's transform reverses the winding of its triangles.
    let data = GeometryData::Triangles { positions: clockwise(0.0), indices: None, transform: Some(mirror) };
    let turned = super::bottom(vec![Geometry::new(data, GEOMETRY_OPAQUE)]);
    assert!(!closest(&top(&[placed(&turned)]), FORWARD, 0).unwrap().front_face);
}

#[test]
fn opacity_is_of_the_ray_then_the_instance_then_the_geometry() {
    // Returned as candidate (false) or committed at once (true); `None` if culled.
    let seen = |geometry: u32, instance: u32, ray: u32| {
        let top = top(&[Placed { flags: instance, ..placed(&one(geometry)) }]);
        let mut walk = Traversal::new(FORWARD, ray, 0xff, 0);
        let offered = walk.next(&top).is_some();
        (offered || walk.committed().is_some()).then_some(!offered)
    };
    let opaque = GEOMETRY_OPAQUE;
    #[rustfmt::skip]
    let rows = [
        (0,      0,                         0,                      Some(false)),
        (opaque, 0,                         0,                      Some(true)),
        (0,      INSTANCE_FORCE_OPAQUE,     0,                      Some(true)),
        (opaque, INSTANCE_FORCE_NON_OPAQUE, 0,                      Some(false)),
        (0,      0,                         flag::FORCE_OPAQUE,     Some(true)),
        (opaque, INSTANCE_FORCE_OPAQUE,     flag::FORCE_NON_OPAQUE, Some(false)),
        (0,      INSTANCE_FORCE_NON_OPAQUE, flag::FORCE_OPAQUE,     Some(true)),
        (opaque, 0,                         flag::CULL_OPAQUE,      None),
        (0,      INSTANCE_FORCE_OPAQUE,     flag::CULL_OPAQUE,      None),
        (opaque, INSTANCE_FORCE_NON_OPAQUE, flag::CULL_OPAQUE,      Some(false)),
        (0,      0,                         flag::CULL_NON_OPAQUE,  None),
        (opaque, 0,                         flag::CULL_NON_OPAQUE,  Some(true)),
    ];
    for (g, i, r, expected) in rows {
        assert_eq!(seen(g, i, r), expected, "{g} {i} {r:#x}");
    }
}

#[test]
fn masks_and_skips() {
    let tri = one(GEOMETRY_OPAQUE);
    let cube = bottom(vec![Geometry::new(GeometryData::Boxes(vec![[-1.0, -1.0, 0.0, 1.0, 1.0, 1.0]]), 0)]);
    let both = top(&[Placed { mask: 2, ..placed(&tri) }, Placed { mask: 0, ..placed(&tri) }, placed(&cube)]);
    let seen = |flags: u32, mask: u32, pipeline: u32| {
        let mut walk = Traversal::new(FORWARD, flags, mask, pipeline);
        let boxes = std::iter::from_fn(|| walk.next(&both)).count();
        (boxes, walk.committed().is_some())
    };
    assert_eq!(seen(0, 0xff, 0), (1, true));
    assert_eq!(seen(0, 0xfd, 0), (1, false));
    assert_eq!(seen(0, 0x100, 0), (0, false));
    assert_eq!(seen(flag::SKIP_TRIANGLES, 0xff, 0), (1, false));
    assert_eq!(seen(flag::SKIP_PROCEDURAL, 0xff, 0), (0, true));
    assert_eq!(seen(0, 0xff, flag::SKIP_TRIANGLES), (1, false));
    assert_eq!(seen(0, 0xff, flag::SKIP_PROCEDURAL | 0x400), (0, true));
    assert_eq!(Traversal::new(FORWARD, 0, 0xff, 0xffff).flags(), flag::SKIP_TRIANGLES | flag::SKIP_PROCEDURAL);
}

#[test]
fn extents_are_exclusive_for_triangles_and_inclusive_for_boxes() {
    let triangle = top(&[placed(&one(GEOMETRY_OPAQUE))]);
    let seen = |t_min: f32, t_max: f32| closest(&triangle, Ray { t_min, t_max, ..FORWARD }, 0).is_some();
    assert!(seen(0.0, 2.0) && seen(1.0f32.next_down(), 1.0f32.next_up()));
    assert!(!seen(1.0, 2.0) && !seen(0.0, 1.0) && !seen(2.0, 1.0));
    let cube = bottom(vec![Geometry::new(GeometryData::Boxes(vec![[-1.0, -1.0, 0.0, 1.0, 1.0, 1.0]]), 0)]);
    let top = top(&[placed(&cube)]);
    let mut walk = Traversal::new(Ray { t_min: 1.5, t_max: 2.0, ..FORWARD }, 0, 0xff, 0);
    let c = walk.next(&top).unwrap();
    assert!(c.kind == Kind::Procedural && !c.opaque && c.t == 2.0);
    walk.commit(); // not a triangle
    assert!(walk.committed().is_none());
    assert!(!walk.commit_procedural(1.4) && !walk.commit_procedural(2.1) && walk.committed().is_none());
    assert!(walk.commit_procedural(2.0) && walk.commit_procedural(1.75) && walk.commit_procedural(1.5));
    assert!(!walk.commit_procedural(1.75));
    assert_eq!((walk.t(), walk.committed().unwrap().t), (1.5, 1.5));
    assert!(walk.next(&top).is_none() && !walk.commit_procedural(1.5));
}

#[test]
fn the_first_hit_ends_the_search_where_the_ray_says_so() {
    let near_and_far = bottom(vec![triangles([clockwise(0.0), clockwise(1.0), clockwise(2.0)].concat(), 0)]);
    let top = top(&[placed(&near_and_far)]);
    let mut walk = Traversal::new(FORWARD, flag::ACCEPT_FIRST_HIT, 0xff, 0);
    let ignored = walk.next(&top).unwrap();
    let taken = walk.next(&top).unwrap();
    assert_ne!(ignored.primitive, taken.primitive);
    walk.commit();
    assert!(walk.is_done() && walk.next(&top).is_none());
    assert_eq!(walk.committed().unwrap().primitive, taken.primitive);
    let mut walk = Traversal::new(FORWARD, 0, 0xff, 0);
    walk.next(&top).unwrap();
    walk.commit();
    walk.abort();
    assert!(walk.next(&top).is_none() && walk.committed().is_some());
    let forced = flag::ACCEPT_FIRST_HIT | flag::FORCE_OPAQUE;
    assert!(closest(&top, FORWARD, forced).is_some());
}

#[test]
fn of_equal_triangles_the_first_counts() {
    let same = || triangles([clockwise(0.0), clockwise(0.0)].concat(), GEOMETRY_OPAQUE);
    let b = bottom(vec![same(), same()]);
    let top = top(&[placed(&b), placed(&b), placed(&b)]);
    for flags in [0, flag::FORCE_NON_OPAQUE] {
        let hit = closest(&top, FORWARD, flags).unwrap();
        assert_eq!((hit.instance, hit.geometry, hit.primitive), (0, 0, 0));
    }
}

#[test]
fn rays_that_are_none_meet_nothing() {
    let b = one(GEOMETRY_OPAQUE);
    let cube = bottom(vec![Geometry::new(GeometryData::Boxes(vec![[-1.0, -1.0, -2.0, 1.0, 1.0, 1.0]]), 0)]);
    let top = top(&[placed(&b), placed(&cube)]);
    for n in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for i in 0..3 {
            let (mut origin, mut direction) = (FORWARD.origin, FORWARD.direction);
            origin[i] = n;
            direction[i] = n;
            assert!(Traversal::new(Ray { origin, ..FORWARD }, 0, 0xff, 0).next(&top).is_none());
            assert!(Traversal::new(Ray { direction, ..FORWARD }, 0, 0xff, 0).next(&top).is_none());
        }
    }
    assert!(Traversal::new(Ray { t_min: f32::NAN, ..FORWARD }, 0, 0xff, 0).next(&top).is_none());
    assert!(Traversal::new(Ray { t_max: f32::NAN, ..FORWARD }, 0, 0xff, 0).next(&top).is_none());
    // No direction: the ray is inside of a box, on no triangle.
    let mut still = Traversal::new(Ray { direction: [0.0; 3], ..FORWARD }, 0, 0xff, 0);
    assert_eq!(still.next(&top).unwrap().kind, Kind::Procedural);
    assert!(still.next(&top).is_none() && still.committed().is_none());
    assert!(closest(&top, Ray { direction: [0.0, 0.0, 1e-30], t_max: f32::INFINITY, ..FORWARD }, 0).is_some());
    assert!(closest(&top, Ray { direction: [0.0, 0.0, 1e30], t_max: f32::INFINITY, ..FORWARD }, 0).is_some());
    assert!(closest(&Top::empty(), FORWARD, 0).is_none());
}
