//! `cargo xtask python [FOLDER]`: builds the wheel of the Python package. Its check installs the wheel into a fresh environment, and runs the
//! examples, the tests and the checks of the types.
//!
//! Everything is in `target/python`: `tools`, an environment with maturin and mypy from the package index; `wheels`; `venv`, the fresh one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::programs::find_program;

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;

/// What builds the wheel.
const MATURIN: &str = "maturin>=1.7,<2";

/// What checks types; the check goes on without it.
const MYPY: &str = "mypy>=1.8,<3";

/// Builds the wheel, optimised, into a folder.
///
/// # Errors
/// When a tool is missing or the build fails.
pub fn run(folder: Option<&str>) -> Result<(), String> {
    let tools = tools()?;
    let out = folder.map_or_else(|| folder_of("wheels"), PathBuf::from);
    let wheel = build(&tools, true, &out)?;
    println!("built {}", wheel.display());
    Ok(())
}

/// True when a Python is there that makes environments.
pub fn present() -> bool {
    let Some(python) = find_program("python3") else { return false };
    let mut probe = Command::new(python);
    probe.args(["-c", "import venv, ensurepip"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|s| s.success())
}

/// Builds the wheel as tests build it and runs everything on it.
pub fn check() -> Outcome {
    let tools = match tools() {
        Ok(tools) => tools,
        Err(why) => return Outcome::Skipped(why),
    };
    match check_with(&tools) {
        Ok(()) => Outcome::Passed,
        Err(e) => Outcome::Failed(e),
    }
}

fn folder_of(name: &str) -> PathBuf {
    plan::target_dir().join("python").join(name)
}

/// A program of an environment.
pub fn program(environment: &Path, name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Makes an environment.
pub fn environment(path: &Path) -> Result<(), String> {
    let python = find_program("python3").ok_or("there is no program `python3`")?;
    let mut step = Step::new(format!("Making the environment {}", path.display()));
    step.run(Command::new(python).args(["-m", "venv", "--clear"]).arg(path))?;
    step.done();
    Ok(())
}

/// The environment with the tools, which needs the package index the first time.
///
/// # Errors
/// Why there is none.
fn tools() -> Result<PathBuf, String> {
    let tools = folder_of("tools");
    if program(&tools, "maturin").is_file() {
        return Ok(tools);
    }
    if !present() {
        return Err("there is no `python3` with the module `venv` (Debian's package: python3-venv)".into());
    }
    environment(&tools)?;
    let pip = |what: &str| {
        let mut command = Command::new(program(&tools, "python"));
        command.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", what]);
        let mut step = Step::new(format!("Installing {what}"));
        let done = step.run(&mut command);
        step.done();
        done
    };
    if let Err(e) = pip(MATURIN) {
        let end = e.lines().last().unwrap_or_default().trim().to_owned();
        return Err(format!("maturin cannot be installed: {end}"));
    }
    if let Err(e) = pip(MYPY) {
        eprintln!("going on without mypy: {}", e.lines().last().unwrap_or_default().trim());
    }
    Ok(tools)
}

/// Builds the wheel into an empty folder.
fn build(tools: &Path, release: bool, out: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
    for old in wheels(out)? {
        fs::remove_file(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
    }
    let mut command = Command::new(program(tools, "maturin"));
    command.args(["build", "--profile", if release { "release" } else { "dev" }, "--strip"]);
    command.arg("--manifest-path").arg(workspace_root().join("bindings/python/Cargo.toml"));
    command.arg("--target-dir").arg(plan::target_dir()).arg("--out").arg(out).args(plan::lock_flags());
    if !release {
        // Most of the time to build it would be optimisation, and its tests run for seconds.
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    }
    command.arg("--interpreter").arg(program(tools, "python")).current_dir(workspace_root());
    let mut step = Step::new("Building the Python wheel");
    step.run(&mut command)?;
    step.done();
    match &wheels(out)?[..] {
        [wheel] => Ok(wheel.clone()),
        other => Err(format!("maturin made {} wheels", other.len())),
    }
}

/// The wheels of this package in a folder.
fn wheels(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let ours = |p: &PathBuf| {
        p.extension().is_some_and(|e| e == "whl") && p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("rtc_hlsl-"))
    };
    Ok(entries.flatten().map(|e| e.path()).filter(ours).collect())
}

fn check_with(tools: &Path) -> Result<(), String> {
    let wheel = build(tools, false, &folder_of("wheels"))?;
    let fresh = folder_of("venv");
    environment(&fresh)?;
    let python = program(&fresh, "python");
    let mut step = Step::new("Checking the Python package");
    let mut install = Command::new(&python);
    // It depends on nothing.
    install.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", "--no-index", "--no-deps"]).arg(&wheel);
    step.run(&mut install)?;
    let root = workspace_root().join("bindings/python");
    let mut scripts = python_files(&root.join("examples"))?;
    if scripts.len() < 3 {
        return Err("the examples of the Python package are gone".into());
    }
    scripts.extend(python_files(&root.join("tests"))?);
    for script in &scripts {
        // Elsewhere than in the folder of the package, so that it is the installed one that is imported.
        step.run(Command::new(&python).args(["-X", "dev", "-W", "error"]).arg(script).current_dir(&fresh))?;
    }
    if program(tools, "mypy").is_file() {
        let mut types = Command::new(program(tools, "mypy"));
        types.args(["--strict", "--no-error-summary", "--cache-dir"]).arg(folder_of("mypy")).arg("--python-executable").arg(&python);
        step.run(types.args(&scripts).current_dir(&fresh))?;
        // The stubs are those of the module: mypy's own program imports it, so it is installed where mypy is, too.
        let mut second = Command::new(program(tools, "python"));
        second.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", "--no-index", "--no-deps"]);
        step.run(second.arg("--force-reinstall").arg(&wheel))?;
        step.run(Command::new(program(tools, "stubtest")).arg("rtc").current_dir(&fresh))?;
    }
    step.done();
    Ok(())
}

/// The Python files of a folder, by name.
fn python_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut out: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "py")).collect();
    out.sort();
    Ok(out)
}
