//! Suspension of threads at convergence points: wave operations, barriers, derivatives, observation.

use super::convergence::SuspendReason;
use super::lane_ops::{self, WaveOp};
use crate::cpu::args::{Args, Scalar, Shape};
use crate::cpu::failure::out_of_budget;
use crate::cpu::thread::Thread;
use crate::cpu::thread::context::DispatchContext;

/// The cost of a wave operation in loop iterations of the budget.
const COST: i64 = 32;

/// Sets the position of a thread, if it is a lane: runs before each operation.
pub fn note(thread: &mut Thread<'_>, shape: Shape, slots: &[u64]) {
    let machine: &DispatchContext<'_> = thread.machine;
    let site = machine.program.sites.get(shape.site as usize);
    if let Some(convergence) = site.and_then(|s| s.convergence.as_ref()) {
        thread.convergence.at(convergence, slots);
    }
}

fn stop(thread: &mut Thread<'_>, shape: Shape, slots: &mut [u64], reason: SuspendReason) {
    thread.budget -= COST;
    if thread.budget < 0 && !thread.failed() {
        let why = out_of_budget(thread.machine);
        thread.fail(shape.site, why);
    }
    let mut why = None;
    if thread.failed() || !thread.convergence.stop(shape, slots, reason, &mut why) {
        slots.fill(0);
        thread.fail(shape.site, why.unwrap_or_default());
    }
}

/// A wave operation of the lanes at this position: each passes its arguments and gets its results.
pub fn act(thread: &mut Thread<'_>, args: &mut Args<'_>, op: WaveOp) {
    let shape = args.shape;
    stop(thread, shape, args.slots(), SuspendReason::WaveOp(op));
}

/// The same with values other than the operation's arguments.
pub fn act_with(thread: &mut Thread<'_>, shape: Shape, values: &mut [u64], op: WaveOp) {
    stop(thread, shape, values, SuspendReason::WaveOp(op));
}

/// An operation on values of all lanes of the group, which wait for each other.
pub fn exchange_in_group(thread: &mut Thread<'_>, shape: Shape, values: &mut [u64], op: WaveOp) {
    stop(thread, shape, values, SuspendReason::GroupOp(op));
}

/// Waits for all lanes of the group if `sync`; memory is ordered in any case. Lanes that have returned are not waited for: HLSL
/// leaves a barrier in divergent control flow undefined, and GPUs treat such lanes as inactive.
pub fn barrier(thread: &mut Thread<'_>, args: &mut Args<'_>, sync: bool) {
    // Lanes of a group run one at a time; other groups run concurrently.
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
    if sync {
        let shape = args.shape;
        stop(thread, shape, &mut [], SuspendReason::Barrier);
        let gone = thread.convergence.gone();
        if gone > 0 && !thread.failed() {
            thread.misuse("barrier", shape.site, || format!("{gone} threads of the group have returned and never reach this barrier"));
        }
    }
}

/// The lanes of a wave stop here together to be observed with the values they report; without an observer nothing happens. `shader`: how many numbers of
/// their position are of the shader that they are in; `splits`: whether this is an operation that runs other shaders.
pub fn observe(thread: &mut Thread<'_>, shape: Shape, show: &[u64], shader: usize, splits: bool) {
    if thread.convergence.is_observed() {
        stop(thread, shape, &mut show.to_vec(), SuspendReason::Observe { shader, splits });
    }
}

/// The lanes of a wave stop where their first shader ends, if they are observed.
pub fn end(thread: &mut Thread<'_>) {
    if thread.convergence.is_observed() && !thread.failed() {
        thread.convergence.at_end();
        let mut why = None;
        let shape = Shape { scalar: Scalar::Void, lanes: 0, slots: 0, site: u32::MAX };
        if !thread.convergence.stop(shape, &mut [], SuspendReason::End, &mut why) {
            thread.fail(u32::MAX, why.unwrap_or_default());
        }
    }
}

/// The derivatives of coordinates in the lane's quad, in x and y; zero where lanes are inactive. For operations that the tables
/// mark as requiring derivatives.
pub fn gradient(thread: &mut Thread<'_>, args: &Args<'_>, values: [f32; 3]) -> ([f32; 3], [f32; 3]) {
    let mut slots = [0; 6];
    values.iter().zip(&mut slots).for_each(|(v, s)| *s = v.to_bits().into());
    let shape = Shape { scalar: Scalar::F32, lanes: 0, slots: 6, ..args.shape };
    act_with(thread, shape, &mut slots, lane_ops::gradient);
    let three = |at: usize| std::array::from_fn(|n| f32::from_bits(slots[at + n] as u32));
    (three(0), three(3))
}
