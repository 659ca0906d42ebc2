//! The fuzz target `package`; see [`rtc_fuzz::package`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::package(data));
