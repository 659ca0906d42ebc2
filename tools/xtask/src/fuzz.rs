//! `cargo xtask fuzz`: runs the fuzz targets of the folder `tests/fuzz/` with cargo-fuzz.
//!
//! Each target has a corpus, `fuzz/corpus/TARGET`, which is seeded from the files of the tree (shaders, IR) and from what rtc
//! builds of the samples, and which grows as libFuzzer finds inputs with new coverage. The corpus is not committed. An input that
//! makes a target fail is fixed and kept as `fuzz/regressions/TARGET/NAME`, which is committed: `cargo test` replays those.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::programs::find_program;
use rtc_oracles::{container, facts};

use crate::plan::{self, SPIRV_FLAGS};
use crate::progress::Step;
use crate::tool::{self, TOOLCHAIN, Tool};

/// How long each target runs unless the command line says otherwise, in seconds.
const SECONDS: u32 = 60;

/// Longest seed in bytes: libFuzzer makes slow progress with larger inputs.
const MAX_SEED: u64 = 64 << 10;

/// Runs the targets that the arguments name: a target, seconds, both or neither.
///
/// # Errors
/// When there are no targets, a tool is missing, the corpus cannot be written, or a target fails.
pub fn run(args: &[&str]) -> Result<(), String> {
    let (wanted, seconds) = arguments(args)?;
    let all = targets(&dir())?;
    let chosen: Vec<&String> = all.iter().filter(|t| wanted.is_none_or(|wanted| wanted == *t)).collect();
    if chosen.is_empty() {
        return Err(format!("unknown fuzz target; the targets are: {}", all.join(" ")));
    }
    tool::require("fuzzing", TOOLS)?;
    let samples = built_samples()?;
    for target in chosen {
        let corpus = dir().join("corpus").join(target);
        let added = seed(target, &corpus, &samples)?;
        println!("fuzzing {target} for {seconds} s; {added} new seeds in {}", corpus.display());
        let (regressions, time) = (dir().join("regressions").join(target), format!("-max_total_time={seconds}"));
        let mut command = plan::rustup_cargo();
        command.args([TOOLCHAIN, "fuzz", "run", target]).arg(&corpus).arg(&regressions).args(["--", &time]);
        plan::run_cargo(&mut command).map_err(|e| {
            let artifacts = dir().join("artifacts").join(target);
            format!(
                "{e}\nthe failing input is in {}; reduce it with `cargo {TOOLCHAIN} fuzz tmin {target} FILE`, fix the failure and keep \
                 the input as {}/NAME",
                artifacts.display(),
                regressions.display()
            )
        })?;
    }
    Ok(())
}

/// The folder of the fuzz targets.
fn dir() -> PathBuf {
    workspace_root().join("tests/fuzz")
}

/// The names of all targets.
fn targets(dir: &Path) -> Result<Vec<String>, String> {
    let programs = dir.join("fuzz_targets");
    let entries = fs::read_dir(&programs).map_err(|e| format!("cannot read {}: {e}", programs.display()))?;
    let mut names: Vec<String> = entries.flatten().filter_map(|e| Some(e.file_name().to_str()?.strip_suffix(".rs")?.to_string())).collect();
    names.sort();
    Ok(names)
}

fn arguments<'a>(args: &[&'a str]) -> Result<(Option<&'a str>, u32), String> {
    match args {
        [] => Ok((None, SECONDS)),
        [one] => Ok(one.parse().map_or((Some(*one), SECONDS), |seconds| (None, seconds))),
        [target, seconds] => {
            let seconds = seconds.parse().map_err(|_| format!("`{seconds}` is not a number of seconds"))?;
            Ok((Some(*target), seconds))
        }
        _ => Err("`fuzz` takes a target and a number of seconds".to_string()),
    }
}

#[rustfmt::skip]
const TOOLS: &[Tool] = &[
    tool::RUSTUP,
    tool::NIGHTLY,
    Tool { what: "cargo-fuzz", present: || tool::cargo_succeeds(&[TOOLCHAIN, "fuzz", "--version"]),
           install: "cargo install cargo-fuzz --locked" },
    Tool { what: "a C++ compiler, which builds libFuzzer", present: || find_program("c++").is_some(),
           install: "apt-get install g++   (on Debian)" },
];

/// What rtc builds of the samples: DXIL containers and packages.
struct Built {
    containers: Vec<(String, Vec<u8>)>,
    packages: Vec<(String, Vec<u8>)>,
}

/// Compiles the samples, and adds the containers of the reference compiler.
fn built_samples() -> Result<Built, String> {
    plan::build_product(false)?;
    let out = plan::target_dir().join("fuzz-seeds");
    fs::create_dir_all(&out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
    let mut built = Built { containers: Vec::new(), packages: Vec::new() };
    let mut step = Step::new("Compiling the samples");
    for sample in plan::samples()? {
        for (flags, extension) in [(&[][..], "dxil"), (SPIRV_FLAGS, "rtp")] {
            let file = out.join(format!("{}.{extension}", sample.name));
            let mut command = Command::new(plan::program("rtc", false));
            command.args(["-T", &sample.profile]).args(&sample.args).args(flags).arg(&sample.hlsl).arg("-Fo").arg(&file);
            step.run(&mut command)?;
            let bytes = fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            let list = if extension == "dxil" { &mut built.containers } else { &mut built.packages };
            list.push((sample.name.clone(), bytes));
        }
    }
    step.done();
    let mut references = Vec::new();
    find(&facts::dir(), "dxil", &mut references);
    for file in references {
        let bytes = fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        built.containers.push((seed_name(&file), bytes));
    }
    Ok(built)
}

/// Adds the seeds of a target to its corpus; returns how many were not there.
fn seed(target: &str, corpus: &Path, built: &Built) -> Result<usize, String> {
    fs::create_dir_all(corpus).map_err(|e| format!("cannot create {}: {e}", corpus.display()))?;
    let mut added = 0;
    for (name, bytes) in seeds(target, built) {
        let file = corpus.join(name);
        if bytes.len() as u64 <= MAX_SEED && !file.exists() {
            fs::write(&file, bytes).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
            added += 1;
        }
    }
    Ok(added)
}

/// The seeds of a target by name; a target that has no row here starts from its regressions alone.
fn seeds(target: &str, built: &Built) -> Vec<(String, Vec<u8>)> {
    let parts = |part: fn(&[u8]) -> Option<&[u8]>| {
        built.containers.iter().filter_map(|(name, c)| Some((name.clone(), part(c)?.to_vec()))).collect::<Vec<_>>()
    };
    match target {
        "compile" | "parse" | "preprocess" => texts("hlsl"),
        "ir_text" => texts("rtir"),
        "container" => built.containers.clone(),
        "package" => built.packages.clone(),
        "bitcode" => parts(container::bitcode),
        "rootsig" => {
            let mut all = parts(|c| container::part(c, b"RTS0"));
            for (name, text) in texts("hlsl") {
                let text = String::from_utf8_lossy(&text).into_owned();
                let literals =
                    text.split('"').skip(1).step_by(2).filter(|l| ["CBV(", "SRV(", "UAV(", "RootFlags("].iter().any(|w| l.contains(w)));
                all.extend(literals.enumerate().map(|(n, l)| (format!("{name}.{n}"), l.as_bytes().to_vec())));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// The files of the tree with an extension, by name.
fn texts(extension: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in ["samples", "lit-tests/tests", "compiler/tests", "ir/tests", "passes/tests", "common/tables/facts"] {
        find(&workspace_root().join(folder), extension, &mut files);
    }
    files.into_iter().filter_map(|f| Some((seed_name(&f), fs::read(&f).ok()?))).collect()
}

/// Files with an extension below a folder, in order.
fn find(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find(&path, extension, out);
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
}

/// The path of a file inside the workspace as one name.
fn seed_name(file: &Path) -> String {
    let inside = file.strip_prefix(workspace_root()).unwrap_or(file);
    inside.to_string_lossy().replace(['/', '\\'], "-")
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn reads_arguments_in_either_form() {
        assert_eq!(arguments(&[]), Ok((None, SECONDS)));
        assert_eq!(arguments(&["5"]), Ok((None, 5)));
        assert_eq!(arguments(&["parser"]), Ok((Some("parser"), SECONDS)));
        assert_eq!(arguments(&["parser", "5"]), Ok((Some("parser"), 5)));
        assert!(arguments(&["parser", "x"]).is_err());
        assert!(arguments(&["a", "1", "2"]).is_err());
    }

    #[test]
    fn missing_tools_are_named_with_the_command_that_installs_them() {
        let text = tool::instructions("fuzzing", &TOOLS.iter().collect::<Vec<_>>());
        assert!(TOOLS.iter().all(|t| text.contains(t.what) && text.contains(t.install)), "{text}");
    }

    /// Every target has seeds in the tree; those of `package` are built.
    #[test]
    fn every_target_has_seeds() {
        let mut dxil = Vec::new();
        find(&facts::dir(), "dxil", &mut dxil);
        let containers = dxil.iter().filter_map(|f| Some((seed_name(f), fs::read(f).ok()?))).collect();
        let built = Built { containers, packages: vec![("a".into(), vec![1])] };
        for target in targets(&dir()).expect("targets") {
            let seeds = seeds(&target, &built);
            assert!(!seeds.is_empty(), "{target}");
        }
    }
}
