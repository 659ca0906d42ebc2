//! Chains of inherited structures: up to the nesting limit they compile in linear time, beyond it they are an error.

use rtc::{Compilation, NoIncludes, Options, Profile};

/// A chain of `n` structures, the last of them a payload.
fn chain(n: usize) -> Compilation {
    let mut source =
        "struct [raypayload] S0 { double m0 : read(caller) : write(miss); float x0 : read(caller) : write(miss); };\n".to_owned();
    for i in 1..n {
        let base = i - 1;
        source += &format!("struct [raypayload] S{i} : S{base} {{ float m{i} : read(caller) : write(miss); }};\n");
    }
    source += &format!("[shader(\"miss\")] void M(inout S{} p) {{ p = (S{0})0; }}\n", n - 1);
    let options = Options::new(Profile::parse("lib_6_7").unwrap());
    rtc::compile("chain.hlsl", source.as_bytes(), &mut NoIncludes, &options)
}

#[test]
fn deep_chains_compile() {
    let done = chain(60);
    assert!(!done.failed(), "{:?}", done.diagnostics);
    let bytes = done.product.expect("it compiles").into_bytes();
    let json = rtc::reflect::reflect(&bytes).unwrap();
    // Each has its own padding: 16, 24, 32, …
    assert!(json.contains(&format!("\"payloadBytes\": {}", 16 + 59 * 8)), "{json}");
}

#[test]
fn deeper_chains_are_an_error_at_the_base() {
    for n in [66, 2000] {
        let done = chain(n);
        let first = done.diagnostics.iter().find(|d| d.is_error()).expect("an error");
        assert_eq!(first.code.id, "E0340");
        assert!(first.message.contains("`S64`"), "{}", first.message);
    }
}
