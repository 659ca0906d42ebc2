//! Services that are down, slow, or give wrong bytes: the cache says nothing wrong, soon nothing at all, and tells once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::message::Message;

/// A service in memory that counts calls.
#[derive(Debug, Default)]
struct Memory {
    items: Mutex<HashMap<String, Vec<u8>>>,
    calls: AtomicUsize,
    fails: bool,
    delay: Duration,
}

impl Store for Memory {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.delay);
        if self.fails { Err(Problem("connection refused".into())) } else { Ok(lock(&self.items).get(name).cloned()) }
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Problem> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.delay);
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
    cache.finish(Duration::from_secs(10));
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
    cache.finish(Duration::from_secs(10));
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
    let (cache, memory) = cache(Memory { delay: Duration::from_millis(200), ..Memory::default() });
    let begin = Instant::now();
    (0..200).for_each(|n| cache.put(&key(n), bytes(n)));
    assert!(begin.elapsed() < Duration::from_millis(150), "uploads are not waited for");
    cache.finish(Duration::from_millis(300));
    assert!(begin.elapsed() < Duration::from_secs(2));
    let t = cache.traffic();
    assert!(t.uploaded >= 1 && t.uploaded + t.not_uploaded >= 196, "{t:?}");
    assert!(cache.problem().is_some_and(|p| p.ends_with("were not uploaded to the cache `mem://x`: it is too slow")));
    drop(memory);
}

#[test]
fn folders_are_shared_caches() {
    let dir = std::env::temp_dir().join(format!("rtc-batch-shared-{}", std::process::id()));
    let settings = SharedSettings::new(format!("file://{}", dir.display()));
    let cache = SharedCache::open(&settings).expect("the URL is right");
    assert_eq!(cache.stat().expect("a missing folder is empty"), Some(Contents::default()));
    cache.put(&key(1), bytes(1));
    cache.finish(Duration::from_secs(10));
    assert_eq!(cache.get(&key(1), 1), Some((entry(1), bytes(1))));
    assert_eq!(cache.verify().expect("it answers").map(|c| (c.entries, c.removed)), Some((1, 0)));
    // It is a local cache too.
    assert_eq!(crate::cache::Cache::new(&dir, 1 << 20).get(&key(1)), Some(entry(1)));
    // One that is only read is not written.
    let read = SharedCache::open(&SharedSettings { write: false, ..settings }).expect("the URL is right");
    read.put(&key(2), bytes(2));
    read.finish(Duration::from_secs(10));
    assert_eq!((read.get(&key(2), 1), read.is_written()), (None, false));
    std::fs::remove_dir_all(&dir).expect("it is there");
    std::fs::write(&dir, "a file").expect("it can be written");
    assert!((0..5).all(|n| cache.get(&key(n), 1).is_none()));
    assert!(cache.problem().is_some_and(|p| p.contains("is not read for a while: `")));
    std::fs::remove_file(&dir).expect("it is there");
}
