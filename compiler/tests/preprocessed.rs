//! The output of `-P` means the same as the source: every sample and lit test is preprocessed, and its text compiles to the same module. Also the
//! include callbacks of the library: files in memory, callbacks, and their errors.

use std::path::{Path, PathBuf};

use rtc::{Callback, Disk, NoIncludes, OptLevel, Options, Product, Profile, Style, Target, Virtual};

fn options(profile: &str) -> Options {
    let mut o = Options::new(Profile::parse(profile).expect("a profile"));
    o.target = Target::Ir;
    o.level = OptLevel::O0;
    o
}

fn ir(c: rtc::Compilation) -> Result<String, String> {
    match c.product {
        Some(Product::Ir(text)) => Ok(text),
        _ => Err(c.diagnostics.iter().map(|d| rtc::render(&c.sources, d, Style::Short)).collect()),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => collect(&path, files),
            Some("hlsl") => files.push(path),
            _ => {}
        }
    }
}

#[test]
fn preprocessed_text_means_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    collect(&root.join("samples"), &mut files);
    collect(&root.join("lit-tests/tests"), &mut files);
    files.sort();
    let mut same = 0;
    for path in files {
        let name = path.display().to_string();
        let bytes = std::fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let profile = if text.contains("-T cs_6") { "cs_6_6" } else { "lib_6_6" };
        let mut o = options(profile);
        o.native_16bit = text.contains("-enable-16bit-types");
        o.hlsl_version = if text.contains("-HV 2018") { 2018 } else { 2021 };
        let Ok(direct) = ir(rtc::compile(&name, &bytes, &mut Disk, &o)) else {
            continue; // a test of errors, or of another shader model
        };
        let (once, c) = rtc::preprocess(&name, &bytes, &mut Disk, &o);
        assert!(!c.failed(), "{name}");
        let again = ir(rtc::compile(&name, once.as_bytes(), &mut NoIncludes, &o));
        let again = again.unwrap_or_else(|e| panic!("{name}: the preprocessed text does not compile:\n{e}"));
        assert!(direct == again, "{name}: the preprocessed text is another program:\n{once}");
        let (twice, _) = rtc::preprocess(&name, once.as_bytes(), &mut NoIncludes, &o);
        assert_eq!(once, twice, "{name}: preprocessed twice");
        same += 1;
    }
    assert!(same > 50, "only {same} sources compile");
}

/// A small library whose body is `text`.
fn library(text: &str) -> String {
    format!("{text}\n[shader(\"raygeneration\")] void Main() {{ }}\n")
}

#[test]
fn files_in_memory() {
    let mut files = Virtual::new([
        ("shaders/common/math.hlsli", "#pragma once\n#include \"types.hlsli\"\nReal Square(Real x) { return x * x; }"),
        ("shaders/common/types.hlsli", "#pragma once\ntypedef float Real;"),
    ]);
    let main = library(
        "#include \"common/math.hlsli\"\n#include \"Common\\\\Math.hlsli\"\n#include \"../shaders/common/types.hlsli\"\nReal f() { return Square(2); }",
    );
    let c = rtc::compile("shaders/main.hlsl", main.as_bytes(), &mut files, &options("lib_6_6"));
    let codes: Vec<&str> = c.diagnostics.iter().map(|d| d.code.id).collect();
    assert_eq!(codes, ["W0102"], "another spelling of a file that says `#pragma once` is that file");
    let paths: Vec<&str> = c.includes.iter().map(|i| i.path.as_str()).collect();
    assert_eq!(paths[..2], ["shaders/common/math.hlsli", "shaders/common/types.hlsli"]);
    assert!(c.product.is_some());
}

#[test]
fn a_file_in_the_folder_of_an_outer_includer_is_found() {
    let mut files = Virtual::new([
        ("a/b/inner.hlsli", "#include \"sibling_of_main.hlsli\"\n"),
        ("a/sibling_of_main.hlsli", "static const float Found = 1;"),
    ]);
    let main = library("#include \"b/inner.hlsli\"\nfloat f() { return Found; }");
    let c = rtc::compile("a/main.hlsl", main.as_bytes(), &mut files, &options("lib_6_6"));
    assert!(ir(c).is_ok());
}

#[test]
fn a_callback_gets_candidates_in_order_and_once() {
    let mut requests = Vec::new();
    let mut callback = Callback(|path: &str| {
        requests.push(path.to_owned());
        match path {
            "include/b.hlsli" => Ok(Some(b"static float b;".to_vec())),
            "broken.hlsli" => Err(std::io::Error::other("the server is away")),
            _ => Ok(None),
        }
    });
    let mut o = options("lib_6_6");
    o.include_dirs = vec!["include".into()];
    let main = library("#include \"b.hlsli\"\n#include \"b.hlsli\"");
    let c = rtc::compile("src/main.hlsl", main.as_bytes(), &mut callback, &o);
    // Declared twice without a guard: a mistake, but the file was fetched once.
    assert_eq!(c.diagnostics.iter().map(|d| d.code.id).collect::<Vec<_>>(), ["E0304"]);
    let c = rtc::compile("main.hlsl", b"#include \"broken.hlsli\"\n", &mut callback, &o);
    let shown: String = c.diagnostics.iter().map(|d| rtc::render(&c.sources, d, Style::Short)).collect();
    assert!(shown.contains("E0124") && shown.contains("the server is away"), "{shown}");
    assert_eq!(requests, ["src/b.hlsli", "include/b.hlsli", "src/b.hlsli", "broken.hlsli"]);
}

#[test]
fn any_encoding_of_a_source() {
    let main = library("#define A \\\n 1\n\u{c}float f() { return A; } // é");
    let utf16 = |big: bool| {
        let units = main.encode_utf16();
        let mark: &[u8] = if big { &[0xfe, 0xff] } else { &[0xff, 0xfe] };
        let mut bytes = mark.to_vec();
        for u in units {
            bytes.extend(if big { u.to_be_bytes() } else { u.to_le_bytes() });
        }
        bytes
    };
    let latin1: Vec<u8> = main.chars().map(|c| c as u8).collect();
    let mark = [b"\xef\xbb\xbf".to_vec(), main.clone().into_bytes()].concat();
    let crlf = main.replace('\n', "\r\n").into_bytes();
    let spaces = main.replace("\\\n", "\\  \r\n").into_bytes();
    let ended = [main.clone().into_bytes(), vec![0, 0x1a]].concat();
    let cr = main.replace('\n', "\r").into_bytes();
    let open = main.trim_end().as_bytes().to_vec();
    let want = ir(rtc::compile("a", main.as_bytes(), &mut NoIncludes, &options("lib_6_6"))).expect("it compiles");
    for (what, bytes) in [
        ("UTF-16 little endian", utf16(false)),
        ("UTF-16 big endian", utf16(true)),
        ("Latin-1", latin1),
        ("a byte order mark", mark),
        ("CRLF", crlf),
        ("white space after a line splice", spaces),
        ("NUL and ^Z at the end", ended),
        ("CR", cr),
        ("no line end at the end", open),
    ] {
        let got = ir(rtc::compile("a", &bytes, &mut NoIncludes, &options("lib_6_6")));
        assert_eq!(got.as_ref(), Ok(&want), "{what}");
    }
}
