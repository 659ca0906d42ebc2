//! The language server of rtc: it tells editors what the compiler knows about ray-tracing HLSL, by the Language Server Protocol.
//!
//! ```text
//!   client ──► transport ──► server ──jobs──► worker: rtc::Session (analyse, compile)
//!      ▲                       │ ◄──snapshots──┘
//!      └──────── answers ──────┘ requests ──► features/…, each a function of a snapshot
//! ```
//!
//! * [`serve`] talks to a client over a connection, [`run`] over standard input and output.
//! * One thread has the state ([`server`], [`workspace`]): it reads messages, applies changes, answers. Another one ([`worker`]) analyses and compiles; a
//!   change cancels what it does.
//! * An analysis ([`rtc::analysis`]) is fast and goes on after errors; its result with positions is a [`snapshot`]. Each change makes a new one: the session
//!   keeps the includes at the begin of the source with their declarations, and the front end takes milliseconds for a few thousand lines of the rest.
//! * A compilation follows when the source is free of errors and nothing changes for a while. It gives the warnings of later stages, hints and lenses
//!   ([`hints`]).
//! * [`project`] finds the options of a source, [`overlay`] the unsaved texts of headers.
//!
//! What is *not* here: any knowledge of the language. Names, types and places come from the front end, facts from `rtc-tables`.

pub mod diagnostics;
pub mod edit;
pub mod features;
pub mod guess;
mod hints;
pub mod meaning;
pub mod outline;
pub mod overlay;
pub mod paths;
pub mod project;
pub mod requests;
pub mod server;
pub mod settings;
pub mod snapshot;
pub mod summary;
pub mod text;
pub mod transport;
pub mod worker;
pub mod workspace;

use std::io;

pub use server::{End, serve};

/// Serves a client over standard input and output until it leaves.
///
/// # Errors
/// A thread cannot be started, or the client closed the output.
pub fn run() -> io::Result<End> {
    let (connection, threads) = transport::connect(io::BufReader::new(io::stdin()), io::stdout())?;
    let end = serve(&connection)?;
    drop(connection);
    threads.join()?;
    Ok(end)
}
