//! A folder in which `rtc build` runs as a process; it is removed at the end.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

/// The folder.
pub struct Folder(pub rtc_test_support::Folder);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        Folder(rtc_test_support::Folder::new("build"))
    }

    /// Writes a file.
    pub fn write(&self, file: &str, text: &str) {
        self.0.write(file, text);
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

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
