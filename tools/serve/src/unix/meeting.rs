//! Where clients and their server meet: a socket in a folder that only the user can open, with a name that says which program serves which user.
//!
//! The name is a hash of what must be the same: version, the file of the program, the group, and on Linux the root and the name space of mounts, because a path
//! must be the same file for both. So two versions have two servers, and a program that is built again has another one.
//!
//! The lock is held as long as the server lives. Its file stays when the server is killed, as the socket does, and the next server removes both.

use std::fs::{DirBuilder, File, Metadata};
use std::hash::{Hash, Hasher};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHasher;

use crate::message::VERSION;

/// The folder, if it is not where the system has such folders.
pub const FOLDER_VARIABLE: &str = "RTC_SERVER_DIR";

/// A client that starts a server is the only one for this time.
const STARTS_IN: Duration = Duration::from_secs(5);

/// The names of a server's files.
#[derive(Clone, Debug)]
pub struct Meeting {
    folder: PathBuf,
    key: String,
}

impl Meeting {
    /// That of this program and this user; nothing where the system does not say what is necessary.
    pub fn here() -> Option<Meeting> {
        let mut hash = FxHasher::default();
        let program = program()?;
        (VERSION, env!("CARGO_PKG_VERSION")).hash(&mut hash);
        (program.dev(), program.ino(), program.size(), program.mtime(), program.mtime_nsec()).hash(&mut hash);
        rustix::process::getegid().as_raw().hash(&mut hash);
        if cfg!(target_os = "linux") {
            std::fs::read_link("/proc/self/ns/mnt").ok().hash(&mut hash);
            std::fs::metadata("/").ok().map(|m| (m.dev(), m.ino())).hash(&mut hash);
        }
        Some(Meeting { folder: folder(), key: format!("{:016x}", hash.finish()) })
    }

    /// The one in this folder with this name.
    pub fn of(folder: PathBuf, key: String) -> Meeting {
        Meeting { folder, key }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.join(&self.key)
    }

    fn lock_file(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.key))
    }

    fn start_file(&self) -> PathBuf {
        self.folder.join(format!("{}.start", self.key))
    }

    /// Whether the folder is the user's alone.
    pub fn is_private(&self) -> bool {
        let own = rustix::process::geteuid().as_raw();
        std::fs::symlink_metadata(&self.folder).is_ok_and(|m| m.is_dir() && m.uid() == own && m.mode() & 0o077 == 0)
    }

    /// Makes the folder if it is not there. Whether it is the user's alone.
    pub fn make_folder(&self) -> bool {
        // Whether it is made here or was there, what it is then counts.
        _ = DirBuilder::new().mode(0o700).create(&self.folder);
        self.is_private()
    }

    /// Whether this client is to start the server: one does for some time, the others compile without.
    pub fn may_start(&self) -> bool {
        let file = self.start_file();
        let age = |m: &Metadata| SystemTime::now().duration_since(m.modified().ok()?).ok();
        match std::fs::symlink_metadata(&file) {
            Ok(m) if age(&m).is_some_and(|age| age < STARTS_IN) => return false,
            Ok(_) => _ = std::fs::remove_file(&file),
            Err(_) => {}
        }
        File::create_new(&file).is_ok()
    }

    /// The server has started, or failed to.
    pub fn has_started(&self) {
        _ = std::fs::remove_file(self.start_file());
    }

    /// The lock of the server; nothing if another one has it.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn lock(&self) -> io::Result<Option<File>> {
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(self.lock_file())?;
            if rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_err() {
                return Ok(None);
            }
            // A server that ended meanwhile removed the file that was opened.
            let same = std::fs::symlink_metadata(self.lock_file()).is_ok_and(|m| file.metadata().is_ok_and(|f| f.ino() == m.ino()));
            if same {
                return Ok(Some(file));
            }
        }
    }

    /// Removes the files of this server, whose lock the caller has.
    pub fn remove(&self) {
        _ = std::fs::remove_file(self.socket());
        _ = std::fs::remove_file(self.lock_file());
    }

    /// Removes the folder, if nothing is in it.
    pub fn remove_folder(&self) {
        _ = std::fs::remove_dir(&self.folder);
    }

    /// Removes files of other servers that do not live any more.
    pub fn remove_stale(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let (key, extension) = name.split_once('.').unwrap_or((&name, ""));
            let is_key = key.len() == 16 && key.bytes().all(|b| b.is_ascii_hexdigit());
            if !is_key || key == self.key {
                continue;
            }
            let other = Meeting::of(self.folder.clone(), key.to_owned());
            match extension {
                // A socket, or the lock of a server that may live.
                "" | "lock" => {
                    if let Ok(Some(_lock)) = other.lock() {
                        other.remove();
                    }
                }
                "start" => {
                    let old = |m: Metadata| m.modified().ok()?.elapsed().ok();
                    if entry.metadata().ok().and_then(old).is_some_and(|age| age > STARTS_IN) {
                        other.has_started();
                    }
                }
                _ => {}
            }
        }
    }
}

/// The file of this program.
pub fn program() -> Option<Metadata> {
    if cfg!(target_os = "linux") {
        return std::fs::metadata("/proc/self/exe").ok();
    }
    std::fs::metadata(std::env::current_exe().ok()?).ok()
}

/// Where the system has folders of a user for sockets, or a folder for temporary files.
fn folder() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(folder) = set(FOLDER_VARIABLE) {
        // The server has another working folder.
        return std::path::absolute(&folder).unwrap_or(folder);
    }
    match set("XDG_RUNTIME_DIR").filter(|f| f.is_absolute()) {
        Some(folder) => folder.join("rtc-server"),
        None => PathBuf::from(format!("/tmp/rtc-server-{}", rustix::process::geteuid().as_raw())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_locks() {
        let folder = std::env::temp_dir().join(format!("rtc-serve-meeting-{}", std::process::id()));
        _ = std::fs::remove_dir_all(&folder);
        let here = Meeting::of(folder.clone(), "0".repeat(16));
        assert!(!here.is_private() && here.make_folder() && here.is_private());
        assert!(here.may_start() && !here.may_start(), "one client starts it");
        here.has_started();
        assert!(here.may_start());
        here.has_started();

        let lock = here.lock().expect("it can be made").expect("it is free");
        assert!(here.lock().expect("it can be opened").is_none(), "one server has it");
        // Another server looks for what is left: one lives, one was killed.
        let other = Meeting::of(folder.clone(), "1".repeat(16));
        let killed = Meeting::of(folder.clone(), "2".repeat(16));
        for m in [&here, &killed] {
            std::fs::write(m.socket(), "").expect("it can be written");
        }
        std::fs::write(folder.join("notes.txt"), "").expect("it can be written");
        other.remove_stale();
        assert!(here.socket().exists() && !killed.socket().exists() && folder.join("notes.txt").exists());
        here.remove();
        drop(lock);
        assert!(here.lock().expect("it can be made").is_some(), "the file is another one");

        // What others can open is not used.
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        assert!(!here.is_private() && !here.make_folder());
        let link = folder.join("link");
        std::os::unix::fs::symlink(&folder, &link).expect("it can be made");
        assert!(!Meeting::of(link, "0".repeat(16)).is_private(), "a link");
        std::fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
