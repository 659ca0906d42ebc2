//! Runs the lanes of a group, each on its own stack, until all are done.
//!
//! Lanes take turns on one OS thread. One runs until it stops ([`Stop`]) or is done; when none of a wave can go on, those
//! at its first place go on together. At a barrier lanes wait for all that have not ended. A group in which some wait at one
//! barrier and some at another is ended, with a message. So is one in which a lane fails: every lane is told to end, and does, since its loops and operations do nothing
//! from then on. No lane is ever left in the middle: what is on its stack is dropped by running to the end.
#![allow(unsafe_code)]

use super::meet::{Go, Lane, Meet, Stop, Wants};
use super::set::{Arrived, Set};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

/// Lanes of a wave that stand at one place, with what each shows.
pub struct Look<'a> {
    /// Which call of the program it is.
    pub site: u32,
    /// Lanes of the whole wave.
    pub width: u32,
    /// The number of each lane that stands here, and what it shows.
    pub lanes: &'a [Arrived],
}

/// Somebody who looks at lanes that stand.
pub type Looker<'a> = &'a (dyn Fn(&Look<'_>) + Sync);

/// Stacks of lanes, used again from group to group.
pub struct Stacks {
    size: usize,
    free: Vec<DefaultStack>,
}

impl Stacks {
    /// Stacks of so many bytes; memory is used only as far as they are written.
    pub fn new(size: usize) -> Stacks {
        Stacks { size, free: Vec::new() }
    }

    fn reserve(&mut self, count: usize) -> Result<(), String> {
        while self.free.len() < count {
            let made = DefaultStack::new(self.size);
            let what = || format!("the system gives no memory for {count} stacks of {} bytes", self.size);
            self.free.push(made.map_err(|e| format!("{}: {e}", what()))?);
        }
        Ok(())
    }
}

/// How many lanes there are and how they are watched.
#[derive(Clone, Copy)]
pub struct Lanes<'a> {
    /// All of the group.
    pub count: u32,
    /// Of a wave, at most 128.
    pub width: u32,
    /// Who looks at them where they stand.
    pub looker: Option<Looker<'a>>,
}

struct Fiber<F> {
    run: Coroutine<Go, Stop, Option<F>, DefaultStack>,
    /// Where it has stopped; none when it is done.
    stop: Option<Stop>,
}

impl<F> Drop for Fiber<F> {
    fn drop(&mut self) {
        if self.run.started() && !self.run.done() {
            // Only after a panic of this module. Compiled code cannot be unwound; what the stack holds is forgotten, and
            // nobody has a way to it any more.
            unsafe { self.run.force_reset() };
        }
    }
}

struct Group<'a, F> {
    fibers: Vec<Fiber<F>>,
    lanes: Lanes<'a>,
    failures: Vec<F>,
}

/// Runs `body` for each lane and gives what failed: nothing, or what the first lane said that failed, with what others
/// said before they were told to end.
///
/// # Errors
/// There is no memory for the stacks.
pub fn run<F>(lanes: Lanes<'_>, stacks: &mut Stacks, body: impl Fn(u32, Meet) -> Option<F>) -> Result<Vec<F>, String> {
    let lanes = Lanes { width: lanes.width.clamp(1, 128), ..lanes };
    stacks.reserve(lanes.count as usize)?;
    let waves = lanes.count.div_ceil(lanes.width);
    let mut group = Group { fibers: Vec::with_capacity(lanes.count as usize), lanes, failures: Vec::new() };
    for n in 0..lanes.count {
        let Some(stack) = stacks.free.pop() else { break };
        let body = &body;
        let run = move |yielder: &Yielder<Go, Stop>, _: Go| {
            let mut lane = Lane::new(yielder);
            (lane.index, lane.width) = (n % lanes.width, lanes.width);
            (lane.wave, lane.waves) = (n / lanes.width, waves);
            lane.watched = lanes.looker.is_some();
            body(n, Meet::lane(lane))
        };
        // The closure borrows `body`, which outlives the group: fibers never leave this function.
        let run = unsafe { Coroutine::with_stack_unchecked(stack, run) };
        group.fibers.push(Fiber { run, stop: None });
    }
    group.run();
    let Group { fibers, failures, .. } = group;
    for fiber in fibers {
        // Fibers that were never started have done nothing.
        if let Some(stack) = fiber.into_stack() {
            stacks.free.push(stack);
        }
    }
    Ok(failures)
}

impl<F> Fiber<F> {
    fn into_stack(self) -> Option<DefaultStack> {
        let fiber = std::mem::ManuallyDrop::new(self);
        // Read once, and the rest of the fiber, which is done, holds nothing else that must be dropped.
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
            self.resume(n, Go::On { slots: Vec::new(), place: Vec::new(), gone: 0 });
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

    /// Lanes that have stopped.
    fn waiting(&self) -> impl Iterator<Item = (usize, &Stop)> {
        self.fibers.iter().enumerate().filter_map(|(n, f)| Some((n, f.stop.as_ref()?)))
    }

    fn resume(&mut self, n: usize, go: Go) {
        let fiber = &mut self.fibers[n];
        match fiber.run.resume(go) {
            CoroutineResult::Yield(stop) => fiber.stop = Some(stop),
            CoroutineResult::Return(failure) => self.failures.extend(failure),
        }
    }

    /// Lanes `first..end` run until all are done or those at the first place wait for the group.
    fn run_wave(&mut self, first: usize, end: usize) {
        let mut set: Vec<(usize, Stop)> = Vec::new();
        let mut arrived: Vec<Arrived> = Vec::new();
        while self.failures.is_empty() {
            let stops = || self.fibers[first..end].iter().filter_map(|f| f.stop.as_ref());
            let Some(earliest) = stops().min_by(|a, b| a.place.cmp(&b.place)) else { return };
            if matches!(earliest.wants, Wants::Group) {
                return;
            }
            let place = earliest.place.clone();
            for n in first..end {
                if let Some(stop) = self.fibers[n].stop.take_if(|s| s.place == place) {
                    set.push((n, stop));
                }
            }
            let (shape, wants) = (set[0].1.shape, set[0].1.wants);
            for (n, stop) in &mut set {
                arrived.push(Arrived { lane: (*n - first) as u32, slots: std::mem::take(&mut stop.slots) });
            }
            match wants {
                Wants::Lanes(solve) => solve(&mut Set { shape, width: self.lanes.width, lanes: &mut arrived }),
                Wants::Look => {
                    if let Some(look) = self.lanes.looker {
                        look(&Look { site: shape.site, width: self.lanes.width, lanes: &arrived });
                    }
                }
                Wants::Group => {}
            }
            for ((n, stop), values) in set.drain(..).zip(arrived.drain(..)) {
                let on = self.failures.is_empty();
                self.resume(n, if on { Go::On { slots: values.slots, place: stop.place, gone: 0 } } else { Go::End(None) });
            }
        }
    }

    /// All lanes that have not ended wait at one barrier and go on, or the group is ended.
    fn cross_barrier(&mut self) {
        let Some((earliest, first)) = self.waiting().min_by(|a, b| a.1.place.cmp(&b.1.place)) else { return };
        let place = first.place.clone();
        let here = self.waiting().filter(|(_, s)| s.place == place).count();
        let (all, waiting) = (self.fibers.len(), self.waiting().count());
        if here < waiting {
            let (elsewhere, gone) = (waiting - here, all - waiting);
            let why = format!(
                "a barrier in divergent control flow: of {all} threads of the group {here} wait here, {elsewhere} elsewhere, {gone} have ended"
            );
            self.fibers[earliest].stop = None;
            self.resume(earliest, Go::End(Some(why)));
            return;
        }
        for n in 0..all {
            if let Some(stop) = self.fibers[n].stop.take() {
                let on = self.failures.is_empty();
                self.resume(
                    n,
                    if on { Go::On { slots: stop.slots, place: stop.place, gone: (all - waiting) as u32 } } else { Go::End(None) },
                );
            }
        }
    }

    /// Whoever still waits runs to its end.
    fn end_all(&mut self) {
        for n in 0..self.fibers.len() {
            while self.fibers[n].stop.take().is_some() {
                self.resume(n, Go::End(None));
            }
        }
    }
}

#[cfg(test)]
#[path = "group_tests.rs"]
mod tests;
