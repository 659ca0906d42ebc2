//! `cargo xtask vscode [FOLDER]`: builds the package of the VS Code extension. Its check runs the tests of the extension and packs it.
//!
//! npm works on a copy of `editors/vscode` in `target/vscode`, so that the sources stay free of what it installs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::programs::find_program;

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;

/// The oldest major version of Node.js that the tools run on.
const NODE_MAJOR: u32 = 20;

/// The package, as the script `package` of the extension names it.
const PACKAGE: &str = "rtc-hlsl.vsix";

/// What is not copied: what npm and the build write.
const MADE: [&str; 3] = ["node_modules", "dist", PACKAGE];

/// Builds the package into a folder.
///
/// # Errors
/// When npm is missing or fails.
pub fn run(folder: Option<&str>) -> Result<(), String> {
    let npm = npm()?;
    let copy = prepare(&npm).map_err(Problem::text)?;
    script(&npm, &copy, "package")?;
    let out = folder.map_or_else(|| copy.clone(), PathBuf::from);
    let to = out.join(PACKAGE);
    if out != copy {
        fs::create_dir_all(&out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
        fs::copy(copy.join(PACKAGE), &to).map_err(|e| format!("cannot write {}: {e}", to.display()))?;
    }
    println!("built {}", to.display());
    Ok(())
}

/// Runs the tests of the extension, and packs it.
pub fn check() -> Outcome {
    let npm = match npm() {
        Ok(npm) => npm,
        Err(why) => return Outcome::Skipped(why),
    };
    let copy = match prepare(&npm) {
        Ok(copy) => copy,
        Err(Problem::Missing(why)) => return Outcome::Skipped(why),
        Err(Problem::Other(why)) => return Outcome::Failed(why),
    };
    let done = script(&npm, &copy, "test").and_then(|()| script(&npm, &copy, "package"));
    match done {
        Ok(()) if copy.join(PACKAGE).is_file() => Outcome::Passed,
        Ok(()) => Outcome::Failed(format!("{PACKAGE} is not written")),
        Err(e) => Outcome::Failed(e),
    }
}

/// Why the sources are not prepared.
enum Problem {
    /// The packages that the lock file names cannot be had here.
    Missing(String),
    /// Something else.
    Other(String),
}

impl Problem {
    fn text(self) -> String {
        match self {
            Problem::Missing(text) | Problem::Other(text) => text,
        }
    }
}

/// The program npm, with a Node.js that is new enough.
fn npm() -> Result<PathBuf, String> {
    let npm = find_program("npm").ok_or("there is no `npm` (Debian's package: npm)")?;
    let version = Command::new("node").arg("--version").stderr(Stdio::null()).output();
    let version = version.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default();
    let major = version.trim_start_matches('v').split('.').next().and_then(|m| m.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE_MAJOR => Ok(npm),
        Some(_) => Err(format!("Node.js is {version}, and {NODE_MAJOR} is the oldest that the extension's tools run on")),
        None => Err("there is no `node`".into()),
    }
}

/// Copies the sources, and installs what they need unless it is there for the same lock file.
fn prepare(npm: &Path) -> Result<PathBuf, Problem> {
    let copy = plan::target_dir().join("vscode");
    let from = workspace_root().join("editors/vscode");
    let wrong = |e: std::io::Error| Problem::Other(format!("cannot copy {} to {}: {e}", from.display(), copy.display()));
    remove_sources(&copy).and_then(|()| copy_folder(&from, &copy)).map_err(wrong)?;
    let stamp = copy.join("node_modules/.rtc-lock");
    let lock = fs::read(copy.join("package-lock.json")).map_err(wrong)?;
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(copy);
    }
    let mut command = Command::new(npm);
    // Nothing that is installed runs a program then; the packages are complete without.
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&copy);
    let mut step = Step::new("Installing what the VS Code extension needs");
    let done = step.run(&mut command);
    step.done();
    if let Err(e) = done {
        let line = e.lines().find(|l| l.contains("npm error") || l.contains("npm ERR!")).unwrap_or_default().trim();
        return Err(Problem::Missing(format!("the packages of the VS Code extension cannot be installed: {line}")));
    }
    fs::write(&stamp, lock).map_err(wrong)?;
    Ok(copy)
}

/// Removes the copied sources of an earlier time; what npm installed stays.
fn remove_sources(copy: &Path) -> std::io::Result<()> {
    if !copy.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(copy)?.flatten() {
        let path = entry.path();
        match path.is_dir() {
            _ if entry.file_name() == "node_modules" => {}
            true => fs::remove_dir_all(&path)?,
            false => fs::remove_file(&path)?,
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        if MADE.iter().any(|m| name == *m) {
            continue;
        }
        match path.is_dir() {
            true => copy_folder(&path, &to.join(name))?,
            false => _ = fs::copy(&path, to.join(name))?,
        }
    }
    Ok(())
}

/// Runs a script of the extension.
fn script(npm: &Path, copy: &Path, name: &str) -> Result<(), String> {
    let mut command = Command::new(npm);
    command.args(["run", name]).current_dir(copy);
    let mut step = Step::new(format!("Running `npm run {name}` of the VS Code extension"));
    let done = step.run(&mut command).map(|_| ());
    step.done();
    done
}
