//! `rtc run`: starts the program `rtc-run`, as cargo starts its subcommands, so that the compiler does not link the libraries of devices.

use crate::error::Result;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

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
        Ok(status) => match crashed(status) {
            None => Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))),
            Some(how) => Err(format!("`{}` was terminated by {how}; a driver may be the cause", name(&command)).into()),
        },
        Err(e) => Err(cannot_start(&command, &e).into()),
    }
}

/// What terminated a process, if it did not end by itself: a signal, which leaves no exit code, or an exception of Windows, which leaves its own.
fn crashed(status: ExitStatus) -> Option<String> {
    match status.code() {
        None => Some(status.to_string()),
        Some(code) => exception(code),
    }
}

/// The exception of Windows that an exit code is, with its name where that says something.
fn exception(code: i32) -> Option<String> {
    // The severity of exceptions is two: an error.
    let code = code.cast_unsigned();
    if code >> 28 != 0xc {
        return None;
    }
    let name = match code {
        0xc000_0005 => ", an access violation",
        0xc000_001d => ", an illegal instruction",
        0xc000_00fd => ", the end of the stack",
        0xc000_0135 => ", a library that is not found",
        0xc000_013a => ", an interrupt",
        0xc000_0409 => ", an abort",
        _ => "",
    };
    Some(format!("exception {code:#x}{name}"))
}

/// The program `rtc-run`, which finds this one through the environment variable `RTC`.
pub fn command() -> Command {
    let own = std::env::current_exe().ok();
    let sibling = own.as_ref().map(|p| p.with_file_name(format!("rtc-run{}", std::env::consts::EXE_SUFFIX))).filter(|p| p.is_file());
    let mut command = Command::new(sibling.unwrap_or_else(|| PathBuf::from("rtc-run")));
    if let Some(sign) = alive::sign() {
        command.env("RTC_PARENT", sign);
    }
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

/// What tells `rtc-run` that this process lives.
mod alive {
    /// The number of this process, which is the parent's of the other one.
    #[cfg(not(windows))]
    pub fn sign() -> Option<String> {
        Some(std::process::id().to_string())
    }

    /// A file that is there as long as this process is, however it ends: Windows removes it when the last handle is closed.
    #[cfg(windows)]
    pub fn sign() -> Option<String> {
        use std::fs::File;
        use std::os::windows::fs::OpenOptionsExt as _;
        use std::path::PathBuf;
        use std::sync::OnceLock;
        /// Removed with the last handle, and not written to the disk.
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        const TEMPORARY: u32 = 0x100;
        static SIGN: OnceLock<Option<(File, PathBuf)>> = OnceLock::new();
        let made = SIGN.get_or_init(|| {
            let path = std::env::temp_dir().join(format!("rtc-{}.alive", std::process::id()));
            let mut options = File::options();
            options.write(true).create(true).custom_flags(DELETE_ON_CLOSE).attributes(TEMPORARY);
            options.open(&path).ok().map(|file| (file, path))
        });
        made.as_ref().map(|(_, path)| path.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_no_exit_codes() {
        let of = |code: u32| exception(code.cast_signed());
        assert_eq!(of(0xc000_0005).as_deref(), Some("exception 0xc0000005, an access violation"));
        assert_eq!(of(0xc0de_0001).as_deref(), Some("exception 0xc0de0001"));
        for code in [0, 1, 3, 101, 0x8000_0003, u32::MAX] {
            assert_eq!(of(code), None, "{code:#x}");
        }
    }
}
