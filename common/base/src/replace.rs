//! Files that are written completely or not at all: under a temporary name in the same folder, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::path::{System, opens_device};

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
    if let Some(name) = opens_device(&path.to_string_lossy()) {
        return Err(io::Error::other(format!("`{name}` is the name of a device on Windows")));
    }
    let temporary = temporary(path)?;
    let done = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if durability == Durability::Synced {
            file.sync_all()?;
        }
        drop(file);
        rename(&temporary, path)
    });
    if done.is_err() {
        _ = fs::remove_file(&temporary);
    }
    done
}

/// How long a rename waits in all for another program to close the file, and how often it tries.
const PATIENCE: (Duration, u32) = (Duration::from_secs(1), 20);

/// What Windows says of a file that another program has open: access denied, sharing violation, lock violation.
const IN_USE: [i32; 3] = [5, 32, 33];

/// Gives a file its name. On Windows no name can be given to a file, or taken from one, while another program has it open, as programs that look for
/// viruses do for a moment: this waits for that.
///
/// # Errors
/// The file cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    // These stay as they are, and their errors have the same number.
    let hopeless = || fs::metadata(to).is_ok_and(|m| m.is_dir() || m.permissions().readonly());
    patiently(System::HERE, || fs::rename(from, to), hopeless, std::thread::sleep)
}

fn patiently(
    system: System,
    mut attempt: impl FnMut() -> io::Result<()>,
    hopeless: impl Fn() -> bool,
    mut pause: impl FnMut(Duration),
) -> io::Result<()> {
    let (time, count) = PATIENCE;
    for _ in 0..count {
        match attempt() {
            Err(e) if system == System::Windows && e.raw_os_error().is_some_and(|n| IN_USE.contains(&n)) && !hopeless() => {
                pause(time / count)
            }
            done => return done,
        }
    }
    attempt()
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
    fn files_in_use_are_waited_for_on_windows() {
        let run = |system, numbers: &[i32], hopeless: bool| {
            let (mut left, mut pauses) = (numbers.iter(), 0);
            let attempt = || left.next().map_or(Ok(()), |n| Err(io::Error::from_raw_os_error(*n)));
            let done = patiently(system, attempt, || hopeless, |_| pauses += 1);
            (done.map_err(|e| e.raw_os_error()), pauses)
        };
        assert_eq!(run(System::Windows, &[32, 5, 33], false), (Ok(()), 3));
        assert_eq!(run(System::Windows, &[32; 100], false), (Err(Some(32)), 20), "not for ever");
        assert_eq!(run(System::Windows, &[2], false), (Err(Some(2)), 0), "there is no such file");
        assert_eq!(run(System::Windows, &[5], true), (Err(Some(5)), 0), "it is read-only");
        assert_eq!(run(System::Unix, &[32], false), (Err(Some(32)), 0), "another error there");
    }

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
