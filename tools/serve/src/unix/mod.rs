//! Client and server over a socket of Unix.

mod client;
mod descriptors;
mod meeting;
mod server;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use crate::Work;

pub use client::{status, stop, submit};
pub use meeting::FOLDER_VARIABLE;

/// Runs the server whose client started this process with these arguments.
///
/// # Errors
/// The arguments are not those of a client, or there is no socket.
pub fn run(arguments: &[String], work: &dyn Work) -> io::Result<()> {
    let [folder, key] = arguments else {
        return Err(io::Error::other("`rtc server run` is for clients, which start it themselves: rtc --server"));
    };
    #[allow(unsafe_code)]
    // SAFETY: this is what the command `rtc server run` begins with. Nothing is open yet, and `work` has read nothing.
    unsafe {
        descriptors::close_inherited();
    }
    server::run(PathBuf::from(folder), key.clone(), work)
}
