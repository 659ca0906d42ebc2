//! The includes of a session: the disk, a dictionary, or a function of the program.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use pyo3::prelude::*;
use rtc::arguments::ArgumentFiles;
use rtc::{Disk, Files, Virtual};

use crate::work::ask;

/// Includes as the package gives them.
#[derive(FromPyObject)]
pub enum Given {
    /// Paths and contents.
    Files(HashMap<String, Vec<u8>>),
    /// `includes(path)`.
    Function(Py<PyAny>),
}

/// Where files come from.
#[derive(Clone)]
pub enum Source {
    Disk,
    Memory(Arc<Virtual>),
    Function(Arc<Py<PyAny>>),
}

impl Source {
    pub fn new(given: Option<Given>) -> Source {
        match given {
            None => Source::Disk,
            Some(Given::Files(files)) => {
                let files = files.into_iter().map(|(path, bytes)| (path, Arc::from(bytes)));
                Source::Memory(Arc::new(Virtual(files.collect())))
            }
            Some(Given::Function(function)) => Source::Function(Arc::new(function)),
        }
    }
}

impl Files for Source {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        match self {
            Source::Disk => Files::read(&Disk, path),
            Source::Memory(files) => Files::read(&**files, path),
            Source::Function(function) => Ok(ask(function, path)?.map(Arc::from)),
        }
    }

    fn same_but_case(&self, path: &str) -> Option<String> {
        match self {
            Source::Disk => Files::same_but_case(&Disk, path),
            Source::Memory(files) => Files::same_but_case(&**files, path),
            Source::Function(_) => None,
        }
    }

    fn list(&self, dir: &str) -> Vec<String> {
        match self {
            Source::Disk => Files::list(&Disk, dir),
            Source::Memory(files) => Files::list(&**files, dir),
            Source::Function(_) => Vec::new(),
        }
    }

    fn identity(&self, path: &str) -> String {
        match self {
            Source::Disk => Files::identity(&Disk, path),
            Source::Memory(files) => Files::identity(&**files, path),
            Source::Function(_) => path.to_owned(),
        }
    }
}

/// Files that options name are found where includes are.
impl ArgumentFiles for Source {
    fn read(&mut self, path: &str) -> io::Result<Vec<u8>> {
        Files::read(self, path)?.map(|b| b.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &str) -> bool {
        matches!(Files::read(self, path), Ok(Some(_)))
    }
}
