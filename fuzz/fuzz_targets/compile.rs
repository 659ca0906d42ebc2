//! Any bytes through the whole compiler, to both targets.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut options = rtc::Options::new(rtc::Profile::parse("lib_6_3").unwrap());
    for target in [rtc::Target::Dxil, rtc::Target::Package] {
        options.target = target;
        rtc::compile("fuzz.hlsl", data, &mut rtc::NoIncludes, &options);
    }
});
