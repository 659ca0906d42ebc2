//! The command line of the compiler as a process: what it refuses before it writes, what it says of what it drops, and in which form.

use std::fs;

// This file needs a part of it.
#[allow(dead_code)]
#[path = "shared/folder.rs"]
mod folder;

use folder::{Folder, text};

const SHADER: &str = "#include \"a.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, VALUE); }\n";

fn folder() -> Folder {
    let f = Folder::new();
    f.write("x.hlsl", SHADER);
    f.write("a.hlsli", "#define VALUE 1\n");
    f
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let f = folder();
    fs::create_dir(f.0.join("d")).expect("it can be made");
    for (option, more) in [("-Fo", ""), ("-Fc", ""), ("-Fh", ""), ("-Fe", ""), ("-Fi", "-P"), ("-MF", "-MD"), ("-Fd", "-Zi"), ("-Fsh", "")]
    {
        for file in ["x.hlsl", "a.hlsli", "d/../x.hlsl", "./a.hlsli"] {
            let mut arguments = vec!["-T", "cs_6_0", "-E", "main", "x.hlsl", option, file];
            arguments.extend(Some(more).filter(|m| !m.is_empty()));
            let done = f.rtc(&arguments);
            let said = text(&done.stderr);
            assert_eq!(done.status.code(), Some(1), "{arguments:?}");
            assert!(said.contains(&format!("`{option} {file}` would write over what is read")), "{arguments:?}: {said}");
        }
    }
    let done = f.rtc(&["-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "o", "-depfile=x.hlsl"]);
    assert!(text(&done.stderr).contains("`-depfile x.hlsl` would write over what is read") && !f.0.join("o").exists());
    assert_eq!(fs::read_to_string(f.0.join("x.hlsl")).expect("it is there"), SHADER);
    // What is made may be made again, and be listed.
    for _ in 0..2 {
        assert!(f.rtc(&["-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "o.dxil"]).status.success());
    }
    let done = f.rtc(&["dis", "o.dxil", "-o", "o.dxil"]);
    assert!(text(&done.stderr).contains("would write over what is read"), "{}", text(&done.stderr));
}

#[test]
fn one_call_writes_object_and_depfile() {
    let f = folder();
    let done = f.rtc(&["-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "x.o", "-Fh", "x h.h", "-depfile=x.d", "-MP"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(f.0.join("x.o").exists() && f.0.join("x h.h").exists());
    let rule = fs::read_to_string(f.0.join("x.d")).expect("it is written");
    assert_eq!(rule, "x.o x\\ h.h: x.hlsl \\\n a.hlsli\n\na.hlsli:\n");
    // A file that an option names is a dependency, too.
    f.write("private.bin", "secret");
    assert!(f.rtc(&["-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "x.o", "-depfile=x.d", "-setprivate", "private.bin"]).status.success());
    assert!(fs::read_to_string(f.0.join("x.d")).expect("it is written").ends_with(" \\\n private.bin\n"));
    // The rule of a header is not that of the source.
    assert!(f.rtc(&["-T", "cs_6_0", "-E", "main", "-MD", "-MF", "out.d", "-Fh", "out.inl", "-Vn", "blob", "x.hlsl"]).status.success());
    assert!(fs::read_to_string(f.0.join("out.d")).expect("it is written").starts_with("out.inl: x.hlsl "));
    // What fails leaves nothing.
    f.write("a.hlsli", "#define VALUE bad\n");
    assert!(!f.rtc(&["-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "y.o", "-depfile=y.d"]).status.success());
    assert!(!f.0.join("y.o").exists() && !f.0.join("y.d").exists());
}

#[test]
fn errors_of_the_command_line_are_records() {
    let f = folder();
    for arguments in [
        &["-T", "cs_6_0", "-E", "main", "nothere.hlsl"][..],
        &["-T", "cs_6_0", "-frobnicate", "x.hlsl"],
        &["-T", "zs_6_0", "x.hlsl"],
        &["-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "x.hlsl"],
        &["x.hlsl"],
    ] {
        let done = f.rtc(&[&["-fdiagnostics-format=json"], arguments].concat());
        let said = text(&done.stderr);
        let record: serde_json::Value = serde_json::from_str(&said).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {said}"));
        assert_eq!((record["severity"].as_str(), record["labels"].as_array().map(Vec::len)), (Some("error"), Some(0)), "{said}");
        assert!(!record["message"].as_str().unwrap_or_default().is_empty());
    }
    // Remarks, too, and the form of a response file counts.
    f.write("args.rsp", "-fdiagnostics-format=json -Wno-conversoin");
    let done = f.rtc(&["@args.rsp", "-T", "cs_6_0", "-E", "main", "x.hlsl", "-Fo", "o"]);
    assert!(done.status.success());
    let record: serde_json::Value = serde_json::from_str(&text(&done.stderr)).expect("a record");
    assert_eq!(record["severity"], "warning");
    assert!(record["message"].as_str().is_some_and(|m| m.contains("did you mean `-Wno-conversion`?")), "{record}");
    // A build gives events.
    let done = f.rtc(&["build", "--json", "none.toml"]);
    let event: serde_json::Value = serde_json::from_str(&text(&done.stdout)).expect("an event");
    assert_eq!((event["event"].as_str(), event["message"].as_str().map(|m| m.contains("none.toml"))), (Some("error"), Some(true)));
}

#[test]
fn places_are_those_that_editors_read() {
    let f = folder();
    f.write("a.hlsli", "#define VALUE K\n#define K bad\nstatic int y = nowhere;\n");
    let said = |arguments: &[&str]| text(&f.rtc(&[&["-T", "cs_6_0", "-E", "main", "x.hlsl"], arguments].concat()).stderr);
    let short = said(&[]);
    assert!(short.contains("x.hlsl:1:10: note: included from here\n"), "{short}");
    assert!(short.contains("note: in the expansion of macro `K` used here\n"), "{short}");
    assert!(said(&["-fdiagnostics-format=msvc-code"]).contains("a.hlsli(3,16): error E0301: "));
    f.write("x.hlsl", "#include \"none.hlsli\"\n");
    assert!(said(&[]).starts_with("x.hlsl:1:10: fatal error: file `none.hlsli` not found"), "{}", said(&[]));
    // Colours are an option, or those of a terminal.
    assert!(said(&["-fcolor-diagnostics"]).contains("\u{1b}[1;31mfatal error: \u{1b}[0m") && !said(&[]).contains('\u{1b}'));
    let rich = said(&["-fcolor-diagnostics", "-fdiagnostics-format=rich"]);
    assert!(rich.contains("\u{1b}[1;31merror[E0124]"), "{rich:?}");
}

/// The folder of `-I` is misspelled: once said, of the option.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_in_another_case_is_said_once() {
    let f = folder();
    fs::create_dir(f.0.join("inc")).expect("it can be made");
    for name in ["p", "q", "r"] {
        f.write(&format!("inc/{name}.hlsli"), "");
    }
    f.write("x.hlsl", "#include \"p.hlsli\"\n#include \"q.hlsli\"\n#include \"R.hlsli\"\n[numthreads(1, 1, 1)] void main() {}\n");
    let said = text(&f.rtc(&["-T", "cs_6_0", "-E", "main", "-I", "INC", "x.hlsl", "-Fo", "o"]).stderr);
    assert_eq!(said.matches("[W0102]").count(), 2, "{said}");
    assert!(said.contains("the folder of `-I INC` is found as `inc`") && said.contains("`R.hlsli` is found as `inc/r.hlsli`"), "{said}");
}

#[test]
fn a_fix_has_a_name_of_the_kind_that_fits() {
    let f = folder();
    let said = |source: &str| {
        f.write("y.hlsl", source);
        text(&f.rtc(&["-T", "cs_6_0", "-E", "main", "y.hlsl"]).stderr)
    };
    let value = said("RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = bad; }");
    assert!(value.contains("E0301") && !value.contains("fix:"), "an intrinsic function is no value: {value}");
    assert!(
        said("RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { float bed = 1; o[0] = bad; }")
            .contains("fix: replace `bad` with `bed`")
    );
    assert!(
        said("RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = bad(1, 2, 3); }").contains("fix: replace `bad` with `mad`")
    );
    assert!(
        said("RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { float clam = 1; o[0] = clamq(1, 2, 3); }").contains("with `clamp`")
    );
    assert!(said("struct Lihgt { int a; }; Light l; RWBuffer<float> o; [numthreads(1, 1, 1)] void main() {}").contains("with `Lihgt`"));
}

#[test]
fn words_that_are_no_commands() {
    let f = folder();
    let said = |arguments: &[&str]| text(&f.rtc(arguments).stderr);
    assert!(
        said(&["frobnicate", "x.toml"]).contains("there is no command and no file `frobnicate`"),
        "{}",
        said(&["frobnicate", "x.toml"])
    );
    assert!(said(&["biuld"]).contains("did you mean `rtc build`?"));
    assert!(said(&["run", "x.toml", "--frams", "3"]).contains("unknown option `--frams`; did you mean `--frames`?"));
    assert_eq!(said(&["run", "x.toml", "--frams", "3"]).lines().count(), 1);
    let help = text(&f.rtc(&["--help"]).stdout);
    assert!(help.lines().any(|l| l.starts_with("  build [rtc.toml]") && l.contains("build the shaders of a description")), "{help}");
    let version = text(&f.rtc(&["--version"]).stdout);
    assert!(version.starts_with("rtc 0.") && version.contains("features: ") && version.contains("compared with dxc 1."), "{version}");
    for command in ["build", "cache"] {
        let help = text(&f.rtc(&[command, "--help"]).stdout);
        assert!(help.contains(&format!("Usage: rtc {command} [OPTIONS]")), "{help}");
    }
}
