//! The compile server: a background process of a user that keeps what compilations share, so that a build which starts a process for each shader is
//! about as fast as one process that compiles all.
//!
//! ```text
//! rtc --server ARGUMENTS ──► client ──► socket ──► server ──► Work (the command, with warm files, tokens and preambles)
//!        ▲                                            │
//!        └── effects: texts, files to write ◄─────────┘
//! ```
//!
//! The server only reads and computes. What a job does to the world are [`Effect`]s, which the client's process performs with the code that it has for its own
//! compilations: its rights, its folder, its streams, its disk. So nothing is half done when a server ends at any time, and the client compiles itself then.
//!
//! Bazel's persistent workers ([`worker`]) are the same [`Work`] with requests on standard input.

mod files;
mod message;
pub mod worker;

#[cfg(not(unix))]
mod absent;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use absent as platform;
#[cfg(unix)]
use unix as platform;

use std::io;
use std::path::Path;

use rtc::CancelToken;

pub use files::{FileStore, JobFiles};
pub use message::{Effect, Job, Outcome, Reply};
pub use platform::{run, status, stop, submit};

/// Whether this platform has a server.
pub const IS_SUPPORTED: bool = cfg!(unix);

/// The variable that turns the server on for commands that cannot be changed.
pub const VARIABLE: &str = "RTC_SERVER";
/// The seconds after which an idle server ends.
pub const IDLE_VARIABLE: &str = "RTC_SERVER_IDLE";
/// The memory in MiB above which a server ends and another one begins.
pub const MEMORY_VARIABLE: &str = "RTC_SERVER_MEMORY";
/// What [`MEMORY_VARIABLE`] is without a value.
pub const MEMORY_MIB: u64 = 384;

/// What a server has of its first client's environment: nothing else makes a difference to a job.
#[cfg(unix)]
const SETTINGS: [&str; 3] = [IDLE_VARIABLE, MEMORY_VARIABLE, unix::FOLDER_VARIABLE];

/// What a server does.
pub trait Work: Sync {
    /// Does a job in an absolute folder.
    fn run(&self, job: &Job, folder: &Path, cancel: &CancelToken) -> Reply;

    /// What it has to say about itself, after other facts.
    fn status(&self) -> String {
        String::new()
    }
}

/// The process that has a job.
pub struct Client<'a> {
    /// Whether it is called `dxc`.
    pub dxc: bool,
    /// Whether its standard error is a terminal.
    pub terminal: bool,
    /// Whether messages have colours there.
    pub colours: bool,
    /// Reads its standard input to the end. It is called once at most.
    pub input: &'a mut dyn FnMut() -> io::Result<Vec<u8>>,
}

/// Whether a server is to do this command: the arguments without `--server`, and whether that was there. [`VARIABLE`] counts the same unless it is empty or `0`.
pub fn requested(arguments: &[String]) -> (bool, Vec<String>) {
    let rest: Vec<String> = arguments.iter().filter(|a| *a != "--server").cloned().collect();
    let variable = || std::env::var_os(VARIABLE).is_some_and(|v| !v.is_empty() && v != "0");
    (rest.len() < arguments.len() || variable(), rest)
}
