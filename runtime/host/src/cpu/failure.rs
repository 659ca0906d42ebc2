//! Failures of threads: the first failure of a dispatch, and its message.

use super::thread::context::DispatchContext;
use super::thread::{Failure, Thread};
use crate::error::{ErrorKind, Result, RunError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

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
    ///
    /// # Errors
    /// The failure, if there was one.
    pub fn into_result(self, machine: &DispatchContext<'_>) -> Result<()> {
        let first = self.first.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        match first {
            None => Ok(()),
            Some(f) => Err(describe(machine, &f)),
        }
    }
}

/// An error that names shader, source location and thread.
pub fn describe(machine: &DispatchContext<'_>, f: &Failure) -> RunError {
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
pub fn out_of_budget(machine: &DispatchContext<'_>) -> String {
    format!("exceeded the budget of {} loop iterations (--budget)", machine.limits.budget)
}

/// The result of a finished thread.
pub fn outcome(machine: &DispatchContext<'_>, thread: &mut Thread<'_>) -> Option<Failure> {
    if thread.budget < 0 && !thread.failed() {
        thread.fail(u32::MAX, out_of_budget(machine));
    }
    thread.failure.take()
}
