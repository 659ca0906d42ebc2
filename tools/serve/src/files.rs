//! Files that stay in memory between jobs, and are read again when they may have changed.
//!
//! A file is the same while its device, number, length and its times of modification and of change are. Times have a granularity, of two seconds on some
//! file systems, and the clock of a file server may be another one than ours. So a stamp is relied on only if the bytes were read at least
//! [`SETTLES_AFTER`] after this stamp was first seen: whatever changes the file after that gets another time. Until then the file is read for each job.
//! The clock of the system is never compared with times of files.
//!
//! A job reads each path once ([`JobFiles`]), so that it sees one version of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rtc::arguments::ArgumentFiles;
use rtc::{Disk, Files, Includes};
use rustc_hash::FxHashMap;

/// How long a stamp must have been there before the file is read, so that no later change has the same stamp.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

/// How often a file is read that changes while it is read.
const ATTEMPTS: usize = 4;

/// What the system says about a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp([u64; 7]);

impl Stamp {
    /// The stamp of a regular file; nothing else has one.
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let m = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some(Stamp([m.dev(), m.ino(), m.size(), m.mtime() as u64, m.mtime_nsec() as u64, m.ctime() as u64, m.ctime_nsec() as u64]))
    }

    /// Elsewhere files are read for each job.
    #[cfg(not(unix))]
    fn of(_: &Path) -> Option<Stamp> {
        None
    }
}

/// The file on the disk, as a process of the compiler reads it.
fn disk(path: &Path) -> io::Result<Option<Arc<[u8]>>> {
    let text = path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path is no text"))?;
    Files::read(&Disk, text)
}

/// A file that was read.
struct Entry {
    stamp: Stamp,
    /// When this stamp was first seen.
    seen: Instant,
    /// When the bytes were read, or a little before.
    read: Instant,
    bytes: Arc<[u8]>,
    /// The number of the last use.
    used: u64,
}

#[derive(Default)]
struct State {
    files: FxHashMap<PathBuf, Entry>,
    bytes: usize,
    uses: u64,
    /// How often the disk was read.
    reads: u64,
}

/// The files of all jobs, on several threads.
pub struct FileStore {
    state: Mutex<State>,
    limit: usize,
}

impl FileStore {
    /// A store that keeps at most so many bytes.
    pub fn within(limit: usize) -> Self {
        FileStore { state: Mutex::default(), limit }
    }

    // The state is valid between any two statements.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all files.
    pub fn forget(&self) {
        *self.state() = State::default();
    }

    /// The file at an absolute path; nothing if there is none.
    ///
    /// # Errors
    /// There is one that cannot be read.
    fn read(&self, path: &Path) -> io::Result<Option<Arc<[u8]>>> {
        let mut stamp = Stamp::of(path);
        // After the stamp, before the bytes.
        let mut now = Instant::now();
        let mut earlier = None;
        {
            let mut state = self.state();
            state.uses += 1;
            let uses = state.uses;
            if let (Some(stamp), Some(entry)) = (stamp, state.files.get_mut(path))
                && entry.stamp == stamp
            {
                entry.used = uses;
                if entry.read.duration_since(entry.seen) >= SETTLES_AFTER {
                    return Ok(Some(entry.bytes.clone()));
                }
                earlier = Some((entry.seen, entry.bytes.clone()));
            }
            state.reads += 1;
        }
        for _ in 0..ATTEMPTS {
            if stamp.is_none() && path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
                // What is read from it is read once, and a name like `/dev/stdin` is another file for each process.
                return Err(io::Error::new(io::ErrorKind::Unsupported, "it is no regular file"));
            }
            let bytes = disk(path)?;
            let after = Stamp::of(path);
            let Some(bytes) = bytes else { return Ok(None) };
            match (stamp, after) {
                (Some(before), Some(after)) if before == after => return Ok(Some(self.keep(path, before, now, earlier, bytes))),
                // This platform has no stamps.
                (None, None) => return Ok(Some(bytes)),
                _ => (stamp, now, earlier) = (after, Instant::now(), None),
            }
        }
        // It changes all the time; a process that reads it now sees the same.
        disk(path)
    }

    fn keep(&self, path: &Path, stamp: Stamp, read: Instant, earlier: Option<(Instant, Arc<[u8]>)>, bytes: Arc<[u8]>) -> Arc<[u8]> {
        let (seen, bytes) = match earlier {
            // One copy of equal bytes serves all jobs.
            Some((seen, old)) => (seen, if old == bytes { old } else { bytes }),
            None => (read, bytes),
        };
        let mut state = self.state();
        let used = state.uses;
        let length = bytes.len();
        let old = state.files.insert(path.to_owned(), Entry { stamp, seen, read, bytes: bytes.clone(), used });
        state.bytes = state.bytes + length - old.map_or(0, |o| o.bytes.len());
        if state.bytes > self.limit {
            state.shrink(self.limit / 2);
        }
        bytes
    }
}

impl State {
    /// Forgets the files that were not used for the longest time.
    fn shrink(&mut self, limit: usize) {
        let mut all: Vec<(u64, usize)> = self.files.values().map(|e| (e.used, e.bytes.len())).collect();
        all.sort_unstable_by_key(|e| std::cmp::Reverse(e.0));
        let mut sum = 0;
        let first = all.iter().find(|(_, length)| {
            sum += length;
            sum > limit
        });
        if let Some(&(last, _)) = first {
            self.files.retain(|_, e| e.used > last);
        }
        self.bytes = self.files.values().map(|e| e.bytes.len()).sum();
    }
}

/// Where each process has files of its own.
const OWN: [&str; 2] = ["/dev", "/proc"];

/// The files of one job: relative paths are those of its folder, and each path is read once.
pub struct JobFiles<'a> {
    store: &'a FileStore,
    folder: PathBuf,
    /// The folder as text, with a separator at its end.
    prefix: Option<String>,
    input: Option<&'a [u8]>,
    read: FxHashMap<String, Option<Arc<[u8]>>>,
    /// Why the job cannot be done here, if something happened that a process of its own may not see.
    trouble: Option<String>,
    needs_input: bool,
}

impl<'a> JobFiles<'a> {
    /// The files that a process in `folder` sees, with this standard input.
    pub fn new(store: &'a FileStore, folder: &Path, input: Option<&'a [u8]>) -> Self {
        let prefix = folder.to_str().map(|f| if f.ends_with('/') { f.to_owned() } else { format!("{f}/") });
        JobFiles { store, folder: folder.to_owned(), prefix, input, read: FxHashMap::default(), trouble: None, needs_input: false }
    }

    /// Why the job cannot be done here.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Whether standard input was read that is not there.
    pub fn needs_input(&self) -> bool {
        self.needs_input
    }

    /// The path of the system; nothing for the empty one, which names no file.
    fn full(&self, path: &str) -> Option<PathBuf> {
        (!path.is_empty()).then(|| self.folder.join(path))
    }

    /// The reader that a name of the job's arguments refers to; `-` is standard input.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn named(&mut self, path: &str) -> io::Result<Arc<[u8]>> {
        if path == "-" {
            self.needs_input |= self.input.is_none();
            // It is read once; then it is at its end.
            return self.input.replace(&[]).map(Arc::from).ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let found = self.file(path)?;
        // Whatever this is, the process of the client finds the words for it.
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn file(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        if let Some(read) = self.read.get(path) {
            return Ok(read.clone());
        }
        let Some(full) = self.full(path) else { return Ok(None) };
        let is_own = OWN.iter().any(|own| full.starts_with(own));
        let found = if is_own { Err(io::ErrorKind::Unsupported.into()) } else { self.store.read(&full) };
        match &found {
            Ok(found) => _ = self.read.insert(path.to_owned(), found.clone()),
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {}
            Err(e) => self.trouble = Some(format!("{}: {e}", full.display())),
        }
        found
    }
}

impl Includes for JobFiles<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        self.file(path)
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        if path.starts_with('/') {
            return Files::same_but_case(&Disk, path);
        }
        let Some(prefix) = self.prefix.clone() else {
            self.trouble = Some("the name of the folder is no text".into());
            return None;
        };
        let found = Files::same_but_case(&Disk, &format!("{prefix}{path}"))?;
        found.strip_prefix(&prefix).map(str::to_owned)
    }

    fn list(&mut self, dir: &str) -> Vec<String> {
        Files::list(&Disk, &self.folder.join(dir).to_string_lossy())
    }

    fn identity(&mut self, path: &str) -> String {
        let found = self.full(path).and_then(|full| full.canonicalize().ok());
        found.map_or_else(|| path.to_owned(), |found| found.to_string_lossy().into_owned())
    }
}

impl ArgumentFiles for JobFiles<'_> {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        self.named(path).map(|bytes| bytes.to_vec())
    }

    fn exists(&self, path: &str) -> bool {
        self.full(path).is_some_and(|full| full.exists())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("rtc-serve-files-{name}-{}", std::process::id()));
        _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("it can be made");
        dir
    }

    fn text(store: &FileStore, path: &Path) -> String {
        let bytes = store.read(path).expect("it can be read").expect("it is there");
        String::from_utf8(bytes.to_vec()).expect("text")
    }

    fn set_times(path: &Path, time: std::time::SystemTime) {
        let times = std::fs::FileTimes::new().set_modified(time).set_accessed(time);
        std::fs::File::options().write(true).open(path).and_then(|f| f.set_times(times)).expect("it can be set");
    }

    /// As often as the clock allows: the length is the same, and the time of modification is put back.
    #[test]
    fn changes_within_a_tick_of_the_clock_are_seen() {
        let (dir, store) = (folder("tick"), FileStore::within(1 << 20));
        let file = dir.join("a");
        let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        for n in 0..500 {
            std::fs::write(&file, format!("{n:04}")).expect("it can be written");
            set_times(&file, time);
            assert_eq!(text(&store, &file), format!("{n:04}"));
        }
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }

    #[test]
    fn files_that_settled_are_not_read_again() {
        let (dir, store) = (folder("settled"), FileStore::within(1 << 20));
        let file = dir.join("a");
        std::fs::write(&file, "1").expect("it can be written");
        assert_eq!(text(&store, &file), "1");
        assert_eq!((text(&store, &file), store.state().reads), ("1".into(), 2), "too young");
        std::thread::sleep(SETTLES_AFTER + Duration::from_millis(20));
        assert_eq!((text(&store, &file), store.state().reads), ("1".into(), 3));
        assert_eq!((text(&store, &file), store.state().reads), ("1".into(), 3), "it is not read again");
        // Another file of this name.
        std::fs::write(dir.join("b"), "2").expect("it can be written");
        std::fs::rename(dir.join("b"), &file).expect("it can be renamed");
        assert_eq!((text(&store, &file), store.state().reads), ("2".into(), 4));
        std::fs::remove_file(&file).expect("it can be removed");
        assert!(store.read(&file).expect("no error").is_none(), "it is gone");
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }

    #[test]
    fn a_job_sees_one_version_of_a_file() {
        let (dir, store) = (folder("version"), FileStore::within(1 << 20));
        std::fs::write(dir.join("a"), "1").expect("it can be written");
        let mut job = JobFiles::new(&store, &dir, None);
        assert_eq!(job.named("a").expect("it is there").as_ref(), b"1");
        std::fs::write(dir.join("a"), "2").expect("it can be written");
        assert_eq!(Includes::read(&mut job, "a").expect("no error").as_deref(), Some(&b"1"[..]));
        assert_eq!(JobFiles::new(&store, &dir, None).named("a").expect("it is there").as_ref(), b"2");
        assert!(job.named("-").is_err() && job.needs_input());
        assert!(!job.exists("") && job.exists("a") && job.exists("."), "the empty path is none");
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }

    #[test]
    fn it_is_bounded() {
        let (dir, store) = (folder("bounded"), FileStore::within(1000));
        for n in 0..30 {
            let file = dir.join(n.to_string());
            std::fs::write(&file, vec![b'x'; 100]).expect("it can be written");
            store.read(&file).expect("no error");
            let state = store.state();
            assert!(state.bytes <= 1000 && state.bytes == state.files.len() * 100);
        }
        assert!(store.state().files.contains_key(&dir.join("29")), "the last one is there");
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }
}
