//! A shared cache in a folder, for example of a file server: its files have the names that a local cache has.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::store::{Item, Problem, Store};
use crate::write::write;

/// A folder.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    fn problem(&self, e: &io::Error) -> Problem {
        Problem(format!("`{}`: {}", self.0.display(), rtc::arguments::reason(e)))
    }
}

impl Store for Folder {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        match fs::read(self.0.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(self.problem(&e)),
        }
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Problem> {
        write(&self.0.join(name), &bytes).map_err(|e| self.problem(&e))
    }

    fn list(&self) -> Result<Option<Vec<Item>>, Problem> {
        let entries = match fs::read_dir(&self.0) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Some(Vec::new())),
            other => other.map_err(|e| self.problem(&e))?,
        };
        let mut items = Vec::new();
        for folder in entries.flatten() {
            for file in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                let name = format!("{}/{}", folder.file_name().to_string_lossy(), file.file_name().to_string_lossy());
                items.extend(file.metadata().ok().map(|m| Item { name, size: m.len() }));
            }
        }
        Ok(Some(items))
    }

    fn remove(&self, name: &str) -> Result<(), Problem> {
        match fs::remove_file(self.0.join(name)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(self.problem(&e)),
            _ => Ok(()),
        }
    }
}
