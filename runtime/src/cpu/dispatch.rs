//! Launching: threads over all cores, in tiles of neighbouring rays; what failed first is told.

use super::machine::Machine;
use super::thread::{Failure, System, Thread};
use super::wave;
use crate::error::{ErrorKind, Result, RunError};
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of stack beside those of shaders, for the runtime itself.
pub const RESERVE: usize = 1 << 20;

/// Width and height of a tile of rays.
const TILE: [u32; 2] = [8, 8];

/// More threads than one dispatch may have, as in D3D12.
const MAX: u64 = 1 << 30;

/// What went wrong first, and whether anything did.
#[derive(Default)]
pub struct Failed {
    any: AtomicBool,
    first: Mutex<Option<Failure>>,
}

impl Failed {
    /// Whether to go on is pointless.
    pub fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }
    /// Notes a failure; of several the one of the smallest thread number is kept.
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

/// A failure with shader, place and thread.
pub fn describe(machine: &Machine<'_>, f: &Failure) -> RunError {
    let shader = machine.program.shaders.get(f.shader).map_or("?", |s| s.name.as_str());
    let [x, y, z] = f.index;
    let mut e = RunError::new(ErrorKind::Device, format!("`{shader}`, thread ({x}, {y}, {z}): {}", f.message));
    if let Some(site) = machine.program.sites.get(f.site as usize) {
        e = e.note(match &site.place {
            Some(p) => format!("in {} at {}:{}:{}", site.op, p.file, p.line, p.column),
            None => format!("in {}; with -Zi the line would be known", site.op),
        });
    }
    e
}

/// The message of a thread whose loops took too long.
pub fn out_of_budget(machine: &Machine<'_>) -> String {
    format!("its loops ran more than {} rounds; the budget is settable (--budget)", machine.limits.budget)
}

/// What a thread reports when it is done.
pub fn outcome(machine: &Machine<'_>, thread: &mut Thread<'_>) -> Option<Failure> {
    if thread.budget < 0 && !thread.failed() {
        thread.fail(u32::MAX, out_of_budget(machine));
    }
    thread.failure.take()
}

/// Launches the ray generation shader of the tables.
pub fn rays(machine: &Machine<'_>, size: [u32; 3]) -> Result<()> {
    let [width, height, depth] = size;
    let all = size.iter().map(|&n| u64::from(n)).product::<u64>();
    if all == 0 {
        return Ok(());
    }
    if all > MAX {
        let why = format!("{width} x {height} x {depth} rays are more than the {MAX} of one dispatch");
        return Err(RunError::new(ErrorKind::Limit, why));
    }
    let shader = machine.tables.raygen()?;
    let failed = Failed::default();
    if let Some(profile) = machine.profile {
        wave::watched_rays(machine, shader, size, &failed, Some(&|look| profile.look(look)));
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
        let why = format!("{x} x {y} x {z} groups: a dispatch has at most {MAX_GROUPS} in each direction");
        return Err(RunError::new(ErrorKind::Limit, why));
    }
    let failed = Failed::default();
    wave::groups(machine, shader, groups, &failed);
    failed.into_result(machine)
}
