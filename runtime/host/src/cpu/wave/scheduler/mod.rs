//! The lane scheduler of a thread group: runs each lane on its own stack until all have finished.
//!
//! Lanes are coroutines on one OS thread. One runs until it suspends ([`Suspended`]) or returns; when no lane of a wave can run, those
//! at its smallest position continue together. At a barrier lanes wait for all that have not returned. A group is terminated with
//! an error if its lanes wait at different barriers. It is also terminated if a lane fails: the others end too,
//! since its loops and operations do nothing from then on. No coroutine is abandoned: its stack is unwound by running to the end.
#![allow(unsafe_code)]

mod parts;

use super::convergence::{Convergence, Lane, Resume, SuspendReason, Suspended};
use super::lane_ops::{ActiveLane, ActiveLanes, WaveOp};
use crate::cpu::args::Shape;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use parts::Parts;

/// The lanes of a wave that are observed at one position, with the values that they report.
pub struct Observation<'a> {
    /// The call site.
    pub site: u32,
    /// Number of lanes of the wave.
    pub width: u32,
    /// The lanes at this position, and their values.
    pub lanes: &'a [ActiveLane],
    /// In how many parts they come on a device that leaves waves split.
    pub parts: u32,
}

/// An observer of lanes.
pub trait Observe: Sync {
    /// Lanes of a wave come to a point together.
    fn point(&self, observation: &Observation<'_>);
    /// The first shader of a wave ends; a device that leaves waves split has left it in so many parts.
    fn end(&self, parts: u32);
}

/// An observer of lanes.
pub type Observer<'a> = &'a dyn Observe;

/// Stacks of lanes, reused between groups.
pub struct Stacks {
    size: usize,
    free: Vec<DefaultStack>,
}

impl Stacks {
    /// Stacks of so many bytes; memory is committed only when written.
    pub fn new(size: usize) -> Stacks {
        Stacks { size, free: Vec::new() }
    }

    fn reserve(&mut self, count: usize) -> Result<(), String> {
        while self.free.len() < count {
            let made = DefaultStack::new(self.size);
            let what = || format!("cannot allocate {count} stacks of {} bytes", self.size);
            self.free.push(made.map_err(|e| format!("{}: {e}", what()))?);
        }
        Ok(())
    }
}

/// The configuration of a group's lanes.
#[derive(Clone, Copy)]
pub struct Lanes<'a> {
    /// Lanes of the group.
    pub count: u32,
    /// Lanes of a wave, at most 128.
    pub width: u32,
    /// The observer, if there is one.
    pub observer: Option<Observer<'a>>,
}

struct Fiber<F> {
    run: Coroutine<Resume, Suspended, Option<F>, DefaultStack>,
    /// Where it is suspended; `None` when it has finished.
    stop: Option<Suspended>,
}

impl<F> Drop for Fiber<F> {
    fn drop(&mut self) {
        if self.run.started() && !self.run.done() {
            // SAFETY: only after a panic of this module. Compiled code cannot be unwound; the stack is leaked, and nothing refers to it
            // any more.
            unsafe { self.run.force_reset() };
        }
    }
}

struct Group<'a, F> {
    fibers: Vec<Fiber<F>>,
    lanes: Lanes<'a>,
    failures: Vec<F>,
    parts: Parts,
}

/// Runs `body` for each lane and returns the failures: none, or that of the first lane that failed, with those that other lanes
/// recorded before they ended.
///
/// # Errors
/// There is no memory for the stacks.
pub fn run<F>(lanes: Lanes<'_>, stacks: &mut Stacks, body: impl Fn(u32, Convergence) -> Option<F>) -> Result<Vec<F>, String> {
    let lanes = Lanes { width: lanes.width.clamp(1, 128), ..lanes };
    stacks.reserve(lanes.count as usize)?;
    let waves = lanes.count.div_ceil(lanes.width);
    let mut group =
        Group { fibers: Vec::with_capacity(lanes.count as usize), lanes, failures: Vec::new(), parts: Parts::new(lanes.count as usize) };
    for n in 0..lanes.count {
        let Some(stack) = stacks.free.pop() else { break };
        let body = &body;
        let run = move |yielder: &Yielder<Resume, Suspended>, _: Resume| {
            let mut lane = Lane::new(yielder);
            (lane.index, lane.width) = (n % lanes.width, lanes.width);
            (lane.wave, lane.waves) = (n / lanes.width, waves);
            lane.count = lanes.count;
            lane.watched = lanes.observer.is_some();
            body(n, Convergence::lane(lane))
        };
        // SAFETY: the closure borrows `body`, which outlives the group: fibers never leave this function.
        let run = unsafe { Coroutine::with_stack_unchecked(stack, run) };
        group.fibers.push(Fiber { run, stop: None });
    }
    group.run();
    let Group { fibers, failures, .. } = group;
    for fiber in fibers {
        // Fibers that were never started hold nothing.
        if let Some(stack) = fiber.into_stack() {
            stacks.free.push(stack);
        }
    }
    Ok(failures)
}

impl<F> Fiber<F> {
    fn into_stack(self) -> Option<DefaultStack> {
        let fiber = std::mem::ManuallyDrop::new(self);
        // SAFETY: read once; the rest of the finished fiber needs no drop.
        let (run, stop) = unsafe { (std::ptr::read(&fiber.run), std::ptr::read(&fiber.stop)) };
        drop(stop);
        run.done().then(|| run.into_stack())
    }
}

impl<F> Group<'_, F> {
    fn run(&mut self) {
        for n in 0..self.fibers.len() {
            if !self.failures.is_empty() {
                break;
            }
            self.resume(n, Resume::Continue { slots: Vec::new(), position: Vec::new(), gone: 0 });
        }
        while self.failures.is_empty() {
            let width = self.lanes.width as usize;
            for first in (0..self.fibers.len()).step_by(width) {
                self.run_wave(first, (first + width).min(self.fibers.len()));
            }
            if !self.failures.is_empty() || self.waiting().next().is_none() {
                break;
            }
            self.cross_barrier();
        }
        self.end_all();
    }

    /// Suspended lanes.
    fn waiting(&self) -> impl Iterator<Item = (usize, &Suspended)> {
        self.fibers.iter().enumerate().filter_map(|(n, f)| Some((n, f.stop.as_ref()?)))
    }

    fn resume(&mut self, n: usize, go: Resume) {
        let fiber = &mut self.fibers[n];
        match fiber.run.resume(go) {
            CoroutineResult::Yield(stop) => fiber.stop = Some(stop),
            CoroutineResult::Return(failure) => self.failures.extend(failure),
        }
    }

    /// Runs lanes `first..end` until all have returned or those at the smallest position wait for the group.
    fn run_wave(&mut self, first: usize, end: usize) {
        let mut set: Vec<(usize, Suspended)> = Vec::new();
        let mut arrived: Vec<ActiveLane> = Vec::new();
        while self.failures.is_empty() {
            let stops = || self.fibers[first..end].iter().filter_map(|f| f.stop.as_ref());
            let Some(earliest) = stops().min_by(|a, b| a.position.cmp(&b.position)) else { return };
            if matches!(earliest.reason, SuspendReason::Barrier | SuspendReason::GroupOp(_)) {
                return;
            }
            let position = earliest.position.clone();
            for n in first..end {
                if let Some(stop) = self.fibers[n].stop.take_if(|s| s.position == position) {
                    set.push((n, stop));
                }
            }
            let (shape, reason) = (set[0].1.shape, set[0].1.reason);
            for (n, stop) in &mut set {
                self.parts.enter(*n, std::mem::take(&mut stop.entered));
                arrived.push(ActiveLane { lane: (*n - first) as u32, slots: std::mem::take(&mut stop.slots) });
            }
            match reason {
                SuspendReason::WaveOp(op) => op(&mut ActiveLanes { shape, width: self.lanes.width, lanes: &mut arrived }),
                SuspendReason::Observe { shader, splits } => {
                    if let Some(observer) = self.lanes.observer {
                        let here: Vec<usize> = set.iter().map(|s| s.0).collect();
                        let parts = self.parts.meet(&here, first..end, &position[..shader], splits);
                        observer.point(&Observation { site: shape.site, width: self.lanes.width, lanes: &arrived, parts });
                    }
                }
                SuspendReason::End => {
                    if let Some(observer) = self.lanes.observer {
                        observer.end(self.parts.at_end(first..end));
                    }
                }
                SuspendReason::Barrier | SuspendReason::GroupOp(_) => {}
            }
            for ((n, stop), values) in set.drain(..).zip(arrived.drain(..)) {
                let on = self.failures.is_empty();
                self.resume(
                    n,
                    if on { Resume::Continue { slots: values.slots, position: stop.position, gone: 0 } } else { Resume::End(None) },
                );
            }
        }
    }

    /// All lanes that have not returned wait at one barrier and continue, or the group is terminated.
    fn cross_barrier(&mut self) {
        let Some((earliest, first)) = self.waiting().min_by(|a, b| a.1.position.cmp(&b.1.position)) else { return };
        let (position, shape, reason) = (first.position.clone(), first.shape, first.reason);
        let here = self.waiting().filter(|(_, s)| s.position == position).count();
        let (all, waiting) = (self.fibers.len(), self.waiting().count());
        if here < waiting {
            let (elsewhere, gone) = (waiting - here, all - waiting);
            let why = format!(
                "a barrier in divergent control flow: of {all} threads of the group {here} wait here, {elsewhere} wait elsewhere, {gone} have returned"
            );
            self.fibers[earliest].stop = None;
            self.resume(earliest, Resume::End(Some(why)));
            return;
        }
        if let SuspendReason::GroupOp(op) = reason {
            self.among_all(shape, op);
        }
        for n in 0..all {
            if let Some(stop) = self.fibers[n].stop.take() {
                let on = self.failures.is_empty();
                self.resume(
                    n,
                    if on {
                        Resume::Continue { slots: stop.slots, position: stop.position, gone: (all - waiting) as u32 }
                    } else {
                        Resume::End(None)
                    },
                );
            }
        }
    }

    /// An operation on the values of all suspended lanes.
    fn among_all(&mut self, shape: Shape, op: WaveOp) {
        let stopped = || (0u32..).zip(&self.fibers).filter_map(|(n, f)| Some((n, f.stop.as_ref()?)));
        let mut lanes: Vec<ActiveLane> = stopped().map(|(lane, s)| ActiveLane { lane, slots: s.slots.clone() }).collect();
        op(&mut ActiveLanes { shape, width: self.lanes.width, lanes: &mut lanes });
        for ActiveLane { lane, slots } in lanes {
            if let Some(stop) = self.fibers[lane as usize].stop.as_mut() {
                stop.slots = slots;
            }
        }
    }

    /// Runs every suspended lane to its end.
    fn end_all(&mut self) {
        for n in 0..self.fibers.len() {
            while self.fibers[n].stop.take().is_some() {
                self.resume(n, Resume::End(None));
            }
        }
    }
}

#[cfg(test)]
mod tests;
