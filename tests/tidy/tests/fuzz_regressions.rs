//! Inputs that fuzzing found to fail, and inputs at the edges, replayed through the fuzz targets without cargo-fuzz.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use targets::TARGETS;

/// The main thread of a fuzz target has a stack of this size; a test thread has less.
const STACK: usize = 8 << 20;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("cannot read {}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn regressions_do_not_fail() {
    for &(name, target) in TARGETS {
        let inputs = files(&fuzz().join("regressions").join(name));
        assert!(!inputs.is_empty(), "{name} has no input");
        for file in inputs {
            let bytes = std::fs::read(&file).expect("the input");
            let run = std::thread::Builder::new().stack_size(STACK).spawn(move || target(&bytes)).expect("a thread");
            assert!(run.join().is_ok(), "the target `{name}` panics on {}", file.display());
        }
    }
}

/// Functions, programs and folders are the same set, so none is forgotten.
#[test]
fn every_target_has_a_program_and_regressions() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| name.to_string()).collect();
    let stems = |folder: &str| -> BTreeSet<String> {
        files(&fuzz().join(folder)).iter().map(|f| f.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
    };
    assert_eq!(stems("fuzz_targets"), names);
    assert_eq!(stems("regressions"), names);
    let manifest: toml::Table = std::fs::read_to_string(fuzz().join("Cargo.toml")).expect("the manifest").parse().expect("TOML");
    let bins = manifest["bin"].as_array().expect("programs");
    assert_eq!(bins.iter().map(|b| b["name"].as_str().expect("a name").to_string()).collect::<BTreeSet<_>>(), names);
}
