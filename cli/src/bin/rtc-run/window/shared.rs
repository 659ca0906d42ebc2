//! What the thread that runs frames and the thread with the window share.

use super::fit::Pixels;
use super::look::{Controls, Moved};
use crate::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Keys and mouse in one direction; the picture, the title and the end in the other.
pub struct Shared {
    controls: Mutex<Controls>,
    closed: AtomicBool,
    news: Mutex<News>,
    /// Tells the window that there is news.
    wake: Box<dyn Fn() + Send + Sync>,
}

/// What the window does not show yet.
#[derive(Default)]
pub struct News {
    /// The picture of a frame.
    pub picture: Option<Pixels>,
    /// A title.
    pub title: Option<String>,
    /// No frame follows; and why, if something failed.
    pub end: Option<Result<(), Failure>>,
}

/// What a thread that panicked left is complete: every change is an assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Nothing happened yet; `wake` is called when there is news.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Shared {
        Shared { controls: Mutex::default(), closed: AtomicBool::new(false), news: Mutex::default(), wake: Box::new(wake) }
    }

    /// Changes the state of keys and mouse.
    pub fn control(&self, change: impl FnOnce(&mut Controls, Instant)) {
        change(&mut lock(&self.controls), Instant::now());
    }

    /// What keys and mouse did since this was called last.
    pub fn moved(&self, now: Instant) -> Moved {
        lock(&self.controls).take(now)
    }

    /// Adds news.
    pub fn tell(&self, add: impl FnOnce(&mut News)) {
        add(&mut lock(&self.news));
        (self.wake)();
    }

    /// The news since this was called last.
    pub fn news(&self) -> News {
        std::mem::take(&mut lock(&self.news))
    }

    /// The window is closed.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Whether the window is closed.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
