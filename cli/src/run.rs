//! `rtc run`: starts `rtc-run`, as cargo starts its subcommands. Running needs a device and its libraries, which the
//! compiler shall not carry.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Starts `rtc-run` with these arguments, and ends as it ended; it finds this program in `RTC`.
///
/// # Errors
/// When it is not there or does not start.
pub fn run(args: &[String]) -> Result<ExitCode, String> {
    let own = std::env::current_exe().ok();
    let beside = own.as_ref().map(|p| p.with_file_name("rtc-run")).filter(|p| p.is_file());
    let program = beside.unwrap_or_else(|| PathBuf::from("rtc-run"));
    let mut command = Command::new(&program);
    command.args(args);
    if let Some(own) = own {
        command.env("RTC", own);
    }
    match command.status() {
        // Without a status a signal ended it.
        Ok(status) => Ok(ExitCode::from(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1))),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err("`rtc run` starts the program `rtc-run`, which is \
             neither beside rtc nor on the PATH; build it with: cargo build -p rtc-cli --features run"
            .into()),
        Err(e) => Err(format!("cannot start `{}`: {e}", program.display())),
    }
}
