//! Convergence state of a lane: its position, suspension at convergence points, resumption with results.
#![allow(unsafe_code)]

use super::lane_ops::{ActiveLane, ActiveLanes, WaveOp};
use crate::cpu::args::Shape;
use crate::cpu::program::ConvergencePoint;
use corosensei::Yielder;
use rtc_dxil_container::ShaderKind;
use std::ptr::NonNull;

/// Why a lane suspends.
#[derive(Clone, Copy)]
pub enum SuspendReason {
    /// A wave operation with the lanes at its position.
    WaveOp(WaveOp),
    /// A barrier of its group.
    Barrier,
    /// The same, with an operation on the values of all lanes of the group, whose indices are those in it.
    GroupOp(WaveOp),
    /// An observation in the shader that the first so many numbers of the position are of. It `splits` if a device may leave the lanes that are here apart from others.
    Observe { shader: usize, splits: bool },
    /// Its shader ends, and it is observed.
    End,
}

/// A suspended lane.
pub struct Suspended {
    /// Its position.
    pub position: Vec<u64>,
    /// Its values.
    pub slots: Vec<u64>,
    /// The type of the call.
    pub shape: Shape,
    /// Why it is suspended.
    pub reason: SuspendReason,
    /// The positions of shaders that it has entered since it was suspended before, if it is observed.
    pub entered: Vec<Vec<u64>>,
}

/// How a lane resumes.
pub enum Resume {
    /// With these values; the vectors are those that it suspended with.
    Continue {
        /// The values.
        slots: Vec<u64>,
        /// The position, returned.
        position: Vec<u64>,
        /// Lanes of the group that have returned without waiting at the barrier.
        gone: u32,
    },
    /// To its end, with this error, or because of another lane.
    End(Option<String>),
}

/// What makes a thread a lane.
#[derive(Clone, Copy)]
pub struct Lane {
    yielder: NonNull<Yielder<Resume, Suspended>>,
    /// Its index in its wave.
    pub index: u32,
    /// Wave size.
    pub width: u32,
    /// Its wave's index in the group.
    pub wave: u32,
    /// Waves of the group.
    pub waves: u32,
    /// Lanes of the group.
    pub count: u32,
    /// Whether lanes are observed.
    pub watched: bool,
}

impl Lane {
    /// A lane of the fiber that `yielder` belongs to.
    pub(super) fn new(yielder: &Yielder<Resume, Suspended>) -> Lane {
        Lane { yielder: NonNull::from(yielder), index: 0, width: 1, wave: 0, waves: 1, count: 1, watched: false }
    }
}

/// The convergence state of a thread; by default it is a wave of one lane.
#[derive(Default)]
pub struct Convergence {
    lane: Option<Lane>,
    /// The position of the current operation, after that of the shader.
    trail: Vec<u64>,
    /// Length of the shader's position.
    base: usize,
    /// Number of shaders that the operation has called.
    calls: u64,
    slots: Vec<u64>,
    /// The positions of shaders that it has entered since it was suspended, if it is observed.
    entered: Vec<Vec<u64>>,
    /// Lanes that had returned at the last barrier.
    gone: u32,
    /// Whether another lane made it end.
    quiet: bool,
    ended: bool,
}

/// The state before a shader call.
pub struct Mark {
    base: usize,
    len: usize,
    calls: u64,
}

/// Orders the last shader that an operation calls after any number of earlier ones.
const LAST: u64 = 1 << 63;

impl Convergence {
    /// A lane.
    pub(super) fn lane(lane: Lane) -> Convergence {
        Convergence { lane: Some(lane), ..Convergence::default() }
    }
    /// Whether the thread is a lane.
    pub fn is_lane(&self) -> bool {
        self.lane.is_some()
    }
    /// Whether lanes are observed.
    pub fn is_observed(&self) -> bool {
        self.lane.is_some_and(|l| l.watched)
    }
    /// Its index in its wave.
    pub fn index(&self) -> u32 {
        self.lane.map_or(0, |l| l.index)
    }
    /// Its wave size.
    pub fn width(&self) -> u32 {
        self.lane.map_or(1, |l| l.width)
    }
    /// The index of its wave in the group.
    pub fn wave(&self) -> u32 {
        self.lane.map_or(0, |l| l.wave)
    }
    /// Waves of its group.
    pub fn waves(&self) -> u32 {
        self.lane.map_or(1, |l| l.waves)
    }
    /// Lanes of its group.
    pub fn group_lanes(&self) -> u32 {
        self.lane.map_or(1, |l| l.count)
    }
    /// Its index in its group.
    pub fn index_in_group(&self) -> u32 {
        self.lane.map_or(0, |l| l.wave * l.width + l.index)
    }
    /// Lanes of its wave that the group has.
    pub fn wave_lanes(&self) -> u32 {
        self.lane.map_or(1, |l| (l.count - l.wave * l.width).min(l.width))
    }
    /// Lanes of the group that had returned when it crossed the last barrier.
    pub fn gone(&self) -> u32 {
        self.gone
    }
    /// Whether it ended because of another lane, so that it has nothing to report.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }
    /// Its position.
    pub fn position(&self) -> &[u64] {
        &self.trail
    }

    /// How many numbers of its position are of its shader.
    pub fn shader_position(&self) -> usize {
        self.base
    }

    /// Sets the position to the end of the first shader, after all operations.
    pub(super) fn at_end(&mut self) {
        self.base = 0;
        self.trail.clear();
        self.trail.push(u64::MAX);
    }

    /// Sets the position to an operation, whose iteration counters are in `slots`.
    pub fn at(&mut self, convergence: &ConvergencePoint, slots: &[u64]) {
        self.trail.truncate(self.base);
        let Some((&own, loops)) = convergence.numbers.split_last() else { return };
        for (n, &number) in loops.iter().enumerate() {
            let round = slots.get(usize::from(convergence.iterations) + n).copied().unwrap_or(0);
            self.trail.extend([u64::from(number), round]);
        }
        self.trail.push(own.into());
        self.calls = 0;
    }

    /// Extends the position by a shader that the current operation calls.
    #[inline]
    pub fn descend(&mut self, shader: usize, kind: ShaderKind) -> Mark {
        if self.lane.is_none() {
            return Mark { base: 0, len: 0, calls: 0 };
        }
        // Any-hit and intersection shaders run any number of times, before the one that ends the call.
        let last = !matches!(kind, ShaderKind::AnyHit | ShaderKind::Intersection);
        let mark = Mark { base: self.base, len: self.trail.len(), calls: self.calls + 1 };
        self.trail.extend([if last { LAST } else { self.calls }, shader as u64]);
        self.base = self.trail.len();
        self.calls = 0;
        if last && self.is_observed() {
            self.entered.push(self.trail.clone());
        }
        mark
    }

    /// Restores the position after the call.
    #[inline]
    pub fn ascend(&mut self, mark: Mark) {
        self.trail.truncate(mark.len);
        (self.base, self.calls) = (mark.base, mark.calls);
    }

    /// Suspends, and resumes with results in `slots`. False: it must end, with the error in `why` if that is its own.
    pub fn stop(&mut self, shape: Shape, slots: &mut [u64], reason: SuspendReason, why: &mut Option<String>) -> bool {
        if self.ended {
            return false;
        }
        let Some(lane) = self.lane else {
            // A thread that is no lane is the only lane of its wave.
            if let SuspendReason::WaveOp(op) | SuspendReason::GroupOp(op) = reason {
                let mut alone = [ActiveLane { lane: 0, slots: slots.to_vec() }];
                op(&mut ActiveLanes { shape, width: 1, lanes: &mut alone });
                slots.copy_from_slice(&alone[0].slots);
            }
            return true;
        };
        let mut own = std::mem::take(&mut self.slots);
        own.clear();
        own.extend_from_slice(slots);
        let position = std::mem::take(&mut self.trail);
        // SAFETY: the yielder is on the same stack as this frame, below everything that the shader has there.
        let yielder = unsafe { lane.yielder.as_ref() };
        let entered = std::mem::take(&mut self.entered);
        match yielder.suspend(Suspended { position, slots: own, shape, reason, entered }) {
            Resume::Continue { slots: answer, position, gone } => {
                self.gone = gone;
                slots.copy_from_slice(&answer[..slots.len()]);
                (self.slots, self.trail) = (answer, position);
                true
            }
            Resume::End(reason) => {
                self.ended = true;
                self.quiet = reason.is_none();
                *why = reason;
                false
            }
        }
    }
}
