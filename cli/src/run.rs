//! `rtc run`: starts the program `rtc-run`, as cargo starts its subcommands, so that the compiler does not link the libraries of devices.

use crate::error::Result;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The arguments that `rtc device-info` stands for.
pub const DEVICE_INFO: [&str; 2] = ["--device", "list"];

/// Starts `rtc-run` with these arguments and returns its exit code. The environment variable `RTC` has the path of this program, and `RTC_PARENT` the
/// number of its process, with which `rtc-run` ends.
///
/// # Errors
/// The program is missing, does not start, or is terminated by a signal.
pub fn run(args: &[String]) -> Result<ExitCode> {
    let mut command = command();
    match command.args(args).status() {
        Ok(status) => match status.code() {
            Some(code) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(1))),
            // A process that a signal terminates has no code; its status names the signal.
            None => Err(format!("`{}` was terminated by {status}; a driver may be the cause", name(&command)).into()),
        },
        Err(e) => Err(cannot_start(&command, &e).into()),
    }
}

/// The program `rtc-run`, which finds this one through the environment variable `RTC`.
pub fn command() -> Command {
    let own = std::env::current_exe().ok();
    let sibling = own.as_ref().map(|p| p.with_file_name(format!("rtc-run{}", std::env::consts::EXE_SUFFIX))).filter(|p| p.is_file());
    let mut command = Command::new(sibling.unwrap_or_else(|| PathBuf::from("rtc-run")));
    command.env("RTC_PARENT", std::process::id().to_string());
    if let Some(own) = own {
        command.env("RTC", own);
    }
    command
}

/// Why `rtc-run` does not start.
pub fn cannot_start(command: &Command, e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "`rtc run` starts the program `rtc-run`, which is neither in the folder of rtc nor on the PATH; \
             build it with: cargo build -p rtc-cli"
            .into(),
        _ => format!("cannot start `{}`: {e}", name(command)),
    }
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
