//! What is built and which commands are run: the one place to change when programs, features or flags do.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::workspace_root;

/// The package with the product's programs, and the features that make it build all of them.
pub const PRODUCT: (&str, &str) = ("rtc-cli", "rtc-cli/run");

/// The feature of the CPU device, which is built where LLVM is there.
pub const CPU: &str = "rtc-cli/cpu";

/// Features, and those of the CPU device if it can be built here.
pub fn with_cpu(features: &str) -> String {
    match rtc_oracles::llvm::can_build_with() {
        true => format!("{features},{CPU}"),
        false => features.to_string(),
    }
}

/// The features of all tests, with those of the CPU device if it can be built here.
pub fn test_features() -> String {
    let features = with_cpu(TEST_FEATURES);
    if rtc_oracles::llvm::can_build_with() { format!("{features},{}", RANDOM.1) } else { features }
}

/// The package with the program that runs random programs, and the feature that lets it execute DXIL.
pub const RANDOM: (&str, &str) = ("rtc-differential", "rtc-differential/cpu");

/// The package with the oracles' program.
pub const ORACLES: (&str, &str) = ("rtc-oracles", "");

/// The package with the program that measures the compiler as a library, and the feature that makes it.
pub const BENCH: (&str, &str) = ("xtask", "xtask/bench");

/// The package with the program that mutates sources, and the feature that makes it.
pub const MUTATION: (&str, &str) = ("xtask", "xtask/mutation");

/// The packages of the libraries with a C interface, and their programs that install them.
pub const CAPI: [(&str, &str); 2] = [("rtc-c", "rtc-install"), ("rtc-c-engine", "rtcrt-install")];

/// Features that the tests are built with, over the whole workspace. With those of [`PRODUCT`] among them, the programs
/// are not compiled twice.
pub const TEST_FEATURES: &str = "rtc-cli/run,rtc-host/vulkan,rtc-host/gltf";

/// The shader model that samples are compiled for unless their first line asks for another, and for more arguments, as
/// `// rtc -T lib_6_5 -HV 2021`.
pub const PROFILE: &str = "lib_6_3";

/// The flags that make a SPIR-V module or package of a sample.
pub const SPIRV_FLAGS: &[&str] = &["-spirv", "-fspv-target-env=vulkan1.2"];

/// One step that the demo takes for each sample. It leaves a file `NAME.EXTENSION` in the demo's folder.
pub struct DemoStep {
    /// What a person reads.
    pub what: &'static str,
    /// Program and arguments. `{hlsl}`, `{scene}`, `{profile}` and `{args}` are the sample's, `{out}` is the file, `{folder}` the
    /// folder that it lies in.
    pub command: &'static [&'static str],
    /// The extension of the file.
    pub extension: &'static str,
}

/// The demo, step by step. A scene names its picture itself: the samples' scenes name it like the sample.
#[rustfmt::skip]
pub const DEMO: &[DemoStep] = &[
    DemoStep { what: "DXIL",    command: &["rtc", "-T", "{profile}", "{args}", "{hlsl}", "-Fo", "{out}"], extension: "dxil" },
    DemoStep { what: "package", command: &["rtc", "-T", "{profile}", "{args}", "-spirv", "-fspv-target-env=vulkan1.2", "{hlsl}", "-Fo", "{out}"], extension: "rtp" },
    DemoStep { what: "picture", command: &["rtc", "run", "{scene}", "-o", "{folder}"], extension: "png" },
];

/// What the benchmark compiles each sample to: a name, and the flags besides the profile.
pub const BENCH_TARGETS: &[(&str, &[&str])] = &[("DXIL", &[]), ("DXIL -Vd", &["-Vd"]), ("SPIR-V", BENCH_SPIRV_FLAGS)];

/// As [`SPIRV_FLAGS`], without subobjects: the reference compiler crashes on them in this mode, so both compile without.
const BENCH_SPIRV_FLAGS: &[&str] = &["-spirv", "-fspv-target-env=vulkan1.2", "-D", "NO_SUBOBJECTS"];

/// One sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its name.
    pub name: String,
    /// The shader library.
    pub hlsl: PathBuf,
    /// The scene, when it has one.
    pub scene: Option<PathBuf>,
    /// The profile to compile it for.
    pub profile: String,
    /// More arguments that it needs.
    pub args: Vec<String>,
}

/// All samples, by name: each folder `samples/NAME` with a `NAME.hlsl`.
///
/// # Errors
/// When the folder cannot be read or has no sample.
pub fn samples() -> Result<Vec<Sample>, String> {
    let dir = workspace_root().join("samples");
    let entries = std::fs::read_dir(&dir).map_err(|e| format!("cannot read {}: {e}", dir.display()))?;
    let mut samples: Vec<Sample> = entries.flatten().filter_map(|entry| sample(&entry.path())).collect();
    samples.sort_by(|a, b| a.name.cmp(&b.name));
    if samples.is_empty() {
        return Err(format!("{} has no samples", dir.display()));
    }
    Ok(samples)
}

fn sample(folder: &Path) -> Option<Sample> {
    let name = folder.file_name()?.to_string_lossy().into_owned();
    let hlsl = folder.join(format!("{name}.hlsl"));
    let text = std::fs::read_to_string(&hlsl).ok()?;
    let scene = Some(folder.join("scene.toml")).filter(|s| s.is_file());
    let (profile, args) = parse_first_line(&text);
    Some(Sample { profile, args, name, hlsl, scene })
}

/// The profile that the first line asks for, and the arguments after it.
fn parse_first_line(text: &str) -> (String, Vec<String>) {
    let first = text.lines().next().unwrap_or_default();
    let words = first.strip_prefix("// rtc -T ").unwrap_or_default();
    let mut words = words.split_whitespace().map(str::to_string);
    let profile = words.next().unwrap_or_else(|| PROFILE.to_string());
    (profile, words.collect())
}

/// The profile that the demo builds with: optimised, but quickly built. The other one links with optimisation over all crates, which takes most of its time.
pub const DEMO_PROFILE: &str = "demo";

/// The command line of a demo step.
pub fn demo_command(step: &DemoStep, sample: &Sample, out: &Path) -> Command {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let scene = sample.scene.as_deref().map(text).unwrap_or_default();
    let mut words = step.command.iter();
    let mut command = Command::new(program_in(words.next().copied().unwrap_or_default(), DEMO_PROFILE));
    for word in words {
        if *word == "{args}" {
            command.args(&sample.args);
            continue;
        }
        command.arg(match *word {
            "{hlsl}" => text(&sample.hlsl),
            "{scene}" => scene.clone(),
            "{profile}" => sample.profile.clone(),
            "{out}" => text(out),
            "{folder}" => out.parent().map(text).unwrap_or_default(),
            other => other.to_string(),
        });
    }
    command
}

/// Cargo itself, in the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace_root());
    command
}

/// The cargo that takes a toolchain as its first argument: rustup's, not the toolchain's own that started this program.
pub fn rustup_cargo() -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(workspace_root()).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}

/// What every call of `cargo build` and `cargo test` is given: a lock file that would change is a mistake in CI, and
/// everyday life on a developer's machine.
pub fn lock_flags() -> &'static [&'static str] {
    let ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
    if ci { &["--locked"] } else { &[] }
}

/// Builds the product's programs with cargo's own progress on the terminal.
///
/// # Errors
/// When cargo fails; it has said why.
pub fn build_product(release: bool) -> Result<(), String> {
    build(PRODUCT.0, &with_cpu(PRODUCT.1), release)
}

/// Builds our library with the interface of dxcompiler, and the client that measures it, which finds it next to its folder.
///
/// # Errors
/// When cargo fails; it has said why.
pub fn build_client() -> Result<(), String> {
    let mut command = cargo();
    command.args(["build", "--release", "--lib", "--example", "com_permutations", "-p", "rtc-dxcompiler"]).args(lock_flags());
    run_cargo(&mut command)
}

/// Builds the two programs that make a picture, without the language server, with cargo's own progress on the terminal.
///
/// # Errors
/// When cargo fails; it has said why.
pub fn build_demo() -> Result<(), String> {
    let mut command = cargo();
    command.args(["build", "--profile", DEMO_PROFILE, "-p", PRODUCT.0, "--bin", "rtc", "--bin", "rtc-run", "--no-default-features"]);
    command.args(["--features", &with_cpu(PRODUCT.1)]).args(lock_flags());
    run_cargo(&mut command)
}

/// Builds the programs of one package, with features that are empty or a list as cargo takes it.
///
/// # Errors
/// When cargo fails; it has said why.
pub fn build(package: &str, features: &str, release: bool) -> Result<(), String> {
    let mut command = cargo();
    command.args(["build", "--bins", "-p", package, "--features", features]).args(lock_flags());
    if release {
        command.arg("--release");
    }
    run_cargo(&mut command)
}

/// Runs cargo on this terminal.
///
/// # Errors
/// When it cannot be started or fails.
pub fn run_cargo(command: &mut Command) -> Result<(), String> {
    let status = command.stdin(std::process::Stdio::null()).status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed", crate::progress::show(command))) }
}

/// The folder that cargo builds into. This program lies in it, one folder down.
pub fn target_dir() -> PathBuf {
    let exe = std::env::current_exe().ok();
    let dir = exe.as_deref().and_then(|e| e.parent()?.parent());
    dir.map_or_else(|| workspace_root().join("target"), Path::to_path_buf)
}

/// The path of a built program.
pub fn program(name: &str, release: bool) -> PathBuf {
    program_in(name, if release { "release" } else { "debug" })
}

/// The path of a program that is built with a profile; `debug` is that of development.
fn program_in(name: &str, folder: &str) -> PathBuf {
    target_dir().join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn the_first_line_chooses_the_profile() {
        let args = vec!["-HV".to_string(), "2021".to_string()];
        assert_eq!(parse_first_line("// rtc -T lib_6_5 -HV 2021\nfloat x;\n"), ("lib_6_5".to_string(), args));
        assert_eq!(parse_first_line("// One triangle.\n// rtc -T lib_6_9\n"), (PROFILE.to_string(), Vec::new()));
        assert_eq!(parse_first_line("// rtc -T"), (PROFILE.to_string(), Vec::new()));
        assert_eq!(parse_first_line(""), (PROFILE.to_string(), Vec::new()));
    }

    #[test]
    fn demo_commands_are_filled_in() {
        let sample = Sample {
            name: "a".to_string(),
            hlsl: PathBuf::from("/s/a/a.hlsl"),
            scene: Some(PathBuf::from("/s/a/scene.toml")),
            profile: "lib_6_3".to_string(),
            args: vec!["-HV".to_string(), "2021".to_string()],
        };
        for step in DEMO {
            let command = demo_command(step, &sample, Path::new("/demo/a.dxil"));
            let words: Vec<String> = command.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
            assert!(words.iter().any(|w| w.starts_with("/demo")), "{words:?}");
            assert!(!words.iter().any(|w| w.starts_with('{')), "{words:?}");
        }
    }
}
