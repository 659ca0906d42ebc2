//! How long the phases of the compiler take: intervals, nested as the calls are.
//!
//! [`record`] notes every [`phase`] that the current thread enters while a function runs; otherwise a phase costs one look at a
//! thread-local variable.

use std::borrow::Cow;
use std::cell::RefCell;
use std::time::Duration;

use crate::clock::Instant;

/// An interval in which one phase ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The phase: `parse`, `pass licm`.
    pub phase: &'static str,
    /// What it was about: the name of a function or pass; empty if there is nothing to say.
    pub detail: Cow<'static, str>,
    /// When it began, after the start of the recording.
    pub start: Duration,
    /// How long it took.
    pub length: Duration,
    /// How many phases it is inside of.
    pub depth: u32,
}

struct Recorder {
    start: Instant,
    depth: u32,
    done: Vec<Interval>,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Runs `f` and gives the phases that it entered on this thread, in the order in which they began. A recording inside another has its
/// phases to itself.
pub fn record<T>(f: impl FnOnce() -> T) -> (T, Vec<Interval>) {
    struct Restore(Option<Recorder>);
    impl Drop for Restore {
        fn drop(&mut self) {
            RECORDER.set(self.0.take());
        }
    }
    let outer = RECORDER.replace(Some(Recorder { start: Instant::now(), depth: 0, done: Vec::new() }));
    let restore = Restore(outer);
    let result = f();
    let mut done = RECORDER.take().map_or_else(Vec::new, |r| r.done);
    drop(restore);
    done.sort_by_key(|i| (i.start, i.depth));
    (result, done)
}

/// Enters a phase, which lasts as long as the value.
pub fn phase(phase: &'static str) -> Phase {
    phase_of(phase, || Cow::Borrowed(""))
}

/// Enters a phase that is about something. `detail` is called while there is a recording or progress is reported. The work may
/// stop here ([`crate::control`]).
pub fn phase_of(phase: &'static str, detail: impl Fn() -> Cow<'static, str>) -> Phase {
    crate::control::enter(phase, || detail().into_owned());
    let entered = RECORDER.with_borrow_mut(|r| {
        let r = r.as_mut()?;
        r.depth += 1;
        Some((r.start, r.start.elapsed(), r.depth - 1))
    });
    Phase(entered.map(|(start, at, depth)| (start, Interval { phase, detail: detail(), start: at, length: Duration::ZERO, depth })))
}

/// A phase that is running; ends when it is dropped.
#[must_use = "a phase lasts as long as the value"]
pub struct Phase(Option<(Instant, Interval)>);

impl Drop for Phase {
    fn drop(&mut self) {
        let Some((start, mut interval)) = self.0.take() else { return };
        RECORDER.with_borrow_mut(|r| {
            if let Some(r) = r.as_mut().filter(|r| r.start == start) {
                interval.length = start.elapsed().saturating_sub(interval.start);
                r.depth = interval.depth;
                r.done.push(interval);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_nest() {
        let (value, all) = record(|| {
            let _outer = phase("outer");
            drop(phase_of("inner", || "first".into()));
            drop(phase_of("inner", || "second".into()));
            7
        });
        let seen: Vec<_> = all.iter().map(|i| (i.phase, &*i.detail, i.depth)).collect();
        assert_eq!((value, seen), (7, vec![("outer", "", 0), ("inner", "first", 1), ("inner", "second", 1)]));
        assert!(all[0].length >= all[1].length + all[2].length);
    }

    #[test]
    fn nothing_is_recorded_outside() {
        drop(phase_of("lost", || panic!("no recording asks for the detail")));
        let ((), inner) = record(|| {
            let (_, inner) = record(|| drop(phase("inner")));
            assert_eq!(inner.len(), 1);
        });
        assert_eq!(inner, []);
    }

    #[test]
    fn a_panic_ends_the_recording() {
        let caught = std::panic::catch_unwind(|| record(|| panic!("stop")));
        assert!(caught.is_err());
        drop(phase_of("lost", || panic!("the recording is over")));
    }
}
