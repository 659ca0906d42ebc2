//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// Writes a file under a temporary name in the same folder, which is made if it is missing, and renames it.
///
/// # Errors
/// The folder or file cannot be written. An existing file is as before.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, false)
}

/// The same, and the bytes are on the disk before the file has its name.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, true)
}

/// What the names of temporary files end with. Nothing else has such names, so those that a killed process left can be removed.
pub(crate) const TEMPORARY: &str = ".rtc-tmp";

/// Temporary files of this age are those of processes that were killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// Whether this is a temporary file that no process will rename.
pub(crate) fn is_abandoned(file: &fs::DirEntry) -> bool {
    let old = || file.metadata().and_then(|m| m.modified()).is_ok_and(|t| t.elapsed().is_ok_and(|age| age > ABANDONED_AFTER));
    file.file_name().to_string_lossy().ends_with(TEMPORARY) && old()
}

fn put(path: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let unique = NEXT.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_file_name(format!(".{name}.{}.{unique}{TEMPORARY}", std::process::id()));
    let create = || match File::create(&temporary) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create(&temporary)
        }
        other => other,
    };
    let done = create().and_then(|mut file| {
        file.write_all(bytes)?;
        if sync {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_nothing() {
        let dir = std::env::temp_dir().join(format!("rtc-batch-write-{}", std::process::id()));
        let file = dir.join("a/b/c.bin");
        write(&file, b"one").expect("folders are made");
        write_synced(&file, b"two").expect("it is replaced");
        assert_eq!(fs::read(&file).expect("it is there"), b"two");
        assert!(write(&dir.join("a"), b"x").is_err(), "it is a folder");
        assert_eq!(fs::read_dir(dir.join("a/b")).expect("it is there").count(), 1, "no temporary file is left");
        assert_eq!(fs::read_dir(&dir).expect("it is there").count(), 1, "nor next to the folder");
        fs::remove_dir_all(&dir).expect("it can be removed");
    }
}
