//! Diagnostics of a build, each mistake once, with the permutations that have it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rtc_build::{How, Message, Mistake, Outcome, Task};

/// A mistake.
pub struct Finding {
    /// The message of the first permutation by name.
    pub message: Message,
    /// The permutations, sorted.
    pub tasks: Vec<String>,
}

/// Collects diagnostics from several threads.
#[derive(Default)]
pub struct Findings(Mutex<BTreeMap<Mistake, Finding>>);

impl Findings {
    /// Adds those of a task. What is up to date was reported when it was built: it counts only where `all` count.
    pub fn add(&self, task: &Task, outcome: &Outcome, all: bool) {
        if outcome.how == How::UpToDate && !all {
            return;
        }
        let name = task.name();
        let mut found = self.lock();
        for m in &outcome.messages {
            let known = found.entry(m.mistake()).or_insert_with(|| Finding { message: m.clone(), tasks: Vec::new() });
            // Notes differ; which ones are shown does not depend on threads.
            if known.tasks.first().is_some_and(|first| name < *first) {
                known.message = m.clone();
            }
            if let Err(at) = known.tasks.binary_search(&name) {
                known.tasks.insert(at, name.clone());
            }
        }
    }

    /// All of them: errors first, by place.
    pub fn lock(&self) -> MutexGuard<'_, BTreeMap<Mistake, Finding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
