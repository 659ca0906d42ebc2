//! Helpers for the tests of the linker: a folder for each test, runs of rtc that must succeed or fail, and validation of the output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rtc_oracles::{Dxc, Dxv, Llvm, container, skip};

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    rtc_test_support::clean(env!("CARGO_TARGET_TMPDIR"), &format!("link/{name}"))
}

/// Runs rtc.
pub fn rtc(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtc")).current_dir(dir).args(args).output().expect("rtc starts")
}

/// Runs rtc, which must succeed; gives what it says.
#[track_caller]
pub fn good(dir: &Path, args: &[&str]) -> String {
    let done = rtc(dir, args);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{args:?}: {text}");
    text
}

/// Runs rtc, which must fail with these messages and leave no `out.dxil`.
#[track_caller]
pub fn bad(dir: &Path, args: &[&str], expected: &[&str]) {
    let out = dir.join("out.dxil");
    _ = std::fs::remove_file(&out);
    let done = rtc(dir, args);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{args:?}: {text}");
    for w in expected {
        assert!(text.contains(w), "{args:?}: no `{w}` in: {text}");
    }
    assert!(!out.exists(), "{args:?} left a file");
}

/// Compiles `source` with rtc from `NAME.hlsl` to `out`.
#[track_caller]
pub fn compile_to(dir: &Path, out: &str, name: &str, source: &str, args: &[&str]) {
    let file = format!("{name}.hlsl");
    std::fs::write(dir.join(&file), source).expect("a source");
    good(dir, &[args, &["-no-warnings", &file, "-Fo", out]].concat());
}

/// A file.
pub fn read(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).expect("a file")
}

/// A part of a container, which has one.
#[track_caller]
pub fn part(bytes: &[u8], name: &[u8; 4]) -> Vec<u8> {
    container::part(bytes, name).unwrap_or_else(|| panic!("no {name:?}")).to_vec()
}

/// What `rtc dis` prints.
pub fn listing(dir: &Path, file: &str) -> String {
    String::from_utf8_lossy(&rtc(dir, &["dis", file]).stdout).into_owned()
}

/// The operations that a line of a listing calls: name, and what follows its parenthesis.
pub fn operation(line: &str) -> Option<(&str, &str)> {
    let op = line.split_once("@dx.op.").or_else(|| line.split_once("@\"dx.op."));
    op.filter(|_| line.contains("call "))?.1.split_once('(')
}

/// Asks LLVM, the CPU device, and the validators that know the container's shader model; `old`: the pinned one does.
#[track_caller]
pub fn validate(dir: &Path, file: &str, old: bool) {
    validate_without_running(dir, file, old);
    runs(file, &read(dir, file));
}

/// The same without the CPU device, which does not draw.
#[track_caller]
pub fn validate_without_running(dir: &Path, file: &str, old: bool) {
    let bytes = read(dir, file);
    match Llvm::find() {
        Ok(llvm) => llvm.verify_container(&bytes).unwrap_or_else(|e| panic!("{file}: {e}")),
        Err(m) => skip::skip(m),
    }
    match (old, Dxc::load()) {
        (true, Ok(dxc)) => drop(dxc.validate(&bytes).unwrap_or_else(|e| panic!("{file}: {e}"))),
        (true, Err(m)) => skip::skip(m),
        (false, _) => {}
    }
    validate_with_newer(dir, file);
}

/// The CPU device loads it, or says what of it is missing.
#[cfg(feature = "cpu")]
#[track_caller]
fn runs(file: &str, container: &[u8]) {
    use rtc_host::cpu::{device, jit::Cache};
    use rtc_host::device::{Device, ProgramOptions};
    use rtc_host::state_object::{Overrides, PipelineConfig, ShaderConfig};
    let options = device::CpuOptions { cache: Cache::Off, ..Default::default() };
    let mut device = device::CpuDevice::open(options).expect("the CPU device");
    let overrides = Overrides {
        shader: Some(ShaderConfig { max_payload: 4096, max_attribute: 32 }),
        pipeline: Some(PipelineConfig { max_recursion: 1, flags: 0 }),
        ..Overrides::default()
    };
    if let Err(e) = device.load(container, &ProgramOptions { overrides, ..Default::default() }) {
        let e = e.to_string();
        let reasons = ["which is not a DXIL operation", "the library exports no shader"];
        assert!(reasons.iter().any(|r| e.contains(r)), "{file}: {e}");
    }
}

#[cfg(not(feature = "cpu"))]
fn runs(_: &str, _: &[u8]) {
    skip::skip("built without the CPU device: LLVM 19 was not there to build with");
}

/// Asks the newer validator.
#[track_caller]
pub fn validate_with_newer(dir: &Path, file: &str) {
    match Dxv::find() {
        Ok(dxv) => dxv.validate_file(&dir.join(file)).unwrap_or_else(|e| panic!("{file}: {e}")),
        Err(m) => skip::skip(m),
    }
}
