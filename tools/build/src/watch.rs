//! Waiting for files to change: their stamps are compared from time to time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::Stamp;

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(200);

/// Files with what their metadata said.
#[derive(Clone, Debug, Default)]
pub struct Stamps(Vec<(PathBuf, Option<Stamp>)>, Vec<(PathBuf, Vec<OsString>)>);

impl Stamps {
    /// Those of these files as they are now.
    pub fn of<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Stamps {
        let mut paths: Vec<PathBuf> = paths.into_iter().map(|p| p.as_ref().to_path_buf()).collect();
        paths.sort();
        paths.dedup();
        Stamps(paths.into_iter().map(|p| (Stamp::of(&p), p)).map(|(stamp, p)| (p, stamp)).collect(), Vec::new())
    }

    /// And of the names in these folders.
    pub fn and_folders<P: AsRef<Path>>(mut self, folders: impl IntoIterator<Item = P>) -> Stamps {
        self.1.extend(folders.into_iter().map(|f| (f.as_ref().to_path_buf(), names(f.as_ref()))));
        self
    }

    /// With the stamps of files that were known before: what changed since then is a change.
    pub fn or_older(mut self, before: &Stamps) -> Stamps {
        for (path, stamp) in &mut self.0 {
            if let Some((_, old)) = before.0.iter().find(|b| b.0 == *path) {
                *stamp = *old;
            }
        }
        self
    }

    /// How many files.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether no file has changed.
    pub fn are_current(&self) -> bool {
        self.0.iter().all(|(path, stamp)| Stamp::of(path) == *stamp) && self.1.iter().all(|(folder, seen)| names(folder) == *seen)
    }
}

/// The names in a folder, but for hidden ones.
fn names(folder: &Path) -> Vec<OsString> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.file_name());
    let mut names: Vec<OsString> = entries.filter(|n| !n.to_string_lossy().starts_with('.')).collect();
    names.sort();
    names
}

/// Returns when a file has changed, and a moment later: editors write in several steps.
pub fn wait(seen: &Stamps) {
    while seen.are_current() {
        std::thread::sleep(INTERVAL);
    }
    std::thread::sleep(INTERVAL);
}
