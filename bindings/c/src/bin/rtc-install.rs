//! Installs `librtc`: `rtc-install PREFIX` copies the library that was built with this program, the header, and the files for
//! `pkg-config` and CMake, and the command `rtc` if it was built too. `cargo xtask capi PREFIX` builds all of it first.

use rtc_c_common::install::{Library, main as install};
use std::process::ExitCode;

fn main() -> ExitCode {
    install(&Library {
        name: "rtc",
        built: "rtc_c",
        description: "HLSL compiler for DXIL and SPIR-V",
        abi: rtc_c::RTC_ABI_VERSION,
        version: (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_VERSION_MINOR")),
        header: include_str!("../../include/rtc.h"),
        cmake: include_str!("../../cmake/rtc-config.cmake"),
        programs: &["rtc"],
    })
}
