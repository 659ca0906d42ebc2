//! The bodies of the fuzz targets: one function for each reader of outside bytes.
//!
//! `fuzz_targets/` calls them with the bytes that libFuzzer generates, `tests/tidy/tests/fuzz_regressions.rs` with the files of
//! `regressions/`, so an ordinary `cargo test` replays every input that once failed. A target fails when it panics.

/// A target: it takes any bytes.
pub type Target = fn(&[u8]);

/// All targets by name: those of `fuzz_targets/` and of the folders in `corpus/` and `regressions/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("bitcode", bitcode),
    ("compile", compile),
    ("container", container),
    ("ir_text", ir_text),
    ("package", package),
    ("parse", parse),
    ("preprocess", preprocess),
    ("rootsig", rootsig),
];

/// The bitcode reader; a module that it accepts is printed and written.
pub fn bitcode(data: &[u8]) {
    if let Ok(module) = rtc_dxil_module::bitcode::read(data) {
        _ = rtc_dxil_dis::module_text(&module);
        _ = rtc_dxil_module::bitcode::write(&module);
    }
}

/// The whole compiler, for both targets.
pub fn compile(data: &[u8]) {
    let mut options = rtc::Options::new(rtc::Profile::parse("lib_6_3").expect("a profile"));
    for target in [rtc::Target::Dxil, rtc::Target::Package] {
        options.target = target;
        rtc::compile("fuzz.hlsl", data, &mut rtc::NoIncludes, &options);
    }
}

/// The container reader, the listing, reflection and the validator.
pub fn container(data: &[u8]) {
    _ = rtc::dis::disassemble(data);
    _ = rtc::reflect::reflect(data);
    _ = rtc::validate::validate(data);
}

/// The parser of the IR's text, the verifier and the printer; printed text must parse to the same module.
pub fn ir_text(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(module) = rtc_ir::text::parse(text)
    {
        _ = rtc_ir::verify::verify(&module);
        let printed = rtc_ir::text::print(&module);
        let again = rtc_ir::text::parse(&printed).expect("what was printed parses");
        assert_eq!(rtc_ir::text::print(&again), printed);
    }
}

/// The reader of runtime packages.
pub fn package(data: &[u8]) {
    _ = rtc_package::Package::read(data);
}

/// Preprocessor, lexer, classifier and parser.
pub fn parse(data: &[u8]) {
    let (mut sources, mut names) = (rtc_base::SourceMap::new(), rtc_base::Interner::new());
    let text = rtc_frontend::lex::decode(data);
    if let Some(main) = sources.add_file("fuzz.hlsl", &*text.text, None) {
        rtc_frontend::parse(&mut sources, &mut names, main, &Default::default(), &mut rtc::NoIncludes);
    }
}

/// The preprocessor alone.
pub fn preprocess(data: &[u8]) {
    let options = rtc::Options::new(rtc::Profile::parse("lib_6_3").expect("a profile"));
    rtc::preprocess("fuzz.hlsl", data, &mut rtc::NoIncludes, &options);
}

/// The parser of root signature text and the reader of the binary form.
pub fn rootsig(data: &[u8]) {
    use rtc_rootsig::{RootVersion, Scope, parse, read};
    _ = read(data);
    if let Ok(text) = std::str::from_utf8(data) {
        _ = parse(text, RootVersion::V1_1, Scope::Any);
    }
}
