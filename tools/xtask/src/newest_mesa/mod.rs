//! `cargo xtask check newest-mesa`: the tests that need a Vulkan device, on the software device of Debian's newest suite: a second opinion
//! about SPIR-V.
//!
//! `debootstrap` makes a folder with that suite's Mesa and validation layer once, among the oracles. The programs that are built here run in it:
//! their C library is older, and what they need besides (LLVM) is copied there. Most of the tests compare with numbers in the shaders, with the CPU
//! device, or with modules of the reference compiler. Tests that the driver gets wrong, or for which it lacks something, have a row with the cause in
//! `known.tsv`; another failure is ours, and a row whose test passes is an error, too. Only root can change its root folder, so that the check is
//! skipped for others. It takes minutes and the network the first time, so only its name runs it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::{oracle_dir, workspace_root};
use rtc_oracles::programs::find_program;
use serde_json::Value;

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;

/// The suite, and the packages that the folder has besides what a Debian system begins with.
const SUITE: &str = "sid";
const PACKAGES: &str = "mesa-vulkan-drivers,libvulkan1,vulkan-validationlayers";

/// Test, `driver` or `lack`, and what it is, separated by tabs.
const KNOWN: &str = include_str!("known.tsv");

/// Libraries of the C compiler and of the system, which the folder has itself: an older one would hide what its Mesa needs.
const OWN: [&str; 9] =
    ["libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "libffi.so", "libtinfo.so", "liblzma.so", "libz.so"];

/// A test program, and what of it runs here.
struct Suite {
    /// The name of the test target; results are `TARGET: TEST`.
    target: &'static str,
    /// The words that it is given: a part of the names of its tests, or nothing.
    arguments: &'static [&'static str],
    /// Further variables of its environment.
    environment: &'static [(&'static str, &'static str)],
    /// How many tests pass or fail at the least.
    least: usize,
}

/// All of them.
#[rustfmt::skip]
const SUITES: &[Suite] = &[
    Suite { target: LIT, arguments: &[], environment: &[("RTC_LIT_WITH", "%rtc-run"), ("RTC_LIT_NEWEST_MESA", "1")], least: 300 },
    Suite { target: "samples", arguments: &["pictures"], environment: &[], least: 4 },
    Suite { target: "cpu", arguments: &["samples_make_the_same_picture_on_both_devices"], environment: &[], least: 1 },
    // One process draws all scenes: without the one that ends it.
    Suite { target: "draws", arguments: &["draws_give_what_the_reference_gives"], environment: &[("RTC_DIFFERENTIAL", "!mesh")], least: 1 },
    Suite { target: "differential", arguments: &["compute"], environment: &[], least: 2 },
    Suite { target: "embed", arguments: &[], environment: &[], least: 40 },
    Suite { target: "random_programs", arguments: &["write_the_same_words"], environment: &[], least: 2 },
];

/// The target whose tests have paths as names.
const LIT: &str = "lit";

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

/// Makes the folder where it is not there, builds, runs; the differences from the list. `RTC_NEWEST_MESA` names the suites to run, with commas.
fn run() -> Result<Vec<String>, String> {
    let wanted = std::env::var("RTC_NEWEST_MESA").unwrap_or_default();
    let wanted: Vec<&str> = wanted.split(',').filter(|w| !w.is_empty()).collect();
    if let Some(unknown) = wanted.iter().find(|w| !SUITES.iter().any(|s| s.target == **w)) {
        return Err(format!("RTC_NEWEST_MESA names {unknown}, which is no suite"));
    }
    let suites: Vec<&Suite> = SUITES.iter().filter(|s| wanted.is_empty() || wanted.contains(&s.target)).collect();
    let root = oracle_dir().join("newest-mesa");
    make(&root)?;
    let mut build = plan::cargo();
    build.args(["test", "--workspace", "--no-run", "--message-format=json", "--bins"]);
    suites.iter().for_each(|s| _ = build.args(["--test", s.target]));
    let mut step = Step::new("Building the tests");
    let messages = step.run(build.args(["--features", &plan::test_features()]).args(plan::lock_flags()))?;
    step.done();
    copy_libraries(&root, &root.join("rtc-libraries"))?;
    println!("   {}", device(&root)?);
    let (mut all, mut skips) = (BTreeMap::new(), Vec::new());
    for suite in &suites {
        let test = executable(&messages, suite.target).ok_or_else(|| format!("cargo names no executable of {}", suite.target))?;
        let (found, skipped) = run_suite(&root, suite, &test)?;
        let failed = found.values().filter(|r| !**r).count();
        println!("   {}: {} passed, {failed} failed, {} skipped in parts or whole", suite.target, found.len() - failed, skipped.len());
        all.extend(found);
        skips.extend(skipped);
    }
    let log = root.join("skipped.txt");
    fs::write(&log, skips.join("\n")).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
    println!("   what was skipped, and why: {}", log.display());
    Ok(differences(&all, KNOWN, |name| suites.iter().any(|s| s.target == target_of(name))))
}

/// Runs the tests of a suite; whether each passed, and the skipped ones with their reasons.
fn run_suite(root: &Path, suite: &Suite, test: &Test) -> Result<(BTreeMap<String, bool>, Vec<String>), String> {
    let log = root.join("skips");
    _ = fs::remove_file(&log);
    let mut step = Step::new(format!("Running the tests `{}` on the newest Mesa", suite.target));
    // Failures are an exit status, which is no error here.
    let text = step.run(Command::new("sh").arg("-c").arg(format!("{} 2>&1; true", entering(root, suite, test))))?;
    step.done();
    let kept = root.join(format!("{}.txt", suite.target));
    fs::write(&kept, &text).map_err(|e| format!("cannot write {}: {e}", kept.display()))?;
    let found = results(suite.target, &text);
    let ended = text.lines().any(|l| l.starts_with("test result: "));
    if found.len() < suite.least || !ended {
        let how = if ended { "" } else { ", and the program did not end by itself" };
        return Err(format!("only {} tests of {} ran{how}: {}", found.len(), suite.target, kept.display()));
    }
    let skips = fs::read_to_string(&log).unwrap_or_default().lines().map(str::to_owned).collect();
    Ok((found, skips))
}

/// Installs the suite into the folder, unless that was done before to its end.
fn make(root: &Path) -> Result<(), String> {
    let done = root.join(".made");
    if fs::read_to_string(&done).is_ok_and(|made| made == PACKAGES) {
        return Ok(());
    }
    _ = fs::remove_dir_all(root);
    let mut step = Step::new("Installing the newest Mesa into a folder");
    step.run(Command::new("debootstrap").arg("--variant=minbase").arg(format!("--include={PACKAGES}")).arg(SUITE).arg(root))?;
    step.done();
    fs::write(&done, PACKAGES).map_err(|e| format!("cannot write {}: {e}", done.display()))
}

/// The versions of what the folder has.
fn device(root: &Path) -> Result<String, String> {
    let mut query = Command::new("chroot");
    query.arg(root).args(["dpkg-query", "--show", "--showformat=${Package} ${Version}\n"]).args(PACKAGES.split(','));
    Ok(Step::new("Reading versions").run(&mut query)?.trim().replace('\n', ", "))
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

/// The command line of a shell that runs a test program in the folder, with this repository and its programs at the paths that they have.
fn entering(root: &Path, suite: &Suite, test: &Test) -> String {
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
    let environment: String = suite.environment.iter().map(|(name, value)| format!("'{name}={value}' ")).collect();
    script += &format!(
        "exec chroot {} env LD_LIBRARY_PATH=/rtc-libraries VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json RTC_VK_VALIDATION=0 \
         GALLIVM_PERF=nopt RTC_LIT_TIMEOUT=600 RTC_SKIP_LOG=/skips {environment}CARGO_MANIFEST_DIR={folder} sh -c \"cd {folder} && exec {} {}\"",
        quoted(root),
        quoted(&test.executable),
        suite.arguments.join(" "),
        folder = quoted(&test.folder),
    );
    format!("unshare --mount --propagation private sh -c {}", quoted(Path::new(&script)))
}

/// A test program that was built.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    executable: PathBuf,
    /// The folder of its package.
    folder: PathBuf,
}

/// The test target `name` in cargo's messages.
fn executable(messages: &str, name: &str) -> Option<Test> {
    let mut messages = messages.lines().rev().filter_map(|l| serde_json::from_str::<Value>(l).ok());
    let is_it = |m: &Value| {
        let kinds = m["target"]["kind"].as_array();
        m["target"]["name"] == name && kinds.is_some_and(|k| k.iter().any(|k| k == "test")) && m["executable"].is_string()
    };
    let message = messages.find(is_it)?;
    let path = |v: &Value| v.as_str().map(PathBuf::from);
    Some(Test { executable: path(&message["executable"])?, folder: path(&message["manifest_path"])?.parent()?.to_owned() })
}

/// The name that a test has in the list.
fn listed_name(target: &str, test: &str) -> String {
    if target == LIT { test.to_owned() } else { format!("{target}: {test}") }
}

/// The target of a test in the list.
fn target_of(name: &str) -> &str {
    name.split_once(": ").map_or(LIT, |(target, _)| target)
}

/// Whether each test passed, by name; ignored ones are left out.
fn results(target: &str, text: &str) -> BTreeMap<String, bool> {
    let line = |l: &str| {
        let (name, result) = l.strip_prefix("test ")?.rsplit_once(" ... ")?;
        let name = listed_name(target, name.trim());
        match result.trim() {
            "ok" => Some((name, true)),
            "FAILED" => Some((name, false)),
            _ => None,
        }
    };
    text.lines().filter_map(line).collect()
}

/// What the list does not say: tests that fail and have no row, and rows of suites that ran whose tests pass or do not exist.
fn differences(results: &BTreeMap<String, bool>, known: &str, ran: impl Fn(&str) -> bool) -> Vec<String> {
    let rows: BTreeSet<&str> =
        known.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split('\t').next()).filter(|n| !n.is_empty()).collect();
    let unknown = results.iter().filter(|(name, passed)| !**passed && !rows.contains(name.as_str()));
    let mut found: Vec<String> = unknown.map(|(name, _)| format!("{name} fails and has no row")).collect();
    let passing = rows.iter().filter(|r| ran(r) && results.get(**r) != Some(&false));
    found.extend(passing.map(|r| format!("{r} has a row and does not fail")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        let text = "running 3 tests\ntest a/b.hlsl ... ok\ntest c.hlsl  ... FAILED\ntest d.hlsl ... ignored\n";
        assert_eq!(results(LIT, text), BTreeMap::from([("a/b.hlsl".to_string(), true), ("c.hlsl".to_string(), false)]));
        assert_eq!(results("embed", "test a::b ... ok\n"), BTreeMap::from([("embed: a::b".to_string(), true)]));
    }

    #[test]
    fn the_list_is_compared() {
        let results = BTreeMap::from([("a".to_string(), true), ("b".to_string(), false), ("c".to_string(), false)]);
        let known = "# comment\nb\tdriver\twhy\na\tlack\twhy\nembed: x\tlack\twhy\n";
        assert_eq!(
            differences(&results, known, |name| target_of(name) == LIT),
            ["c fails and has no row", "a has a row and does not fail"]
        );
        assert!(differences(&results, known, |_| true).contains(&"embed: x has a row and does not fail".to_string()));
    }

    #[test]
    fn every_row_has_a_cause_and_names_a_test() {
        for row in KNOWN.lines().filter(|l| !l.starts_with('#')) {
            let columns: Vec<&str> = row.split('\t').collect();
            assert!(columns.len() == 3 && matches!(columns[1], "driver" | "lack") && !columns[2].is_empty(), "{row}");
            let target = target_of(columns[0]);
            assert!(SUITES.iter().any(|s| s.target == target), "{row}");
            assert!(target != LIT || workspace_root().join("lit-tests/tests").join(columns[0]).is_file(), "{row}");
        }
    }

    #[test]
    fn the_executable_is_found() {
        let message = |kind: &str, name: &str, executable: &str| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"manifest_path\":\"/w/p/Cargo.toml\",\"target\":{{\"kind\":[\"{kind}\"],\"name\":\"{name}\"}},\"executable\":{executable}}}\n"
            )
        };
        let messages = message("test", "lit", "\"/t/lit-1\"") + &message("bin", "other", "\"/t/other\"") + "text\n";
        let test = Test { executable: PathBuf::from("/t/lit-1"), folder: PathBuf::from("/w/p") };
        assert_eq!(executable(&messages, "lit"), Some(test));
        assert_eq!(executable(&messages, "other"), None);
    }
}
