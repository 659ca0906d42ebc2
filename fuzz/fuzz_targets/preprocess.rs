//! Any bytes through the preprocessor.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let options = rtc::Options::new(rtc::Profile::parse("lib_6_3").unwrap());
    rtc::preprocess("fuzz.hlsl", data, &mut rtc::NoIncludes, &options);
});
