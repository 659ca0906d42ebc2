//! Persistent workers with Bazel itself: both protocols, one request and several at once, with and without sandboxes, mistakes, a header that changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{sources, words};
use crate::world::{PATIENCE, World};

/// A rule that compiles a source with a worker.
const RULES: &str = r#"
def _shader(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".dxil")
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add_all(ctx.attr.options)
    args.add(ctx.file.src)
    args.add("-Fo", out)
    ctx.actions.run(
        executable = ctx.executable._rtc,
        inputs = [ctx.file.src] + ctx.files.headers,
        outputs = [out],
        arguments = [args],
        mnemonic = "Rtc",
        execution_requirements = ctx.attr.requirements,
    )
    return [DefaultInfo(files = depset([out]))]

shader = rule(
    implementation = _shader,
    attrs = {
        "src": attr.label(allow_single_file = True),
        "headers": attr.label_list(allow_files = True),
        "options": attr.string_list(),
        "requirements": attr.string_dict(),
        "_rtc": attr.label(default = "//compiler:rtc", executable = True, cfg = "exec", allow_single_file = True),
    },
)
"#;

/// Targets: a source in each kind of worker, one with a warning, two with mistakes.
const TARGETS: &str = r#"
load(":rules.bzl", "shader")

ONE = {"supports-workers": "1"}
SEVERAL = {"supports-workers": "1", "supports-multiplex-workers": "1", "supports-worker-cancellation": "1"}
ONE_JSON = {"supports-workers": "1", "requires-worker-protocol": "json"}
SEVERAL_JSON = {"supports-workers": "1", "supports-multiplex-workers": "1", "requires-worker-protocol": "json"}
HEADERS = ["inc/common.hlsli", "value.hlsli"]

[
    shader(name = "%s%d" % (kind, n), src = "a.hlsl", headers = HEADERS, options = ["-T", "cs_6_6", "-DN=%d" % n], requirements = requirements)
    for kind, requirements in [("one", ONE), ("several", SEVERAL), ("one_json", ONE_JSON), ("several_json", SEVERAL_JSON)]
    for n in [0, 4, 8]
]

shader(name = "warns", src = "warns.hlsl", headers = HEADERS, options = ["-T", "lib_6_6"], requirements = ONE)
shader(name = "wrong", src = "wrong.hlsl", headers = HEADERS, options = ["-T", "lib_6_6"], requirements = SEVERAL)
shader(name = "undeclared", src = "a.hlsl", headers = ["value.hlsli"], options = ["-T", "cs_6_6", "-DN=9"], requirements = ONE)
"#;

/// Where Bazel has its files: not in the folder, which it would take for sources.
fn root(w: &World) -> PathBuf {
    w.folder.with_file_name("root")
}

/// Builds with Bazel: whether it succeeds, and what it says.
fn bazel(w: &World, program: &Path, arguments: &[&str]) -> (bool, String) {
    let build = ["build", "--color=no", "--curses=no", "--strategy=Rtc=worker", "--worker_verbose"];
    command(w, program, &[&build[..], arguments].concat())
}

/// Runs a command of Bazel; one that does not end is ended.
fn command(w: &World, program: &Path, arguments: &[&str]) -> (bool, String) {
    let log = w.folder.join("bazel.log");
    let file = fs::File::create(&log).expect("it can be made");
    let mut command = Command::new(program);
    command.current_dir(&w.folder).env("HOME", &w.folder).arg(format!("--output_user_root={}", root(w).display()));
    command.arg("--batch").args(arguments);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file).spawn().expect("bazel starts");
    let begin = Instant::now();
    loop {
        let ended = child.try_wait().expect("it is waited for");
        let said = || fs::read_to_string(&log).expect("it is there");
        if let Some(status) = ended {
            return (status.success(), said());
        }
        if begin.elapsed() > 3 * PATIENCE {
            _ = child.kill();
            _ = child.wait();
            panic!("Bazel does not end: {}", said());
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn bazel_builds_with_workers() {
    let Some(program) = rtc_oracles::programs::find_program("bazel") else { return rtc_oracles::skip("there is no `bazel`") };
    let w = sources();
    w.write("WORKSPACE", "");
    // Some machines have the program and not what it needs, as a Java that is old enough.
    let (starts, said) = command(&w, &program, &["info", "workspace"]);
    if !starts {
        return rtc_oracles::skip(format!("`bazel` does not start here: {}", said.lines().last().unwrap_or_default()));
    }
    w.write("rules.bzl", RULES);
    w.write("BUILD.bazel", TARGETS);
    w.write("compiler/BUILD.bazel", "exports_files([\"rtc\"], visibility = [\"//visibility:public\"])\n");
    fs::copy(env!("CARGO_BIN_EXE_rtc"), w.folder.join("compiler/rtc")).expect("it can be copied");
    let kinds = ["one", "several", "one_json", "several_json"];
    let targets: Vec<String> = kinds.iter().flat_map(|kind| [0, 4, 8].map(|n| format!("//:{kind}{n}"))).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    for (sandbox, value) in [("--noworker_sandboxing", 1), ("--worker_sandboxing", 100)] {
        w.write("value.hlsli", &format!("#define VALUE {value}\n"));
        let arguments = [&[sandbox, "--experimental_worker_allow_json_protocol", "//:warns"], &targets[..]].concat();
        let (success, said) = bazel(&w, &program, &arguments);
        assert!(success && said.contains("13 worker"), "{said}");
        assert!(said.contains("warns.hlsl:2:") && said.contains("warning: "), "what a job prints is shown: {said}");
        for n in [0, 4, 8] {
            assert!(w.run(&words(&format!("-T cs_6_6 a.hlsl -DN={n} -Fo plain.dxil"))).status.success());
            let expected = fs::read(w.folder.join("plain.dxil")).expect("it is made");
            for kind in kinds {
                let made = fs::read(w.folder.join(format!("bazel-bin/{kind}{n}.dxil"))).expect("it is made");
                assert!(expected == made, "{kind}{n} {sandbox}");
            }
        }
    }
    let (success, said) = bazel(&w, &program, &["-k", "--worker_sandboxing", "//:wrong", "//:undeclared"]);
    assert!(!success && said.contains("wrong.hlsl:2:") && said.contains("use of undeclared identifier `y`"), "{said}");
    assert!(said.contains("a.hlsl:1:") && said.contains("inc/common.hlsli"), "a sandbox has the declared files alone: {said}");
    // Files of Bazel's are read-only.
    _ = Command::new("chmod").args(["-R", "u+w"]).arg(root(&w)).status();
}
