//! The fuzz target `parse`; see [`rtc_fuzz::parse`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::parse(data));
