//! `rtc explore`: exports, the server as a process, and what it says about wrong arguments.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SOURCE: &str = "// rtc -T cs_6_6 -DN=3\n#include \"half.hlsli\"\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() { Out.Store(0, half_of(N * 4)); }\n";
const INCLUDED: &str = "uint half_of(uint x) { return x * x / 2; }\n";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore-command").join(name);
    _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    std::fs::write(path.join("a.hlsl"), SOURCE).expect("a file");
    std::fs::write(path.join("half.hlsli"), INCLUDED).expect("a file");
    path
}

fn explore(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc")).current_dir(folder).arg("explore").args(arguments).output().expect("rtc starts")
}

fn said(done: &Output) -> String {
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[test]
fn pages_and_models_are_exported() {
    let folder = folder("export");
    let done = explore(&folder, &["a.hlsl", "--export", "a.html"]);
    assert!(done.status.success(), "{}", said(&done));
    let page = std::fs::read_to_string(folder.join("a.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("id=\"live\">null"));
    let done = explore(&folder, &["-T", "cs_6_2", "a.hlsl", "-D", "N=8", "--export=a.json"]);
    assert!(done.status.success(), "{}", said(&done));
    let model: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("a.json")).expect("a model")).expect("JSON");
    assert_eq!((model["profile"].as_str(), model["entry"].as_str()), (Some("cs_6_2"), Some("main")));
    let names: Vec<&str> = model["files"].as_array().expect("files").iter().filter_map(|f| f["name"].as_str()).collect();
    assert_eq!(names.len(), 2);
    assert!(names[0] == "a.hlsl" && names[1].ends_with("half.hlsli"), "{names:?}");
    // 32 * 32 / 2, of the options and not of the first line.
    assert!(model.to_string().contains("i32 512"));
    // A source with errors has a page, which shows them.
    std::fs::write(folder.join("half.hlsli"), "uint half_of(uint x) { return y; }\n").expect("a file");
    let done = explore(&folder, &["a.hlsl", "--export", "b.html"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(said(&done).contains("half.hlsli:1: error: use of undeclared identifier `y`"), "{}", said(&done));
    assert!(folder.join("b.html").is_file());
}

#[test]
fn wrong_arguments_are_named() {
    let folder = folder("wrong");
    for (arguments, words) in [
        (&[][..], "no source file given"),
        (&["a.hlsl", "half.hlsli"], "more than one source file given: `half.hlsli` too"),
        (&["none.hlsl"], "cannot read `none.hlsl`"),
        (&["-"], "not standard input"),
        (&["a.hlsl", "--port", "x"], "`x` is not a port from 0 to 65535"),
        (&["a.hlsl", "--port", "70000"], "`70000` is not a port"),
        (&["a.hlsl", "--port"], "option `--port` requires a number"),
        (&["a.hlsl", "--export"], "option `--export` requires a file"),
        (&["a.hlsl", "--export", "no/such/folder/a.html"], "cannot write `no/such/folder/a.html`"),
        (&["a.hlsl", "-nonsense"], "nonsense"),
    ] {
        let done = explore(&folder, arguments);
        assert_eq!(done.status.code(), Some(1), "{arguments:?}: {}", said(&done));
        assert!(said(&done).contains(words), "{arguments:?}: {}", said(&done));
    }
    let help = explore(&folder, &["--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("usage: rtc explore"));
}

#[test]
fn a_change_of_an_included_file_is_another_version() {
    let folder = folder("served");
    let mut server = Command::new(env!("CARGO_BIN_EXE_rtc"))
        .current_dir(&folder)
        .args(["explore", "a.hlsl"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("rtc starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("a.hlsl is at http://").and_then(|l| l.strip_suffix('/')).expect("an address").to_owned();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(&address).expect("a connection");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("it is sent");
        let mut out = String::new();
        stream.read_to_string(&mut out).expect("an answer");
        out.split_once("\r\n\r\n").expect("a body").1.to_owned()
    };
    assert!(get("/").contains("i32 72"));
    let version = get("/version");
    assert_eq!(get("/version"), version);
    std::fs::write(folder.join("half.hlsli"), "uint half_of(uint x) { return x * x * x / 2; }\n").expect("a file");
    assert_ne!(get("/version"), version);
    assert!(get("/model.json").contains("i32 864"));
    server.kill().expect("it is ended");
    server.wait().expect("it ended");
}
