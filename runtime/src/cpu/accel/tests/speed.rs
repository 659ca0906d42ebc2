//! How fast it is. Not run by default: `cargo test … -- --ignored --nocapture speed`, in an optimised build.

use super::*;
use rayon::prelude::*;
use std::time::Instant;

/// A bumpy ground of `n` × `n` squares.
fn ground(n: u32) -> BottomDesc {
    let height = |i: u32, j: u32| ((i as f32 * 0.37).sin() + (j as f32 * 0.23).cos()) * 2.0 + ((i * 31 + j * 17) % 7) as f32 * 0.05;
    let positions = (0..=n).flat_map(|i| (0..=n).map(move |j| [i as f32, height(i, j), j as f32])).collect();
    let p = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let indices = cells
        .flat_map(|(i, j)| [p(i, j), p(i, j + 1), p(i + 1, j), p(i + 1, j), p(i, j + 1), p(i + 1, j + 1)])
        .collect();
    let data = GeometryData::Triangles { positions, indices: Some(indices), transform: None };
    BottomDesc { geometries: vec![Geometry::new(data, GEOMETRY_OPAQUE)], flags: BuildFlags::default() }
}

#[test]
#[ignore = "measures"]
fn speed() {
    for (n, fast) in [(100, false), (708, true), (708, false)] {
        let mut desc = ground(n);
        desc.flags.prefer_fast_build = fast;
        let start = Instant::now();
        let bottom = Arc::new(Bottom::build(&desc, &no_micromaps).unwrap());
        let built = start.elapsed();
        let top = top(&[placed(&bottom)]);
        println!("{} triangles, fast {fast}: built in {built:?}, {} nodes", 2 * n * n, bottom.bvh.nodes.len());
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
                let start = Instant::now();
                let hits: u32 = (0..size)
                    .into_par_iter()
                    .map(|y| {
                        let mut random = Random(u64::from(y) + 1);
                        let mut hits = 0;
                        for x in 0..size {
                            let mut r = primary(x, y);
                            if scattered {
                                r.origin = [random.unit() * scale, 3.0 + random.unit() * 3.0, random.unit() * scale];
                                r.direction = random.point(1.0);
                            }
                            let mut walk = Walk::new(r, flags, 0xff, 0);
                            assert!(walk.next(&top).is_none());
                            hits += u32::from(walk.committed().is_some());
                        }
                        hits
                    })
                    .sum();
                let rays = f64::from(size * size) / start.elapsed().as_secs_f64() / 1e6;
                println!("  {name}, flags {flags}: {rays:.2} million rays a second, {hits} hits");
            }
        }
    }
}
