//! The fuzz target `bitcode`; see [`rtc_fuzz::bitcode`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::bitcode(data));
