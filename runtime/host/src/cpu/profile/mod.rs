//! The coherence profile: how many different shaders and hints the lanes of a wave have at reorder points.
//!
//! A *point* is a call site of an explicit or implicit reorder: `MaybeReorderThread`, `TraceRay` before the closest-hit or miss
//! shader, `HitObject::Invoke`, `CallShader`. While a profile is taken, rays run in waves of neighbours with the device's wave
//! size ([`crate::cpu::thread::context::Limits::lanes`]), and lanes of a wave that reach a point together are observed there: each
//! reports its target (the hit group, miss shader or callable shader that it runs next, or none, a NOP) and its hint.
//!
//! *Before* describes these waves. *After* describes the waves if all rays of the dispatch that reach the point in the same
//! iterations of the loops around it were sorted by hit group and then by hint, and cut into waves again: the best case of
//! reordering. (Rays are sorted over the whole dispatch unless more than 2^20 different combinations meet in one worker; then
//! they are sorted in several parts.)
//!
//! *Split* describes the same waves on a device that never joins the parts of a wave again that a trace by some of its lanes has made: the parts in which lanes come to a
//! point, and those that are left where the ray generation shader ends ([`crate::cpu::wave::scheduler`]).
//!
//! What the shaders that run next execute is estimated from their code, so that a wave with different targets has a cost; `pays` compares what
//! sorting saves of it with what moving rays costs.
//!
//! Observation is lock-free in practice: each worker has its own counters.

mod json;
mod observe;
mod pays;
mod report;
mod wave_stats;

pub use observe::{point, reorder_point, trace_of_hit_object};
pub use pays::{Estimate, LiveState, Way};
pub use report::{Means, Report, Row};

use super::program::Shader;
use super::trace::tables::{Table, Tables};
use super::wave::{Observation, Observe};
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use wave_stats::{Iteration, WaveStats, Weights};

/// Maximum number of rays of a heat map.
const MAX_MAP_RAYS: u64 = 1 << 26;

/// Maximum number of different combinations that a worker keeps before it sorts them.
const MAX_COMBINATIONS: usize = 1 << 20;

/// The target of a lane: a kind in the upper 32 bits, an index of equivalent records in the lower ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Next(u64);

impl Next {
    /// No shader.
    pub const NOP: Next = Next(0);
    /// A hit without a record.
    pub const UNBOUND: Next = Next(1 << 32);

    fn shader(table: Table, number: u32) -> Next {
        let kind = match table {
            Table::Miss => 2,
            Table::Hit => 3,
            Table::Callable => 4,
        };
        Next(kind << 32 | u64::from(number))
    }
}

/// The counters of a dispatch.
pub struct Profile {
    size: [u32; 3],
    /// For each record: the index of the first one with the same name, and so with the same shaders.
    same: Vec<u32>,
    weights: Weights,
    workers: Vec<Mutex<Worker>>,
    /// Waves whose ray generation shader has ended, and the parts that they were left in.
    ended: AtomicU64,
    left_in: AtomicU64,
    /// For each ray: the number of points that it reached, and above these 32 bits the sum of the different targets in its wave
    /// there.
    map: Vec<AtomicU64>,
}

/// The counters of a worker.
#[derive(Default)]
struct Worker {
    points: FxHashMap<(u32, usize), Point>,
    /// Combinations in all iterations of all points.
    kept: usize,
}

/// The counters of a point.
#[derive(Default)]
struct Point {
    width: u32,
    /// The parts in which waves came to it.
    parts: u64,
    before: WaveStats,
    after: WaveStats,
    /// The lanes that reached it, by iterations of the loops around it.
    iterations: FxHashMap<u64, Iteration>,
}

impl Profile {
    /// A profile of a dispatch with this size, these tables and this number of workers.
    pub fn new(tables: &Tables, size: [u32; 3], workers: usize) -> Profile {
        let mut first: FxHashMap<&str, u32> = FxHashMap::default();
        let same = tables.records().map(|r| *first.entry(&r.name).or_insert(r.number as u32)).collect();
        let rays = size.iter().map(|&n| u64::from(n)).product::<u64>();
        let map = if rays <= MAX_MAP_RAYS { (0..rays).map(|_| AtomicU64::new(0)).collect() } else { Vec::new() };
        let workers = (0..workers.max(1)).map(|_| Mutex::default()).collect();
        Profile { size, same, weights: Weights::default(), workers, ended: AtomicU64::new(0), left_in: AtomicU64::new(0), map }
    }

    /// The same with what the shaders of its records execute.
    #[must_use]
    pub fn weighing(mut self, tables: &Tables, shaders: &[Shader]) -> Profile {
        for table in [Table::Miss, Table::Hit, Table::Callable] {
            for (index, r) in tables.of(table).iter().enumerate() {
                if let Some(shader) = r.shader.and_then(|s| shaders.get(s)) {
                    let target = self.record(tables, table, index as u32);
                    self.weights.0.insert(target, shader.weight);
                }
            }
        }
        self
    }

    /// The target for a record; a NOP if it is null or out of range.
    pub fn record(&self, tables: &Tables, table: Table, index: u32) -> Next {
        let named = tables.get(table, index).filter(|r| !r.name.is_empty());
        let number = named.and_then(|r| self.same.get(r.number));
        number.map_or(Next::NOP, |&n| Next::shader(table, n))
    }
}

impl Observe for Profile {
    /// Counts the lanes at a point.
    fn point(&self, observation: &Observation<'_>) {
        let Some(first) = observation.lanes.first().filter(|l| l.get(5) != 0) else { return };
        let worker = &self.workers[rayon::current_thread_index().unwrap_or(0) % self.workers.len()];
        let mut worker = worker.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let worker = &mut *worker;
        let point = worker.points.entry((observation.site, first.get(4) as usize)).or_default();
        point.width = observation.width;
        point.parts += u64::from(observation.parts);
        let shown: Vec<(Next, u32)> = observation.lanes.iter().map(|l| (Next(l.get(0)), l.get(1) as u32)).collect();
        let groups = point.before.wave(&shown, observation.width, &self.weights);
        let iteration = point.iterations.entry(first.get(3)).or_default();
        for &what in &shown {
            worker.kept += usize::from(iteration.add(what));
        }
        if worker.kept > MAX_COMBINATIONS {
            worker.kept = 0;
            worker.points.values_mut().for_each(|p| p.sort(&self.weights));
        }
        // If all targets are NOPs there is nothing to count.
        if shown.iter().any(|s| s.0 != Next::NOP) {
            for lane in observation.lanes {
                if let Some(ray) = self.map.get(lane.get(2) as usize) {
                    ray.fetch_add(groups << 32 | 1, Ordering::Relaxed);
                }
            }
        }
    }

    fn end(&self, parts: u32) {
        self.ended.fetch_add(1, Ordering::Relaxed);
        self.left_in.fetch_add(parts.into(), Ordering::Relaxed);
    }
}

impl Point {
    /// Counts its sorted waves, and clears its iterations.
    fn sort(&mut self, weights: &Weights) {
        for (_, iteration) in self.iterations.drain() {
            self.after.sorted(iteration, self.width, weights);
        }
    }

    fn join(&mut self, other: Point) {
        self.width = self.width.max(other.width);
        self.parts += other.parts;
        self.before.join(&other.before);
        self.after.join(&other.after);
        for (key, iteration) in other.iterations {
            self.iterations.entry(key).or_default().join(iteration);
        }
    }
}

#[cfg(test)]
mod tests;
