//! The files that the compiler sees: the texts of open documents, saved or not, in front of those of the disk.

use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use rtc::{Disk, Files};
use rustc_hash::FxHashMap;

use crate::paths::normal;

/// Texts of open documents by path. Clones share them.
#[derive(Clone, Default)]
pub struct Overlay {
    texts: Arc<RwLock<FxHashMap<String, Arc<str>>>>,
}

impl Overlay {
    /// Sets the text of an open document.
    pub fn set(&self, path: &str, text: Arc<str>) {
        self.texts.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), text);
    }

    /// The document is closed: its file counts again.
    pub fn remove(&self, path: &str) {
        self.texts.write().unwrap_or_else(PoisonError::into_inner).remove(path);
    }

    /// The text of the open document at `path`.
    pub fn get(&self, path: &str) -> Option<Arc<str>> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    /// The text of a document or file.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        match self.get(path) {
            Some(text) => Some(text),
            None => Files::read(&Disk, path).ok()?.map(|bytes| Arc::from(&*rtc::decode(&bytes).text)),
        }
    }
}

impl Files for Overlay {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        match self.get(&normal(path)) {
            Some(text) => Ok(Some(Arc::from(text.as_bytes()))),
            None => Files::read(&Disk, path),
        }
    }

    fn same_but_case(&self, path: &str) -> Option<String> {
        Files::same_but_case(&Disk, path)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        Files::list(&Disk, dir)
    }

    fn identity(&self, path: &str) -> String {
        // An open document may have no file.
        let path = normal(path);
        if self.get(&path).is_some() { path } else { Files::identity(&Disk, &path) }
    }
}
