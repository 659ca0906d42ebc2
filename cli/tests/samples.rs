//! The samples, judged from outside: validators at every level, RDAT against the reference compiler's, pictures
//! against the reference pictures.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::{Dxc, Llvm, SpirvVal, container, skip};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// Names of the samples: each folder with a source of its own name.
fn samples() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("samples"))
        .expect("the folder of samples")
        .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|n| source(n).is_file())
        .collect();
    names.sort();
    assert!(names.len() >= 3, "{names:?}");
    names
}

fn source(name: &str) -> PathBuf {
    root().join("samples").join(name).join(format!("{name}.hlsl"))
}

/// A file for this test program alone.
fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("samples");
    std::fs::create_dir_all(&dir).expect("a folder");
    dir.join(name)
}

#[track_caller]
fn compile(file: &Path, args: &[&str], out: &Path) -> Vec<u8> {
    let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(args).arg(file).arg("-Fo").arg(out).output().expect("rtc starts");
    assert!(done.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&done.stderr));
    std::fs::read(out).expect("the object")
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

const LEVELS: [&str; 5] = ["-Od", "-O0", "-O1", "-O2", "-O3"];

#[test]
fn samples_are_valid_at_every_level() {
    let (dxc, llvm, spirv) = match (Dxc::load(), Llvm::find(), SpirvVal::load()) {
        (Ok(a), Ok(b), Ok(c)) => (a, b, c),
        (Err(m), ..) | (_, Err(m), _) | (.., Err(m)) => return skip::skip(m),
    };
    for name in samples() {
        for level in LEVELS {
            for profile in ["lib_6_3", "lib_6_5", "lib_6_6"] {
                let out = scratch(&format!("{name}{level}{profile}.dxil"));
                let bytes = compile(&source(&name), &["-T", profile, level, "-validator-version", "1.6"], &out);
                if let Err(e) = dxc.validate(&bytes) {
                    panic!("{name} {level} {profile}: {e}");
                }
                if let Err(e) = llvm.verify_container(&bytes) {
                    panic!("{name} {level} {profile}: LLVM: {e}");
                }
            }
            // The samples' payloads have no access qualifiers, which these profiles want by default.
            for profile in ["lib_6_7", "lib_6_8"] {
                let bytes = compile(&source(&name), &["-T", profile, level, "-disable-payload-qualifiers"], &scratch(&format!("{name}{level}{profile}.dxil")));
                if let Err(e) = llvm.verify_container(&bytes) {
                    panic!("{name} {level} {profile}: LLVM: {e}");
                }
            }
            for env in ["-fspv-target-env=vulkan1.2", "-fspv-target-env=vulkan1.3"] {
                let out = scratch(&format!("{name}{level}.spv"));
                let bytes = compile(&source(&name), &["-T", "lib_6_3", "-spirv", env, level], &out);
                if let Err(e) = spirv.validate(&words(&bytes)) {
                    panic!("{name} {level} {env}: {e}");
                }
            }
        }
    }
}

#[test]
fn rdat_equals_the_reference() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    for name in samples() {
        let text = std::fs::read_to_string(source(&name)).expect("the source");
        let args = ["-T", "lib_6_3", "-validator-version", "1.6"];
        let theirs = dxc.compile(&text, &name, &args);
        let Some(theirs) = theirs.object else { panic!("{name}: {}", theirs.diagnostics) };
        let ours = compile(&source(&name), &args, &scratch(&format!("{name}.rdat.dxil")));
        let (a, b) = (container::part(&ours, b"RDAT"), container::part(&theirs, b"RDAT"));
        assert!(a.is_some() && a == b, "{name}: RDAT differs");
        assert_eq!(container::part(&ours, b"SFI0"), container::part(&theirs, b"SFI0"), "{name}: SFI0");
    }
}

#[test]
fn rdat_of_the_newest_reference() {
    let dir = match rtc_oracles::shared_dir() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let dir = dir.join("reference");
    for (args, reference) in [
        (&["-T", "lib_6_3", "-validator-version", "1.6"][..], "rt_basic.val16.dxil"),
        (&["-T", "lib_6_3", "-validator-version", "1.10"], "rt_basic.dxil"),
    ] {
        let ours = compile(&dir.join("rt_basic.hlsl"), args, &scratch(reference));
        let theirs = std::fs::read(dir.join(reference)).expect("the reference container");
        for part in [b"RDAT", b"SFI0"] {
            assert_eq!(container::part(&ours, part), container::part(&theirs, part), "{reference}");
        }
    }
}

#[test]
#[cfg(feature = "run")]
fn samples_render_their_pictures() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    for name in samples() {
        let folder = root().join("samples").join(&name);
        let out = scratch("pictures");
        let done = Command::new(env!("CARGO_BIN_EXE_rtc-run"))
            .arg(folder.join("scene.toml"))
            .arg("-o")
            .arg(&out)
            .env("RTC", env!("CARGO_BIN_EXE_rtc"))
            .output()
            .expect("rtc-run starts");
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        let made = out.join(format!("{name}.png"));
        let reference = folder.join("reference.png");
        if std::env::var_os("RTC_BLESS").is_some() {
            std::fs::copy(&made, &reference).expect("the reference is rewritten");
        }
        let read = |p: &Path| image::open(p).unwrap_or_else(|e| panic!("{}: {e}", p.display())).to_rgba8();
        let (a, b) = (read(&made), read(&reference));
        assert_eq!(a.dimensions(), b.dimensions(), "{name}");
        let worst = a.iter().zip(b.iter()).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(255);
        assert!(worst <= 1, "{name}: a channel differs by {worst}; RTC_BLESS=1 takes the new picture");
        let mean = a.iter().map(|&x| u64::from(x)).sum::<u64>() / a.len() as u64;
        assert!((16..250).contains(&mean), "{name}: a picture of mean {mean} shows nothing");
    }
}
