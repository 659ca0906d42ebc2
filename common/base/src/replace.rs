//! Files that are written completely or not at all: under a temporary name in the same folder, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names of temporary files end with. Nothing else has such names, so those that a killed process left can be removed.
pub const TEMPORARY: &str = ".rtc-tmp";

/// When a file is on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// When the system writes it.
    Lazy,
    /// Before the file has its name, so that it is whole after a power cut.
    Synced,
}

/// Replaces the file at `path`, or makes it. Its folder must exist.
///
/// # Errors
/// The file cannot be written. An existing file is as before, and no temporary file is left.
pub fn replace(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let temporary = temporary(path)?;
    let done = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if durability == Durability::Synced {
            file.sync_all()?;
        }
        drop(file);
        fs::rename(&temporary, path)
    });
    if done.is_err() {
        _ = fs::remove_file(&temporary);
    }
    done
}

/// A name for a temporary file next to `path`, which no other thread or process uses.
///
/// # Errors
/// The path has no file name.
pub fn temporary(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
    let name = path.file_name().ok_or_else(no_name)?.to_string_lossy();
    let unique = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(path.with_file_name(format!(".{name}.{}.{unique}{TEMPORARY}", std::process::id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_nothing() {
        let dir = std::env::temp_dir().join(format!("rtc-base-replace-{}", std::process::id()));
        fs::create_dir_all(dir.join("folder/inside")).expect("it can be made");
        let file = dir.join("a.bin");
        replace(&file, b"one", Durability::Lazy).expect("it is made");
        replace(&file, b"two", Durability::Synced).expect("it is replaced");
        assert_eq!(fs::read(&file).expect("it is there"), b"two");
        assert!(replace(&dir.join("folder"), b"x", Durability::Lazy).is_err(), "it is a folder");
        assert!(replace(&dir.join("none/b"), b"x", Durability::Lazy).is_err(), "there is no folder");
        assert!(replace(Path::new("/"), b"x", Durability::Lazy).is_err(), "there is no name");
        assert_eq!(fs::read_dir(&dir).expect("it is there").count(), 2, "no temporary file is left");
        assert_ne!(temporary(&file).expect("it has a name"), temporary(&file).expect("it has a name"));
        fs::remove_dir_all(&dir).expect("it can be removed");
    }
}
