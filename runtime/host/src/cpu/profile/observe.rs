//! Observation of lanes at points.

use super::{Next, Profile};
use crate::cpu::args::{Scalar, Shape};
use crate::cpu::thread::Thread;
use crate::cpu::wave;
use rtc_dxil_container::ShaderKind;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A lane is at a point that runs a shader: if a profile is taken, it is observed there. `next` computes its target.
#[inline]
pub fn point(thread: &mut Thread<'_>, site: u32, next: impl FnOnce(&Profile, &Thread<'_>) -> Next) {
    if let Some(profile) = thread.machine.profile {
        let next = next(profile, thread);
        observe(thread, site, next, 0, [true, true]);
    }
}

/// The same of a point that reorders and runs nothing.
#[inline]
pub fn reorder_point(thread: &mut Thread<'_>, site: u32, hint: u32, next: impl FnOnce(&Profile, &Thread<'_>) -> Next) {
    if let Some(profile) = thread.machine.profile {
        let next = next(profile, thread);
        observe(thread, site, next, hint, [true, false]);
    }
}

/// A lane traces a ray into a hit object, which is no point, but may split its wave.
#[inline]
pub fn trace_of_hit_object(thread: &mut Thread<'_>, site: u32) {
    if thread.machine.profile.is_some() {
        observe(thread, site, Next::NOP, 0, [false, true]);
    }
}

/// `counts`: it is a point; `splits`: a wave some lanes of which come here may be split.
#[cold]
fn observe(thread: &mut Thread<'_>, site: u32, next: Next, hint: u32, [counts, splits]: [bool; 2]) {
    let ([x, y, z], [width, height, _]) = (thread.system.index, thread.system.dimensions);
    let ray = u64::from(x) + u64::from(width) * (u64::from(y) + u64::from(height) * u64::from(z));
    let shader = thread.convergence.shader_position();
    // After any-hit and intersection shaders of the same operation, before the shader that it runs last.
    let mark = thread.convergence.descend(usize::MAX >> 1, ShaderKind::ClosestHit);
    let mut hasher = FxHasher::default();
    thread.convergence.position().iter().for_each(|&n| hasher.write_u64(n));
    let show = [next.0, hint.into(), ray, hasher.finish(), thread.shader as u64, counts.into()];
    let shape = Shape { scalar: Scalar::Void, lanes: 0, slots: show.len() as u16, site };
    wave::observe(thread, shape, &show, shader, splits);
    thread.convergence.ascend(mark);
}
