//! Any bytes through the container reader, the listing, the reflection and the validator.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    _ = rtc::dis::disassemble(data);
    _ = rtc::reflect::reflect(data);
    _ = rtc::validate::validate(data);
});
