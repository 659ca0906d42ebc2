//! Bad input at the command line: each gives a diagnostic with location and cause, exit code 1, and no output file.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use rtc_test_support::Folder;

fn rtc(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc")).args(args).output().unwrap()
}

/// The message of a run that must fail: exit code 1, something on standard error that no panic wrote.
#[track_caller]
fn fails(args: &[&str]) -> String {
    let out = rtc(args);
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{args:?}\n{text}");
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{text}");
    assert!(text.contains("error"), "{text}");
    text
}

#[test]
fn wrong_use_of_the_command_line() {
    let f = Folder::new("use");
    let source = f.write("a.hlsl", "");
    assert!(fails(&["-T", "lib_6_3", &f.path("no.hlsl")]).contains("no such file"));
    assert!(fails(&["-T", "lib_6_3"]).contains("no source file"));
    assert!(fails(&[&source]).contains("-T"));
    assert!(fails(&["-T", "ms_6_4", &source]).contains("ms_6_5 to ms_6_10"));
    assert!(fails(&["-spirw", "-T", "lib_6_3", &source]).contains("did you mean `-spirv`"));
    assert!(fails(&["-T", "lib_6_3", "-HV", "1999", &source]).contains("1999"));
    assert!(fails(&["-T", "lib_6_3", "-validator-version", "9.9", &source]).contains("9.9"));
    assert!(fails(&["-T", "lib_6_3", "-fspv-target-env=vulkan0.9", "-spirv", &source]).contains("vulkan1.1"));
    assert!(fails(&["-T", "lib_6_3", "-Fo", &f.path("x.rtp"), &source]).contains("-spirv"));
    assert!(fails(&["-T", "lib_6_3", "-Zpr", "-Zpc", &source]).contains("contradict"));
    assert!(fails(&["-T", "lib_6_3", &f.to_string_lossy()]).contains("directory"));
    assert!(fails(&["dis", &f.path("no.dxil")]).contains("no such file"));
    assert!(fails(&["reflect"]).contains("no file given"));
}

/// An argument that is no text of Unicode, which systems allow.
#[test]
fn arguments_that_are_no_unicode() {
    #[cfg(unix)]
    let argument = std::os::unix::ffi::OsStringExt::from_vec(b"\xff.hlsl".to_vec());
    #[cfg(windows)]
    let argument = std::os::windows::ffi::OsStringExt::from_wide(&[0xd800, u16::from(b'x')]);
    let argument: std::ffi::OsString = argument;
    let programs = [Some(env!("CARGO_BIN_EXE_rtc")), Some(env!("CARGO_BIN_EXE_rtc-opt")), option_env!("CARGO_BIN_EXE_rtc-run")];
    for program in programs.into_iter().flatten() {
        let out = Command::new(program).arg(&argument).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && !text.is_empty() && !text.contains("panicked"), "{program}: {text}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [["--help"], ["-help"], ["--version"]] {
        let out = rtc(&args);
        assert!(out.status.success() && !out.stdout.is_empty(), "{args:?}");
    }
    let help = String::from_utf8_lossy(&rtc(&["--help"]).stdout).into_owned();
    assert!(help.contains("-Fo <FILE>") && !help.contains("--Fo"), "{help}");
}

#[test]
fn a_failed_run_leaves_no_file() {
    let f = Folder::new("half");
    let source = f.write("a.hlsl", "[shader(\"miss\")] void M(inout int p) {}");
    let out = f.path("a.dxil");
    fails(&["-T", "lib_6_3", &source, "-Fo", &out, "-Fc", &f.path("a.txt")]);
    assert_eq!(f.list(), ["a.hlsl"]);
    let good = f.write("b.hlsl", "struct P { int n; }; [shader(\"miss\")] void M(inout P p) { p.n = 1; }");
    fails(&["-T", "lib_6_3", &good, "-Fo", &f.path("no/such/folder/b.dxil")]);
    assert_eq!(f.list(), ["a.hlsl", "b.hlsl"]);
    assert!(rtc(&["-T", "lib_6_3", &good, "-Fo", &out]).status.success());
    assert_eq!(f.list(), ["a.dxil", "a.hlsl", "b.hlsl"]);
}

#[test]
fn malformed_sources() {
    let f = Folder::new("sources");
    let cycle = f.write("cycle.hlsl", "#include \"cycle.hlsl\"\n");
    assert!(fails(&["-T", "lib_6_3", &cycle]).contains("E0125"));
    let missing = f.write("missing.hlsl", "#include \"not_there.h\"\n");
    let text = fails(&["-T", "lib_6_3", &missing]);
    assert!(text.contains("not_there.h") && text.contains("missing.hlsl"), "{text}");
    let comment = f.write("comment.hlsl", "int a;\n/* never closed\n");
    let text = fails(&["-T", "lib_6_3", &comment]);
    assert!(text.contains("E0105") && text.contains("comment.hlsl:2:1"), "{text}");
    let syntax = f.write("syntax.hlsl", "void f() { int x = ; }\nvoid g() { return 1 }\n");
    let text = fails(&["-T", "lib_6_3", "-fdiagnostics-format=short", &syntax]);
    assert!(text.contains("syntax.hlsl:1:20: error:") && text.contains("syntax.hlsl:2:"), "{text}");
    let garbage: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fails(&["-T", "lib_6_3", &f.write("garbage.hlsl", garbage)]);
    fails(&["-T", "lib_6_3", &f.write("control.hlsl", [1u8; 100])]);
}

#[test]
fn huge_and_deep_sources_end() {
    let f = Folder::new("huge");
    let start = Instant::now();
    let deep = |open: &str, close: &str| format!("void f() {{ int x = {}1{}; }}", open.repeat(100_000), close.repeat(100_000));
    fails(&["-T", "lib_6_3", &f.write("parens.hlsl", deep("(", ")"))]);
    fails(&["-T", "lib_6_3", &f.write("minus.hlsl", format!("void f() {{ int x = {}1; y; }}", "-".repeat(100_000)))]);
    fails(&["-T", "lib_6_3", &f.write("blocks.hlsl", "void f() ".to_owned() + &"{".repeat(100_000))]);
    fails(&["-T", "lib_6_3", &f.write("ifs.hlsl", "void f() { ".to_owned() + &"if (1) ".repeat(100_000))]);
    fails(&["-T", "lib_6_3", &f.write("macro.hlsl", doubling())]);
    // One line of 100 MB, all comment, then a mistake.
    let mut line = vec![b'x'; 100 << 20];
    line[..2].copy_from_slice(b"//");
    line.extend_from_slice(b"\nint x = ;\n");
    let text = fails(&["-T", "lib_6_3", &f.write("line.hlsl", line)]);
    assert!(text.contains("line.hlsl:2:") && text.len() < 2000, "{}", text.len());
    assert!(start.elapsed() < Duration::from_secs(300), "{:?}", start.elapsed());
}

/// Macros that double forty times.
fn doubling() -> String {
    let mut text = "#define M0 x\n".to_owned();
    for i in 1..=40 {
        text += &format!("#define M{i} M{0} M{0}\n", i - 1);
    }
    text + "int y = M40;\n"
}

#[test]
fn truncated_files_are_named_not_followed() {
    let f = Folder::new("truncated");
    let source = f.write("a.hlsl", "struct P { int n; }; [shader(\"miss\")] void M(inout P p) { p.n = 1; }");
    for name in ["a.dxil", "a.rtp"] {
        let out = f.path(name);
        let extra: &[&str] = if name == "a.rtp" { &["-spirv"] } else { &[] };
        let made = rtc(&[&["-T", "lib_6_3", &source, "-Fo", &out], extra].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let bytes = std::fs::read(&out).unwrap();
        for cut in [0, 3, 31, 40, bytes.len() / 2, bytes.len() - 1] {
            let text = fails(&["dis", &f.write("cut", &bytes[..cut])]);
            assert!(text.contains("cut"), "{text}");
            fails(&["reflect", &f.path("cut")]);
        }
    }
}
