//! `rtc run`: starts the program `rtc-run`, as cargo starts its subcommands, so that the compiler does not link the libraries of devices.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Starts `rtc-run` with these arguments and returns its exit code. The environment variable `RTC` has the path of this program.
///
/// # Errors
/// The program is missing or does not start.
pub fn run(args: &[String]) -> Result<ExitCode, String> {
    let own = std::env::current_exe().ok();
    let sibling = own.as_ref().map(|p| p.with_file_name("rtc-run")).filter(|p| p.is_file());
    let program = sibling.unwrap_or_else(|| PathBuf::from("rtc-run"));
    let mut command = Command::new(&program);
    command.args(args);
    if let Some(own) = own {
        command.env("RTC", own);
    }
    match command.status() {
        // A process that a signal terminates has no code.
        Ok(status) => Ok(ExitCode::from(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1))),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err("`rtc run` starts the program `rtc-run`, which is \
             neither in the folder of rtc nor on the PATH; build it with: cargo build -p rtc-cli --features run"
            .into()),
        Err(e) => Err(format!("cannot start `{}`: {e}", program.display())),
    }
}
