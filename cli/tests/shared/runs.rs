//! Folders in which `rtc run` runs, and the devices that it runs on.
#![allow(dead_code)] // Each test program uses a part.

use std::path::PathBuf;

/// An empty folder for a test of a group; it stays after the test.
pub fn folder(group: &str, name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("{group}/{name}"))
}

/// The CPU device, and Vulkan's if there is one that traces rays.
pub fn devices() -> Vec<&'static str> {
    let mut out = vec!["cpu"];
    match rtc_oracles::vulkan::available() {
        Ok(()) => out.push("vulkan"),
        Err(why) => rtc_oracles::skip::skip(why),
    }
    out
}
