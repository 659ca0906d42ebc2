//! The GPU benchmark, tiny, on the machine's Vulkan device: forms of each scene compute the same, and a bundle runs without compilers. Times are
//! not looked at. `RTC_GPU_BENCH=name` takes the scenes with that in their names, `RTC_GPU_BENCH_ALL=1` all of them.
#![cfg(feature = "run")]

#[path = "shared/compilers.rs"]
mod compilers;
#[path = "shared/runs.rs"]
mod runs;

use std::path::{Path, PathBuf};
use std::process::Command;

use compilers::Compiler;
use rtc_differential::gpu_bench::{Bundle, Compile, Source, own};
use rtc_oracles::selection::Filter;
use rtc_oracles::skip;
use serde_json::Value;

/// Not a test of its own: the process that the test below starts.
#[test]
fn reference_compiler_process() {
    compilers::be_the_reference();
}

/// The samples that are measured unless all scenes are selected, besides the shaders of `lit-tests/gpu-bench`: the others have tests of their own.
const SAMPLES: [&str; 3] = ["callable", "hello", "ser-pathtracer"];

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

fn sources() -> Vec<Source> {
    let wanted = Filter::new("RTC_GPU_BENCH");
    let mut all = own(workspace()).expect("the scenes");
    assert!(all.len() >= 18, "{all:?}");
    let every = wanted.is_set() || std::env::var_os("RTC_GPU_BENCH_ALL").is_some();
    let few = |s: &Source| SAMPLES.contains(&s.name.as_str()) || s.file.extension().is_some_and(|e| e == "hlsl");
    all.retain(|s| wanted.takes(&s.name) && (every || few(s)));
    wanted.must_have_matched();
    all
}

fn bundle(sources: &[Source], folder: &Path, scale: f64) -> PathBuf {
    let rtc = |args: &[String], source: &Path, out: &Path| compilers::compile(Compiler::Rtc, args, source, out);
    let theirs = |args: &[String], source: &Path, out: &Path| compilers::compile(Compiler::Reference, args, source, out);
    let reference: Result<&Compile<'_>, String> = match rtc_oracles::Dxc::load() {
        Ok(_) => Ok(&theirs),
        Err(missing) => Err(missing.to_string()),
    };
    let bundle = Bundle { rtc: &rtc, reference, scale, turns: 1, repeat: 1, two_forms: false };
    bundle.make(sources, folder, |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn forms_have_the_same_results() {
    if let Err(missing) = rtc_oracles::vulkan::available() {
        return skip::skip(missing);
    }
    let folder = runs::folder("gpu-bench", "forms");
    let sources = sources();
    let manifest = bundle(&sources, &folder, 0.125);
    // The bundle is all that is needed.
    let out = folder.join("results");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtc-run"));
    command.arg("--bench").arg(&manifest).arg("-o").arg(&out).args(["--device", "vulkan"]).env("PATH", "").env("RTC", "/nowhere");
    let done = command.output().expect("rtc-run starts");
    let messages = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{messages}");
    let table = String::from_utf8_lossy(&done.stdout);
    assert_eq!(table, std::fs::read_to_string(out.join("gpu-bench.md")).expect("the table"));
    let report: Value = serde_json::from_str(&std::fs::read_to_string(out.join("gpu-bench.json")).expect("the report")).expect("JSON");
    let jobs = report["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), sources.len(), "{table}");
    let (mut compared, mut chosen) = (0, Vec::new());
    for job in jobs {
        let forms = job["forms"].as_array().expect("forms");
        let ran = forms.iter().filter(|f| f["ms"].is_object());
        assert!(ran.clone().count() >= 1, "{job:#}");
        for form in ran {
            assert!(form["verdict"] == "equal" || form["verdict"] == "rounded", "{job:#}");
            compared += usize::from(form["form"] == "reference");
            // Its frames one by one: the first and those until two agreed, and one turn of one.
            let frames = |f: &Value| f.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(|t| t.as_f64() > Some(0.0)));
            let turns = form["turns_ms"].as_array().expect("turns");
            assert!(
                frames(&form["warm_up_ms"]) && turns.len() == 1 && frames(&turns[0]) && turns[0][0] == form["ms"]["median"],
                "{form:#}"
            );
            assert!(form["turns_host_ms"][0][0].as_f64() > Some(0.0), "{form:#}");
            // The stack of each ray, of each of its forms.
            let stacks = &form["stack_bytes"];
            assert!(stacks.is_u64() != stacks.as_object().is_some_and(|all| all.values().all(Value::is_u64)), "{form:#}");
            // What the runtime chooses from a package with several forms, it has measured before.
            for kept in form["kept"].as_array().into_iter().flatten() {
                let measured = kept["ns_per_ray"].as_object().expect("times");
                let why = if measured.len() > 1 { "measured" } else { "the only form that this device runs" };
                assert!(
                    kept["why"] == why && kept["form"].as_str().is_some_and(|f| measured.is_empty() || measured.contains_key(f)),
                    "{form:#}"
                );
                let samples = kept["samples"].as_array().expect("samples");
                assert!(measured.keys().all(|name| samples.iter().filter(|s| s["form"] == name.as_str()).count() >= 2), "{form:#}");
                let row = format!("| auto: {} | `-O3 -fspv-ser=auto` |", kept["form"].as_str().unwrap_or_default());
                assert!(table.contains(&row), "{row} in\n{table}");
                chosen.push(job["name"].as_str().expect("a name"));
            }
        }
    }
    if sources.iter().any(|s| s.name == "ser-pathtracer") {
        assert!(chosen.contains(&"ser-pathtracer"), "{table}");
    }
    if rtc_oracles::Dxc::load().is_ok() && !Filter::new("RTC_GPU_BENCH").is_set() {
        assert!(compared >= 10, "{compared} scenes were compared with the reference\n{table}");
    }
}

#[test]
fn other_results_are_no_comparison() {
    if let Err(missing) = rtc_oracles::vulkan::available() {
        return skip::skip(missing);
    }
    let folder = runs::folder("gpu-bench", "other");
    let sources = [Source { name: "shadows".into(), file: workspace().join("lit-tests/gpu-bench/shadows.hlsl") }];
    let manifest = bundle(&sources, &folder, 0.125);
    let text = std::fs::read_to_string(&manifest).expect("the manifest");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    // The second form is a scene without light.
    let dark = folder.join("dark.hlsl");
    let source = std::fs::read_to_string(workspace().join("lit-tests/gpu-bench/shadows.hlsl")).expect("the source");
    let inputs = workspace().join("lit-tests/gpu-bench/Inputs/bench.hlsli");
    let source = source.replace("Inputs/bench.hlsli", &inputs.display().to_string()).replace("shadow.lit ?", "false ?");
    std::fs::write(&dark, source).expect("a file");
    let args = ["-T", "lib_6_3", "-HV", "2021", "-spirv"].map(str::to_string);
    compilers::compile(Compiler::Rtc, &args, &dark, &folder.join("packages/dark.rtp")).unwrap_or_else(|e| panic!("{e}"));
    let forms = value["jobs"][0]["forms"].as_array_mut().expect("forms");
    forms.truncate(1);
    forms.push(serde_json::json!({ "name": "dark", "options": "", "package": "packages/dark.rtp" }));
    std::fs::write(&manifest, value.to_string()).expect("the manifest");
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtc-run"));
        command.arg("--bench").arg(&manifest).arg("-o").arg(folder.join("results")).args(more);
        command.output().expect("rtc-run starts")
    };
    let done = run(&[]);
    let messages = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(!done.status.success() && messages.contains("shadows, dark: other results than the first form"), "{messages}");
    let report = std::fs::read_to_string(folder.join("results/gpu-bench.json")).expect("the report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert!(report["jobs"][0]["forms"][1]["ms"].is_null(), "{report:#}");

    let messages = String::from_utf8_lossy(&run(&["--only", "nothing"]).stderr).into_owned();
    assert!(messages.contains("no scene `nothing`") && messages.contains("shadows"), "{messages}");
    // A damaged package is an error of its form, and of no other.
    std::fs::write(folder.join("packages/dark.rtp"), b"no package").expect("a file");
    let messages = String::from_utf8_lossy(&run(&[]).stderr).into_owned();
    assert!(
        !messages.contains("panicked")
            && std::fs::read_to_string(folder.join("results/gpu-bench.md")).expect("the table").contains("shadows, dark:"),
        "{messages}"
    );
    std::fs::write(&manifest, "{").expect("the manifest");
    let messages = String::from_utf8_lossy(&run(&[]).stderr).into_owned();
    assert!(messages.contains("manifest.json`: EOF"), "{messages}");
}
