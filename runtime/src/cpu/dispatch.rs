//! Launching dispatches: threads over all cores, in tiles of neighbouring rays; the first failure is reported.

use super::machine::Machine;
use super::thread::{Failure, System, Thread};
use super::wave;
use crate::error::{ErrorKind, Result, RunError};
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack bytes reserved for the runtime itself, in addition to those of shaders.
pub const RESERVE: usize = 1 << 20;

/// Width and height of a tile of rays.
const TILE: [u32; 2] = [8, 8];

/// Maximum number of threads of a dispatch, as in D3D12.
const MAX: u64 = 1 << 30;

/// The first failure of a dispatch.
#[derive(Default)]
pub struct Failed {
    any: AtomicBool,
    first: Mutex<Option<Failure>>,
}

impl Failed {
    /// Whether a thread has failed.
    pub fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }
    /// Records a failure; that of the smallest thread index is kept.
    pub fn note(&self, failure: Failure) {
        self.any.store(true, Ordering::Relaxed);
        let mut first = self.first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let order = |f: &Failure| [f.index[2], f.index[1], f.index[0]];
        if first.as_ref().is_none_or(|known| order(&failure) < order(known)) {
            *first = Some(failure);
        }
    }
    /// The failure as an error.
    pub fn into_result(self, machine: &Machine<'_>) -> Result<()> {
        let first = self.first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        match first {
            None => Ok(()),
            Some(f) => Err(describe(machine, &f)),
        }
    }
}

/// An error that names shader, source location and thread.
pub fn describe(machine: &Machine<'_>, f: &Failure) -> RunError {
    let shader = machine.program.shaders.get(f.shader).map_or("?", |s| s.name.as_str());
    let [x, y, z] = f.index;
    let mut e = RunError::new(ErrorKind::Device, format!("`{shader}`, thread ({x}, {y}, {z}): {}", f.message));
    if let Some(site) = machine.program.sites.get(f.site as usize) {
        e = e.note(match &site.place {
            Some(p) => format!("in {} at {}:{}:{}", site.op, p.file, p.line, p.column),
            None => format!("in {}; compile with -Zi to see the source line", site.op),
        });
    }
    e
}

/// The message of a thread that exceeded its loop budget.
pub fn out_of_budget(machine: &Machine<'_>) -> String {
    format!("exceeded the budget of {} loop iterations (--budget)", machine.limits.budget)
}

/// The result of a finished thread.
pub fn outcome(machine: &Machine<'_>, thread: &mut Thread<'_>) -> Option<Failure> {
    if thread.budget < 0 && !thread.failed() {
        thread.fail(u32::MAX, out_of_budget(machine));
    }
    thread.failure.take()
}

/// Launches the ray generation shader of the shader tables.
pub fn rays(machine: &Machine<'_>, size: [u32; 3]) -> Result<()> {
    let [width, height, depth] = size;
    let all = size.iter().map(|&n| u64::from(n)).product::<u64>();
    if all == 0 {
        return Ok(());
    }
    if all > MAX {
        let why = format!("{width} x {height} x {depth} rays exceed the maximum of {MAX} per dispatch");
        return Err(RunError::new(ErrorKind::Limit, why));
    }
    let shader = machine.tables.raygen()?;
    let failed = Failed::default();
    if let Some(profile) = machine.profile {
        wave::watched_rays(machine, shader, size, &failed, Some(&|look| profile.observe(look)));
        return failed.into_result(machine);
    }
    if wave::needed(machine.program, shader) {
        wave::rays(machine, shader, size, &failed);
        return failed.into_result(machine);
    }
    let across = width.div_ceil(TILE[0]);
    let down = height.div_ceil(TILE[1]);
    let tiles = u64::from(across) * u64::from(down) * u64::from(depth);
    (0..tiles).into_par_iter().for_each(|tile| {
        let (x0, rest) = ((tile % u64::from(across)) as u32 * TILE[0], tile / u64::from(across));
        let (y0, z) = ((rest % u64::from(down)) as u32 * TILE[1], (rest / u64::from(down)) as u32);
        let mut thread = Thread::new(machine, System { dimensions: size, ..System::default() });
        for y in y0..(y0 + TILE[1]).min(height) {
            for x in x0..(x0 + TILE[0]).min(width) {
                if failed.any() {
                    return;
                }
                thread.begin([x, y, z]);
                machine.tables.start(&mut thread);
                machine.program.start(shader, &mut thread);
                if let Some(f) = outcome(machine, &mut thread) {
                    failed.note(f);
                }
            }
        }
    });
    failed.into_result(machine)
}

/// Launches a compute shader.
pub fn groups(machine: &Machine<'_>, entry: Option<&str>, groups: [u32; 3]) -> Result<()> {
    let name = machine.library.compute(entry)?.export.clone();
    let shader = machine.program.shader(&name).ok_or_else(|| machine.library.no_such(&name, "compute shader"))?;
    if groups.contains(&0) {
        return Ok(());
    }
    const MAX_GROUPS: u32 = 65535;
    if groups.iter().any(|&n| n > MAX_GROUPS) {
        let [x, y, z] = groups;
        let why = format!("{x} x {y} x {z} groups: the maximum is {MAX_GROUPS} per dimension");
        return Err(RunError::new(ErrorKind::Limit, why));
    }
    let failed = Failed::default();
    wave::groups(machine, shader, groups, &failed);
    failed.into_result(machine)
}
