//! The lane's side of meeting: where it is, stopping there, going on with an answer.
#![allow(unsafe_code)]

use super::set::{Arrived, Set, Solve};
use crate::cpu::args::{Args, Shape};
use crate::cpu::dispatch;
use crate::cpu::lower::Meeting;
use crate::cpu::machine::Machine;
use crate::cpu::thread::Thread;
use corosensei::Yielder;
use rtc_dxil_container::ShaderKind;
use std::ptr::NonNull;

/// How many rounds of a loop an operation among lanes counts as: it costs as much.
const COST: i64 = 32;

/// What a lane stops for.
#[derive(Clone, Copy)]
pub enum Wants {
    /// An operation of the lanes of its wave that are here.
    Lanes(Solve),
    /// To wait for all lanes of its group.
    Group,
    /// To be looked at.
    Look,
}

/// A lane that has stopped.
pub struct Stop {
    /// Where.
    pub place: Vec<u64>,
    /// Its values.
    pub slots: Vec<u64>,
    /// What the call looks like.
    pub shape: Shape,
    /// What for.
    pub wants: Wants,
}

/// How a lane goes on.
pub enum Go {
    /// With these values; the vectors are those that it stopped with.
    On {
        /// The values.
        slots: Vec<u64>,
        /// The place, given back.
        place: Vec<u64>,
        /// Lanes of the group that have ended without waiting for the others.
        gone: u32,
    },
    /// To its end, for this reason, or because of another lane.
    End(Option<String>),
}

/// What makes a thread a lane.
#[derive(Clone, Copy)]
pub struct Lane {
    yielder: NonNull<Yielder<Go, Stop>>,
    /// Its number in its wave.
    pub index: u32,
    /// Lanes of a wave.
    pub width: u32,
    /// Its wave's number in the group.
    pub wave: u32,
    /// Waves of the group.
    pub waves: u32,
    /// Whether somebody looks at lanes that stand.
    pub watched: bool,
}

impl Lane {
    /// A lane of the fiber that `yielder` belongs to.
    pub(super) fn new(yielder: &Yielder<Go, Stop>) -> Lane {
        Lane { yielder: NonNull::from(yielder), index: 0, width: 1, wave: 0, waves: 1, watched: false }
    }
}

/// How a thread meets the others; by default it is alone.
#[derive(Default)]
pub struct Meet {
    lane: Option<Lane>,
    /// The place of the operation that runs, behind that of the shader.
    trail: Vec<u64>,
    /// How much of it is the shader's.
    base: usize,
    /// Shaders that the operation has called.
    calls: u64,
    slots: Vec<u64>,
    /// Lanes that were not there at the barrier behind which it is.
    gone: u32,
    /// Whether it was told to end because of another lane.
    quiet: bool,
    ended: bool,
}

/// Where a thread was before it called a shader.
pub struct Mark {
    base: usize,
    len: usize,
    calls: u64,
}

/// For shaders that are the last that an operation calls, in whatever number others came before.
const LAST: u64 = 1 << 63;

impl Meet {
    /// A lane.
    pub(super) fn lane(lane: Lane) -> Meet {
        Meet { lane: Some(lane), ..Meet::default() }
    }
    /// Whether it is one.
    pub fn is_lane(&self) -> bool {
        self.lane.is_some()
    }
    /// Its number in its wave.
    pub fn index(&self) -> u32 {
        self.lane.map_or(0, |l| l.index)
    }
    /// Lanes of its wave.
    pub fn width(&self) -> u32 {
        self.lane.map_or(1, |l| l.width)
    }
    /// The number of its wave in the group.
    pub fn wave(&self) -> u32 {
        self.lane.map_or(0, |l| l.wave)
    }
    /// Waves of its group.
    pub fn waves(&self) -> u32 {
        self.lane.map_or(1, |l| l.waves)
    }
    /// Lanes of the group that had ended when it crossed the last barrier.
    pub fn gone(&self) -> u32 {
        self.gone
    }
    /// Whether it ended because of another lane, so that it has nothing to tell.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }
    /// Where it is.
    pub fn place(&self) -> &[u64] {
        &self.trail
    }

    /// It is at an operation, whose rounds lie in `slots`.
    pub fn at(&mut self, meeting: &Meeting, slots: &[u64]) {
        self.trail.truncate(self.base);
        let Some((&own, loops)) = meeting.numbers.split_last() else { return };
        for (n, &number) in loops.iter().enumerate() {
            let round = slots.get(usize::from(meeting.rounds) + n).copied().unwrap_or(0);
            self.trail.extend([u64::from(number), round]);
        }
        self.trail.push(own.into());
        self.calls = 0;
    }

    /// It begins a shader that the operation where it is calls.
    #[inline]
    pub fn descend(&mut self, shader: usize, kind: ShaderKind) -> Mark {
        if self.lane.is_none() {
            return Mark { base: 0, len: 0, calls: 0 };
        }
        // Shaders that are asked about a hit come in some number, in front of the one that ends the call.
        let last = !matches!(kind, ShaderKind::AnyHit | ShaderKind::Intersection);
        let mark = Mark { base: self.base, len: self.trail.len(), calls: self.calls + 1 };
        self.trail.extend([if last { LAST } else { self.calls }, shader as u64]);
        self.base = self.trail.len();
        self.calls = 0;
        mark
    }

    /// It is back.
    #[inline]
    pub fn ascend(&mut self, mark: Mark) {
        self.trail.truncate(mark.len);
        (self.base, self.calls) = (mark.base, mark.calls);
    }

    /// Stops, and goes on with the answer in `slots`. False: it must end; `why` says why if that is its own fault.
    pub fn stop(&mut self, shape: Shape, slots: &mut [u64], wants: Wants, why: &mut Option<String>) -> bool {
        if self.ended {
            return false;
        }
        let Some(lane) = self.lane else {
            // A thread without others is all lanes of its wave.
            if let Wants::Lanes(solve) = wants {
                let mut alone = [Arrived { lane: 0, slots: slots.to_vec() }];
                solve(&mut Set { shape, width: 1, lanes: &mut alone });
                slots.copy_from_slice(&alone[0].slots);
            }
            return true;
        };
        let mut own = std::mem::take(&mut self.slots);
        own.clear();
        own.extend_from_slice(slots);
        let place = std::mem::take(&mut self.trail);
        // The yielder lives on the stack on which this runs, below everything that the shader has there.
        let yielder = unsafe { lane.yielder.as_ref() };
        match yielder.suspend(Stop { place, slots: own, shape, wants }) {
            Go::On { slots: answer, place, gone } => {
                self.gone = gone;
                slots.copy_from_slice(&answer[..slots.len()]);
                (self.slots, self.trail) = (answer, place);
                true
            }
            Go::End(reason) => {
                self.ended = true;
                self.quiet = reason.is_none();
                *why = reason;
                false
            }
        }
    }
}

/// Says where a thread is, if it is a lane: what runs before each operation does.
pub fn note(thread: &mut Thread<'_>, shape: Shape, slots: &[u64]) {
    let machine: &Machine<'_> = thread.machine;
    let site = machine.program.sites.get(shape.site as usize);
    if let Some(meeting) = site.and_then(|s| s.meeting.as_ref()) {
        thread.meet.at(meeting, slots);
    }
}

fn stop(thread: &mut Thread<'_>, shape: Shape, slots: &mut [u64], wants: Wants) {
    thread.budget -= COST;
    if thread.budget < 0 && !thread.failed() {
        let why = dispatch::out_of_budget(thread.machine);
        thread.fail(shape.site, why);
    }
    let mut why = None;
    if thread.failed() || !thread.meet.stop(shape, slots, wants, &mut why) {
        slots.fill(0);
        thread.fail(shape.site, why.unwrap_or_default());
    }
}

/// An operation of the lanes that are here: each gives its arguments and gets its results.
pub fn act(thread: &mut Thread<'_>, args: &mut Args<'_>, solve: Solve) {
    let shape = args.shape;
    stop(thread, shape, args.slots(), Wants::Lanes(solve));
}

/// The same with values that are not the arguments of the operation.
pub fn act_with(thread: &mut Thread<'_>, shape: Shape, values: &mut [u64], solve: Solve) {
    stop(thread, shape, values, Wants::Lanes(solve));
}

/// Waits for all lanes of the group if `sync`; memory is in order either way. Lanes that have returned are not waited for: HLSL
/// calls a barrier in divergent control flow undefined, and processors for graphics count such lanes as inactive.
pub fn barrier(thread: &mut Thread<'_>, args: &mut Args<'_>, sync: bool) {
    // Lanes of a group take turns; other groups run at the same time.
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    if sync {
        let shape = args.shape;
        stop(thread, shape, &mut [], Wants::Group);
        let gone = thread.meet.gone();
        if gone > 0 && !thread.failed() {
            thread.misuse("barrier", shape.site, || format!("{gone} threads of the group have ended and never reach this barrier"));
        }
    }
}

/// The lanes of a wave stand here together, for somebody to look at them and the values they show; if nobody does,
/// nothing happens.
pub fn stand(thread: &mut Thread<'_>, shape: Shape, show: &[u64]) {
    if thread.meet.lane.is_some_and(|l| l.watched) {
        stop(thread, shape, &mut show.to_vec(), Wants::Look);
    }
}
