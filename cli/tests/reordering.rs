//! The conformance sets and the newest DXIL validator, if it is installed: the pinned validator supports only shader models up to 6.6.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::{Dxv, skip};

#[test]
fn the_conformance_sets_are_valid() {
    let dxv = match Dxv::find() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("lit-tests/tests");
    let mut shaders: Vec<PathBuf> = ["ser", "run/dxr"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).expect("a conformance set"))
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "hlsl"))
        .collect();
    shaders.sort();
    assert!(shaders.len() >= 200, "{}", shaders.len());
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reordering.dxil");
    let mut refused = 0;
    for shader in &shaders {
        let text = std::fs::read_to_string(shader).expect("the source");
        let options = text.lines().find_map(|l| l.strip_prefix("// rtc ")).unwrap_or_else(|| panic!("{}: no arguments", shader.display()));
        if text.contains(&format!("RUN: not %rtc {options} %s")) {
            refused += 1;
            continue;
        }
        for level in ["-Od", "-O3"] {
            let done = Command::new(env!("CARGO_BIN_EXE_rtc"))
                .args(options.split_whitespace())
                .args([level, "-no-warnings", "-Fo"])
                .arg(&out)
                .arg(shader)
                .output()
                .expect("rtc starts");
            assert!(done.status.success(), "{}: {}", shader.display(), String::from_utf8_lossy(&done.stderr));
            if let Err(e) = dxv.validate_file(&out) {
                panic!("{} {level}: {e}", shader.display());
            }
        }
    }
    assert!(refused * 20 < shaders.len(), "{refused} are errors");
}
