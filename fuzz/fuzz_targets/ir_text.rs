//! Any text through the parser of the IR, the verifier and the printer.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(module) = rtc_ir::text::parse(text)
    {
        _ = rtc_ir::verify::verify(&module);
        let printed = rtc_ir::text::print(&module);
        let again = rtc_ir::text::parse(&printed).expect("what was printed parses");
        assert_eq!(rtc_ir::text::print(&again), printed);
    }
});
