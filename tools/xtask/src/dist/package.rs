//! The archive that a person downloads: programs, libraries, headers, files for CMake and pkg-config, samples, book, extension of VS Code, wheel, licences
//! of all parts, checksums.
//!
//! Its bytes follow from the commit and the tools: files have the time of the commit, and no program has a path of this machine. What cannot be built
//! here is left out, and the command says so.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::artefacts::{sha256_of, workspace_root};
use serde_json::Value;

use super::packed::{Content, File, tar_gz, zip};
use super::skipped;
use crate::plan;
use crate::progress::Step;
use crate::tool::require;
use crate::windows;

/// The commit that is built.
pub struct Commit {
    /// The begin of its hash; `-modified` follows if files are not those of it.
    pub name: String,
    /// Its time, in seconds since 1970.
    pub time: u64,
}

impl Commit {
    /// The commit of the workspace.
    ///
    /// # Errors
    /// When there is no repository.
    pub fn ask() -> Result<Commit, String> {
        let git = |arguments: &[&str]| {
            let done = Command::new("git").args(arguments).current_dir(workspace_root()).output();
            let done = done.map_err(|e| format!("cannot start git: {e}"))?;
            match done.status.success() {
                true => Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned()),
                false => Err(format!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&done.stderr).trim())),
            }
        };
        let modified = if git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty() { "" } else { "-modified" };
        let name = format!("{}{modified}", git(&["rev-parse", "--short=12", "HEAD"])?);
        let time = git(&["log", "-1", "--format=%ct"])?;
        Ok(Commit { name, time: time.parse().map_err(|_| format!("`{time}` is no time"))? })
    }

    /// What programs that are built are given: the commit, and one name for all machines in place of paths.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        vec![("RTC_COMMIT", self.name.clone()), ("SOURCE_DATE_EPOCH", self.time.to_string())]
    }
}

/// Flags of the compiler, so that programs have no path of this machine.
pub fn flags() -> Vec<String> {
    let home =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".cargo")));
    let mut flags = vec![format!("--remap-path-prefix={}=rtc", workspace_root().display())];
    flags.extend(home.map(|h| format!("--remap-path-prefix={}=cargo", h.display())));
    flags
}

/// What differs between platforms.
pub struct Platform {
    /// The name of the platform of the libraries.
    pub target: String,
    /// The folder that cargo wrote programs and libraries into.
    pub built: PathBuf,
    /// The command `rtc`, where it is built in another manner.
    pub command: Option<PathBuf>,
}

impl Platform {
    fn is_windows(&self) -> bool {
        self.target.contains("windows")
    }

    /// The file of a program.
    fn program(&self, name: &str) -> String {
        if self.is_windows() { format!("{name}.exe") } else { name.to_owned() }
    }

    /// The file of a library.
    fn library(&self, name: &str) -> String {
        if self.is_windows() { format!("{name}.dll") } else { format!("lib{name}.so") }
    }
}

/// The folder with programs and libraries that `RTC_DIST_BUILT` names: to try what comes after the build, which takes long.
pub fn built_before() -> Option<PathBuf> {
    std::env::var_os("RTC_DIST_BUILT").map(PathBuf::from)
}

/// Builds everything for Windows and packs it.
///
/// # Errors
/// When a tool is missing, cargo fails, or a file cannot be written.
pub fn windows(folder: Option<&str>) -> Result<(), String> {
    require("cargo xtask dist --target x86_64-pc-windows-gnu", &windows::BUILD)?;
    let commit = Commit::ask()?;
    let dir = plan::target_dir().join("dist");
    let mut environment = commit.environment();
    // Without this flag the linker writes the time into programs.
    let flags: Vec<String> = flags().into_iter().chain(["-Clink-arg=-Wl,--no-insert-timestamp".to_owned()]).collect();
    environment.push(("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")));
    let target = windows::TARGET.to_owned();
    let built = match built_before() {
        Some(folder) => folder,
        None => {
            windows::build(&dir.join("target"), "release", &environment)?;
            dir.join("target").join(&target).join("release")
        }
    };
    skipped("the CPU device", "LLVM 19 for Windows is not there; `rtc run --device cpu` says so");
    pack(&Platform { target, built, command: None }, &commit, &dir, folder)
}

/// Builds everything for this platform, with the command `rtc` that is there already, and packs it.
///
/// # Errors
/// As [`windows()`].
pub fn here(target: &str, command: PathBuf, folder: Option<&str>) -> Result<(), String> {
    let commit = Commit::ask()?;
    let dir = plan::target_dir().join("dist");
    skipped(
        "the CPU device",
        "`rtc-run` would not start where LLVM 19 is not installed; `cargo build --release -p rtc-cli --features cpu` builds it",
    );
    let built = match built_before() {
        Some(folder) => folder,
        None => build(target, &commit, &dir)?,
    };
    pack(&Platform { target: target.to_owned(), built, command: Some(command) }, &commit, &dir, folder)
}

/// Builds programs and libraries for this platform; the folder that has them.
fn build(target: &str, commit: &Commit, dir: &Path) -> Result<PathBuf, String> {
    let mut cargo = plan::cargo();
    cargo
        .args(["build", "--release", "--bins", "--lib", "--target", target, "--target-dir"])
        .arg(dir.join("target"))
        .args(plan::lock_flags());
    windows::PACKAGES.iter().for_each(|p| _ = cargo.args(["-p", p]));
    cargo.envs(commit.environment()).env("CARGO_ENCODED_RUSTFLAGS", flags().join("\u{1f}")).env_remove("RUSTFLAGS");
    plan::run_cargo(&mut cargo)?;
    Ok(dir.join("target").join(target).join("release"))
}

/// Puts the folder together, and makes the archive of it.
fn pack(platform: &Platform, commit: &Commit, dir: &Path, folder: Option<&str>) -> Result<(), String> {
    let name = format!("rtc-{}-{}", env!("CARGO_PKG_VERSION"), platform.target);
    let root = dir.join(&name);
    _ = fs::remove_dir_all(&root);
    stage(platform, commit, &root)?;
    let mut files = Vec::new();
    collect(&root, &name, &mut files)?;
    files.push(sums(&root, &name, &files)?);
    let (bytes, extension) = match platform.is_windows() {
        true => (zip(&files)?, "zip"),
        false => (tar_gz(&files, commit.time)?, "tar.gz"),
    };
    let out = folder.map_or_else(|| dir.to_owned(), PathBuf::from);
    fs::create_dir_all(&out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
    let archive = out.join(format!("{name}.{extension}"));
    write(&archive, &bytes)?;
    let sum = sha256_of(&archive).map_err(|e| format!("cannot read {}: {e}", archive.display()))?;
    write(&out.join(format!("{name}.{extension}.sha256")), format!("{sum}  {name}.{extension}\n").as_bytes())?;
    println!("{}: {} files, {:.1} MB, commit {}", archive.display(), files.len(), bytes.len() as f64 / 1e6, commit.name);
    println!("SHA-256 {sum}");
    Ok(())
}

/// Writes everything into the folder that is packed.
fn stage(platform: &Platform, commit: &Commit, root: &Path) -> Result<(), String> {
    let (bin, lib) = (root.join("bin"), root.join("lib"));
    for program in ["rtc", "rtc-opt", "rtc-run"] {
        let own = platform.command.as_ref().filter(|_| program == "rtc");
        let from = own.cloned().unwrap_or_else(|| platform.built.join(platform.program(program)));
        copy(&from, &bin.join(platform.program(program)))?;
    }
    for library in ["dxcompiler", "dxil"] {
        let to = if platform.is_windows() { &bin } else { &lib };
        copy(&platform.built.join(platform.library(library)), &to.join(platform.library(library)))?;
    }
    // The programs that install libraries are those of this system.
    for (package, program) in plan::CAPI {
        if built_before().is_none() {
            plan::build(package, "", false)?;
        }
        let mut install = Command::new(plan::program(program, false));
        Step::new(format!("Installing {package}")).run(install.arg(root).arg(&platform.built).arg(&platform.target))?;
    }
    let workspace = workspace_root();
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&workspace.join(file), &root.join(file))?;
    }
    copy_sources(&workspace, "samples", root)?;
    write(
        &root.join("VERSION"),
        format!("rtc {}\ncommit {}\nfor {}\n", env!("CARGO_PKG_VERSION"), commit.name, platform.target).as_bytes(),
    )?;
    write(&root.join("licences.txt"), licences(&platform.target)?.as_bytes())?;
    let (script, text) = if platform.is_windows() { ("test.cmd", TEST_CMD.replace('\n', "\r\n")) } else { ("test.sh", TEST_SH.to_owned()) };
    write(&root.join(script), text.as_bytes())?;
    let mut book = Command::new("mdbook");
    book.arg("build").arg(workspace.join("docs/book")).arg("-d").arg(root.join("book"));
    optional("the book", Step::new("Building the book").run(&mut book).map(drop));
    optional("the extension of VS Code", crate::vscode::run(root.to_str()));
    if platform.is_windows() {
        skipped("the wheel of the Python package", "maturin builds it on Windows: `cargo xtask python` there");
    } else {
        optional("the wheel of the Python package", crate::python::run(root.join("python").to_str()));
    }
    Ok(())
}

/// Says what is left out, and why.
fn optional(what: &str, done: Result<(), String>) {
    if let Err(why) = done {
        skipped(what, why.lines().last().unwrap_or_default());
    }
}

/// Tests an archive where it was unpacked.
const TEST_SH: &str = include_str!("test.sh");
const TEST_CMD: &str = include_str!("test.cmd");

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    made.map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::copy(from, to));
    made.map(|_| ()).map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), to.display()))
}

/// Copies the files of a folder that are in the repository.
fn copy_sources(workspace: &Path, folder: &str, root: &Path) -> Result<(), String> {
    let listed = Command::new("git").args(["ls-files", "-z", folder]).current_dir(workspace).output();
    let listed = listed.map_err(|e| format!("cannot start git: {e}"))?.stdout;
    let names = String::from_utf8_lossy(&listed).into_owned();
    names.split('\0').filter(|n| !n.is_empty()).try_for_each(|name| copy(&workspace.join(name), &root.join(name)))
}

/// The files of a folder, as an archive has them.
fn collect(folder: &Path, name: &str, files: &mut Vec<File>) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_symlink() {
            let to = fs::read_link(&path).map_err(fail)?.to_string_lossy().into_owned();
            files.push(File { name, content: Content::Link(to) });
        } else if path.is_dir() {
            collect(&path, &name, files)?;
        } else {
            let bytes = fs::read(&path).map_err(fail)?;
            let program = bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"MZ") || bytes.starts_with(b"#!");
            files.push(File { name, content: Content::Bytes(bytes, program) });
        }
    }
    Ok(())
}

/// The file with the checksums of all others, as `sha256sum -c` reads it.
fn sums(root: &Path, name: &str, files: &[File]) -> Result<File, String> {
    let mut lines = BTreeSet::new();
    for file in files.iter().filter(|f| matches!(f.content, Content::Bytes(..))) {
        let own = file.name.strip_prefix(name).unwrap_or(&file.name).trim_start_matches('/');
        let sum = sha256_of(&root.join(own)).map_err(|e| format!("cannot read {own}: {e}"))?;
        lines.insert(format!("{sum}  {own}\n"));
    }
    let text: String = lines.into_iter().collect();
    write(&root.join("SHA256SUMS"), text.as_bytes())?;
    Ok(File { name: format!("{name}/SHA256SUMS"), content: Content::Bytes(text.into_bytes(), false) })
}

/// The licences of all crates that the programs and libraries are made of: each with its name, version, licence, and the texts that it has.
fn licences(target: &str) -> Result<String, String> {
    let mut command = plan::cargo();
    command.args(["metadata", "--format-version", "1", "--filter-platform", target]).args(plan::lock_flags());
    let said = Step::new("Reading licences").run(&mut command)?;
    let metadata: Value = serde_json::from_str(&said).map_err(|e| format!("cargo metadata: {e}"))?;
    let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"]).into_iter().map(|p| (text(&p["id"]), p)).collect();
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        // Without what builds and tests need alone.
        let is_part = |d: &Value| list(&d["dep_kinds"]).iter().any(|k| k["kind"].is_null());
        needs.insert(text(&node["id"]), list(&node["deps"]).iter().filter(|d| is_part(d)).map(|d| text(&d["pkg"])).collect());
    }
    let mut left: Vec<String> =
        packages.iter().filter(|(_, p)| windows::PACKAGES.iter().any(|n| p["name"] == *n)).map(|(id, _)| id.clone()).collect();
    let mut seen: BTreeSet<String> = left.iter().cloned().collect();
    while let Some(id) = left.pop() {
        left.extend(needs.get(&id).into_iter().flatten().filter(|d| seen.insert((*d).clone())).cloned());
    }
    let mut parts: Vec<&Value> = seen.iter().filter_map(|id| packages.get(id)).filter(|p| !p["source"].is_null()).collect();
    parts.sort_by_key(|p| (text(&p["name"]), text(&p["version"])));
    let mut out = format!(
        "The programs and libraries of rtc contain {} crates of others. Rust's standard library is under MIT or Apache-2.0.\n",
        parts.len()
    );
    for p in parts {
        _ = write!(
            out,
            "\n{0}\n{1} {2}: {3}\n{4}\n",
            "=".repeat(80),
            text(&p["name"]),
            text(&p["version"]),
            text(&p["license"]),
            text(&p["repository"])
        );
        let folder = PathBuf::from(text(&p["manifest_path"]));
        let files = folder.parent().and_then(|f| fs::read_dir(f).ok()).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = files.map(|f| f.path()).filter(|f| is_licence(f)).collect();
        files.sort();
        for file in files {
            _ = write!(
                out,
                "\n--- {}\n{}\n",
                file.file_name().unwrap_or_default().to_string_lossy(),
                fs::read_to_string(&file).unwrap_or_default().trim_end()
            );
        }
    }
    Ok(out)
}

/// Whether a file has the text of a licence, by its name.
fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
    path.is_file() && ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"].iter().any(|w| name.starts_with(w))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn licences_of_parts_have_texts() {
        let all = licences("x86_64-pc-windows-gnu").expect("cargo answers");
        for part in ["logos 0.16", "clap 4", "vulkanalia 0.35", "Permission is hereby granted", "Apache License"] {
            assert!(all.contains(part), "{part}");
        }
        assert!(!all.contains("\nxtask ") && !all.contains("insta 1."), "tests are no parts");
    }

    #[test]
    fn commits_have_times() {
        let commit = Commit::ask().expect("a repository");
        assert!(commit.name.len() >= 12 && commit.time > 1_600_000_000);
        assert!(flags().iter().all(|f| f.starts_with("--remap-path-prefix=")));
    }
}
