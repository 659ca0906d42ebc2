//! The sample whose payload nobody annotated: `rtc paq -fix` writes its qualifiers, and the shaders stay what they were.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::{Dxv, Llvm, SpirvVal, skip};

const NAME: &str = "wide-payload";

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("samples")
}

/// A copy of the sample, annotated: its folder. The profile of its scene is the first that wants qualifiers.
fn annotated(test: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("paq_sample_{test}"));
    _ = fs::remove_dir_all(&root);
    for folder in [NAME, "common"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
        for entry in fs::read_dir(samples().join(folder)).expect("the sample").flatten() {
            fs::copy(entry.path(), root.join(folder).join(entry.file_name())).expect("a copy");
        }
    }
    let folder = root.join(NAME);
    let source = folder.join(format!("{NAME}.hlsl"));
    let before = fs::read_to_string(&source).expect("the source");
    assert!(!before.contains("raypayload") && !before.contains(": read("));

    let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(["paq", "-T", "lib_6_7", "-HV", "2021", "-fix"]).arg(&source).output().expect("rtc starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let after = fs::read_to_string(&source).expect("the source");
    // Lines stay where they are, and those that changed are declarations.
    assert_eq!(before.lines().count(), after.lines().count());
    for (b, a) in before.lines().zip(after.lines()).filter(|(b, a)| b != a) {
        assert!(b.starts_with("struct ") || a.starts_with(b.trim_end_matches(';')), "{b}\n{a}");
    }
    for line in [
        "struct [raypayload] PathPayload",
        "    float3 throughput : read(miss) : write(caller);",
        "    uint seed : read(caller, closesthit) : write(caller, closesthit);",
        "    float3 origin : read(caller) : write(closesthit);",
        "    float3 previousPosition : read() : write();",
        "struct [raypayload] ShadowPayload",
    ] {
        assert!(after.lines().any(|l| l == line), "no line `{line}` in\n{after}");
    }
    let scene = fs::read_to_string(folder.join("scene.toml")).expect("the scene");
    assert!(scene.contains("profile = \"lib_6_5\""));
    fs::write(folder.join("scene.toml"), scene.replace("profile = \"lib_6_5\"", "profile = \"lib_6_7\"")).expect("a scene");
    folder
}

/// The annotated sample compiled with more arguments: the object.
#[track_caller]
fn compile(folder: &Path, args: &[&str]) -> Vec<u8> {
    let out = folder.join("out");
    let source = folder.join(format!("{NAME}.hlsl"));
    let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(["-T", "lib_6_7", "-HV", "2021"]).args(args).arg(source).arg("-Fo").arg(&out).output();
    let done = done.expect("rtc starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{args:?}: {said}");
    // What is said, if anything, is of what nobody reads.
    for line in said.lines().filter(|l| l.starts_with("warning") || l.starts_with("error")) {
        assert!(line.contains("is lost when `Hit"), "{said}");
    }
    fs::read(out).expect("the object")
}

#[test]
fn llvm_reads_the_annotated_sample() {
    let llvm = match Llvm::find() {
        Ok(l) => l,
        Err(m) => return skip::skip(m),
    };
    let folder = annotated("llvm");
    for level in ["-Od", "-O3"] {
        llvm.verify_container(&compile(&folder, &[level])).unwrap_or_else(|e| panic!("{level}: {e}"));
    }
}

#[test]
fn the_newer_validator_takes_the_annotated_sample() {
    let dxv = match Dxv::find() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let folder = annotated("dxv");
    for level in ["-Od", "-O3"] {
        dxv.validate(&compile(&folder, &[level])).unwrap_or_else(|e| panic!("{level}: {e}"));
    }
}

#[test]
fn the_annotated_sample_is_valid_spirv() {
    let spirv = match SpirvVal::load() {
        Ok(s) => s,
        Err(m) => return skip::skip(m),
    };
    let folder = annotated("spirv");
    for level in ["-Od", "-O3"] {
        let bytes = compile(&folder, &["-spirv", "-fspv-target-env=vulkan1.3", level]);
        spirv.validate_bytes(&bytes).unwrap_or_else(|e| panic!("{level}: {e}"));
    }
}

/// The report's sizes of the payload: as declared, and packed by the qualifiers that were written.
#[test]
fn qualifiers_say_how_the_payload_gets_smaller() {
    let folder = annotated("sizes");
    let source = folder.join(format!("{NAME}.hlsl"));
    let done = Command::new(env!("CARGO_BIN_EXE_rtc"))
        .args(["-T", "lib_6_7", "-HV", "2021", "-report", "paq"])
        .arg(source)
        .arg("-Fo")
        .arg(folder.join("out"))
        .output()
        .expect("rtc starts");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let number = |before: &str, after: &str| -> u32 {
        let line = text.split("payload PathPayload").nth(1).expect("the payload").lines();
        let found = line.filter_map(|l| l.split_once(before)?.1.split_once(after)?.0.rsplit(' ').next()?.parse().ok()).next();
        found.unwrap_or_else(|| panic!("no number between `{before}` and `{after}`:\n{text}"))
    };
    let declared = number(": ", " bytes");
    let packed = number("as declared: at most", " bytes packed");
    assert_eq!(declared, 108);
    assert!((64..declared * 3 / 4).contains(&packed), "{packed} bytes:\n{text}");
}

#[cfg(feature = "run")]
#[test]
fn the_annotated_sample_makes_the_same_picture() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    let folder = annotated("picture");
    let reference = folder.join("reference.png");
    let made = render(&folder, &[]);
    let read = |p: &Path| image::open(p).unwrap_or_else(|e| panic!("{}: {e}", p.display())).to_rgba8();
    let (a, b) = (read(&made), read(&reference));
    assert_eq!(a.dimensions(), b.dimensions());
    let worst = a.iter().zip(b.iter()).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(255);
    assert!(worst <= 1, "a channel differs by {worst}");
}

/// The picture that the annotated sample makes, compiled with more options.
#[cfg(feature = "run")]
fn render(folder: &Path, options: &[&str]) -> PathBuf {
    let out = folder.join("picture");
    let done = Command::new(env!("CARGO_BIN_EXE_rtc-run"))
        .arg(folder.join("scene.toml"))
        .arg("-o")
        .arg(&out)
        .arg("--")
        .args(options)
        .env("RTC", env!("CARGO_BIN_EXE_rtc"))
        .output()
        .expect("rtc-run starts");
    assert!(done.status.success(), "{options:?}: {}", String::from_utf8_lossy(&done.stderr));
    out.join(format!("{NAME}.png"))
}
