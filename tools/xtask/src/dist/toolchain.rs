//! What profile-guided builds need of the toolchain: the compiler's version of LLVM and that version's tools.
//!
//! Profiles have versions. The tool that merges them must be of the LLVM that the Rust compiler is built with, or newer. Rust's own copy is the component
//! `llvm-tools`; Debian has packages for each version.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::programs::{find_program, is_executable};

/// The Rust compiler that cargo uses here.
pub struct Compiler {
    /// The platform that it runs on, which is the one that is built for.
    pub host: String,
    /// The major version of its LLVM.
    pub llvm: u32,
    sysroot: PathBuf,
}

impl Compiler {
    /// Asks it.
    ///
    /// # Errors
    /// When it cannot be started or does not say.
    pub fn ask() -> Result<Compiler, String> {
        let version = ask(&["-vV"])?;
        let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let host = field("host:").ok_or("rustc -vV names no host")?.to_string();
        let llvm = field("LLVM version:").and_then(major).ok_or("rustc -vV names no version of LLVM")?;
        Ok(Compiler { host, llvm, sysroot: PathBuf::from(ask(&["--print", "sysroot"])?.trim()) })
    }

    /// A tool of LLVM that reads what this compiler writes.
    ///
    /// # Errors
    /// Why there is none, and how to get it.
    pub fn tool(&self, name: &str, package: &str) -> Result<PathBuf, String> {
        let own = self.sysroot.join("lib/rustlib").join(&self.host).join("bin").join(name);
        if is_executable(&own) {
            return Ok(own);
        }
        let versions = (self.llvm..self.llvm + 3).map(|v| format!("{name}-{v}"));
        if let Some(path) = versions.into_iter().find_map(|n| find_program(&n)) {
            return Ok(path);
        }
        let missing = || format!("no `{name}` of LLVM {} or newer; Debian's package {package}-{} has it", self.llvm, self.llvm);
        let path = find_program(name).ok_or_else(missing)?;
        if version_of(&path).is_some_and(|v| v >= self.llvm) { Ok(path) } else { Err(missing()) }
    }
}

/// The output of the Rust compiler with these arguments.
fn ask(args: &[&str]) -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc).args(args).output().map_err(|e| format!("cannot start rustc: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("rustc {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// The major version of LLVM that a tool says it is of.
fn version_of(tool: &Path) -> Option<u32> {
    let output = Command::new(tool).arg("--version").output().ok()?;
    major(String::from_utf8_lossy(&output.stdout).split("LLVM version").nth(1)?.trim())
}

/// The first number of a version.
fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.trim().parse().ok()
}

/// A platform to build for, and the flags for it.
pub struct Platform {
    /// Its name.
    pub target: String,
    /// Flags for all crates.
    pub flags: &'static [&'static str],
}

impl Compiler {
    /// The platform that runs here and whose programs need nothing else: Linux with the C library musl. Programs for it start in a third of the
    /// time of others.
    ///
    /// # Errors
    /// Why there is none.
    pub fn static_platform(&self) -> Result<Platform, String> {
        let Some(processor) = self.host.strip_suffix("-unknown-linux-gnu") else {
            return Err(format!("programs for {} are not linked statically", self.host));
        };
        let target = format!("{processor}-unknown-linux-musl");
        if !self.sysroot.join("lib/rustlib").join(&target).join("lib").is_dir() {
            return Err(format!("the toolchain has no libraries for {target}: `rustup target add {target}`"));
        }
        Ok(Platform { target, flags: &["-Ctarget-feature=+crt-static", "-Crelocation-model=static"] })
    }

    /// The platform that runs here, with programs that are linked as usual.
    pub fn usual_platform(&self) -> Platform {
        Platform { target: self.host.clone(), flags: &[] }
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(major("22.1.2"), Some(22));
        assert_eq!(major("x"), None);
        assert_eq!(major("19git"), None);
    }

    #[test]
    fn the_compiler_says_what_it_is() {
        let compiler = Compiler::ask().expect("there is one");
        assert!(compiler.llvm >= 15 && compiler.host.contains('-'));
        assert!(compiler.tool("no-such-tool", "llvm").is_err_and(|e| e.contains("Debian's package llvm-")));
    }

    #[test]
    fn static_programs_are_for_linux() {
        let on =
            |host: &str| Compiler { host: host.to_string(), llvm: 22, sysroot: PathBuf::from("/no/such/folder") }.static_platform().err();
        assert!(on("x86_64-pc-windows-msvc").is_some_and(|e| e.contains("not linked statically")));
        assert!(on("x86_64-unknown-linux-gnu").is_some_and(|e| e.ends_with("`rustup target add x86_64-unknown-linux-musl`")));
    }
}
