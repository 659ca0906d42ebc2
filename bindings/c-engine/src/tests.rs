//! What C programs cannot see. Everything else is tested from C (`tests/`).

use crate::RTCRT_ABI_VERSION;

#[test]
fn the_name_of_the_library_has_the_number_of_the_interface() {
    let script = include_str!("../build.rs");
    assert!(script.contains(&format!("librtcrt.so.{RTCRT_ABI_VERSION}\"")));
    assert!(script.contains(&format!("librtcrt.{RTCRT_ABI_VERSION}.dylib")));
}
