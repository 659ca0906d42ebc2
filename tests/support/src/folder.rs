//! Folders of tests: [`Folder`] is removed at the end of the test, [`clean`] stays for who looks at what the test wrote.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An empty folder among the system's temporary ones, of this test alone.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// One whose name begins like this.
    ///
    /// # Panics
    /// It cannot be made.
    pub fn new(name: &str) -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("rtc-{name}-{}-{number}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Folder(path)
    }

    /// Writes a file, and the folders that its name has. Returns its path.
    ///
    /// # Panics
    /// It cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        let parent = path.parent().unwrap_or(&self.0);
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        self.path(name)
    }

    /// The bytes of a file.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The path of a file in it, as an argument.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// The names of what is in it, sorted.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn list(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap_or_else(|e| panic!("{}: {e}", self.0.display()));
        let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// The folder `name` in `parent` (`env!("CARGO_TARGET_TMPDIR")` of a test program), empty. It stays after the test.
///
/// # Panics
/// It cannot be made.
pub fn clean(parent: &str, name: &str) -> PathBuf {
    let path = Path::new(parent).join(name);
    _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_empty_at_the_start_and_gone_at_the_end() {
        let (one, two) = (Folder::new("support"), Folder::new("support"));
        assert_ne!(*one, *two);
        assert_eq!(one.list(), Vec::<String>::new());
        one.write("sub/a.txt", "text");
        assert_eq!((one.list(), one.read("sub/a.txt")), (vec!["sub".to_owned()], b"text".to_vec()));
        let path = one.to_path_buf();
        drop(one);
        assert!(!path.exists() && two.exists());
        let kept = clean(&two.path(""), "kept");
        fs::write(kept.join("a"), "old").expect("it is written");
        assert_eq!(fs::read_dir(clean(&two.path(""), "kept")).expect("it is there").count(), 0);
    }
}
