//! Services that are down, slow, or give wrong bytes: the cache says nothing wrong, soon nothing at all, and tells once.

use std::collections::HashMap;
use std::sync::Condvar;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::message::Message;

/// A service in memory that counts calls.
#[derive(Debug, Default)]
struct Memory {
    items: Mutex<HashMap<String, Vec<u8>>>,
    calls: AtomicUsize,
    fails: bool,
    gate: Option<Gate>,
}

/// What uploads wait at.
#[derive(Debug, Default)]
struct Gate {
    /// How many have come to it, and how many may pass.
    state: Mutex<(usize, usize)>,
    changed: Condvar,
    /// One waited so long that the test waits for it.
    given_up: AtomicBool,
}

impl Gate {
    fn pass(&self) {
        let mut state = lock(&self.state);
        state.0 += 1;
        let own = state.0;
        self.changed.notify_all();
        let waited = self.changed.wait_timeout_while(state, PATIENCE, |s| s.1 < own).unwrap_or_else(PoisonError::into_inner);
        if waited.1.timed_out() {
            self.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Lets so many pass in all, and waits until so many have come.
    fn open(&self, pass: usize, come: usize) {
        let mut state = lock(&self.state);
        state.1 = pass;
        self.changed.notify_all();
        let came = self.changed.wait_timeout_while(state, PATIENCE, |s| s.0 < come).unwrap_or_else(PoisonError::into_inner);
        assert!(!came.1.timed_out(), "uploads begin");
    }
}

/// How long anything may take that is waited for: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

impl Store for Memory {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if self.fails { Err(Problem("connection refused".into())) } else { Ok(lock(&self.items).get(name).cloned()) }
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Problem> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(gate) = &self.gate {
            gate.pass();
        }
        if self.fails {
            return Err(Problem("connection refused".into()));
        }
        lock(&self.items).insert(name.to_owned(), bytes);
        Ok(())
    }

    fn list(&self) -> Result<Option<Vec<Item>>, Problem> {
        Ok(Some(lock(&self.items).iter().map(|(name, b)| Item { name: name.clone(), size: b.len() as u64 }).collect()))
    }

    fn remove(&self, name: &str) -> Result<(), Problem> {
        lock(&self.items).remove(name);
        Ok(())
    }
}

fn key(n: u8) -> Hash {
    Hash::of(&[n])
}

fn entry(n: u8) -> Entry {
    Entry { object: vec![n; 100], pdb: None, messages: vec![Message::error("x")] }
}

fn bytes(n: u8) -> Vec<u8> {
    entry(n).encode(&key(n)).expect("it is small")
}

fn cache(memory: Memory) -> (SharedCache, Arc<Memory>) {
    let memory = Arc::new(memory);
    (SharedCache::with_store("mem://x", memory.clone(), true), memory)
}

#[test]
fn what_is_uploaded_is_found() {
    let (cache, memory) = cache(Memory::default());
    assert_eq!(cache.get(&key(1), 1), None);
    (0..50).for_each(|n| cache.put(&key(n), bytes(n)));
    cache.finish(PATIENCE);
    assert!((0..50).all(|n| cache.get(&key(n), 1) == Some((entry(n), bytes(n)))));
    let t = cache.traffic();
    assert_eq!((t.hits, t.misses, t.uploaded, t.not_uploaded), (50, 1, 50, 0));
    assert_eq!((t.bytes_read, t.bytes_written), (50 * bytes(0).len() as u64, 50 * bytes(0).len() as u64));
    assert_eq!(cache.stat().expect("it answers").map(|c| c.entries), Some(50));
    // Damaged, and whole under another key.
    let mut damaged = bytes(1);
    damaged[60] ^= 1;
    lock(&memory.items).insert(name_of(&key(1)), damaged);
    lock(&memory.items).insert(name_of(&key(2)), bytes(3));
    assert_eq!((cache.get(&key(1), 1), cache.get(&key(2), 1)), (None, None));
    assert_eq!(cache.traffic().damaged, 2);
    assert_eq!(cache.problem().as_deref(), Some("the cache `mem://x` has a damaged entry; it is compiled again"));
    assert_eq!(cache.problem(), None, "it is reported once");
    let verified = cache.verify().expect("it answers").expect("it lists");
    assert_eq!((verified.entries, verified.removed), (48, 2));
    assert_eq!(cache.verify().expect("it answers").map(|c| c.removed), Some(0));
}

#[test]
fn a_cache_that_is_down_gets_three_requests() {
    let (cache, memory) = cache(Memory { fails: true, ..Memory::default() });
    assert!((0..100).all(|n| cache.get(&key(n), 1).is_none()));
    assert_eq!(memory.calls.load(Ordering::Relaxed), 3);
    assert_eq!(cache.problem().as_deref(), Some("the cache `mem://x` is not read for a while: connection refused"));
    (0..100).for_each(|n| cache.put(&key(n), bytes(n)));
    cache.finish(PATIENCE);
    assert!(memory.calls.load(Ordering::Relaxed) <= 3 + 3 + 4, "of those that run at the same time, all fail");
    assert_eq!((cache.traffic().not_uploaded, cache.problem()), (100, None));
}

#[test]
fn a_poisoned_cache_is_not_believed() {
    let (cache, memory) = cache(Memory::default());
    (0..100).for_each(|n| _ = lock(&memory.items).insert(name_of(&key(n)), b"<html>Please sign in".to_vec()));
    assert!((0..100).all(|n| cache.get(&key(n), 1).is_none()));
    assert_eq!(memory.calls.load(Ordering::Relaxed), 3);
}

#[test]
fn a_slow_cache_holds_the_end_up_for_the_limit_alone() {
    let (cache, memory) = cache(Memory { gate: Some(Gate::default()), ..Memory::default() });
    let gate = memory.gate.as_ref().expect("it has one");
    // All are put, and the limit is over, while uploads have not ended.
    (0..200).for_each(|n| cache.put(&key(n), bytes(n)));
    gate.open(3, 7);
    cache.finish(Duration::from_millis(50));
    assert!(!gate.given_up.load(Ordering::Relaxed), "uploads are not waited for");
    let t = cache.traffic();
    assert_eq!((t.uploaded, t.not_uploaded), (3, 197), "{t:?}");
    assert!(cache.problem().is_some_and(|p| p.ends_with("were not uploaded to the cache `mem://x`: it is too slow")));
    gate.open(usize::MAX, 0);
}

#[test]
fn folders_are_shared_caches() {
    let dir = std::env::temp_dir().join(format!("rtc-batch-shared-{}", std::process::id()));
    let settings = SharedSettings::new(format!("file://{}", dir.display()));
    let cache = SharedCache::open(&settings).expect("the URL is right");
    assert_eq!(cache.stat().expect("a missing folder is empty"), Some(Contents::default()));
    cache.put(&key(1), bytes(1));
    cache.finish(PATIENCE);
    assert_eq!(cache.get(&key(1), 1), Some((entry(1), bytes(1))));
    assert_eq!(cache.verify().expect("it answers").map(|c| (c.entries, c.removed)), Some((1, 0)));
    // It is a local cache too.
    assert_eq!(crate::cache::Cache::new(&dir, 1 << 20).get(&key(1)), Some(entry(1)));
    // One that is only read is not written.
    let read = SharedCache::open(&SharedSettings { write: false, ..settings }).expect("the URL is right");
    read.put(&key(2), bytes(2));
    read.finish(PATIENCE);
    assert_eq!((read.get(&key(2), 1), read.is_written()), (None, false));
    std::fs::remove_dir_all(&dir).expect("it is there");
    std::fs::write(&dir, "a file").expect("it can be written");
    assert!((0..5).all(|n| cache.get(&key(n), 1).is_none()));
    assert!(cache.problem().is_some_and(|p| p.contains("is not read for a while: `")));
    std::fs::remove_file(&dir).expect("it is there");
}
