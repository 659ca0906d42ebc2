//! What a preamble read, so that it can be read again and compared: a preamble serves a compilation that would read the same.

use std::io;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::lex::TokenCache;
use crate::preprocess::Includes;

/// One question to [`Includes`], with its answer.
enum Read {
    File(String, Option<Arc<[u8]>>),
    OtherCase(String, Option<String>),
    Identity(String, String),
}

/// The questions in the order in which they were put.
#[derive(Default)]
pub(super) struct Reads(Vec<Read>);

impl Reads {
    /// Puts the questions again.
    pub fn are_those_of(&self, includes: &mut dyn Includes) -> bool {
        self.0.iter().all(|read| match read {
            Read::File(path, text) => includes.read(path).is_ok_and(|now| match (&now, text) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
                (None, None) => true,
                _ => false,
            }),
            Read::OtherCase(path, other) => includes.same_but_case(path) == *other,
            Read::Identity(path, identity) => includes.identity(path) == *identity,
        })
    }

    /// About the memory that the files take.
    pub fn bytes(&self) -> usize {
        let file = |r: &Read| if let Read::File(_, Some(text)) = r { text.len() } else { 0 };
        self.0.iter().map(file).sum()
    }
}

/// Includes that read each file once, although several preambles are compared with them.
pub(super) struct Once<'a> {
    pub includes: &'a mut dyn Includes,
    pub files: FxHashMap<String, Option<Arc<[u8]>>>,
}

impl Includes for Once<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        if let Some(text) = self.files.get(path) {
            return Ok(text.clone());
        }
        let text = self.includes.read(path)?;
        self.files.insert(path.to_owned(), text.clone());
        Ok(text)
    }
    fn same_but_case(&mut self, path: &str) -> Option<String> {
        self.includes.same_but_case(path)
    }
    fn list(&mut self, dir: &str) -> Vec<String> {
        self.includes.list(dir)
    }
    fn identity(&mut self, path: &str) -> String {
        self.includes.identity(path)
    }
    fn tokens(&mut self) -> Option<Arc<TokenCache>> {
        self.includes.tokens()
    }
}

/// Includes that record what is read.
pub(super) struct Recorder<'a> {
    pub includes: &'a mut dyn Includes,
    pub reads: Reads,
    /// Something happened that is not recorded.
    pub incomplete: bool,
}

impl Includes for Recorder<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        let text = self.includes.read(path);
        match &text {
            Ok(text) => self.reads.0.push(Read::File(path.to_owned(), text.clone())),
            Err(_) => self.incomplete = true,
        }
        text
    }
    fn same_but_case(&mut self, path: &str) -> Option<String> {
        let other = self.includes.same_but_case(path);
        self.reads.0.push(Read::OtherCase(path.to_owned(), other.clone()));
        other
    }
    fn list(&mut self, dir: &str) -> Vec<String> {
        self.incomplete = true;
        self.includes.list(dir)
    }
    fn identity(&mut self, path: &str) -> String {
        let identity = self.includes.identity(path);
        self.reads.0.push(Read::Identity(path.to_owned(), identity.clone()));
        identity
    }
    fn tokens(&mut self) -> Option<Arc<TokenCache>> {
        self.includes.tokens()
    }
}
