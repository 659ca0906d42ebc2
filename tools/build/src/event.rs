//! The events of a build, for observers that print them, and its summary.

use std::time::Duration;

use crate::message::Message;
use crate::plan::{Bundle, Task};
use crate::remote::FarmTraffic;
use crate::shared::Traffic;

/// How a task got its object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// Its files were up to date.
    UpToDate,
    /// It was compiled.
    Compiled,
    /// Another task of this build has the same tokens and options.
    Shared,
    /// It was in the cache.
    Cached,
    /// It was in the shared cache.
    Fetched,
    /// A worker of the farm compiled it, now or earlier.
    Remote,
}

impl How {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            How::UpToDate => "up-to-date",
            How::Compiled => "compiled",
            How::Shared => "shared",
            How::Cached => "cached",
            How::Fetched => "fetched",
            How::Remote => "remote",
        }
    }
}

/// The end of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it got its object, or was to get it.
    pub how: How,
    /// Whether its files are written.
    pub ok: bool,
    /// Its diagnostics. Those of tasks that are up to date are repeated.
    pub messages: Vec<Message>,
    /// The length of its object in bytes.
    pub size: u64,
    /// How long it took its thread.
    pub time: Duration,
}

/// What happens in a build.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The build begins; of its tasks some are up to date.
    Begun {
        /// All tasks.
        tasks: usize,
        /// Those that are not up to date.
        outdated: usize,
    },
    /// A task has ended.
    Task(&'a Task, &'a Outcome),
    /// A bundle is written or up to date.
    Bundle(&'a Bundle, How),
    /// A bundle is not written; why.
    BundleFailed(&'a Bundle, &'a str),
    /// Something that costs time, not correctness: the cache cannot be written, for example.
    Warning(&'a str),
    /// The build has ended.
    Ended(&'a Summary),
}

/// Receives the events of a build, from several threads.
pub trait Observer: Sync {
    /// Something has happened.
    fn event(&self, event: Event<'_>);
}

/// An observer that does nothing.
pub struct NoObserver;

impl Observer for NoObserver {
    fn event(&self, _: Event<'_>) {}
}

/// Counts of a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Tasks that were up to date.
    pub up_to_date: usize,
    /// Tasks that were compiled.
    pub compiled: usize,
    /// Tasks that got the object of another one.
    pub shared: usize,
    /// Tasks that got their object from the cache.
    pub cached: usize,
    /// Tasks that got their object from the shared cache.
    pub fetched: usize,
    /// Tasks that got their object from the farm.
    pub remote: usize,
    /// Tasks that failed.
    pub failed: usize,
    /// Bundles that were not written.
    pub bundles_failed: usize,
    /// Tasks that were not done, because the build was cancelled.
    pub cancelled: usize,
    /// What was done with the shared cache since it was opened.
    pub traffic: Option<Traffic>,
    /// What was done with the farm since it was opened.
    pub farm: Option<FarmTraffic>,
    /// Warnings of the tasks that were done.
    pub warnings: usize,
    /// Warnings of tasks that were up to date.
    pub earlier_warnings: usize,
    /// Files of tasks that are no longer described, which were removed.
    pub removed: usize,
    /// Bytes of all objects.
    pub bytes: u64,
    /// The time from begin to end.
    pub time: Duration,
}

impl Summary {
    /// Whether everything is built.
    pub fn ok(&self) -> bool {
        self.failed == 0 && self.bundles_failed == 0 && self.cancelled == 0
    }

    pub(crate) fn count(&mut self, outcome: &Outcome) {
        match (outcome.ok, outcome.how) {
            (false, _) => self.failed += 1,
            (true, How::UpToDate) => self.up_to_date += 1,
            (true, How::Compiled) => self.compiled += 1,
            (true, How::Shared) => self.shared += 1,
            (true, How::Cached) => self.cached += 1,
            (true, How::Fetched) => self.fetched += 1,
            (true, How::Remote) => self.remote += 1,
        }
        let warnings = outcome.messages.iter().filter(|m| m.severity == "warning").count();
        *(if outcome.how == How::UpToDate { &mut self.earlier_warnings } else { &mut self.warnings }) += warnings;
        self.bytes += outcome.size;
    }
}
