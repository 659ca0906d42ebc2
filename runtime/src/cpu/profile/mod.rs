//! The coherence profile: how many different things the lanes of a wave are about to do where they could be reordered.
//!
//! A *point* is a place in a shader at which a reorder is asked for, or at which it follows from the ray which shader runs
//! next: `MaybeReorderThread`, `TraceRay` in front of the closest-hit or miss shader, `HitObject::Invoke`, `CallShader`. While a
//! profile is taken, rays run in waves of neighbours as wide as the device's ([`crate::cpu::machine::Limits::lanes`]), and lanes
//! of a wave that come to a point together stand there to be looked at: each shows which hit group, miss shader or callable
//! shader it goes on with (or none, a NOP) and its hint.
//!
//! *Before* is what these waves are. *After* is what they would be if all rays of the dispatch that come to the point in
//! the same rounds of the loops around it were sorted by hit group and then by hint, and cut into waves again: the most that
//! reordering can do. (Sorting is over the whole dispatch unless more than 2^20 different combinations come together in one worker;
//! then it is done in several parts.)
//!
//! Looking takes no lock that anybody waits for: each worker counts on its own.

mod report;
mod tally;

pub use report::{Means, Report, Row};

use super::args::{Scalar, Shape};
use super::machine::Loaded;
use super::thread::Thread;
use super::trace::Tables;
use super::trace::hit_object::HitObject;
use super::trace::tables::Table;
use super::wave::{self, Look};
use rtc_dxil_container::ShaderKind;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tally::{Round, Tally};

/// More rays than a heat map shows.
const MAP: u64 = 1 << 26;

/// Different combinations that a worker keeps apart before it sorts what it has.
const MAX: usize = 1 << 20;

/// What a lane goes on with: a kind in the upper half, in the lower a number of those that are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Next(u64);

impl Next {
    /// Nothing.
    pub const NOP: Next = Next(0);
    /// A hit that is bound to no record.
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

/// What is counted of a dispatch.
pub struct Profile {
    size: [u32; 3],
    /// Of each record: the number of the first one with the same name, and so with the same shaders.
    same: Vec<u32>,
    workers: Vec<Mutex<Worker>>,
    /// Of each ray: how many points it came to, and above these 32 bits the sum of the different things that its wave went on
    /// with there.
    map: Vec<AtomicU64>,
}

/// What a worker has seen.
#[derive(Default)]
struct Worker {
    points: FxHashMap<(u32, usize), Point>,
    /// Combinations in all rounds of all points.
    kept: usize,
}

/// What is known of a point.
#[derive(Default)]
struct Point {
    width: u32,
    before: Tally,
    after: Tally,
    /// What came there, by the rounds of the loops around.
    rounds: FxHashMap<u64, Round>,
}

impl Profile {
    /// For a dispatch of a size, with these tables, on so many workers.
    pub fn new(tables: &Tables, size: [u32; 3], workers: usize) -> Profile {
        let mut first: FxHashMap<&str, u32> = FxHashMap::default();
        let same = tables.records().map(|r| *first.entry(&r.name).or_insert(r.number as u32)).collect();
        let rays = size.iter().map(|&n| u64::from(n)).product::<u64>();
        let map = if rays <= MAP { (0..rays).map(|_| AtomicU64::new(0)).collect() } else { Vec::new() };
        Profile { size, same, workers: (0..workers.max(1)).map(|_| Mutex::default()).collect(), map }
    }

    /// What a record stands for; nothing if it is null or beyond its table.
    pub fn record(&self, tables: &Tables, table: Table, index: u32) -> Next {
        let named = tables.get(table, index).filter(|r| !r.name.is_empty());
        let number = named.and_then(|r| self.same.get(r.number));
        number.map_or(Next::NOP, |&n| Next::shader(table, n))
    }

    /// What a hit object stands for.
    pub fn object(&self, tables: &Tables, object: Option<&HitObject<'_>>) -> Next {
        match object.map(|o| (o.is_miss(), o.index())) {
            None => Next::NOP,
            Some((_, None)) => Next::UNBOUND,
            Some((true, Some(index))) => self.record(tables, Table::Miss, index),
            Some((false, Some(index))) => self.record(tables, Table::Hit, index),
        }
    }

    /// Looks at lanes that stand at a point.
    pub fn look(&self, look: &Look<'_>) {
        let Some(first) = look.lanes.first() else { return };
        let worker = &self.workers[rayon::current_thread_index().unwrap_or(0) % self.workers.len()];
        let mut worker = worker.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let worker = &mut *worker;
        let point = worker.points.entry((look.site, first.get(4) as usize)).or_default();
        point.width = look.width;
        let shown: Vec<(Next, u32)> = look.lanes.iter().map(|l| (Next(l.get(0)), l.get(1) as u32)).collect();
        let groups = point.before.wave(&shown, look.width);
        let round = point.rounds.entry(first.get(3)).or_default();
        for &what in &shown {
            worker.kept += usize::from(round.add(what));
        }
        if worker.kept > MAX {
            worker.kept = 0;
            worker.points.values_mut().for_each(Point::sort);
        }
        // Where all go on with nothing there is nothing to see.
        if shown.iter().any(|s| s.0 != Next::NOP) {
            for lane in look.lanes {
                if let Some(ray) = self.map.get(lane.get(2) as usize) {
                    ray.fetch_add(groups << 32 | 1, Ordering::Relaxed);
                }
            }
        }
    }

    /// What was found.
    pub fn finish(self, program: &Loaded) -> Report {
        let mut points: FxHashMap<(u32, usize), Point> = FxHashMap::default();
        for worker in self.workers {
            let worker = worker.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (key, part) in worker.points {
                points.entry(key).or_default().join(part);
            }
        }
        points.values_mut().for_each(Point::sort);
        let mut points: Vec<((u32, usize), Point)> = points.into_iter().collect();
        points.sort_unstable_by_key(|p| p.0);
        let row = |((site, shader), p): ((u32, usize), Point)| Row::new(program, site, shader, p.width, &p.before, &p.after);
        Report::new(self.size, points.into_iter().map(row).collect(), &self.map)
    }
}

impl Point {
    /// Counts what its rounds would be sorted, and forgets them.
    fn sort(&mut self) {
        for (_, round) in self.rounds.drain() {
            self.after.sorted(round, self.width);
        }
    }

    fn join(&mut self, other: Point) {
        self.width = self.width.max(other.width);
        self.before.join(&other.before);
        self.after.join(&other.after);
        for (place, round) in other.rounds {
            self.rounds.entry(place).or_default().join(round);
        }
    }
}

/// A lane is at a point: if a profile is taken, it stands there with the others. `next` finds out what it goes on with.
#[inline]
pub fn point(thread: &mut Thread<'_>, site: u32, hint: u32, next: impl FnOnce(&Profile, &Thread<'_>) -> Next) {
    if let Some(profile) = thread.machine.profile {
        let next = next(profile, thread);
        stand(thread, site, next, hint);
    }
}

#[cold]
fn stand(thread: &mut Thread<'_>, site: u32, next: Next, hint: u32) {
    let ([x, y, z], [width, height, _]) = (thread.system.index, thread.system.dimensions);
    let ray = u64::from(x) + u64::from(width) * (u64::from(y) + u64::from(height) * u64::from(z));
    // Behind any-hit and intersection shaders of the same operation, in front of what it runs last.
    let mark = thread.meet.descend(usize::MAX >> 1, ShaderKind::ClosestHit);
    let mut hasher = FxHasher::default();
    thread.meet.place().iter().for_each(|&n| hasher.write_u64(n));
    let show = [next.0, hint.into(), ray, hasher.finish(), thread.shader as u64];
    let shape = Shape { scalar: Scalar::Void, lanes: 0, slots: show.len() as u16, site };
    wave::stand(thread, shape, &show);
    thread.meet.ascend(mark);
}

#[cfg(test)]
mod tests;
