//! Traversal benchmark. Not run by default: `cargo test … -- --ignored --nocapture speed`, in an optimised build. Reports CPU
//! time where the system provides it, so that a busy machine measures the same.

use super::*;
use rayon::prelude::*;
use std::time::Instant;

/// CPU seconds of all threads of this process.
fn computed() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// Runs something; its CPU time, if available, and wall-clock time.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64, f64) {
    let (start, before) = (Instant::now(), computed());
    let out = run();
    let wall = start.elapsed().as_secs_f64();
    let work = before.and_then(|b| Some(computed()? - b)).unwrap_or(wall);
    (out, work.max(1e-3), wall)
}

/// A bumpy terrain of `n` × `n` squares.
fn ground(n: u32) -> BottomDesc {
    let height = |i: u32, j: u32| ((i as f32 * 0.37).sin() + (j as f32 * 0.23).cos()) * 2.0 + ((i * 31 + j * 17) % 7) as f32 * 0.05;
    let positions = (0..=n).flat_map(|i| (0..=n).map(move |j| [i as f32, height(i, j), j as f32])).collect();
    let p = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let indices = cells.flat_map(|(i, j)| [p(i, j), p(i, j + 1), p(i + 1, j), p(i + 1, j), p(i, j + 1), p(i + 1, j + 1)]).collect();
    let data = GeometryData::Triangles { positions, indices: Some(indices), transform: None };
    BottomDesc { geometries: vec![Geometry::new(data, GEOMETRY_OPAQUE)], flags: BuildFlags::default() }
}

#[test]
#[ignore = "measures"]
fn speed() {
    for (n, fast) in [(100, false), (708, true), (708, false)] {
        let mut desc = ground(n);
        desc.flags.prefer_fast_build = fast;
        let (bottom, work, wall) = timed(|| Arc::new(Bottom::build(&desc, &no_micromaps).unwrap()));
        let top = top(&[placed(&bottom)]);
        let nodes = bottom.bvh.nodes.len();
        println!("{} triangles, fast {fast}: built in {work:.2} s of work, {wall:.2} s, {nodes} nodes", 2 * n * n);
        let size = 1024u32;
        let scale = n as f32;
        let primary = |x: u32, y: u32| Ray {
            origin: [scale * 0.5, scale * 0.3, -scale * 0.3],
            t_min: 0.0,
            direction: [x as f32 / size as f32 - 0.5, -0.1 - y as f32 / size as f32 * 0.8, 1.0],
            t_max: f32::INFINITY,
        };
        for (name, scattered) in [("primary", false), ("scattered", true)] {
            for flags in [0u32, 4] {
                let line = |y: u32| {
                    let mut random = Random(u64::from(y) + 1);
                    let mut hits = 0;
                    for x in 0..size {
                        let mut r = primary(x, y);
                        if scattered {
                            r.origin = [random.unit() * scale, 3.0 + random.unit() * 3.0, random.unit() * scale];
                            r.direction = random.point(1.0);
                        }
                        let mut walk = Traversal::new(r, flags, 0xff, 0);
                        assert!(walk.next(&top).is_none());
                        hits += u32::from(walk.committed().is_some());
                    }
                    hits
                };
                let (hits, work, wall) = timed(|| (0..size).into_par_iter().map(line).sum::<u32>());
                let rays = |s: f64| f64::from(size * size) / s / 1e6;
                let (core, all) = (rays(work), rays(wall));
                println!("  {name}, flags {flags}: {core:.2} million rays a second and core ({all:.2} in all), {hits} hits");
            }
        }
    }
}
