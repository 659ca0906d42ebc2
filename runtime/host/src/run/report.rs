//! What a run reports: steps, structures, dispatches and frames with their times, in words and as JSON.

use super::FormReport;
use crate::checks::Checks;
use crate::device::{DeviceInfo, Sorting, Timing};
use crate::finding::Finding;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The report of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunReport {
    /// The device.
    pub device: DeviceInfo,
    /// Warnings.
    pub warnings: Vec<String>,
    /// How long the steps but the dispatch took, in order; `results` comes after it.
    pub steps: Vec<(&'static str, Duration)>,
    /// The parts of the step `pipeline`, where the device tells.
    pub load: Vec<(&'static str, Duration)>,
    /// Acceleration structures, in the order in which they were built.
    pub structures: Vec<StructureReport>,
    /// The frames, in order.
    pub frames: Vec<FrameReport>,
    /// The dispatches, in order: which compute shader (none: rays), how many groups or rays, how often, how long in all frames.
    pub dispatches: Vec<DispatchReport>,
    /// The draws, in order.
    pub draws: Vec<DrawReport>,
    /// Files that were written.
    pub files: Vec<PathBuf>,
    /// Profiles of the CPU device, in words: one for each dispatch of rays.
    pub profiles: Vec<String>,
    /// The same profiles as data, with the files of their pictures.
    pub coherence: Vec<Value>,
    /// Findings of the CPU device's sanitizer.
    pub findings: Vec<Finding>,
    /// Results of self-checking shaders, where the scene has a buffer for them.
    pub checks: Option<Checks>,
}

/// The report of a dispatch.
#[derive(Clone, PartialEq, Debug)]
pub struct DispatchReport {
    /// Whether it ran a compute shader.
    pub compute: bool,
    /// Rays or thread groups.
    pub size: [u32; 3],
    /// How many times.
    pub repeat: u32,
    /// How long, in all.
    pub time: Timing,
    /// How long the fastest took, by the device's clock if it has one.
    pub fastest: Duration,
    /// How long its shader tables took.
    pub tables: Duration,
    /// How its rays were sorted, all times that it ran; none: they were not.
    pub sorting: Option<Sorting>,
    /// Which forms of its package ran; none: it has one.
    pub form: Option<FormReport>,
}

impl DispatchReport {
    /// Threads of the ray generation shader, of all times that it ran; none: thread groups of a compute shader.
    pub fn rays(&self) -> Option<u64> {
        (!self.compute).then(|| self.size.iter().map(|&n| u64::from(n)).product::<u64>() * u64::from(self.repeat))
    }

    /// Adds the same dispatch of another frame.
    pub(super) fn add(&mut self, other: &DispatchReport) {
        self.repeat += other.repeat;
        self.time = sum(self.time, other.time);
        self.fastest = self.fastest.min(other.fastest);
        self.tables += other.tables;
        self.sorting = match (self.sorting, other.sorting) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (a, b) => a.or(b),
        };
        match (&mut self.form, &other.form) {
            (Some(own), Some(other)) => own.add(other),
            (own, other) => *own = own.take().or_else(|| other.clone()),
        }
    }
}

impl DrawReport {
    /// Adds the same draw of another frame.
    pub(super) fn add(&mut self, other: &DrawReport) {
        self.repeat += other.repeat;
        self.time = sum(self.time, other.time);
    }
}

/// Both times; the device's if both have one.
pub(super) fn sum(a: Timing, b: Timing) -> Timing {
    Timing { host: a.host + b.host, device: a.device.zip(b.device).map(|(a, b)| a + b) }
}

/// The report of an acceleration structure that was built.
#[derive(Clone, PartialEq, Debug)]
pub struct StructureReport {
    /// The mesh or the structure in the scene.
    pub name: String,
    /// Whether it is a top-level structure.
    pub top: bool,
    /// Instances of a top-level structure, else triangles or boxes; of clusters their number.
    pub primitives: u64,
    /// Bytes that it occupies.
    pub bytes: u64,
    /// How long it took, as the host saw it.
    pub time: Duration,
}

/// The report of a frame.
#[derive(Clone, PartialEq, Debug)]
pub struct FrameReport {
    /// Its number.
    pub index: u32,
    /// Its time in the scene, in seconds.
    pub time: f32,
    /// How long constants and structures took that follow the time.
    pub update: Duration,
    /// How long its dispatches and draws took.
    pub work: Timing,
    /// Threads of ray generation shaders.
    pub rays: u64,
    /// How long reading and writing of its pictures took.
    pub results: Duration,
    /// How long all of it took.
    pub total: Duration,
}

impl FrameReport {
    /// Threads of ray generation shaders in a second of its work, by the device's clock if it has one.
    pub fn rays_per_second(&self) -> f64 {
        per_second(self.rays, self.work)
    }
}

/// The report of a draw.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawReport {
    /// What it drew, in words.
    pub what: String,
    /// How many times.
    pub repeat: u32,
    /// How long, in all.
    pub time: Timing,
}

impl std::fmt::Display for DrawReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "draw      {:.2} ms for {}", self.time.host.as_secs_f64() * 1e3, self.what)?;
        if self.repeat != 1 {
            write!(f, ", {} times", self.repeat)?;
        }
        match self.time.device {
            Some(device) => write!(f, " ({:.2} ms on the device)", device.as_secs_f64() * 1e3),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for DispatchReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |d: Duration| format!("{:.2} ms", d.as_secs_f64() * 1e3);
        let [w, h, d] = self.size;
        write!(f, "dispatch  {} for {w} x {h}", ms(self.time.host))?;
        if d != 1 {
            write!(f, " x {d}")?;
        }
        if self.compute {
            write!(f, " groups")?;
        }
        if self.repeat != 1 {
            write!(f, ", {} times", self.repeat)?;
        }
        if let Some(device) = self.time.device {
            write!(f, " ({} on the device)", ms(device))?;
        }
        if self.repeat > 1 {
            write!(f, ", the fastest {}", ms(self.fastest))?;
        }
        if let Some(s) = &self.sorting {
            write!(f, "\nsorted    {} rays in {} sorts of {} tile(s)", s.rays, s.sorts, s.tiles)?;
            if let Some(time) = s.time {
                write!(f, " ({} on the device)", ms(time))?;
            }
        }
        if let Some(form) = &self.form {
            write!(f, "\nform      {} ({})", form.form, form.why)?;
            for (name, ns) in &form.nanoseconds {
                write!(f, ", {name} {ns:.3} ns for a ray")?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for RunReport {
    /// Lines for people: device, steps, files.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |d: Duration| format!("{:.2} ms", d.as_secs_f64() * 1e3);
        writeln!(f, "device    {} ({}, {})", self.device.name, self.device.api, self.device.driver)?;
        let is_result = |s: &&(&str, Duration)| s.0 == "results";
        for (step, time) in self.steps.iter().filter(|s| !is_result(s)) {
            writeln!(f, "{step:<9} {}", ms(*time))?;
        }
        if self.frames.len() > 1 {
            let mut times: Vec<Duration> = self.frames.iter().map(|f| f.total).collect();
            times.sort();
            let [least, middle, most] = [0, 50, 100].map(|p| ms(percentile(&times, p)));
            writeln!(f, "frames    {}: {least} to {most}, half of them within {middle}", times.len())?;
        }
        for dispatch in &self.dispatches {
            writeln!(f, "{dispatch}")?;
        }
        for draw in &self.draws {
            writeln!(f, "{draw}")?;
        }
        for (step, time) in self.steps.iter().filter(is_result) {
            writeln!(f, "{step:<9} {}", ms(*time))?;
        }
        for file in &self.files {
            writeln!(f, "wrote     {}", file.display())?;
        }
        if let Some(c) = &self.checks {
            match c.threads {
                0 => writeln!(f, "checks    {}", c.made)?,
                threads => writeln!(f, "checks    {} in {threads} threads", c.made)?,
            }
        }
        for profile in &self.profiles {
            write!(f, "\n{profile}")?;
        }
        Ok(())
    }
}

/// The value that `percent` of the sorted times do not exceed (nearest rank).
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1) - 1;
    sorted.get(rank).copied().unwrap_or_default()
}

/// What `rays_per_second` counts.
const COUNTED: &str = "threads of ray generation shaders, one primary ray or path each; rays that shaders trace further are not counted";

impl RunReport {
    /// All times as JSON, in milliseconds. Times on the device are its own (timestamps) where it has a clock; the CPU device has none, and
    /// what the host saw is its time.
    pub fn timings(&self) -> Value {
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let timing = |t: &Timing| json!({ "host_ms": ms(t.host), "device_ms": t.device.map(ms) });
        let steps = self.steps.iter().map(|(name, d)| match *name {
            "pipeline" => {
                let parts: Vec<Value> = self.load.iter().map(|(name, d)| json!({ "name": name, "ms": ms(*d) })).collect();
                json!({ "name": "load", "ms": ms(*d), "parts": parts })
            }
            "scene" => json!({ "name": "structures", "ms": ms(*d) }),
            name => json!({ "name": name, "ms": ms(*d) }),
        });
        let structure = |s: &StructureReport| {
            let level = if s.top { "top" } else { "bottom" };
            json!({ "name": s.name, "level": level, "primitives": s.primitives, "bytes": s.bytes, "ms": ms(s.time) })
        };
        let frame = |f: &FrameReport| {
            json!({
                "index": f.index, "time": f.time, "update_ms": ms(f.update), "work": timing(&f.work), "rays": f.rays,
                "rays_per_second": f.rays_per_second(), "results_ms": ms(f.results), "ms": ms(f.total),
            })
        };
        let sorting = |s: &Sorting| json!({ "tiles": s.tiles, "sorts": s.sorts, "rays": s.rays, "device_ms": s.time.map(ms) });
        let dispatch = |d: &DispatchReport| {
            json!({
                "kind": if d.compute { "compute" } else { "rays" }, "size": d.size, "times": d.repeat, "tables_ms": ms(d.tables),
                "time": timing(&d.time), "fastest_ms": ms(d.fastest), "rays": d.rays(),
                "rays_per_second": d.rays().map(|n| per_second(n, d.time)), "sorting": d.sorting.as_ref().map(sorting), "form": d.form.as_ref().map(FormReport::json),
            })
        };
        let draw = |d: &DrawReport| json!({ "what": d.what, "times": d.repeat, "time": timing(&d.time) });
        let percentiles = |of: fn(&FrameReport) -> Duration| {
            let mut times: Vec<Duration> = self.frames.iter().map(of).collect();
            times.sort();
            let at = |p| ms(percentile(&times, p));
            json!({ "min": at(0), "p50": at(50), "p90": at(90), "p95": at(95), "p99": at(99), "max": at(100) })
        };
        let rays: u64 = self.frames.iter().map(|f| f.rays).sum();
        let traced = self.dispatches.iter().filter(|d| !d.compute).map(|d| d.time).reduce(sum).unwrap_or_default();
        json!({
            "device": { "name": self.device.name, "api": self.device.api, "driver": self.device.driver },
            "steps": steps.collect::<Vec<_>>(),
            "structures": self.structures.iter().map(structure).collect::<Vec<_>>(),
            "dispatches": self.dispatches.iter().map(dispatch).collect::<Vec<_>>(),
            "draws": self.draws.iter().map(draw).collect::<Vec<_>>(),
            "frames": self.frames.iter().map(frame).collect::<Vec<_>>(),
            "percentiles_ms": {
                "frame": percentiles(|f| f.total),
                "work": percentiles(|f| f.work.device.unwrap_or(f.work.host)),
                "update": percentiles(|f| f.update),
            },
            "rays": { "total": rays, "per_second": per_second(rays, traced), "counted": COUNTED },
            "files": self.files,
        })
    }
}

/// How many in a second, by the device's clock if it has one.
fn per_second(n: u64, time: Timing) -> f64 {
    let seconds = time.device.unwrap_or(time.host).as_secs_f64();
    if seconds > 0.0 { n as f64 / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_ranks() {
        let times: Vec<Duration> = (1..=10).map(Duration::from_millis).collect();
        let at = |p| percentile(&times, p).as_millis();
        assert_eq!([at(0), at(50), at(90), at(95), at(99), at(100)], [1, 5, 9, 10, 10, 10]);
        assert_eq!(percentile(&[], 50), Duration::ZERO);
        assert_eq!(percentile(&times[..1], 99), times[0]);
    }
}
