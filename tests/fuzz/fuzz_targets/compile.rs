//! The fuzz target `compile`; see [`rtc_fuzz::compile`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::compile(data));
