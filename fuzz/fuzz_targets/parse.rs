//! Any bytes through preprocessor, classifier and parser.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (mut sources, mut names) = (rtc_base::SourceMap::new(), rtc_base::Interner::new());
    let text = rtc_frontend::lex::decode(data);
    if let Some(main) = sources.add_file("fuzz.hlsl", &*text.text, None) {
        rtc_frontend::parse(&mut sources, &mut names, main, &Default::default(), &mut rtc::NoIncludes);
    }
});
