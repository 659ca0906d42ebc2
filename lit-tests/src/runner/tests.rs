//! Outcomes of the runner: each case writes a test file and runs it.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::exec::Outcome;
use super::tools::{Features, Tools};
use super::{Config, TestFile, discover, run_test};

/// A folder with tests, removed at the end.
struct Fixture {
    dir: PathBuf,
    config: Config,
}

impl Fixture {
    fn new() -> Fixture {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("rtc-lit-{}-{number}", std::process::id()));
        let root = dir.join("tests");
        fs::create_dir_all(&root).expect("a temporary folder");
        let tools = Tools {
            bin_dir: dir.join("bin"),
            oracle_program: PathBuf::from("/nowhere/lit"),
            features: Features::for_tests(&[
                ("here", true),
                ("absent", false),
                ("dxv", false),
                ("dxc", false),
                ("vulkan", false),
                ("cpu", true),
            ]),
            scratch: dir.join("tmp"),
        };
        let config = Config { root, tools, bless: false, timeout: Duration::from_secs(20) };
        Fixture { dir, config }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.config.root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        path
    }

    /// A program of the product that prints its arguments.
    #[cfg(unix)]
    fn program(&self, name: &str) {
        let folder = &self.config.tools.bin_dir;
        fs::create_dir_all(folder).expect("a folder");
        std::os::unix::fs::symlink("/bin/echo", folder.join(name)).expect("a link");
    }

    fn run(&self, text: &str) -> Outcome {
        let file = self.write("case.test", text);
        run_test(&self.config, &file)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

#[track_caller]
fn passes(text: &str) {
    let outcome = Fixture::new().run(text);
    assert_eq!(outcome, Outcome::Passed);
}

#[track_caller]
fn fails(text: &str, wanted: &[&str]) {
    match Fixture::new().run(text) {
        Outcome::Failed(report) => {
            for text in wanted {
                assert!(report.contains(text), "no `{text}` in:\n{report}");
            }
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn skips(text: &str, wanted: &str) {
    match Fixture::new().run(text) {
        Outcome::Skipped(why) => assert!(why.contains(wanted), "no `{wanted}` in: {why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pipes_into_file_check() {
    passes("// RUN: echo one two | FileCheck %s\n// CHECK: two\n");
    fails("// RUN: echo one | FileCheck %s\n// CHECK: two\n", &["line 1: ", "case.test:2:11: error: CHECK", "<stdin>:1:1"]);
    fails("// RUN: echo one | FileCheck %s\n// CHECK: one\n// CHECK-NXT: two\n", &["did you mean `CHECK-NEXT`"]);
    passes("// RUN: echo one | not FileCheck %s\n// CHECK: two\n");
    passes("// RUN: echo a | FileCheck %s --check-prefix=A\n// RUN: echo b | FileCheck %s --check-prefix=A-B\n// A: a\n// A-B: b\n");
}

#[test]
fn every_command_of_a_pipeline_counts() {
    fails("// RUN: false | echo a | FileCheck %s\n// CHECK: a\n", &["`false` ended with status 1"]);
    passes("// RUN: not false | echo a | FileCheck %s\n// CHECK: a\n");
    fails("// RUN: not true\n", &["and should fail"]);
    passes("// RUN: not not true\n");
    passes("// RUN: ! false\n");
}

#[test]
fn lists() {
    passes("// RUN: true && true\n");
    fails("// RUN: true && false\n", &["`false`"]);
    passes("// RUN: false || true\n");
    fails("// RUN: false && echo never | count 1\n", &["`false`"]);
    passes("// RUN: false ; true\n");
    fails("// RUN: true\n// RUN: false\n", &["line 2: false"]);
}

#[test]
fn redirections_and_files() {
    passes("// RUN: echo a > %t && echo b >> %t && cat < %t | count 2\n");
    passes("// RUN: not cat nothing 2>&1 | FileCheck %s\n// CHECK: cannot read nothing\n");
    passes("// RUN: not cat nothing 2> %t ; FileCheck %s < %t\n// CHECK: cannot read nothing\n");
    passes("// RUN: not cat nothing &> %t ; FileCheck %s --input-file=%t\n// CHECK: cannot read nothing\n");
    passes("// RUN: echo a >&2 | count 0\n");
    fails("// RUN: cat < %t\n", &["cannot read"]);
    passes("// RUN: printf 'a\\x00\\n' > %t && cp %t %T/b && cmp %t b && test -s b && test ! -e c\n");
    fails("// RUN: echo a > a && echo b > b && diff a b\n", &["from line 1 on", "- a", "+ b"]);
    passes("// RUN: mkdir d && cd d && touch x && ls . | FileCheck %s && cd .. && rm -r d && test ! -e d\n// CHECK: x\n");
    fails("// RUN: rm -r %S\n", &["only folders inside"]);
    passes("// RUN: repeat 1000000 ab | head -c 3 | FileCheck %s\n// CHECK: aba\n");
}

/// Outside programs: started by path, with their environment, their two streams merged in order where requested.
#[cfg(unix)]
#[test]
fn outside_programs() {
    passes("// RUN: env RTC_A=x /usr/bin/env | FileCheck %s\n// CHECK: RTC_A=x\n");
    passes("// RUN: env RTC_A=x env -u RTC_A /usr/bin/env | FileCheck %s\n// CHECK-NOT: RTC_A\n");
    passes("// RUN: /bin/sh -c 'echo a; echo b >&2; echo c' 2>&1 | FileCheck %s\n// CHECK: a\n// CHECK-NEXT: b\n// CHECK-NEXT: c\n");
    passes("// RUN: /bin/sh -c 'echo b >&2; echo c' | FileCheck %s\n// CHECK-NOT: b\n// CHECK: c\n");
    passes("// RUN: echo in | /bin/cat - | FileCheck %s\n// CHECK: in\n");
    passes("// RUN: repeat 3000000 x | /bin/cat | head -c 1 | FileCheck %s\n// CHECK: x\n");
    passes("// RUN: not /bin/sh -c 'exit 3'\n");
    fails("// RUN: /bin/sh -c 'echo why >&2; exit 3'\n", &["ended with status 3", "--- stderr\nwhy"]);
    fails("// RUN: /nowhere/program\n", &["cannot start /nowhere/program"]);
    fails("// RUN: ls-la\n", &["there is no command `ls-la`"]);
}

/// A crash is no expected failure.
#[cfg(unix)]
#[test]
fn crashes() {
    fails("// RUN: not /bin/sh -c 'kill -SEGV $$'\n", &["crashed, and should fail by itself"]);
    passes("// RUN: not --crash /bin/sh -c 'kill -SEGV $$'\n");
    fails("// RUN: not --crash /bin/sh -c 'exit 1'\n", &["and should crash"]);
    fails("// RUN: not /bin/sh -c 'echo thread main panicked at x >&2; exit 101'\n", &["crashed"]);
    passes("// RUN: not /bin/sh -c 'exit 101'\n");
}

#[cfg(unix)]
#[test]
fn timeouts() {
    let mut fixture = Fixture::new();
    fixture.config.timeout = Duration::from_millis(100);
    for text in ["// RUN: /bin/sleep 30\n", "// RUN: not /bin/sleep 30\n", "// RUN: /bin/sh -c 'sleep 30; true' | cat\n"] {
        let start = std::time::Instant::now();
        let outcome = fixture.run(text);
        assert!(matches!(&outcome, Outcome::Failed(report) if report.contains("time is over")), "{outcome:?}");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn conditions() {
    skips("// RUN: false\n// REQUIRES: absent\n", "requires absent: absent is not on this machine");
    passes("// RUN: true\n// REQUIRES: here, !absent\n");
    skips("// RUN: false\n// UNSUPPORTED: here\n", "unsupported where here");
    fails("// RUN: true\n// REQUIRES: heer\n", &["there is no feature `heer`"]);
    passes("// RUN: false\n// XFAIL: *\n");
    fails("// RUN: true\n// XFAIL: here\n", &["has an XFAIL line"]);
    fails("// RUN: false\n// XFAIL: absent\n", &["`false`"]);
}

/// Without an oracle that makes something, a test is skipped from its line on; what comes before still counts.
#[test]
fn missing_oracles() {
    skips("// RUN: true\n// RUN: %dxil-dis %t\n// RUN: false\n", "from line 2 on: dxc is not on this machine");
    fails("// RUN: false\n// RUN: %dxil-dis %t\n", &["`false`"]);
}

/// Without a program that only checks outputs, or without a device, its line is skipped, and so are those that read its output;
/// the others run.
#[cfg(unix)]
#[test]
fn missing_judges() {
    let text = "// RUN: true\n// RUN: %dxv %t\n// RUN: false\n// RUN: FileCheck %s < %t\n// RUN: not %dxv %t | cat\n";
    skips(text, "lines 2, 3, 4, 5: dxv is not on this machine");
    let fixture = Fixture::new();
    fixture.program("rtc");
    fixture.program("rtc-run");
    let run = |text: &str| fixture.run(text);
    let here =
        "// RUN: %rtc-run %s\n// RUN: false\n// RUN: %rtc\n// RUN: true\n// RUN: %rtc-run-cpu | FileCheck %s\n// CHECK: --device cpu\n";
    assert_eq!(run(here), Outcome::Skipped("lines 1, 2: vulkan is not on this machine".into()));
    let Outcome::Failed(report) = run(&format!("{here}// RUN: %rtc && false\n")) else { panic!("a line of a program runs") };
    assert!(report.starts_with("line 7: "), "{report}");
    // What the runner makes itself is made.
    let copied = run("// RUN: %rtc-run %s\n// RUN: cp %s %t\n// RUN: cmp %s %t\n// RUN: echo a > %t\n");
    assert_eq!(copied, Outcome::Skipped("line 1: vulkan is not on this machine".into()));
    // What is made in a line that is skipped is missing afterwards.
    let made = run("// RUN: %rtc > %t && %dxv %t\n// RUN: %rtc %t && false\n");
    assert_eq!(made, Outcome::Skipped("from line 1 on: dxv is not on this machine".into()));
    let both = run("// RUN: %dxv %t\n// RUN: %rtc-run %s\n// RUN: %dxil-dis\n// RUN: false\n");
    let why = "line 1: dxv is not on this machine; line 2: vulkan is not on this machine; from line 3 on: dxc is not on this machine";
    assert_eq!(both, Outcome::Skipped(why.into()));
}

/// A device that lacks something skips a line that says so, and fails any other; other failures are failures.
#[cfg(unix)]
#[test]
fn devices_that_lack_something() {
    use std::os::unix::fs::PermissionsExt;
    let mut fixture = Fixture::new();
    fixture.config.tools.features = Features::for_tests(&[("vulkan", true)]);
    let run = fixture.config.tools.bin_dir.join("rtc-run");
    fs::create_dir_all(&fixture.config.tools.bin_dir).expect("a folder");
    fs::write(&run, "#!/bin/sh\necho no such feature >&2\nexit $3\n").expect("written");
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).expect("permissions");
    let lacks = "// RUN: %rtc-run-where-possible 3\n// RUN: true\n";
    assert_eq!(fixture.run(lacks), Outcome::Skipped("lines 1, 2: no such feature".into()));
    assert_eq!(fixture.run("// RUN: %rtc-run-where-possible 0\n"), Outcome::Passed);
    for text in ["// RUN: %rtc-run-where-possible 1\n", "// RUN: %rtc-run 3\n", &format!("{lacks}// RUN: %rtc-run 3\n")] {
        assert!(matches!(fixture.run(text), Outcome::Failed(r) if r.contains("no such feature")), "{text}");
    }
}

#[test]
fn missing_programs_and_unknown_names() {
    fails("// RUN: %rtc %s\n", &["does not exist: build it first"]);
    fails("// RUN: %rtcc %s\n", &["unknown substitution `%rtcc`"]);
    fails("// nothing\n", &["a test requires a RUN line"]);
}

#[test]
fn snapshots() {
    let mut fixture = Fixture::new();
    let text = "// RUN: echo new | snapshot %s.expected\n";
    let outcome = fixture.run(text);
    assert!(matches!(&outcome, Outcome::Failed(r) if r.contains("cannot be read") && r.contains("RTC_BLESS=1")), "{outcome:?}");
    let expected = fixture.write("case.test.expected", "old\n");
    let outcome = fixture.run(text);
    assert!(matches!(&outcome, Outcome::Failed(r) if r.contains("- old\n+ new") && r.contains("RTC_BLESS=1")), "{outcome:?}");
    assert_eq!(fs::read_to_string(&expected).expect("readable"), "old\n");
    fixture.config.bless = true;
    assert_eq!(fixture.run("// RUN: echo other | not snapshot %s.expected\n"), Outcome::Passed);
    assert_eq!(fs::read_to_string(&expected).expect("readable"), "old\n");
    assert_eq!(fixture.run(text), Outcome::Passed);
    assert_eq!(fs::read_to_string(&expected).expect("readable"), "new\n");
    fixture.config.bless = false;
    assert_eq!(fixture.run(text), Outcome::Passed);
}

#[test]
fn each_run_starts_with_an_empty_folder() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        assert_eq!(fixture.run("// RUN: test ! -e x && touch x\n"), Outcome::Passed);
    }
}

#[test]
fn discovers_tests_and_strays() {
    let fixture = Fixture::new();
    let test = fixture.write("a/one.hlsl", "// RUN: echo | snapshot %s.expected\n");
    fixture.write("a/one.hlsl.expected", "");
    let orphan = fixture.write("a/two.hlsl.expected", "");
    let unnamed = fixture.write("a/one.hlsl.other.expected", "");
    fixture.write("a/Inputs/common.hlsli", "");
    let stray = fixture.write("a/notes.txt", "");
    let found = discover(&fixture.config.root).expect("readable");
    let mut wanted = vec![TestFile::Test(test), TestFile::Stray(orphan), TestFile::Stray(unnamed), TestFile::Stray(stray)];
    wanted.sort_by_key(|f| match f {
        TestFile::Test(p) | TestFile::Stray(p) => p.clone(),
    });
    assert_eq!(found, wanted);
}
