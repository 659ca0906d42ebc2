//! The `rtc-oracle` program; see [`rtc_oracles::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    ExitCode::from(rtc_oracles::cli::run(&args))
}
