//! `rtc explain`, and the line under diagnostics that names it.

use std::path::Path;
use std::process::Command;

/// Runs the command; gives its standard output, its standard error and whether it succeeds.
fn rtc(arguments: &[&str]) -> (String, String, bool) {
    let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(arguments).output().expect("rtc starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&done.stdout), text(&done.stderr), done.status.success())
}

fn explained(words: &[&str]) -> String {
    let (out, error, good) = rtc(&[&["explain"], words].concat());
    assert!(good && error.is_empty(), "{words:?}: {error}");
    out
}

fn refused(words: &[&str]) -> String {
    let (out, error, good) = rtc(&[&["explain"], words].concat());
    assert!(!good && out.is_empty(), "{words:?}: {out}");
    error
}

#[test]
fn spellings_of_a_code() {
    let page = explained(&["E0705"]);
    assert!(page.starts_with("E0705: a payload access qualifier on a member whose type has its own\n\nError.\n"), "{page}");
    assert!(page.contains("\n    struct [raypayload] P { Hit First; };\n") && !page.contains("```"), "{page}");
    for word in ["e0705", "E705", "705", "0705", "[E0705]", "error[E0705]:", "E0705."] {
        assert_eq!(explained(&[word]), page, "{word}");
    }
    let both = explained(&["704"]);
    assert!(both.contains("E0704: ") && both.contains("\nW0704: "), "{both}");
    assert_eq!(explained(&["E0705", "W0101"]), format!("{page}\n{}", explained(&["W0101"])));
}

#[test]
fn a_group_of_warnings_lists_its_codes() {
    let list = explained(&["-Wwave-across-reorder"]);
    assert_eq!(list, "W0850  a wave property that is used after a reorder point [-Wwave-across-reorder]\n");
    assert_eq!(explained(&["wave-across-reorder"]), list);
    assert!(refused(&["-Wwave-acros-reorder"]).contains("did you mean `-Wwave-across-reorder`?"));
}

#[test]
fn all_codes_are_listed() {
    let list = explained(&["-list"]);
    assert_eq!(list.lines().count(), rtc_tables::diagnostics::ALL.len());
    assert!(list.starts_with("E0101  a character that no token of HLSL starts with\n"), "{list}");
    assert_eq!(explained(&["--list"]), list);
}

#[test]
fn markdown_is_the_page_of_the_book() {
    assert_eq!(explained(&["-markdown", "E0704"]), rtc_book::page("E0704").expect("a page").text);
}

#[test]
fn what_does_not_exist_is_an_error_with_what_is_near() {
    let near = refused(&["E0715"]);
    assert!(
        near.starts_with("rtc: error: there is no diagnostic `E0715`; the nearest are\n  W0715  ") && near.contains("\n  E0714  "),
        "{near}"
    );
    for word in ["E9999", "99999", "E", "", "ü", "E07x4", "-"] {
        let error = refused(&[word]);
        assert!(error.starts_with("rtc: error: "), "{word}: {error}");
    }
    assert!(refused(&["--wrong"]).contains("unknown option `--wrong`"));
    assert!(refused(&[]).contains("no code given"));
    assert!(explained(&["--help"]).starts_with("usage: rtc explain CODES"));
}

#[test]
fn diagnostics_for_people_end_with_the_codes() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain.hlsl");
    std::fs::write(&file, "float2 f(float4 v) { return v; }\nfloat g() { return a; }\nfloat h() { return b; }\n").expect("a file");
    let file = file.to_str().expect("UTF-8");
    let rich = rtc(&["-T", "lib_6_9", "-fdiagnostics-format=rich", file]).1;
    assert!(rich.ends_with("\n`rtc explain E0301` says more\n") && rich.matches("rtc explain").count() == 1, "{rich}");
    for format in ["short", "json"] {
        let other = rtc(&["-T", "lib_6_9", &format!("-fdiagnostics-format={format}"), file]).1;
        assert!(other.contains("E0301") && !other.contains("rtc explain"), "{other}");
    }
    assert!(!rtc(&["-T", "lib_6_9", file]).1.contains("rtc explain"), "a pipe is read by programs");
    std::fs::write(file, "float2 f(float4 v) { return v; }\n").expect("a file");
    let warning = rtc(&["-T", "lib_6_9", "-fdiagnostics-format=rich", file]).1;
    assert!(warning.ends_with("\n`rtc explain W0301` says more\n"), "{warning}");
    std::fs::write(file, "float f(float v) { return v; }\n").expect("a file");
    assert_eq!(rtc(&["-T", "lib_6_9", "-fdiagnostics-format=rich", file]).1, "");
}

/// Programs that call `dxc` read its quotes.
#[cfg(unix)]
#[test]
fn under_the_name_of_dxc_quotes_are_those_of_dxc() {
    use std::os::unix::process::CommandExt;

    let file = std::env::temp_dir().join(format!("rtc-quotes-{}.hlsl", std::process::id()));
    std::fs::write(&file, "float4 main() : SV_Target { return none; }\n").expect("a file");
    let said = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtc"));
        let done = command.arg0(name).args(["-T", "ps_6_0"]).arg(&file).output().expect("rtc starts");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let (dxc, rtc) = (said("dxc"), said("rtc"));
    std::fs::remove_file(&file).expect("the file");
    assert!(dxc.contains("undeclared identifier 'none'") && !dxc.contains('`'), "{dxc}");
    assert_eq!(dxc, rtc.replace('`', "'"));
}

/// What a program prints may be read by one that ends before all is written.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in
        [&["--help"][..], &["explain", "W0710"], &["paq", "--help"], &["validate", "--help"], &["link", "--help"], &["lsp", "--help"]]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(arguments).stdout(writer).output().expect("rtc starts");
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && errors.is_empty(), "{arguments:?}: {:?}\n{errors}", done.status);
    }
}
