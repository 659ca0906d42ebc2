//! The files of a request: sources include them, and options name them.

use std::io;

use rtc::arguments::ArgumentFiles;
use rtc::{Files, Virtual};

/// The files that options name.
pub(crate) struct Named<'a>(pub &'a Virtual);

impl ArgumentFiles for Named<'_> {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        match Files::read(self.0, path)? {
            Some(bytes) => Ok(bytes.to_vec()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn exists(&self, path: &str) -> bool {
        matches!(Files::read(self.0, path), Ok(Some(_)))
    }
}
