//! `cargo xtask check newest-mesa`: the lit tests on the software device of Debian's newest suite, a second opinion about SPIR-V.
//!
//! `debootstrap` makes a folder with that suite's Mesa once, among the oracles. The programs that are built here run in it: their C library is
//! older, and what they need besides (LLVM) is copied there. Tests that the driver gets wrong, or for which it lacks something, have a row with
//! the cause in `known.tsv`; another failure is ours, and a row whose test passes is an error, too. Only root can change its root
//! folder, so that the check is skipped for others. It takes minutes and the network the first time, so only its name runs it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::{oracle_dir, workspace_root};
use rtc_oracles::programs::find_program;

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;

/// The suite, and the packages that the folder has besides what a Debian system begins with.
const SUITE: &str = "sid";
const PACKAGES: &str = "mesa-vulkan-drivers,libvulkan1";

/// Test, `driver` or `lack`, and what it is, separated by tabs.
const KNOWN: &str = include_str!("known.tsv");

/// Libraries of the C compiler and of the system, which the folder has itself: an older one would hide what its Mesa needs.
const OWN: [&str; 9] =
    ["libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libffi.so", "libtinfo.so", "liblzma.so", "libz.so"];

/// Runs the tests and compares the failures with the list.
pub fn check() -> Outcome {
    for (program, why) in [("debootstrap", "which makes the folder"), ("unshare", "which mounts in a space of its own"), ("chroot", "")] {
        if find_program(program).is_none() {
            return Outcome::Skipped(format!("{program} is missing, {why} (Debian: debootstrap, util-linux, coreutils)"));
        }
    }
    let id = Command::new("id").arg("-u").output();
    if !id.is_ok_and(|o| o.stdout.trim_ascii() == b"0") {
        return Outcome::Skipped("only root can enter another root folder".into());
    }
    match run() {
        Ok(found) if found.is_empty() => Outcome::Passed,
        Ok(found) => Outcome::Failed(found.join("\n")),
        Err(e) => Outcome::Failed(e),
    }
}

/// Makes the folder where it is not there, builds, runs; the differences from the list.
fn run() -> Result<Vec<String>, String> {
    let root = oracle_dir().join("newest-mesa");
    make(&root)?;
    let mut build = plan::cargo();
    build.args([
        "test",
        "--workspace",
        "--no-run",
        "--message-format=json",
        "--bins",
        "--test",
        "lit",
        "--features",
        &plan::test_features(),
    ]);
    let mut step = Step::new("Building the lit tests");
    let lit = executable(&step.run(build.args(plan::lock_flags()))?, "lit").ok_or("cargo names no executable of the lit tests")?;
    step.done();
    let libraries = root.join("rtc-libraries");
    copy_libraries(&root, &libraries)?;
    let mut step = Step::new("Running the lit tests on the newest Mesa");
    // Failures are an exit status, which is no error here.
    let text = step.run(Command::new("sh").arg("-c").arg(format!("{}; true", entering(&root, &lit))))?;
    step.done();
    let results = results(&text);
    if results.len() < 100 {
        return Err(format!("only {} tests ran:\n{text}", results.len()));
    }
    println!("   {} passed, {} failed", results.values().filter(|r| **r).count(), results.values().filter(|r| !**r).count());
    Ok(differences(&results, KNOWN))
}

/// Installs the suite into the folder, unless that was done before to its end.
fn make(root: &Path) -> Result<(), String> {
    let done = root.join(".made");
    if done.is_file() {
        return Ok(());
    }
    _ = fs::remove_dir_all(root);
    let mut step = Step::new("Installing the newest Mesa into a folder");
    step.run(Command::new("debootstrap").arg("--variant=minbase").arg(format!("--include={PACKAGES}")).arg(SUITE).arg(root))?;
    step.done();
    fs::write(&done, "").map_err(|e| format!("cannot write {}: {e}", done.display()))
}

/// Copies what the programs link and the folder lacks.
fn copy_libraries(root: &Path, to: &Path) -> Result<(), String> {
    let fails = |e: std::io::Error| format!("cannot copy libraries to {}: {e}", to.display());
    fs::create_dir_all(to).map_err(fails)?;
    let text = Step::new("Reading what rtc-run links").run(Command::new("ldd").arg(plan::program("rtc-run", false)))?;
    for path in text.split_whitespace().filter(|w| w.starts_with('/')).map(Path::new) {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let there = ["lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"].iter().any(|f| root.join(f).join(&name).exists());
        if !there && !OWN.iter().any(|o| name.starts_with(o)) {
            fs::copy(path, to.join(&name)).map_err(fails)?;
        }
    }
    Ok(())
}

/// The command line of a shell that runs `lit` in the folder, with this repository and its programs at the paths that they have.
fn entering(root: &Path, lit: &Path) -> String {
    let quoted = |p: &Path| format!("'{}'", p.display().to_string().replace('\'', "'\\''"));
    let mut folders: Vec<PathBuf> = vec![workspace_root()];
    let built = plan::target_dir();
    if !built.starts_with(&folders[0]) {
        folders.push(built);
    }
    let mut script = String::new();
    for folder in &folders {
        let inside = root.join(folder.strip_prefix("/").unwrap_or(folder));
        script += &format!("mkdir -p {0} && mount --bind {1} {0} && ", quoted(&inside), quoted(folder));
    }
    script += &format!("mount -t proc proc {0}/proc && mount --bind /dev {0}/dev && ", quoted(root));
    let tests = workspace_root().join("lit-tests");
    script += &format!(
        "exec chroot {} env LD_LIBRARY_PATH=/rtc-libraries VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json RTC_VK_VALIDATION=0 \
         GALLIVM_PERF=nopt RTC_LIT_TIMEOUT=600 CARGO_MANIFEST_DIR={tests} sh -c \"cd {tests} && exec {}\"",
        quoted(root),
        quoted(lit),
        tests = quoted(&tests),
    );
    format!("unshare --mount --propagation private sh -c {}", quoted(Path::new(&script)))
}

/// The executable of the test target `name` in cargo's messages.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let wanted = format!("\"name\":\"{name}\"");
    let line = messages.lines().rfind(|l| l.contains("compiler-artifact") && l.contains("\"test\"") && l.contains(&wanted))?;
    let rest = line.split("\"executable\":\"").nth(1)?;
    Some(PathBuf::from(rest.split('"').next()?))
}

/// Whether each test passed, by name; ignored ones are left out.
fn results(text: &str) -> BTreeMap<String, bool> {
    let line = |l: &str| {
        let (name, result) = l.strip_prefix("test ")?.rsplit_once(" ... ")?;
        match result.trim() {
            "ok" => Some((name.trim().to_string(), true)),
            "FAILED" => Some((name.trim().to_string(), false)),
            _ => None,
        }
    };
    text.lines().filter_map(line).collect()
}

/// What the list does not say: tests that fail and have no row, and rows whose tests pass or do not exist.
fn differences(results: &BTreeMap<String, bool>, known: &str) -> Vec<String> {
    let rows: BTreeSet<&str> =
        known.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()).filter(|n| !n.is_empty()).collect();
    let unknown = results.iter().filter(|(name, passed)| !**passed && !rows.contains(name.as_str()));
    let mut found: Vec<String> = unknown.map(|(name, _)| format!("{name} fails and has no row")).collect();
    found.extend(rows.iter().filter(|r| results.get(**r) != Some(&false)).map(|r| format!("{r} has a row and does not fail")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        let text = "running 3 tests\ntest a/b.hlsl ... ok\ntest c.hlsl  ... FAILED\ntest d.hlsl ... ignored\n";
        assert_eq!(results(text), BTreeMap::from([("a/b.hlsl".to_string(), true), ("c.hlsl".to_string(), false)]));
    }

    #[test]
    fn the_list_is_compared() {
        let results = BTreeMap::from([("a".to_string(), true), ("b".to_string(), false), ("c".to_string(), false)]);
        assert_eq!(
            differences(&results, "# comment\nb\tdriver\twhy\na\tlack\twhy\n"),
            ["c fails and has no row", "a has a row and does not fail"]
        );
    }

    #[test]
    fn every_row_has_a_cause_and_names_a_test() {
        for row in KNOWN.lines().filter(|l| !l.starts_with('#')) {
            let columns: Vec<&str> = row.split('\t').collect();
            assert!(columns.len() == 3 && matches!(columns[1], "driver" | "lack") && !columns[2].is_empty(), "{row}");
            assert!(workspace_root().join("lit-tests/tests").join(columns[0]).is_file(), "{row}");
        }
    }

    #[test]
    fn the_executable_is_found() {
        let messages = "{\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"test\"],\"name\":\"lit\"},\"executable\":\"/t/lit-1\"}\n";
        assert_eq!(executable(messages, "lit"), Some(PathBuf::from("/t/lit-1")));
        assert_eq!(executable(messages, "other"), None);
    }
}
