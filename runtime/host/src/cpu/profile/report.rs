//! The report of a coherence profile: a text table and a heat map.

use super::wave_stats::WaveStats;
use super::{Point, Profile};
use crate::cpu::thread::context::Loaded;
use crate::device::Format;
use crate::error::{ErrorKind, Result, RunError};
use crate::picture;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A profile of a dispatch.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Size of the dispatch.
    pub size: [u32; 3],
    /// Its points, in program order.
    pub rows: Vec<Row>,
    /// For each ray: the number of different targets in its wave, averaged over the points that the ray reached; 0 if there were
    /// none. Empty if there are too many rays.
    pub map: Vec<f32>,
    /// On a device that leaves waves split: the parts that a wave is in where its ray generation shader ends, on average.
    pub parts_at_end: f64,
}

/// The statistics of a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The operation.
    pub op: &'static str,
    /// The shader.
    pub shader: String,
    /// File and line, if there is debug information.
    pub place: Option<(String, u32)>,
    /// Number of rays that reached it.
    pub times: u64,
    /// Lanes of a wave.
    pub width: u32,
    /// The waves as executed.
    pub before: Means,
    /// The waves after sorting.
    pub after: Means,
    /// On a device that leaves waves split: in how many parts a wave comes to it, on average.
    pub parts: f64,
}

/// Averages over waves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Means {
    /// Number of waves.
    pub waves: u64,
    /// Different targets in a wave: hit groups, miss shaders, callable shaders, none.
    pub groups: f64,
    /// Different hints in a wave.
    pub hints: f64,
    /// Share of the wave's lanes that reached the point.
    pub occupancy: f64,
    /// Instructions that a wave issues of the shaders that its lanes run next, estimated.
    pub work: f64,
}

impl Profile {
    /// The report.
    pub fn finish(self, program: &Loaded) -> Report {
        let mut points: FxHashMap<(u32, usize), Point> = FxHashMap::default();
        for worker in self.workers {
            let worker = worker.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (key, part) in worker.points {
                points.entry(key).or_default().join(part);
            }
        }
        points.values_mut().for_each(|p| p.sort(&self.weights));
        let mut points: Vec<((u32, usize), Point)> = points.into_iter().collect();
        points.sort_unstable_by_key(|p| p.0);
        let row = |((site, shader), p): ((u32, usize), Point)| Row::new(program, site, shader, &p);
        let (ended, left_in) = (self.ended.into_inner(), self.left_in.into_inner());
        let mut report = Report::new(self.size, points.into_iter().map(row).collect(), &self.map);
        report.parts_at_end = left_in as f64 / ended.max(1) as f64;
        report
    }
}

impl Means {
    fn of(t: &WaveStats) -> Means {
        let over = |sum: u64, n: u64| sum as f64 / n.max(1) as f64;
        Means {
            waves: t.waves,
            groups: over(t.groups, t.waves),
            hints: over(t.hints, t.waves),
            occupancy: over(t.rays, t.lanes),
            work: over(t.work, t.waves),
        }
    }
}

impl Row {
    /// A point of a program.
    pub(super) fn new(program: &Loaded, site: u32, shader: usize, point: &Point) -> Row {
        let site = program.sites.get(site as usize);
        Row {
            op: site.map_or("?", |s| s.op),
            shader: program.shaders.get(shader).map_or("?", |s| &s.name).to_string(),
            place: site.and_then(|s| s.place.as_ref()).map(|p| (p.file.to_string(), p.line)),
            times: point.before.rays,
            width: point.width,
            before: Means::of(&point.before),
            after: Means::of(&point.after),
            parts: point.parts as f64 / point.before.waves.max(1) as f64,
        }
    }

    /// `TraceRay in Main, scene.hlsl:12`.
    pub(super) fn point(&self) -> String {
        let op = self.op.replace("HitObject_", "HitObject::");
        match &self.place {
            Some((file, line)) => format!("{op} in {}, {}:{line}", self.shader, file.rsplit(['/', '\\']).next().unwrap_or(file)),
            None => format!("{op} in {}", self.shader),
        }
    }
}

/// Colour of a ray that reached no point.
const NOTHING: [u8; 3] = [64; 3];

/// Colour scale from one target per wave to the maximum.
const COLORS: [[u8; 3]; 5] = [[0, 0, 0], [80, 20, 120], [190, 50, 80], [250, 150, 20], [255, 255, 190]];

impl Report {
    pub(super) fn new(size: [u32; 3], rows: Vec<Row>, map: &[AtomicU64]) -> Report {
        let mean = |ray: &AtomicU64| {
            let both = ray.load(Ordering::Relaxed);
            let (sum, points) = (both >> 32, both & 0xFFFF_FFFF);
            if points == 0 { 0.0 } else { (sum as f64 / points as f64) as f32 }
        };
        Report { size, rows, map: map.iter().map(mean).collect(), parts_at_end: 1.0 }
    }

    /// The maximum on the map; at least 2, so that the scale is not empty.
    pub(super) fn max(&self) -> f32 {
        self.map.iter().copied().fold(2.0, f32::max)
    }

    /// The map as a PNG, with slices of a 3D dispatch below each other, on a logarithmic colour scale.
    ///
    /// # Errors
    /// There are too many rays.
    pub fn heat_map(&self) -> Result<Vec<u8>> {
        let [width, height, depth] = self.size;
        if self.map.is_empty() {
            let why = format!("{width} x {height} x {depth} rays exceed the maximum size of a heat map");
            return Err(RunError::new(ErrorKind::Limit, why));
        }
        let max = self.max();
        let texels: Vec<u8> = self.map.iter().flat_map(|&n| color(n, max)).collect();
        picture::png(Format::Rgba8Unorm, width, height * depth, &texels, false)
    }
}

fn color(n: f32, max: f32) -> [u8; 4] {
    let [r, g, b] = if n < 1.0 {
        NOTHING
    } else {
        let at = (n.log2() / max.log2()).clamp(0.0, 1.0) * (COLORS.len() - 1) as f32;
        let low = (at as usize).min(COLORS.len() - 2);
        let mix = |i: usize| {
            let (a, b) = (f32::from(COLORS[low][i]), f32::from(COLORS[low + 1][i]));
            (a + (b - a) * (at - low as f32)).round() as u8
        };
        [mix(0), mix(1), mix(2)]
    };
    [r, g, b, 255]
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [w, h, d] = self.size;
        write!(f, "coherence of {w} x {h}")?;
        if d != 1 {
            write!(f, " x {d}")?;
        }
        let Some(first) = self.rows.first() else {
            return writeln!(f, " rays: no ray reached a reorder point");
        };
        writeln!(f, " rays in waves of {}; after: sorted by hit group, then by hint", first.width)?;
        let long = self.rows.iter().map(|r| r.point().chars().count()).max().unwrap_or(0).max(5);
        writeln!(
            f,
            "{:long$}  {:>10}  {:>9}  {:>14}  {:>14}  {:>14}  {:>14}",
            "", "", "", "hit groups", "hints", "lanes in use", "kept split"
        )?;
        write!(f, "{:long$}  {:>10}  {:>9}", "point", "times", "waves")?;
        for _ in 0..3 {
            write!(f, "  {:>7}{:>7}", "before", "after")?;
        }
        writeln!(f, "  {:>7}{:>7}", "parts", "lanes")?;
        for r in &self.rows {
            let (b, a) = (&r.before, &r.after);
            write!(f, "{:long$}  {:>10}  {:>9}", r.point(), r.times, b.waves)?;
            write!(f, "  {:>7.2}{:>7.2}  {:>7.2}{:>7.2}", b.groups, a.groups, b.hints, a.hints)?;
            write!(f, "  {:>6.0}%{:>6.0}%", b.occupancy * 100.0, a.occupancy * 100.0)?;
            writeln!(f, "  {:>7.2}{:>6.0}%", r.parts, b.occupancy * 100.0 / r.parts.max(1.0))?;
        }
        writeln!(
            f,
            "kept split: on a device that leaves a wave split after a trace or call by some of its lanes; it is in {:.2} parts where the ray generation shader ends",
            self.parts_at_end
        )?;
        if self.map.is_empty() {
            return Ok(());
        }
        writeln!(f, "heat map: hit groups in a ray's wave, from 1 (black) to {:.2} (bright); gray: no such point", self.max())
    }
}
