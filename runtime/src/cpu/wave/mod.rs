//! Threads that meet: waves, groups, barriers.

use super::dispatch::{Failed, outcome};
use super::machine::Machine;
use super::thread::{System, Thread};

/// How a thread meets the others.
#[derive(Default)]
pub struct Meet {}

/// Launches a ray generation shader whose threads meet.
pub fn rays(machine: &Machine<'_>, shader: usize, size: [u32; 3], failed: &Failed) {
    let _ = (machine, shader, size, failed);
}

/// Launches a compute shader.
pub fn groups(machine: &Machine<'_>, shader: usize, groups: [u32; 3], failed: &Failed) {
    let threads = machine.program.shaders[shader].threads;
    let mut memory = vec![0u128; machine.program.shared_bytes.div_ceil(16)];
    for z in 0..groups[2] * threads[2] {
        for y in 0..groups[1] * threads[1] {
            for x in 0..groups[0] * threads[0] {
                let index = [x, y, z];
                let group = std::array::from_fn(|i| index[i] / threads[i]);
                let in_group: [u32; 3] = std::array::from_fn(|i| index[i] % threads[i]);
                let flat = in_group[0] + threads[0] * (in_group[1] + threads[1] * in_group[2]);
                let system = System { index, dimensions: [0; 3], group, in_group, flat };
                let mut thread = Thread::new(machine, system);
                thread.shared = memory.as_mut_ptr().cast();
                machine.program.run(shader, &mut thread, std::ptr::null_mut(), std::ptr::null_mut());
                if let Some(f) = outcome(machine, &mut thread) {
                    failed.note(f);
                    return;
                }
            }
        }
    }
}
