//! Installs `librtcrt`: `rtcrt-install PREFIX` copies the library that was built with this program, the header, and the files for
//! `pkg-config` and CMake. `cargo xtask capi PREFIX` builds it first.

use rtc_c_common::install::{Library, main as install};
use std::process::ExitCode;

fn main() -> ExitCode {
    install(&Library {
        name: "rtcrt",
        built: "rtc_c_engine",
        description: "Ray-tracing packages of rtc on the Vulkan device of an engine",
        abi: rtc_c_engine::RTCRT_ABI_VERSION,
        version: (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_VERSION_MINOR")),
        header: include_str!("../../include/rtcrt.h"),
        cmake: include_str!("../../cmake/rtcrt-config.cmake"),
        programs: &[],
    })
}
