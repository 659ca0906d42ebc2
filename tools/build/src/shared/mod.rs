//! A cache that machines share, after the local one: it is read where the local cache has no entry, and written in the background.
//!
//! It may be down, slow, or have damaged entries: that costs bounded time, never correctness. Every request has a time limit; a circuit breaker
//! ends requests after three failures in a row, and when they cost five seconds and a tenth of the build more than they save; every entry is
//! checked by its hash, which covers its key. What is wrong is reported once.

mod folder;
mod location;
#[cfg(feature = "remote")]
mod network;
mod store;
mod uploads;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rtc_base::path::System;

use crate::breaker::{Breaker, Verdict};
use crate::cache::{Contents, Entry, Read, name_of};
use crate::error::Error;
use crate::hash::Hash;
use uploads::Uploads;

pub use location::{Location, SCHEMES};
pub use store::{Item, Problem, Store};

/// The time limit of a request by default.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(5);

/// How many requests are made at the same time.
pub const LANES: usize = 16;

/// What a compilation is taken to last before one was measured.
const FIRST_GUESS: Duration = Duration::from_millis(50);

/// How a shared cache is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedSettings {
    /// Its URL.
    pub url: String,
    /// Whether entries are written.
    pub write: bool,
    /// The time limit of each request.
    pub time_limit: Duration,
    /// Whether user, password and token of the environment may be sent to the URL. They are not sent to one that a description names.
    pub credentials: bool,
}

impl SharedSettings {
    /// Those of a URL, with the default time limit.
    pub fn new(url: impl Into<String>) -> Self {
        SharedSettings { url: url.into(), write: true, time_limit: DEFAULT_TIME_LIMIT, credentials: true }
    }
}

/// The time limit of a number of seconds.
///
/// # Errors
/// It is not between a hundredth of a second and an hour.
pub fn time_limit(seconds: f64) -> Result<Duration, String> {
    let ok = (0.01..=3600.0).contains(&seconds);
    if ok { Ok(Duration::from_secs_f64(seconds)) } else { Err(format!("a time limit of {seconds} seconds is not between 0.01 and 3600")) }
}

/// What was done with a shared cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Entries that it had.
    pub hits: usize,
    /// Entries that it did not have.
    pub misses: usize,
    /// Entries that were damaged.
    pub damaged: usize,
    /// Requests that failed.
    pub failures: usize,
    /// Entries that were uploaded.
    pub uploaded: usize,
    /// Entries that were to be uploaded and were not.
    pub not_uploaded: usize,
    /// Bytes of entries that were read.
    pub bytes_read: u64,
    /// Bytes of entries that were uploaded.
    pub bytes_written: u64,
}

/// A shared cache. Clones are the same one.
#[derive(Clone)]
pub struct SharedCache {
    name: String,
    store: Arc<dyn Store>,
    write: bool,
    reads: Arc<Mutex<Reads>>,
    uploads: Arc<Uploads>,
}

impl fmt::Debug for SharedCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedCache").field("name", &self.name).field("store", &self.store).finish_non_exhaustive()
    }
}

struct Reads {
    breaker: Breaker,
    traffic: Traffic,
    /// Time that compilations took, and how many.
    compiled: (Duration, u32),
    /// What is to be reported, and whether something was.
    problem: Option<String>,
    told: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedCache {
    /// Opens a cache. No request is made.
    ///
    /// # Errors
    /// The URL is wrong, or this program was built without services of the network.
    pub fn open(settings: &SharedSettings) -> Result<Self, Error> {
        let location = Location::parse(&settings.url).map_err(Error::Arguments)?;
        let store: Arc<dyn Store> = match location.scheme.as_str() {
            "file" => Arc::new(folder::Folder(location.folder(System::HERE).into())),
            _ => network(&location, settings)?,
        };
        Ok(SharedCache::with_store(location.to_string(), store, settings.write))
    }

    /// A cache that another service keeps; `name` is what messages call it.
    pub fn with_store(name: impl Into<String>, store: Arc<dyn Store>, write: bool) -> Self {
        let (name, now) = (name.into(), Instant::now());
        let write = write && store.can_write();
        let reads =
            Reads { breaker: Breaker::new(now), traffic: Traffic::default(), compiled: (Duration::ZERO, 0), problem: None, told: false };
        let uploads = Arc::new(Uploads::new(store.clone()));
        SharedCache { name, store, write, reads: Arc::new(Mutex::new(reads)), uploads }
    }

    /// The URL without secrets.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether entries are written.
    pub fn is_written(&self) -> bool {
        self.write
    }

    /// The entry of a key with the bytes of its file, if the cache has it and answers in time. `jobs` is the number of threads that
    /// compile.
    pub fn get(&self, key: &Hash, jobs: usize) -> Option<(Entry, Vec<u8>)> {
        let begin = Instant::now();
        if !lock(&self.reads).breaker.allows(begin) {
            return None;
        }
        let answer = self.store.get(&name_of(key));
        let now = Instant::now();
        let mut reads = lock(&self.reads);
        // Other requests are made meanwhile, and a hit saves time of one of the threads that compile.
        let cost = now.saturating_duration_since(begin) / LANES as u32;
        let mean = reads.compiled.0.checked_div(reads.compiled.1).unwrap_or(FIRST_GUESS);
        let (found, verdict, why) = match answer {
            Ok(None) => {
                reads.traffic.misses += 1;
                (None, reads.breaker.answered(now, cost, Duration::ZERO), String::new())
            }
            Ok(Some(bytes)) => match Entry::decode(key, &bytes) {
                Read::Entry(entry) => {
                    reads.traffic.hits += 1;
                    reads.traffic.bytes_read += bytes.len() as u64;
                    let worth = mean / u32::try_from(jobs.max(1)).unwrap_or(u32::MAX);
                    (Some((entry, bytes)), reads.breaker.answered(now, cost, worth), String::new())
                }
                Read::OtherVersion => {
                    reads.traffic.misses += 1;
                    (None, reads.breaker.answered(now, cost, Duration::ZERO), String::new())
                }
                Read::Damaged => {
                    reads.traffic.damaged += 1;
                    reads.problem(format!("the cache `{}` has a damaged entry; it is compiled again", self.name));
                    (None, reads.breaker.failed(now, cost), "its entries are damaged".to_owned())
                }
            },
            Err(problem) => {
                reads.traffic.failures += 1;
                (None, reads.breaker.failed(now, cost), problem.0)
            }
        };
        match verdict {
            Verdict::Closed => {}
            Verdict::Failing(_) => reads.problem(format!("the cache `{}` is not read for a while: {why}", self.name)),
            Verdict::Slow => reads.problem(format!("the cache `{}` is not read for a while: it costs more time than it saves", self.name)),
        }
        found
    }

    /// Uploads the bytes of an entry's file in the background. This does not wait.
    pub fn put(&self, key: &Hash, bytes: Vec<u8>) {
        if self.write {
            self.uploads.put(name_of(key), bytes);
        }
    }

    /// Says how long a compilation took: no requests are made to a cache that costs more.
    pub fn compiled(&self, time: Duration) {
        let mut reads = lock(&self.reads);
        reads.compiled.0 += time;
        reads.compiled.1 = reads.compiled.1.saturating_add(1);
    }

    /// Waits until the uploads are done, at most for `limit`; what is left is given up.
    pub fn finish(&self, limit: Duration) {
        let outcome = self.uploads.finish(limit);
        let mut reads = lock(&self.reads);
        let traffic = &mut reads.traffic;
        traffic.uploaded += outcome.uploaded;
        traffic.bytes_written += outcome.bytes;
        traffic.not_uploaded += outcome.lost;
        if outcome.lost > 0 {
            let why = outcome.problem.unwrap_or_else(|| "it is too slow".to_owned());
            reads.problem(format!("{} entries were not uploaded to the cache `{}`: {why}", outcome.lost, self.name));
        }
    }

    /// What is wrong with the cache, if it was not told before.
    pub fn problem(&self) -> Option<String> {
        lock(&self.reads).problem.take()
    }

    /// What was done since it was opened.
    pub fn traffic(&self) -> Traffic {
        lock(&self.reads).traffic
    }

    /// What is in the cache; `None` if its service cannot list entries, but answers.
    ///
    /// # Errors
    /// The service does not answer, or refuses.
    pub fn stat(&self) -> Result<Option<Contents>, Problem> {
        let Some(items) = self.store.list()? else {
            self.store.get(&name_of(&Hash::of(b"")))?;
            return Ok(None);
        };
        Ok(Some(contents(&items)))
    }

    /// Reads every entry and removes damaged ones, if the cache is written; `None` if its service cannot list entries.
    ///
    /// # Errors
    /// The service does not answer, or refuses.
    pub fn verify(&self) -> Result<Option<Contents>, Problem> {
        let Some(items) = self.store.list()? else { return Ok(None) };
        let mut contents = contents(&items);
        for item in &items {
            let Some(key) = crate::cache::key_of(&item.name) else { continue };
            let damaged = match self.store.get(&item.name)?.map(|bytes| Entry::decode(&key, &bytes)) {
                // Another machine removed it.
                None => false,
                Some(Read::Entry(_)) => false,
                Some(Read::OtherVersion) => {
                    contents.other_version += 1;
                    false
                }
                Some(Read::Damaged) => true,
            };
            if damaged && self.write {
                self.store.remove(&item.name)?;
                contents.entries -= 1;
                contents.bytes -= item.size;
            }
            if damaged {
                contents.removed += 1;
                contents.bytes_removed += item.size;
            }
        }
        Ok(Some(contents))
    }
}

impl Reads {
    fn problem(&mut self, text: String) {
        if !std::mem::replace(&mut self.told, true) {
            self.problem = Some(text);
        }
    }
}

fn contents(items: &[Item]) -> Contents {
    let entries = || items.iter().filter(|i| crate::cache::key_of(&i.name).is_some());
    Contents { entries: entries().count(), bytes: entries().map(|i| i.size).sum(), ..Contents::default() }
}

#[cfg(feature = "remote")]
fn network(location: &Location, settings: &SharedSettings) -> Result<Arc<dyn Store>, Error> {
    network::open(location, settings).map(|store| Arc::new(store) as Arc<dyn Store>).map_err(Error::Arguments)
}

#[cfg(not(feature = "remote"))]
fn network(location: &Location, _: &SharedSettings) -> Result<Arc<dyn Store>, Error> {
    let text = "this program is built without caches of the network (the feature `remote`); `file:///path` is a shared folder";
    Err(Error::Arguments(format!("`{location}`: {text}")))
}

#[cfg(test)]
mod tests;
