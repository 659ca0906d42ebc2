//! Files that are written completely or not at all, with the folders that they are in.

use std::fs;
use std::io;
use std::path::Path;

use rtc_base::replace::{Durability, replace};

/// Writes a file under a temporary name in the same folder, which is made if it is missing, and renames it.
///
/// # Errors
/// The folder or file cannot be written. An existing file is as before.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, Durability::Lazy)
}

/// The same, and the bytes are on the disk before the file has its name.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, Durability::Synced)
}

fn put(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    match replace(path, bytes, durability) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            replace(path, bytes, durability)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_made() {
        let dir = std::env::temp_dir().join(format!("rtc-batch-write-{}", std::process::id()));
        let file = dir.join("a/b/c.bin");
        write(&file, b"one").expect("folders are made");
        write_synced(&file, b"two").expect("it is replaced");
        assert_eq!(fs::read(&file).expect("it is there"), b"two");
        assert!(write(&dir.join("a"), b"x").is_err(), "it is a folder");
        assert!(write(&file.join("d"), b"x").is_err(), "it is below a file");
        assert_eq!(fs::read_dir(&dir).expect("it is there").count(), 1, "no temporary file is left");
        fs::remove_dir_all(&dir).expect("it can be removed");
    }
}
