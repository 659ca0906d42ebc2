//! The sample without payload access qualifiers: `rtc paq -fix` writes them, and the shaders behave the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::{Dxv, Llvm, SpirvVal, skip};
use rtc_package::Package;

const NAME: &str = "wide-payload";

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("samples")
}

/// A copy of the sample, annotated: its folder.
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

    let done = Command::new(env!("CARGO_BIN_EXE_rtc"))
        .args(["paq", "-T", "lib_6_7", "-HV", "2021", "-fix", "-tightest"])
        .arg(&source)
        .output()
        .expect("rtc starts");
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
    folder
}

/// The annotated sample compiled with more arguments to a file, whose extension says of what kind it is: the object.
#[track_caller]
fn compile(folder: &Path, args: &[&str], out: &str) -> Vec<u8> {
    let out = folder.join(out);
    let source = folder.join(format!("{NAME}.hlsl"));
    let done =
        Command::new(env!("CARGO_BIN_EXE_rtc")).args(["-T", "lib_6_7", "-HV", "2021"]).args(args).arg(source).arg("-Fo").arg(&out).output();
    let done = done.expect("rtc starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{args:?}: {said}");
    // The only warnings concern fields that no shader reads.
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
        llvm.verify_container(&compile(&folder, &[level], "out.dxil")).unwrap_or_else(|e| panic!("{level}: {e}"));
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
        dxv.validate(&compile(&folder, &[level], "out.dxil")).unwrap_or_else(|e| panic!("{level}: {e}"));
    }
}

#[test]
fn the_annotated_sample_is_valid_spirv() {
    let spirv = match SpirvVal::load() {
        Ok(s) => s,
        Err(m) => return skip::skip(m),
    };
    let folder = annotated("spirv");
    for args in [
        ["-Od", "-payload-layout=declared"],
        ["-O3", "-payload-layout=declared"],
        ["-Od", "-payload-layout=packed"],
        ["-O3", "-payload-layout=packed"],
    ] {
        let bytes = compile(&folder, &[&["-spirv", "-fspv-target-env=vulkan1.3"], &args[..]].concat(), "out.spv");
        spirv.validate_bytes(&bytes).unwrap_or_else(|e| panic!("{args:?}: {e}"));
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

/// Bytes of the largest payload in the package.
fn payload_bytes(folder: &Path, args: &[&str]) -> u32 {
    let package = Package::read(&compile(folder, &[&["-spirv"], args].concat(), "out.rtp")).expect("a package");
    package.map.entries.iter().map(|e| e.payload_size).max().expect("entry points")
}

#[test]
fn the_packed_payload_is_smaller() {
    let folder = annotated("packed");
    let declared = payload_bytes(&folder, &[]);
    assert_eq!(declared, 108);
    assert_eq!(payload_bytes(&folder, &["-payload-layout=declared"]), declared);
    for level in ["-Od", "-O3"] {
        let packed = payload_bytes(&folder, &["-payload-layout=packed", level]);
        assert!((60..=72).contains(&packed), "{level}: {packed} bytes");
    }
}

#[cfg(feature = "run")]
#[test]
fn the_annotated_sample_makes_the_same_picture_in_both_layouts() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    let folder = annotated("picture");
    let read = |p: &Path| image::open(p).unwrap_or_else(|e| panic!("{}: {e}", p.display())).to_rgba8();
    let reference = read(&folder.join("reference.png"));
    for layout in ["-payload-layout=declared", "-payload-layout=packed"] {
        let made = read(&render(&folder, &[layout]));
        assert_eq!(made.dimensions(), reference.dimensions());
        let worst = made.iter().zip(reference.iter()).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(255);
        assert!(worst <= 1, "{layout}: a channel differs by {worst}");
    }
}

/// The picture that the annotated sample makes, compiled with more options.
#[cfg(feature = "run")]
fn render(folder: &Path, options: &[&str]) -> PathBuf {
    let out = folder.join("picture");
    let done = Command::new(env!("CARGO_BIN_EXE_rtc-run"))
        .arg(folder.join("scene.toml"))
        .args(["--device", "vulkan"])
        .arg("-o")
        .arg(&out)
        .args(["--", "-T", "lib_6_7"])
        .args(options)
        .env("RTC", env!("CARGO_BIN_EXE_rtc"))
        .output()
        .expect("rtc-run starts");
    assert!(done.status.success(), "{options:?}: {}", String::from_utf8_lossy(&done.stderr));
    out.join(format!("{NAME}.png"))
}
