//! A number of slots that threads take and give back: a counting semaphore.

use std::sync::{Condvar, Mutex, PoisonError};

/// Slots.
pub struct Slots {
    free: Mutex<usize>,
    changed: Condvar,
}

/// A slot that is taken; it is given back when this is dropped.
pub struct Taken<'a>(&'a Slots);

impl Slots {
    /// This many slots.
    pub fn new(count: usize) -> Self {
        Slots { free: Mutex::new(count), changed: Condvar::new() }
    }

    /// Takes a slot when one is free.
    pub fn take(&self) -> Taken<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Taken(self)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_than_there_are_slots() {
        let (slots, inside, most) = (Slots::new(3), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let taken = slots.take();
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(taken);
                    }
                });
            }
        });
        let most = most.load(Ordering::SeqCst);
        assert!((1..=3).contains(&most), "{most}");
    }
}
