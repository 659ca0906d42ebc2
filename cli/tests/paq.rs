//! `rtc paq -fix` and files: all are written or none, permissions stay, links are followed, no temporary file stays.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HEADER: &str =
    "struct P { float a; float b; };\nRaytracingAccelerationStructure Scene : register(t0);\nRWByteAddressBuffer Out : register(u0);\n";
const RAYS: &str = "#include \"p.hlsli\"\nstruct Own { float c; };\n[shader(\"raygeneration\")] void Rg()\n{\n    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };\n    P p; p.b = 1;\n    \
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);\n    Own o; o.c = p.a;\n    TraceRay(Scene, 0, 255, 0, 0, 0, r, o);\n    Out.Store(0, o.c);\n}\n\
    [shader(\"miss\")] void Ms(inout P p) { p.a = p.b; }\n[shader(\"miss\")] void Mo(inout Own p) { p.c += 1; }\n";

fn folder(name: &str) -> PathBuf {
    let f = rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("paq_{name}"));
    fs::write(f.join("p.hlsli"), HEADER).expect("a file");
    fs::write(f.join("rays.hlsl"), RAYS).expect("a file");
    f
}

fn fix(folder: &Path, file: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc"))
        .args(["paq", "-T", "lib_6_7", "-fix"])
        .args(file.split(' '))
        .current_dir(folder)
        .output()
        .expect("it runs")
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("it is there")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut all: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    all.sort();
    all
}

#[test]
fn all_files_or_none() {
    let f = folder("none");
    fs::set_permissions(f.join("rays.hlsl"), fs::Permissions::from_mode(0o444)).expect("permissions");
    let done = fix(&f, "rays.hlsl");
    assert!(!done.status.success());
    assert!(String::from_utf8_lossy(&done.stderr).contains("read-only"), "{done:?}");
    assert_eq!((text(&f, "p.hlsli"), text(&f, "rays.hlsl")), (HEADER.to_owned(), RAYS.to_owned()));
    assert_eq!(names(&f), ["p.hlsli", "rays.hlsl"]);
}

#[test]
fn headers_and_sources_together() {
    let f = folder("both");
    fs::set_permissions(f.join("p.hlsli"), fs::Permissions::from_mode(0o640)).expect("permissions");
    let done = fix(&f, "rays.hlsl");
    assert!(done.status.success(), "{done:?}");
    assert!(
        text(&f, "p.hlsli")
            .starts_with("struct [raypayload] P { float a : read(caller) : write(miss); float b : read(miss) : write(caller); };\n")
    );
    assert!(text(&f, "rays.hlsl").contains("struct [raypayload] Own { float c : read(caller, miss) : write(caller, miss); };"));
    let mode = fs::metadata(f.join("p.hlsli")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(names(&f), ["p.hlsli", "rays.hlsl"]);
    // Nothing is left to be done, so nothing is touched.
    let before = fs::metadata(f.join("p.hlsli")).and_then(|m| m.modified()).expect("it is there");
    assert!(fix(&f, "rays.hlsl").status.success());
    assert_eq!(fs::metadata(f.join("p.hlsli")).and_then(|m| m.modified()).expect("it is there"), before);
}

#[test]
fn links_are_followed() {
    let f = folder("link");
    fs::create_dir(f.join("sub")).expect("a folder");
    std::os::unix::fs::symlink("../rays.hlsl", f.join("sub/link.hlsl")).expect("a link");
    std::os::unix::fs::symlink("../p.hlsli", f.join("sub/p.hlsli")).expect("a link");
    // Two names of one file.
    let done = fix(&f, "sub/link.hlsl rays.hlsl");
    assert!(done.status.success(), "{done:?}");
    assert!(fs::symlink_metadata(f.join("sub/link.hlsl")).expect("it is there").is_symlink());
    assert!(text(&f, "rays.hlsl").contains("struct [raypayload] Own"));
    assert!(text(&f, "p.hlsli").contains("struct [raypayload] P"));
}
