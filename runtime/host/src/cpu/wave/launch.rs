//! Launching shaders whose threads communicate: thread groups, and waves of neighbouring rays.

use super::convergence::Convergence;
use super::quads;
use super::scheduler::{Lanes, Observer, Stacks, run};
use super::suspend::end;
use crate::cpu::failure::{Failed, outcome};
use crate::cpu::thread::context::{DispatchContext, Loaded, RESERVE};
use crate::cpu::thread::{Failure, System, Thread};
use crate::cpu::trace::call;
use rayon::prelude::*;
use rtc_dxil_container::ShaderKind;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum number of simultaneous stacks; a process can map about twice as many.
const MAX_STACKS: u32 = 16384;

/// Whether the threads of a shader communicate: in it, or in one that it may call by tracing a ray.
pub fn needed(program: &Loaded, shader: usize) -> bool {
    let called = |kind| !matches!(kind, ShaderKind::RayGeneration | ShaderKind::Compute);
    let own = &program.shaders[shader];
    own.meets || own.kind == ShaderKind::RayGeneration && program.shaders.iter().any(|s| s.meets && called(s.kind))
}

/// Wave size of a shader.
pub fn width(machine: &DispatchContext<'_>, shader: usize) -> u32 {
    let shader = &machine.program.shaders[shader];
    let mut width = shader.preferred_wave.unwrap_or(machine.limits.lanes).clamp(1, 128);
    if let Some((least, most)) = shader.wave {
        width = width.clamp(least, most.max(least)).clamp(1, 128);
    }
    if shader.quads { width.next_multiple_of(4) } else { width }
}

/// Runs `count` jobs on all cores, each worker with its own state.
fn over_cores<T>(count: u64, lanes: u32, failed: &Failed, own: impl Fn() -> T + Sync, job: impl Fn(&mut T, u64) + Sync) {
    let most = (MAX_STACKS / lanes.max(1)).max(1);
    let workers = rayon::current_num_threads().min(most as usize).min(count.min(1 << 20) as usize);
    let next = AtomicU64::new(0);
    (0..workers).into_par_iter().with_max_len(1).for_each(|_| {
        let mut own = own();
        while !failed.any() {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count {
                break;
            }
            job(&mut own, n);
        }
    });
}

/// The result of a finished lane.
fn outcome_of_lane(machine: &DispatchContext<'_>, thread: &mut Thread<'_>) -> Option<Failure> {
    if thread.convergence.is_quiet() { None } else { outcome(machine, thread) }
}

fn note(failed: &Failed, shader: usize, index: [u32; 3], what: Result<Vec<Failure>, String>) {
    match what {
        Ok(failures) => failures.into_iter().for_each(|f| failed.note(f)),
        Err(message) => failed.note(Failure { site: u32::MAX, shader, index, message }),
    }
}

/// Launches a ray generation shader whose threads communicate.
pub fn rays(machine: &DispatchContext<'_>, shader: usize, size: [u32; 3], failed: &Failed) {
    watched_rays(machine, shader, size, failed, None);
}

/// Launches a ray generation shader in waves of neighbouring rays, with an observer.
pub fn watched_rays(machine: &DispatchContext<'_>, shader: usize, size: [u32; 3], failed: &Failed, observer: Option<Observer<'_>>) {
    let width = width(machine, shader);
    let tile = tile(width, size);
    let across: [u64; 3] = std::array::from_fn(|i| u64::from(size[i].div_ceil(tile[i])));
    let stacks = || Stacks::new(machine.limits.stack + RESERVE);
    over_cores(across.iter().product(), width, failed, stacks, |stacks, n| {
        let at = [n % across[0], n / across[0] % across[1], n / across[0] / across[1]];
        let first: [u32; 3] = std::array::from_fn(|i| at[i] as u32 * tile[i]);
        let indices: Vec<[u32; 3]> = (0..tile[0] * tile[1])
            .map(|n| [first[0] + n % tile[0], first[1] + n / tile[0], first[2]])
            .filter(|index| (0..3).all(|i| index[i] < size[i]))
            .collect();
        let lanes = Lanes { count: indices.len() as u32, width, observer };
        let ended = run(lanes, stacks, |lane, meet| {
            let mut thread = Thread::new(machine, System { dimensions: size, ..System::default() });
            thread.begin(indices[lane as usize]);
            thread.convergence = meet;
            call::reset(&mut thread);
            call::start(&mut thread, shader);
            end(&mut thread);
            outcome_of_lane(machine, &mut thread)
        });
        note(failed, shader, first, ended);
    });
}

/// Width and height of the rays of a wave: as square as powers of two allow, but no higher than the dispatch.
fn tile(width: u32, size: [u32; 3]) -> [u32; 3] {
    if !width.is_power_of_two() {
        return [width, 1, 1];
    }
    let square = 1 << (width.ilog2() / 2);
    let high = size[1].max(1).checked_next_power_of_two().unwrap_or(square).min(square);
    [width / high, high, 1]
}

/// Launches a compute shader.
pub fn groups(machine: &DispatchContext<'_>, shader: usize, groups: [u32; 3], failed: &Failed) {
    let (threads, meets) = (machine.program.shaders[shader].threads, machine.program.shaders[shader].meets);
    let all = groups.iter().map(|&n| u64::from(n)).product();
    let count: u32 = threads.iter().product();
    let lanes = if meets { count } else { 1 };
    let words = machine.program.shared_bytes.div_ceil(16);
    let own = || (Stacks::new(machine.limits.stack + RESERVE), vec![0u128; words]);
    over_cores(all, lanes, failed, own, |(stacks, memory), n| {
        let [x, y] = [u64::from(groups[0]), u64::from(groups[1])];
        let group = [n % x, n / x % y, n / x / y].map(|i| i as u32);
        memory.fill(0);
        let one = Group { machine, shader, group, threads, shared: memory.as_mut_ptr().cast() };
        if meets {
            let ended = run(Lanes { count, width: width(machine, shader), observer: None }, stacks, |n, meet| one.lane(n, meet));
            note(failed, shader, std::array::from_fn(|i| group[i].wrapping_mul(threads[i])), ended);
            return;
        }
        for n in 0..count {
            if let Some(f) = one.lane(n, Convergence::default()) {
                failed.note(f);
                return;
            }
        }
    });
}

/// A thread group.
struct Group<'m> {
    machine: &'m DispatchContext<'m>,
    shader: usize,
    group: [u32; 3],
    threads: [u32; 3],
    shared: *mut u8,
}

impl Group<'_> {
    /// Runs one of its threads.
    fn lane(&self, n: u32, convergence: Convergence) -> Option<Failure> {
        let Group { machine, shader, group, threads, shared } = *self;
        let in_group = if machine.program.shaders[shader].quads {
            quads::thread_of(n, threads)
        } else {
            [n % threads[0], n / threads[0] % threads[1], n / threads[0] / threads[1]]
        };
        let flat = in_group[0] + threads[0] * (in_group[1] + threads[1] * in_group[2]);
        let index = std::array::from_fn(|i| group[i].wrapping_mul(threads[i]).wrapping_add(in_group[i]));
        let mut thread = Thread::new(machine, System { index, dimensions: [0; 3], group, in_group, flat });
        // The memory of the group, which only its threads use, one after the other.
        thread.shared = shared;
        thread.convergence = convergence;
        call::start(&mut thread, shader);
        outcome_of_lane(machine, &mut thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_rays() {
        assert_eq!(tile(32, [640, 480, 1]), [8, 4, 1]);
        assert_eq!(tile(32, [640, 1, 1]), [32, 1, 1]);
        assert_eq!(tile(32, [640, 2, 1]), [16, 2, 1]);
        assert_eq!(tile(64, [640, 480, 1]), [8, 8, 1]);
        assert_eq!((tile(1, [9, 9, 9]), tile(3, [9, 9, 9])), ([1, 1, 1], [3, 1, 1]));
    }
}
