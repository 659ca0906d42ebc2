//! Watertightness: along any ray, a closed surface is entered as often as it is left, also through edges and vertices.

use super::*;
use std::f32::consts::{PI, TAU};

/// A closed surface: a sphere of `n` rings and columns, dented, with its corners shared.
fn sphere(n: u32, size: f32, at: [f32; 3]) -> (Vec<[f32; 3]>, Vec<u32>) {
    let mut positions = vec![[at[0], at[1] + size, at[2]], [at[0], at[1] - size, at[2]]];
    for i in 1..n {
        for j in 0..n {
            let (a, b) = (i as f32 / n as f32 * PI, j as f32 / n as f32 * TAU);
            let r = size * (1.0 + 0.05 * ((i * 7 + j * 13) % 5) as f32);
            positions.push([at[0] + r * a.sin() * b.cos(), at[1] + r * a.cos(), at[2] + r * a.sin() * b.sin()]);
        }
    }
    let p = |i: u32, j: u32| 2 + (i - 1) * n + j % n;
    let mut indices = Vec::new();
    for j in 0..n {
        indices.extend([0, p(1, j), p(1, j + 1), 1, p(n - 1, j + 1), p(n - 1, j)]);
        for i in 1..n - 1 {
            indices.extend([p(i, j), p(i + 1, j), p(i, j + 1), p(i, j + 1), p(i + 1, j), p(i + 1, j + 1)]);
        }
    }
    (positions, indices)
}

/// Intersections of a surface along a ray: their number, and the number of front faces minus back faces.
fn crossings(top: &Top, ray: Ray) -> (u32, i32) {
    let mut walk = Traversal::new(ray, 0, 0xff, 0);
    let (mut n, mut sum) = (0, 0);
    while let Some(c) = walk.next(top) {
        n += 1;
        sum += if c.front_face { 1 } else { -1 };
    }
    (n, sum)
}

#[test]
fn closed_surfaces_are_watertight() {
    let mut random = Random(11);
    let mut through = 0;
    for (size, at) in [(1.0, [0.0; 3]), (1e-3, [100.0, -50.0, 3.0]), (1e4, [5.0, 6e4, 7.0])] {
        let (positions, indices) = sphere(9, size, at);
        let mesh = GeometryData::Triangles { positions: positions.clone(), indices: Some(indices.clone()), transform: None };
        let top = top(&[placed(&bottom(vec![Geometry::new(mesh, 0)]))]);
        let from = |p: [f32; 3], d: [f32; 3], k: f32| -> [f32; 3] { std::array::from_fn(|a| p[a] - d[a] * k * size) };
        for round in 0..6000 {
            // A vertex, or a point on an edge, and a direction: along an axis, along another edge, or any.
            let t = random.below(indices.len() as u32 / 3) as usize * 3;
            let corner = |k: usize| positions[indices[t + k] as usize];
            let (a, b) = (corner(0), corner(1));
            let w = if round % 2 == 0 { 0.0 } else { random.unit() };
            let p: [f32; 3] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * w);
            let d: [f32; 3] = match random.below(4) {
                0 => {
                    let mut d = [0.0; 3];
                    d[random.below(3) as usize] = [1.0, -1.0][random.below(2) as usize];
                    d
                }
                1 => {
                    let q = positions[random.below(positions.len() as u32) as usize];
                    std::array::from_fn(|i| (p[i] - q[i]) / size)
                }
                _ => random.point(1.0),
            };
            if d.iter().all(|x| x.abs() < 1e-3) {
                continue;
            }
            let k = 30.0 / d.iter().fold(0.0f32, |m, x| m.max(x.abs()));
            let (n, sum) = crossings(&top, ray(from(p, d, k), d));
            assert_eq!((n % 2, sum), (0, 0), "from outside, round {round}: {p:?} {d:?}");
            through += n;
            // From inside, every ray leaves once more than it enters.
            let toward = std::array::from_fn(|i| p[i] - at[i]);
            let (n, sum) = crossings(&top, ray(at, toward));
            assert_eq!((n % 2, sum.abs()), (1, 1), "from inside: {p:?}");
        }
    }
    assert!(through > 10_000);
}

#[test]
fn a_flat_grid_is_hit_exactly_once_everywhere() {
    // Rays exactly through the corners and edges of a grid of squares, each of two triangles.
    let n = 8u32;
    let positions: Vec<[f32; 3]> = (0..=n).flat_map(|i| (0..=n).map(move |j| [i as f32, j as f32, 0.0])).collect();
    let p = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let indices = cells.flat_map(|(i, j)| [p(i, j), p(i, j + 1), p(i + 1, j), p(i + 1, j), p(i, j + 1), p(i + 1, j + 1)]).collect();
    let mesh = GeometryData::Triangles { positions, indices: Some(indices), transform: None };
    let top = top(&[placed(&bottom(vec![Geometry::new(mesh, 0)]))]);
    for i in 2..14 {
        for j in 2..14 {
            for d in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.25, 0.5, 1.0], [-0.5, 0.125, -1.0], [-0.0, 0.0, 2.0]] {
                let at = [i as f32 * 0.5, j as f32 * 0.5, 0.0];
                let from = std::array::from_fn(|a| at[a] - 2.0 * d[a]);
                assert_eq!(crossings(&top, ray(from, d)).0, 1, "{at:?} {d:?}");
            }
        }
    }
}

#[test]
fn triangles_that_are_lines_or_points_are_not_hit() {
    let flat = vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5, 0.0]];
    let top = top(&[placed(&bottom(vec![triangles(flat, 0)]))]);
    for x in 0..20 {
        assert_eq!(crossings(&top, ray([x as f32 * 0.1, 0.0, -1.0], [0.0, 0.0, 1.0])).0, 0);
        assert_eq!(crossings(&top, ray([0.5, 0.5, -1.0], [0.0, 0.0, 1.0])).0, 0);
    }
    // Edge-on.
    let upright = super::bottom(vec![triangles(vec![[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 0)]);
    let top = super::top(&[placed(&upright)]);
    assert_eq!(crossings(&top, ray([0.0, 0.2, -1.0], [0.0, 0.0, 1.0])).0, 0);
}
