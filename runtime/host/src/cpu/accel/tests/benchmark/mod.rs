//! Traversal benchmark: a million triangles, camera and scattered rays, next to Embree if the system has it. Not run by default:
//! `cargo test … -- --ignored --nocapture speed`, in an optimised build. Times are CPU times of one thread where the system provides
//! them, the best of several turns in which the peers alternate, so that a busy machine measures the same.

mod embree;

use super::*;
use std::time::Instant;

/// Rays along a side of the picture.
const SIDE: u32 = 512;
const TURNS: usize = 5;

/// CPU seconds of this thread.
fn computed() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

/// Runs something; its CPU time, if available, else wall-clock time.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let (start, before) = (Instant::now(), computed());
    let out = run();
    let wall = start.elapsed().as_secs_f64();
    (out, before.and_then(|b| Some(computed()? - b)).unwrap_or(wall).max(1e-6))
}

/// Positions and indices.
type Mesh = (Vec<[f32; 3]>, Vec<u32>);

/// A bumpy terrain of `n` × `n` squares.
fn terrain(n: u32) -> Mesh {
    let height = |i: u32, j: u32| ((i as f32 * 0.37).sin() + (j as f32 * 0.23).cos()) * 2.0 + ((i * 31 + j * 17) % 7) as f32 * 0.05;
    let positions = (0..=n).flat_map(|i| (0..=n).map(move |j| [i as f32, height(i, j), j as f32])).collect();
    let p = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let indices = cells.flat_map(|(i, j)| [p(i, j), p(i, j + 1), p(i + 1, j), p(i + 1, j), p(i, j + 1), p(i + 1, j + 1)]).collect();
    (positions, indices)
}

/// `n` triangles that float in a box, which overlap.
fn soup(n: u32, size: f32) -> Mesh {
    let mut random = Random(99);
    let mut positions = Vec::new();
    for _ in 0..n {
        let centre = [random.unit() * size, random.unit() * size * 0.3, random.unit() * size];
        for _ in 0..3 {
            let by = random.point(1.5);
            positions.push(std::array::from_fn(|a| centre[a] + by[a]));
        }
    }
    (positions, (0..3 * n).collect())
}

/// Rays of a camera that looks down at a square of that size, or from random points into random directions.
fn rays(size: f32, scattered: bool) -> Vec<Ray> {
    let mut random = Random(7);
    let pixels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x as f32 / SIDE as f32, y as f32 / SIDE as f32)));
    let one = |(x, y): (f32, f32)| {
        if scattered {
            let origin = [random.unit() * size, 3.0 + random.unit() * 3.0, random.unit() * size];
            ray(origin, random.point(1.0))
        } else {
            ray([size * 0.5, size * 0.3, -size * 0.3], [x - 0.5, -0.1 - y * 0.8, 1.0])
        }
    };
    pixels.map(one).collect()
}

#[test]
#[ignore = "measures"]
fn speed() {
    let count = f64::from(SIDE * SIDE);
    for (name, size, (positions, indices)) in
        [("small terrain", 60.0, terrain(60)), ("terrain", 708.0, terrain(708)), ("soup", 200.0, soup(1_000_000, 200.0))]
    {
        let peers = [false, true].map(|robust| embree::Scene::new(&positions, &indices, robust));
        let data = GeometryData::Triangles { positions, indices: Some(indices), transform: None };
        let mut desc = BottomDesc { geometries: vec![Geometry::new(data, GEOMETRY_OPAQUE)], flags: BuildFlags::default() };
        let (bottom, good) = timed(|| Arc::new(Bottom::build(&desc, &no_micromaps).unwrap()));
        desc.flags.prefer_fast_build = true;
        let (_, fast) = timed(|| Bottom::build(&desc, &no_micromaps).unwrap());
        let top = top(&[placed(&bottom)]);
        println!("{name}: {} triangles, built in {good:.2} s, fast {fast:.2} s", bottom.primitives());
        for (kind, scattered) in [("camera", false), ("scattered", true)] {
            let rays = rays(size, scattered);
            for (search, flags) in [("closest", 0), ("any", 4)] {
                let ours = || {
                    let mut walk = Traversal::new(rays[0], flags, 0xff, 0);
                    let hits = |r: &&Ray| {
                        walk.restart(**r, flags, 0xff, 0);
                        assert!(walk.next(&top).is_none());
                        walk.committed().is_some()
                    };
                    rays.iter().filter(hits).count()
                };
                let mut best = [f64::INFINITY; 3];
                for _ in 0..TURNS {
                    let (hits, work) = timed(ours);
                    best[0] = best[0].min(work);
                    for (peer, best) in peers.iter().zip(&mut best[1..]) {
                        if let Some(peer) = peer {
                            let (theirs, work) = timed(|| rays.iter().filter(|r| peer.hits(r, flags != 0)).count());
                            *best = best.min(work);
                            assert!(theirs.abs_diff(hits) <= rays.len() / 1000, "{theirs} hits of Embree, {hits} of ours");
                        }
                    }
                }
                let speed = |s: f64| count / s / 1e6;
                let [us, plain, robust] = best;
                println!(
                    "  {kind} rays, {search} hit: {:.2} million a second, Embree {:.2} (ratio {:.2}), robust {:.2} (ratio {:.2})",
                    speed(us),
                    speed(plain),
                    plain / us,
                    speed(robust),
                    robust / us
                );
            }
        }
    }
}
