//! The files of a build: each is read and hashed once, and each task's record says which files it read or looked for.

use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rtc::arguments::ArgumentFiles;
use rtc::{Disk, Files, Includes};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::hash::Hash;

/// What a file's metadata says: if it is the same, the file is taken to be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// Its length in bytes.
    pub length: u64,
    /// When it was changed, in nanoseconds since 1970.
    pub time: u64,
}

/// A file that changed less than this before it was read may change again without a new time, so its stamp is not kept.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of the file at `path`; `None` if there is none, or if its metadata does not tell.
    pub fn of(path: &Path) -> Option<Self> {
        let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let time = data.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some(Stamp { length: data.len(), time: u64::try_from(time.as_nanos()).ok()? })
    }

    /// The same stamp if the file cannot change without changing it.
    fn settled(self) -> Option<Self> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let age = now.checked_sub(Duration::from_nanos(self.time))?;
        (age > SETTLES_AFTER).then_some(self)
    }
}

/// A path that was read.
#[derive(Clone, Debug)]
pub struct FileFacts {
    /// The bytes; `None` if there is no file.
    pub bytes: Option<Arc<[u8]>>,
    /// The hash of the bytes.
    pub hash: Option<Hash>,
    /// The stamp, if it can be relied on.
    pub stamp: Option<Stamp>,
}

/// The files of a build.
#[derive(Default)]
pub struct FileCache {
    known: RwLock<FxHashMap<String, FileFacts>>,
    /// Hashes of files that were not read, because their stamps are those of an earlier build.
    assumed: RwLock<FxHashMap<String, FileFacts>>,
    identities: RwLock<FxHashMap<String, String>>,
}

impl FileCache {
    /// The file at `path`.
    pub fn get(&self, path: &str) -> io::Result<FileFacts> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(known.clone());
        }
        let before = Stamp::of(Path::new(path));
        let bytes = Files::read(&Disk, path)?;
        let after = Stamp::of(Path::new(path));
        let hash = bytes.as_deref().map(Hash::of);
        let stamp = before.filter(|_| before == after).and_then(Stamp::settled);
        let mut all = self.known.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have read it meanwhile; all tasks see the same bytes.
        Ok(all.entry(path.to_owned()).or_insert(FileFacts { bytes, hash, stamp }).clone())
    }

    /// Hash and stamp of a file, without reading it if its stamp was compared in this build.
    pub fn summary(&self, path: &str) -> io::Result<FileFacts> {
        if let Some(known) = self.assumed.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(known.clone());
        }
        self.get(path)
    }

    /// Remembers the hash of a file whose stamp is unchanged.
    pub fn assume(&self, path: &str, known: FileFacts) {
        self.assumed.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), known);
    }

    fn identity(&self, path: &str) -> String {
        if let Some(known) = self.identities.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        let identity = Files::identity(&Disk, path);
        self.identities.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), identity.clone());
        identity
    }
}

/// Reads for one task, and records what it read or looked for.
pub struct Recorder<'a> {
    cache: &'a FileCache,
    seen: FxHashSet<String>,
}

impl<'a> Recorder<'a> {
    pub fn new(cache: &'a FileCache) -> Self {
        Recorder { cache, seen: FxHashSet::default() }
    }

    /// The paths, sorted.
    pub fn paths(self) -> Vec<String> {
        let mut all: Vec<String> = self.seen.into_iter().collect();
        all.sort();
        all
    }

    /// The bytes of the file at `path`; `None` if there is none.
    pub fn file(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        if !self.seen.contains(path) {
            self.seen.insert(path.to_owned());
        }
        Ok(self.cache.get(path)?.bytes)
    }
}

impl Includes for Recorder<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        self.file(path)
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        Files::same_but_case(&Disk, path)
    }

    fn list(&mut self, dir: &str) -> Vec<String> {
        Files::list(&Disk, dir)
    }

    fn identity(&mut self, path: &str) -> String {
        self.cache.identity(path)
    }
}

impl ArgumentFiles for Recorder<'_> {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.file(path)?;
        bytes.map(|b| b.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }
}
