//! Control over the work of a thread: cancellation, limits, progress.
//!
//! [`run`] runs a function under a [`Control`]. Every [`phase`](crate::timing::phase) and every [`checkpoint`] inside it looks whether the
//! work has to stop; if so, the stack unwinds to [`run`], which returns the reason. So no function between the two has an error for it.
//! Without a control, a checkpoint costs one look at a thread-local variable.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clock::Instant;

/// Called with each phase that begins, and what it is about.
pub type Progress = Arc<dyn Fn(&'static str, &str) + Send + Sync>;

/// What work on a thread is subject to. The default is nothing.
#[derive(Clone, Default)]
pub struct Control {
    /// The work stops once this is true.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// The work stops at this time.
    pub deadline: Option<Instant>,
    /// The work stops once this thread has allocated more bytes than it had at the start and this number.
    pub memory: Option<MemoryLimit>,
    /// Called with each phase.
    pub progress: Option<Progress>,
}

/// A limit of memory, and how to find out what is used: an allocator counts, not this crate.
#[derive(Clone, Copy)]
pub struct MemoryLimit {
    /// The bytes that the current thread has allocated and not freed; it may be negative, since a thread may free what another allocated.
    pub used: fn() -> isize,
    /// The limit.
    pub bytes: usize,
}

/// Why work stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// [`Control::cancelled`].
    Cancelled,
    /// [`Control::deadline`].
    Time,
    /// [`Control::memory`].
    Memory,
}

struct State {
    control: Control,
    /// The memory in use at the start.
    start: isize,
}

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

/// Runs `f` under `control`. A control inside another replaces it for the time.
///
/// # Errors
/// The work stopped before its end.
pub fn run<T>(control: Control, f: impl FnOnce() -> T) -> Result<T, Interrupt> {
    struct Restore(Option<State>);
    impl Drop for Restore {
        fn drop(&mut self) {
            STATE.set(self.0.take());
        }
    }
    let start = control.memory.map_or(0, |m| (m.used)());
    let _restore = Restore(STATE.replace(Some(State { control, start })));
    // What `f` owns is dropped; what it borrows is the caller's, which learns that the work stopped.
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Ok(value),
        Err(payload) => match payload.downcast::<Interrupt>() {
            Ok(interrupt) => Err(*interrupt),
            Err(panic) => resume_unwind(panic),
        },
    }
}

/// Stops the work of this thread if its control says so. Loops that may be long call it.
pub fn checkpoint() {
    let reason = STATE.with_borrow(|s| s.as_ref().and_then(State::interrupt));
    if let Some(reason) = reason {
        // Not a panic: no hook runs, nothing is printed.
        resume_unwind(Box::new(reason));
    }
}

/// A phase begins. `detail` is called if progress is reported.
pub(crate) fn enter(phase: &'static str, detail: impl FnOnce() -> String) {
    checkpoint();
    let progress = STATE.with_borrow(|s| s.as_ref().and_then(|s| s.control.progress.clone()));
    if let Some(progress) = progress {
        progress(phase, &detail());
    }
}

impl State {
    fn interrupt(&self) -> Option<Interrupt> {
        let c = &self.control;
        if c.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Interrupt::Cancelled);
        }
        if c.memory.is_some_and(|m| (m.used)().saturating_sub(self.start) > isize::try_from(m.bytes).unwrap_or(isize::MAX)) {
            return Some(Interrupt::Memory);
        }
        c.deadline.is_some_and(|at| Instant::now() >= at).then_some(Interrupt::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::phase;
    use std::sync::Mutex;
    use std::time::Duration;

    #[test]
    fn work_stops_at_the_next_phase() {
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control { cancelled: Some(flag.clone()), ..Control::default() };
        let stopped = run(control.clone(), || {
            drop(phase("first"));
            flag.store(true, Ordering::Relaxed);
            drop(phase("second"));
            unreachable!("the work has stopped")
        });
        assert_eq!(stopped, Err::<(), _>(Interrupt::Cancelled));
        assert_eq!(run(control, || 1), Ok(1), "nothing looks");
        // Outside, nothing stops.
        checkpoint();
    }

    #[test]
    fn limits() {
        let late = Control { deadline: Some(Instant::now()), ..Control::default() };
        assert_eq!(run(late, checkpoint), Err(Interrupt::Time));
        let early = Control { deadline: Some(Instant::now() + Duration::from_secs(1000)), ..Control::default() };
        assert_eq!(run(early, checkpoint), Ok(()));
        thread_local! {
            static USED: std::cell::Cell<isize> = const { std::cell::Cell::new(-100) };
        }
        let limited = || Control { memory: Some(MemoryLimit { used: || USED.get(), bytes: 10 }), ..Control::default() };
        assert_eq!(run(limited(), checkpoint), Ok(()));
        let grows = || {
            USED.set(USED.get() + 11);
            checkpoint();
        };
        assert_eq!(run(limited(), grows), Err(Interrupt::Memory));
    }

    #[test]
    fn controls_nest_and_panics_pass() {
        let now = Control { deadline: Some(Instant::now()), ..Control::default() };
        let inner = run(Control::default(), || run(now, checkpoint));
        assert_eq!(inner, Ok(Err(Interrupt::Time)));
        let caught = catch_unwind(|| run(Control::default(), || std::panic::resume_unwind(Box::new("other"))).is_ok());
        assert!(caught.is_err());
    }

    #[test]
    fn progress_names_phases() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let list = seen.clone();
        let progress: Progress = Arc::new(move |phase, detail| list.lock().unwrap().push(format!("{phase} {detail}")));
        let control = Control { progress: Some(progress), ..Control::default() };
        let done = run(control, || drop(crate::timing::phase_of("pass", || "dce".into())));
        assert_eq!((done, &seen.lock().unwrap()[..]), (Ok(()), &["pass dce".to_owned()][..]));
    }
}
