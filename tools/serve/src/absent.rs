//! Where there are no sockets of Unix there is no server yet: each process compiles itself. A named pipe would take the place of the socket here.

use std::io;

use crate::message::Outcome;
use crate::{Client, Work};

/// No server does it.
pub fn submit(_: &[String], _: &mut Client<'_>) -> Option<Outcome> {
    None
}

/// There is no server.
pub fn status() -> Option<String> {
    None
}

/// There is no server.
pub fn stop() -> bool {
    false
}

/// # Errors
/// Always.
pub fn run(_: &[String], _: &dyn Work) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "there is no compile server on this platform"))
}
