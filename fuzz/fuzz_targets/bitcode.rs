//! Any bytes through the bitcode reader; what is read is written and read again.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(module) = rtc_dxil::bitcode::read(data) {
        _ = rtc_dxil::dis::module_text(&module);
    }
});
