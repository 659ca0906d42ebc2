//! Resources that lanes of a wave choose by different indices, where the shader does not mark them as non-uniform.
//!
//! The lanes of a wave stop at each use of such a handle and compare it. What differs between waves, or between lanes that come there at other times, is
//! no finding.

use crate::cpu::args::Shape;
use crate::cpu::ops::record;
use crate::cpu::resources::Handle;
use crate::cpu::resources::handle::DESCRIPTOR_BITS;
use crate::cpu::thread::Thread;
use crate::cpu::thread::context::DispatchContext;
use crate::cpu::wave::{self, lane_ops::ActiveLanes};

/// The sanitizer's kind of these findings.
pub const KIND: &str = "non-uniform index";

/// Compares the handles of an operation with those of the other lanes at it.
pub fn check(thread: &mut Thread<'_>, shape: Shape, slots: &[u64]) {
    let machine: &DispatchContext<'_> = thread.machine;
    let Some(site) = machine.program.sites.get(shape.site as usize) else { return };
    for &n in &*site.chosen {
        let own = slots.get(usize::from(n)).copied().unwrap_or(0) & DESCRIPTOR_BITS;
        let mut values = [own, 0, 0];
        wave::act_with(thread, Shape { slots: 3, ..shape }, &mut values, find_other);
        let [_, lane, other] = values;
        if lane > 0 && !thread.failed() {
            let (lanes, bindings) = ((thread.convergence.index(), lane - 1), machine.bindings);
            let name = |bits| bindings.name_of(Handle(bits), record(thread));
            let (own, other) = (name(own), name(other));
            thread.misuse(KIND, shape.site, || {
                format!("lane {} of the wave uses {own} and lane {} {other}, and the index is not marked as non-uniform", lanes.0, lanes.1)
            });
        }
    }
}

/// Gives each lane the first one with another handle: its number and 1, and its handle. Zeros if all have the same.
fn find_other(set: &mut ActiveLanes<'_>) {
    let all: Vec<(u32, u64)> = set.lanes.iter().map(|l| (l.lane, l.get(0))).collect();
    for lane in set.lanes.iter_mut() {
        let other = all.iter().find(|(_, handle)| *handle != lane.get(0));
        let (number, handle) = other.map_or((0, 0), |&(n, handle)| (u64::from(n) + 1, handle));
        lane.set(1, number);
        lane.set(2, handle);
    }
}
