//! The state that the commands of one test share, and the output of a command.

use std::path::PathBuf;
use std::time::Instant;

use super::tools::{TestPaths, Tools};

/// What a command wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output; all output when the two are one stream.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

/// What the commands of one test share.
#[derive(Debug)]
pub struct Shell<'a> {
    /// Substitutions and programs.
    pub tools: &'a Tools,
    /// The test's paths.
    pub paths: &'a TestPaths,
    /// Prefixes of all FileCheck commands of the test.
    pub prefixes: &'a [String],
    /// Snapshots are rewritten instead of compared.
    pub bless: bool,
    /// When the test must be done.
    pub deadline: Instant,
    /// The present folder.
    pub cwd: PathBuf,
    /// Why the device cannot run the shader of the present line, where it need not.
    pub refused: Option<String>,
}

impl Shell<'_> {
    /// A file name, seen from the present folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.cwd.join(name)
    }
}
