//! Any text through the root signature parser, any bytes through its reader.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    use rtc_dxil::rootsig::{RootVersion, Scope, parse, read};
    _ = read(data);
    if let Ok(text) = std::str::from_utf8(data) {
        _ = parse(text, RootVersion::V1_1, Scope::Any);
    }
});
