//! The `rtc` command: the compiler with the command line of dxc, and the subcommands `build`, `cache`, `run`, `device-info`, `link`,
//! `dis`, `explore`, `reflect`, `validate`, `container`, `paq`, `explain`, `lsp` and `server`.
//!
//! Exit codes are those of dxc: 0 for success, 1 for failure; `rtc run` has another for programs that no device can run. Output files are
//! written under a temporary name and renamed, so that a failed run leaves no partial file.

mod args;
mod build;
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
mod tools;
mod verify;
mod version;

use error::CommandError;
use std::process::ExitCode;

/// Fast for a process that compiles one shader. It counts, so that `-memory-limit` has an effect.
#[global_allocator]
static ALLOCATOR: rtc::memory::Pool = rtc::memory::Pool;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let failed = |error: CommandError| {
        eprintln!("rtc: error: {error}");
        ExitCode::from(1)
    };
    let done = match args.first().map(String::as_str) {
        Some("run") => return run::run(&args[1..]).unwrap_or_else(failed),
        Some("device-info") => {
            return run::run(&[run::DEVICE_INFO.map(String::from).as_slice(), &args[1..]].concat()).unwrap_or_else(failed);
        }
        Some("dis") => tools::dis(&args[1..]),
        first if link::is_help(&args) && (first == Some("link") || link::is_requested(&args)) => {
            output::print(format!("{}\n", link::USAGE).as_bytes()).map(|()| true)
        }
        Some("link") => args::run(&[&["-link".to_owned()], &args[1..]].concat()),
        Some("container") => container::run(&args[1..]),
        Some("paq") => paq::run(&args[1..]),
        Some("explain") => explain::run(&args[1..]),
        #[cfg(feature = "lsp")]
        Some("lsp") => lsp::run(&args[1..]),
        #[cfg(not(feature = "lsp"))]
        Some("lsp") => Err("this build of rtc has no language server; build it with the feature `lsp`".to_owned().into()),
        Some("explore") => explore::run(&args[1..]),
        Some("build") => build::run(&args[1..]),
        Some("cache") => build::cache_command(&args[1..]),
        Some(rtc_build::entry::COMMAND) => build::task_command(&args[1..]),
        Some("validate") => tools::validate(&args[1..]),
        Some("reflect") => tools::reflect(&args[1..]),
        Some("--list-intrinsics" | "-list-intrinsics") => output::print(rtc::intrinsics::list().as_bytes()).map(|()| true),
        Some("server") => server::command(&args[1..]),
        _ => server::run(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => failed(error),
    }
}
