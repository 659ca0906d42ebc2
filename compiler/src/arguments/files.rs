//! Files that arguments name: response files, root signatures, private data, tables. The library opens none by itself.

use std::io;
use std::path::Path;

use rtc_base::path::opens_device;
use rtc_frontend::preprocess::{Disk, NoIncludes};

use super::error::{ArgumentError, ArgumentErrorKind, Result};

/// Access to the files that arguments name. [`Disk`] is the file system, [`NoIncludes`] has no files.
pub trait ArgumentFiles {
    /// The contents of a file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>>;

    /// Whether there is a file of this name: `/T` is an option unless there is, and a list of libraries is a name if there is.
    fn exists(&self, path: &str) -> bool;
}

impl ArgumentFiles for Disk {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(name) = opens_device(path) {
            return Err(io::Error::other(format!("`{name}` is the name of a device on Windows")));
        }
        // Windows refuses access to folders, where others say what they are.
        let named = |e| if Path::new(path).is_dir() { io::ErrorKind::IsADirectory.into() } else { e };
        std::fs::read(path).map_err(named)
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).exists()
    }
}

impl ArgumentFiles for NoIncludes {
    fn read(&mut self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _: &str) -> bool {
        false
    }
}

/// The contents of a file that an option names.
pub(super) fn read(files: &mut dyn ArgumentFiles, path: &str) -> Result<Vec<u8>> {
    files.read(path).map_err(|e| {
        let file = if path == "-" { "standard input".to_owned() } else { format!("`{path}`") };
        ArgumentError::new(ArgumentErrorKind::File, format!("cannot read {file}: {}", reason(&e)))
    })
}

/// An error of the system in our words where it is a common one.
pub fn reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "no such file or directory".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => e.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_no_file_on_every_system() {
        let folder = std::env::temp_dir();
        let error = ArgumentFiles::read(&mut Disk, &folder.to_string_lossy()).expect_err("it is a folder");
        assert_eq!(reason(&error), "it is a directory");
    }
}
