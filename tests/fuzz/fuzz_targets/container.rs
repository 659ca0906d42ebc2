//! The fuzz target `container`; see [`rtc_fuzz::container`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::container(data));
