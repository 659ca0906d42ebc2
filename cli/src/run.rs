//! `rtc run`: starts `rtc-run`, as cargo starts its subcommands. Running needs a device and its libraries, which the
//! compiler shall not carry.

use std::path::PathBuf;
use std::process::Command;

/// Starts `rtc-run` with these arguments; it finds this program in `RTC`.
///
/// # Errors
/// When it is not there or does not start.
pub fn run(args: &[String]) -> Result<bool, String> {
    let own = std::env::current_exe().ok();
    let beside = own.as_ref().map(|p| p.with_file_name("rtc-run")).filter(|p| p.is_file());
    let program = beside.unwrap_or_else(|| PathBuf::from("rtc-run"));
    let mut command = Command::new(&program);
    command.args(args);
    if let Some(own) = own {
        command.env("RTC", own);
    }
    match command.status() {
        Ok(status) => Ok(status.success()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err("`rtc run` starts the program `rtc-run`, which is \
             neither beside rtc nor on the PATH; build it with: cargo build -p rtc-cli --features run"
            .into()),
        Err(e) => Err(format!("cannot start `{}`: {e}", program.display())),
    }
}
