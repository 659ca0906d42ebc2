//! Any bytes through the runtime package reader.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    _ = rtc_dxil::container::package::Package::read(data);
});
