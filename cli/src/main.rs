//! The `rtc` command: the compiler with the command line of dxc, and the subcommands of [`commands::COMMANDS`].
//!
//! Exit codes are those of dxc: 0 for success, 1 for failure; `rtc run` has another for programs that no device can run. Output files are
//! written under a temporary name and renamed, so that a failed run leaves no partial file.

mod args;
mod build;
mod commands;
mod container;
mod effects;
mod error;
mod explain;
mod explore;
mod job;
mod link;
#[cfg(feature = "lsp")]
mod lsp;
mod messages;
mod output;
mod paq;
mod run;
mod server;
mod start;
mod tools;
mod verify;
mod version;

use std::process::ExitCode;

/// Fast for a process that compiles one shader. It counts, so that `-memory-limit` has an effect.
#[global_allocator]
static ALLOCATOR: rtc::memory::Pool = rtc::memory::Pool;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    start::start(&args).unwrap_or_else(|error| {
        messages::print_error(&error.to_string(), &args);
        ExitCode::from(1)
    })
}
