//! A cache of compiled permutations, by the hash of tokens, options and compiler.
//!
//! An entry is a file with the hash of its key and contents: a torn, damaged or misplaced one is found, removed, and costs a compilation.
//! Entries are written under temporary names and renamed, so processes share a cache without locks. The entries that were used longest ago
//! go when the cache is larger than its limit. Entries of another version of the format are no damage: versions of this program may share a
//! cache, and each leaves alone what it does not read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::abandoned::is_abandoned;
use crate::hash::Hash;
use crate::message::Message;
use crate::write::write;

/// The first bytes of an entry, before the version of the format.
const SIGNATURE: &[u8; 7] = b"RTC-ENT";

/// The version of the format.
const VERSION: u8 = 3;

/// The size that a cache may have by default: 4 GiB.
pub const DEFAULT_LIMIT: u64 = 4 << 30;

/// What a compilation made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// The object.
    pub object: Vec<u8>,
    /// The PDB, if it was requested.
    pub pdb: Option<Vec<u8>>,
    /// The diagnostics: warnings and notes.
    pub messages: Vec<Message>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    object: usize,
    pdb: Option<usize>,
    messages: Vec<Message>,
}

/// What the bytes of a file are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Read {
    /// The entry of the key.
    Entry(Entry),
    /// An entry in another version of the format.
    OtherVersion,
    /// No entry, or one of another key, or one that is damaged.
    Damaged,
}

impl Entry {
    /// The bytes of the entry's file.
    ///
    /// # Errors
    /// It is too large.
    pub fn encode(&self, key: &Hash) -> io::Result<Vec<u8>> {
        let head = Head { object: self.object.len(), pdb: self.pdb.as_ref().map(Vec::len), messages: self.messages.clone() };
        let head = serde_json::to_vec(&head).map_err(io::Error::other)?;
        let length = u32::try_from(head.len()).map_err(io::Error::other)?;
        let pdb = self.pdb.as_deref().unwrap_or_default();
        let payload = [&length.to_le_bytes()[..], &head, &self.object, pdb].concat();
        Ok([&SIGNATURE[..], &[VERSION], &Hash::of_list([&key.0[..], &payload]).0, &payload].concat())
    }

    /// What `bytes` are, which were stored under `key`.
    pub fn decode(key: &Hash, bytes: &[u8]) -> Read {
        match bytes.strip_prefix(SIGNATURE).and_then(<[u8]>::split_first) {
            Some((&VERSION, rest)) => Entry::parse(key, rest).map_or(Read::Damaged, Read::Entry),
            Some(_) => Read::OtherVersion,
            None => Read::Damaged,
        }
    }

    fn parse(key: &Hash, bytes: &[u8]) -> Option<Entry> {
        let (hash, payload) = bytes.split_first_chunk::<32>()?;
        if Hash::of_list([&key.0[..], payload]).0 != *hash {
            return None;
        }
        let (length, rest) = payload.split_first_chunk::<4>()?;
        let (head, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let head: Head = serde_json::from_slice(head).ok()?;
        let (object, pdb) = rest.split_at_checked(head.object)?;
        let whole = pdb.len() == head.pdb.unwrap_or(0);
        whole.then(|| Entry { object: object.to_vec(), pdb: head.pdb.map(|_| pdb.to_vec()), messages: head.messages })
    }
}

/// The name of a key's file: two digits for the folder, the others for the file.
pub(crate) fn name_of(key: &Hash) -> String {
    let digits = key.to_string();
    format!("{}/{}", &digits[..2], &digits[2..])
}

/// The key of a file with this name; `None` if it is no entry's.
pub(crate) fn key_of(name: &str) -> Option<Hash> {
    let (folder, file) = name.split_once('/')?;
    if folder.len() == 2 { Hash::parse(&format!("{folder}{file}")) } else { None }
}

/// A cache in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

/// What is in a cache, and what was done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// The number of entries.
    pub entries: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The number of entries that were removed.
    pub removed: usize,
    /// Their bytes.
    pub bytes_removed: u64,
    /// The number of entries in another version of the format, which `verify` leaves alone.
    pub other_version: usize,
}

struct File {
    key: Hash,
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

impl Cache {
    /// The cache in `folder`, which need not exist, of at most `limit` bytes.
    pub fn new(folder: impl Into<PathBuf>, limit: u64) -> Self {
        Cache { folder: folder.into(), limit }
    }

    /// The folder of a user's cache: `RTC_CACHE_DIR`, or `rtc` in the folder that the system has for caches.
    pub fn default_folder() -> Option<PathBuf> {
        let var = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        var("RTC_CACHE_DIR").or_else(|| {
            let system = var("XDG_CACHE_HOME").or_else(|| var("LOCALAPPDATA")).or_else(|| var("HOME").map(|home| home.join(".cache")));
            system.map(|s| s.join("rtc"))
        })
    }

    /// The cache's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The largest size in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    fn path(&self, key: &Hash) -> PathBuf {
        self.folder.join(name_of(key))
    }

    /// The entry of a key. A damaged one is removed.
    pub fn get(&self, key: &Hash) -> Option<Entry> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let entry = match Entry::decode(key, &bytes) {
            Read::Entry(entry) => entry,
            Read::OtherVersion => return None,
            Read::Damaged => {
                _ = fs::remove_file(&path);
                return None;
            }
        };
        // The time of use, for `gc`; a cache that cannot be written is still read.
        _ = fs::File::options().append(true).open(&path).and_then(|f| f.set_modified(SystemTime::now()));
        Some(entry)
    }

    /// Stores an entry.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, key: &Hash, entry: &Entry) -> io::Result<()> {
        self.put_bytes(key, &entry.encode(key)?)
    }

    /// Stores the bytes of an entry's file.
    pub(crate) fn put_bytes(&self, key: &Hash, bytes: &[u8]) -> io::Result<()> {
        write(&self.path(key), bytes)
    }

    /// All entries. Temporary files that were abandoned are removed.
    fn files(&self) -> io::Result<Vec<File>> {
        let missing_is_empty = |e: io::Error| if e.kind() == io::ErrorKind::NotFound { Ok(Vec::new()) } else { Err(e) };
        let list = |dir: &Path| fs::read_dir(dir).and_then(Iterator::collect::<io::Result<Vec<_>>>).or_else(missing_is_empty);
        let mut files = Vec::new();
        for folder in list(&self.folder)? {
            let name = folder.file_name().to_string_lossy().into_owned();
            if name.len() != 2 || !name.bytes().all(|b| b.is_ascii_hexdigit()) {
                continue;
            }
            for file in list(&folder.path())? {
                // Another process may have removed it.
                let Ok(data) = file.metadata() else { continue };
                let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                if is_abandoned(&file) {
                    _ = fs::remove_file(file.path());
                } else if let Some(key) = key_of(&format!("{name}/{}", file.file_name().to_string_lossy())) {
                    files.push(File { key, path: file.path(), size: data.len(), used });
                }
            }
        }
        Ok(files)
    }

    /// What is in the cache.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn stat(&self) -> io::Result<Contents> {
        let files = self.files()?;
        Ok(Contents { entries: files.len(), bytes: files.iter().map(|f| f.size).sum(), ..Contents::default() })
    }

    /// Removes entries, those that were used longest ago first, until the cache is within its limit.
    ///
    /// # Errors
    /// The folder cannot be read or changed.
    pub fn gc(&self) -> io::Result<Contents> {
        let mut files = self.files()?;
        files.sort_by_key(|f| f.used);
        let mut contents = Contents { entries: files.len(), bytes: files.iter().map(|f| f.size).sum(), ..Contents::default() };
        for file in files {
            if contents.bytes <= self.limit {
                break;
            }
            remove(&file, &mut contents)?;
        }
        Ok(contents)
    }

    /// Removes all entries.
    ///
    /// # Errors
    /// The folder cannot be read or changed.
    pub fn clear(&self) -> io::Result<Contents> {
        Cache { folder: self.folder.clone(), limit: 0 }.gc()
    }

    /// Reads every entry and removes damaged ones.
    ///
    /// # Errors
    /// The folder cannot be read or changed.
    pub fn verify(&self) -> io::Result<Contents> {
        let files = self.files()?;
        let mut contents = Contents { entries: files.len(), bytes: files.iter().map(|f| f.size).sum(), ..Contents::default() };
        for file in files {
            match fs::read(&file.path).map(|bytes| Entry::decode(&file.key, &bytes)) {
                Ok(Read::Entry(_)) => {}
                Ok(Read::OtherVersion) => contents.other_version += 1,
                Ok(Read::Damaged) | Err(_) => remove(&file, &mut contents)?,
            }
        }
        Ok(contents)
    }
}

fn remove(file: &File, contents: &mut Contents) -> io::Result<()> {
    match fs::remove_file(&file.path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    contents.entries -= 1;
    contents.bytes -= file.size;
    contents.removed += 1;
    contents.bytes_removed += file.size;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use rtc_base::replace::TEMPORARY;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("rtc-batch-cache-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&dir);
        dir
    }

    fn entry(n: u8) -> Entry {
        Entry { object: vec![n; 1000], pdb: n.is_multiple_of(2).then(|| vec![n; 10]), messages: vec![Message::error("x")] }
    }

    #[test]
    fn entries_come_back_until_they_are_damaged() {
        let cache = Cache::new(folder("damage"), DEFAULT_LIMIT);
        assert_eq!(cache.stat().expect("a missing folder is empty"), Contents::default());
        let keys: Vec<Hash> = (0..8u8).map(|n| Hash::of(&[n])).collect();
        for (n, key) in keys.iter().enumerate() {
            cache.put(key, &entry(n as u8)).expect("it can be written");
            assert_eq!(cache.get(key), Some(entry(n as u8)));
        }
        // Each kind of damage: cut, empty, changed.
        let path = |k: usize| cache.path(&keys[k]);
        let bytes = fs::read(path(0)).expect("it is there");
        fs::write(path(0), &bytes[..bytes.len() - 1]).expect("it can be written");
        fs::write(path(1), b"").expect("it can be written");
        let mut changed = fs::read(path(2)).expect("it is there");
        *changed.last_mut().expect("it has bytes") ^= 1;
        fs::write(path(2), changed).expect("it can be written");
        fs::write(path(3), b"garbage").expect("it can be written");
        // A whole entry under another key, and one of a version that is not known.
        fs::copy(path(5), path(4)).expect("it can be copied");
        let mut other = fs::read(path(6)).expect("it is there");
        other[7] = 77;
        fs::write(path(6), other).expect("it can be written");
        assert_eq!((cache.get(&keys[4]), cache.get(&keys[6])), (None, None));
        assert!(!path(4).exists() && path(6).exists(), "another version is no damage");
        assert_eq!((cache.get(&keys[0]), cache.get(&keys[1])), (None, None));
        assert!(!path(0).exists(), "a damaged entry is removed");
        let contents = cache.verify().expect("it can be read");
        assert_eq!((contents.entries, contents.removed, contents.other_version), (3, 2, 1));
        assert_eq!(cache.clear().expect("it can be changed").removed, 3);
        fs::remove_dir_all(cache.folder()).expect("it can be removed");
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let cache = Cache::new(folder("gc"), 3500);
        let keys: Vec<Hash> = (0..5u8).map(|n| Hash::of(&[n])).collect();
        for (n, key) in keys.iter().enumerate() {
            cache.put(key, &Entry { object: vec![0; 1000], ..Entry::default() }).expect("it can be written");
            let file = fs::File::options().append(true).open(cache.path(key)).expect("it is there");
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + n as u64)).expect("it can be changed");
        }
        assert!(cache.get(&keys[0]).is_some(), "it is used now");
        fs::write(cache.path(&keys[0]).with_file_name(format!(".x.1.1{TEMPORARY}")), b"x").expect("it can be written");
        let contents = cache.gc().expect("it can be changed");
        assert_eq!((contents.entries, contents.removed), (3, 2));
        assert!(cache.get(&keys[0]).is_some() && cache.get(&keys[1]).is_none() && cache.get(&keys[2]).is_none());
        fs::remove_dir_all(cache.folder()).expect("it can be removed");
    }
}
