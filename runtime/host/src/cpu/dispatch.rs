//! Launching dispatches: threads over all cores, in tiles of neighbouring rays; the first failure is reported.

use super::failure::{Failed, outcome};
use super::thread::context::DispatchContext;
use super::thread::{System, Thread};
use super::trace::call;
use super::wave;
use crate::error::{ErrorKind, Result, RunError};
use rayon::prelude::*;

/// Width and height of a tile of rays.
const TILE: [u32; 2] = [8, 8];

/// Maximum number of threads of a dispatch, as in D3D12.
const MAX: u64 = 1 << 30;

/// Launches the ray generation shader of the shader tables.
///
/// # Errors
/// Too many rays, no ray generation shader, or the failure of a thread.
pub fn rays(machine: &DispatchContext<'_>, size: [u32; 3]) -> Result<()> {
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
        wave::watched_rays(machine, shader, size, &failed, Some(profile));
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
                call::reset(&mut thread);
                call::start(&mut thread, shader);
                if let Some(f) = outcome(machine, &mut thread) {
                    failed.note(f);
                }
            }
        }
    });
    failed.into_result(machine)
}

/// Launches a compute shader.
///
/// # Errors
/// Too many groups, no such shader, or the failure of a thread.
pub fn groups(machine: &DispatchContext<'_>, entry: Option<&str>, groups: [u32; 3]) -> Result<()> {
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
