//! The fuzz target `rootsig`; see [`rtc_fuzz::rootsig`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::rootsig(data));
