//! `rtc run`: starts the program `rtc-run`, as cargo starts its subcommands, so that the compiler does not link the libraries of devices.

use crate::error::Result;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The arguments that `rtc device-info` stands for.
pub const DEVICE_INFO: [&str; 2] = ["--device", "list"];

/// Starts `rtc-run` with these arguments and returns its exit code. The environment variable `RTC` has the path of this program.
///
/// # Errors
/// The program is missing, does not start, or is terminated by a signal.
pub fn run(args: &[String]) -> Result<ExitCode> {
    let own = std::env::current_exe().ok();
    let sibling = own.as_ref().map(|p| p.with_file_name("rtc-run")).filter(|p| p.is_file());
    let program = sibling.unwrap_or_else(|| PathBuf::from("rtc-run"));
    let mut command = Command::new(&program);
    command.args(args);
    if let Some(own) = own {
        command.env("RTC", own);
    }
    match command.status() {
        Ok(status) => match status.code() {
            Some(code) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(1))),
            // A process that a signal terminates has no code; its status names the signal.
            None => Err(format!("`{}` was terminated by {status}; a driver may be the cause", program.display()).into()),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err("`rtc run` starts the program `rtc-run`, which is \
             neither in the folder of rtc nor on the PATH; build it with: cargo build -p rtc-cli"
            .into()),
        Err(e) => Err(format!("cannot start `{}`: {e}", program.display()).into()),
    }
}
