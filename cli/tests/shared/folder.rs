//! A folder in which `rtc build` runs as a process; it is removed at the end.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let dir = std::env::temp_dir().join(format!("rtc-build-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&dir).expect("the folder can be made");
        Folder(dir)
    }

    /// Writes a file.
    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).expect("the file can be written");
    }

    /// `rtc` with its cache in the folder, and no shared one.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
        command.current_dir(&self.0).args(arguments).env("RTC_CACHE_DIR", self.0.join("cache")).env_remove("RTC_CACHE_URL");
        command
    }

    /// Runs it.
    pub fn rtc(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("rtc runs")
    }

    /// The files in the folder of outputs, without folders and hidden files.
    pub fn outputs(&self) -> BTreeMap<String, Vec<u8>> {
        let files = fs::read_dir(self.0.join("out")).into_iter().flatten().flatten().filter(|e| e.path().is_file());
        let named = files.map(|e| (e.file_name().to_string_lossy().into_owned(), e.path()));
        named.filter(|f| !f.0.starts_with('.')).map(|(name, path)| (name, fs::read(path).expect("it can be read"))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
