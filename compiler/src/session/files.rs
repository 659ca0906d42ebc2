//! Files that were read, for all compilations of a session.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rtc_frontend::lex::TokenCache;
use rtc_frontend::preamble::PreambleCache;
use rtc_frontend::preprocess::{Files, Includes};
use rustc_hash::FxHashMap;

/// The files of a session, by path. What does not exist is remembered too.
pub(super) struct FileCache {
    source: Box<dyn Files>,
    known: RwLock<Contents>,
    reads: AtomicU64,
    saved: AtomicU64,
}

#[derive(Default)]
struct Contents {
    contents: FxHashMap<String, Option<Arc<[u8]>>>,
    identities: FxHashMap<String, String>,
}

impl FileCache {
    pub fn new(source: Box<dyn Files>) -> Self {
        FileCache { source, known: RwLock::default(), reads: AtomicU64::new(0), saved: AtomicU64::new(0) }
    }

    /// The state is valid between any two statements, so a panic of `source`, which has no lock, does no harm.
    fn known(&self) -> std::sync::RwLockReadGuard<'_, Contents> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> std::sync::RwLockWriteGuard<'_, Contents> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn forget(&self) {
        *self.change() = Contents::default();
    }

    /// How often a path was read, and how often it was known.
    pub fn statistics(&self) -> (u64, u64) {
        (self.reads.load(Ordering::Relaxed), self.saved.load(Ordering::Relaxed))
    }

    /// Errors are not remembered: they may pass. Of threads that read a path at the same time the first says what it holds, so that no
    /// compilation sees two versions of a file that changes meanwhile.
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        if let Some(found) = self.known().contents.get(path) {
            self.saved.fetch_add(1, Ordering::Relaxed);
            return Ok(found.clone());
        }
        self.reads.fetch_add(1, Ordering::Relaxed);
        let found = self.source.read(path)?;
        Ok(self.change().contents.entry(path.to_owned()).or_insert(found).clone())
    }

    fn identity(&self, path: &str) -> String {
        if let Some(found) = self.known().identities.get(path) {
            return found.clone();
        }
        let found = self.source.identity(path);
        self.change().identities.insert(path.to_owned(), found.clone());
        found
    }
}

/// The includes of one job: its own, or the session's.
pub(super) struct Shared<'a> {
    pub files: &'a FileCache,
    /// What compilations share, if there are several.
    pub caches: Option<(&'a Arc<TokenCache>, &'a Arc<PreambleCache>)>,
    pub own: Option<&'a mut dyn Includes>,
}

impl Includes for Shared<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        match &mut self.own {
            Some(own) => own.read(path),
            None => self.files.read(path),
        }
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        match &mut self.own {
            Some(own) => own.same_but_case(path),
            None => self.files.source.same_but_case(path),
        }
    }

    fn list(&mut self, dir: &str) -> Vec<String> {
        match &mut self.own {
            Some(own) => own.list(dir),
            None => self.files.source.list(dir),
        }
    }

    fn identity(&mut self, path: &str) -> String {
        match &mut self.own {
            Some(own) => own.identity(path),
            None => self.files.identity(path),
        }
    }

    fn tokens(&mut self) -> Option<Arc<TokenCache>> {
        self.caches.map(|c| c.0.clone())
    }

    fn preambles(&mut self) -> Option<Arc<PreambleCache>> {
        self.caches.map(|c| c.1.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// A file with another text at each read. The first read ends after the second.
    struct Changing(Arc<(Barrier, Barrier, AtomicU32)>);

    impl Files for Changing {
        fn read(&self, _: &str) -> io::Result<Option<Arc<[u8]>>> {
            let (begun, ended, reads) = &*self.0;
            let n = reads.fetch_add(1, Ordering::SeqCst);
            if n == 0 {
                begun.wait();
                ended.wait();
            }
            Ok(Some(Arc::from(n.to_string().as_bytes())))
        }
    }

    #[test]
    fn threads_that_read_one_path_see_one_text() {
        let gates = Arc::new((Barrier::new(2), Barrier::new(2), AtomicU32::new(0)));
        let files = FileCache::new(Box::new(Changing(gates.clone())));
        let text = || files.read("a.hlsli").expect("it is read").expect("it exists").to_vec();
        std::thread::scope(|scope| {
            let slow = scope.spawn(text);
            gates.0.wait();
            assert_eq!(text(), b"1");
            gates.1.wait();
            assert_eq!(slow.join().expect("no panic"), b"1");
        });
        assert_eq!((text(), files.statistics()), (b"1".to_vec(), (2, 1)));
    }
}
