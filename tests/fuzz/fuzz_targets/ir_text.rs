//! The fuzz target `ir_text`; see [`rtc_fuzz::ir_text`].
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| rtc_fuzz::ir_text(data));
