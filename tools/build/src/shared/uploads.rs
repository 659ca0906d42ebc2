//! Uploads in the background: a queue of bounded size, and threads that empty it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::store::Store;
use crate::breaker::{Breaker, Verdict};

/// How many entries are uploaded at the same time.
const THREADS: usize = 4;

/// How many bytes may wait. What is more is not uploaded, so that a slow service does not fill the memory.
const WAITING: usize = 256 << 20;

/// The queue.
pub struct Uploads {
    store: Arc<dyn Store>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    queue: VecDeque<(String, Vec<u8>)>,
    waiting: usize,
    threads: usize,
    /// Uploads that have begun and not ended.
    running: usize,
    breaker: Breaker,
    outcome: Outcome,
}

/// What became of uploads.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many were done.
    pub uploaded: usize,
    /// The bytes of these.
    pub bytes: u64,
    /// How many were not done.
    pub lost: usize,
    /// Why, if the service said so.
    pub problem: Option<String>,
}

impl Uploads {
    /// An empty queue; threads begin with the first upload.
    pub fn new(store: Arc<dyn Store>) -> Self {
        let state = State {
            queue: VecDeque::new(),
            waiting: 0,
            threads: 0,
            running: 0,
            breaker: Breaker::new(Instant::now()),
            outcome: Outcome::default(),
        };
        Uploads { store, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an upload. This does not wait.
    pub fn put(self: &Arc<Self>, name: String, bytes: Vec<u8>) {
        let mut state = self.lock();
        if state.waiting + bytes.len() > WAITING {
            state.outcome.lost += 1;
            return;
        }
        state.waiting += bytes.len();
        state.queue.push_back((name, bytes));
        if state.threads < THREADS.min(state.queue.len() + state.running) {
            let uploads = self.clone();
            let thread = std::thread::Builder::new().name("rtc upload".to_owned()).spawn(move || uploads.work());
            state.threads += usize::from(thread.is_ok());
        }
    }

    /// Uploads until nothing waits.
    fn work(&self) {
        let mut state = self.lock();
        while let Some((name, bytes)) = state.queue.pop_front() {
            let size = bytes.len();
            state.waiting -= size;
            if !state.breaker.allows(Instant::now()) {
                state.outcome.lost += 1;
                continue;
            }
            state.running += 1;
            drop(state);
            let done = self.store.put(&name, bytes);
            state = self.lock();
            state.running -= 1;
            match done {
                Ok(()) => {
                    state.outcome.uploaded += 1;
                    state.outcome.bytes += size as u64;
                    state.breaker.answered(Instant::now(), Duration::ZERO, Duration::ZERO);
                }
                Err(problem) => {
                    state.outcome.lost += 1;
                    let verdict = state.breaker.failed(Instant::now(), Duration::ZERO);
                    if verdict != Verdict::Closed || state.outcome.problem.is_none() {
                        state.outcome.problem = Some(problem.0);
                    }
                }
            }
        }
        state.threads -= 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until everything is uploaded, at most for `limit`, then gives up what waits. Says what was done since the last call.
    pub fn finish(&self, limit: Duration) -> Outcome {
        let state = self.lock();
        let busy = |s: &mut State| s.running > 0 || !s.queue.is_empty();
        let (mut state, _) = self.changed.wait_timeout_while(state, limit, busy).unwrap_or_else(PoisonError::into_inner);
        // Those that run may end well after all; they are not waited for.
        let given_up = state.queue.len() + state.running;
        state.queue.clear();
        state.waiting = 0;
        let mut outcome = std::mem::take(&mut state.outcome);
        outcome.lost += given_up;
        outcome
    }
}
