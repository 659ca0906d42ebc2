//! The fuzz target `preprocess`; see [`rtc_fuzz::preprocess`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::preprocess(data));
