//! LLVM 19 as an independent reader and verifier of DXIL bitcode.
//!
//! LLVM reads old bitcode, upgrades its typed pointers and verifies the result. The one thing in DXIL that it refuses is
//! the data layout (`i8:32`), which an option of `opt` replaces while reading. Any other message of `opt`,
//! except that it has no code generator for the target, counts as a rejection.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::container;
use crate::programs::{find_program, is_executable};
use crate::{Missing, RUN_SETUP};

/// The version of LLVM.
pub const LLVM_MAJOR: &str = "19";

/// DXIL's data layout with `i8` aligned as LLVM demands.
const DATA_LAYOUT: &str = "e-m:e-p:32:32-i1:32-i8:8-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64";

/// The one remark of `opt` that says nothing about the module.
const NO_TARGET: &str = "failed to create target machine";

/// LLVM 19's `opt`.
#[derive(Clone, Debug)]
pub struct Llvm {
    opt: PathBuf,
}

impl Llvm {
    /// Finds `opt` of LLVM 19.
    ///
    /// # Errors
    /// When there is none.
    pub fn find() -> Result<Llvm, Missing> {
        let missing = || Missing {
            what: "LLVM 19",
            why: "no `opt` in RTC_LLVM, no `opt-19` on PATH, no `opt` of that version".to_string(),
            how: RUN_SETUP,
        };
        find_tool("opt").map(|opt| Llvm { opt }).ok_or_else(missing)
    }

    /// Reads and verifies the bitcode of a DXIL container.
    ///
    /// # Errors
    /// What LLVM says when it rejects the module, or that the container has no bitcode.
    pub fn verify_container(&self, container: &[u8]) -> Result<(), String> {
        self.verify(container::bitcode(container).ok_or("not a container with a DXIL part")?)
    }

    /// Reads and verifies bare bitcode.
    ///
    /// # Errors
    /// What LLVM says when it rejects the module.
    pub fn verify(&self, bitcode: &[u8]) -> Result<(), String> {
        let mut child = Command::new(&self.opt)
            .args(["-passes=verify", "-disable-output", "-data-layout", DATA_LAYOUT, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", self.opt.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // `opt` reads all of its input before it writes anything. When it dies first, its status says so below.
            let _ = stdin.write_all(bitcode);
        }
        let done = child.wait_with_output().map_err(|e| format!("cannot wait for {}: {e}", self.opt.display()))?;
        let said = String::from_utf8_lossy(&done.stderr);
        let said: Vec<&str> = said.lines().filter(|l| !l.contains(NO_TARGET) && !l.trim().is_empty()).collect();
        match (done.status.success(), said.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(said.join("\n")),
            (false, _) => Err(format!("{} ({})", said.join("\n"), done.status)),
        }
    }
}

/// Finds a tool of LLVM 19 by its plain name, as `opt`: in the folder `RTC_LLVM`, as `opt-19` on `PATH`, in Debian's
/// private folder, or as `opt` on `PATH` when that one says that it is of version 19.
pub fn find_tool(tool: &str) -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os("RTC_LLVM").filter(|d| !d.is_empty()) {
        let path = PathBuf::from(dir).join(tool);
        return is_executable(&path).then_some(path);
    }
    if let Some(path) = find_program(&format!("{tool}-{LLVM_MAJOR}")) {
        return Some(path);
    }
    let debian = PathBuf::from(format!("/usr/lib/llvm-{LLVM_MAJOR}/bin/{tool}"));
    if is_executable(&debian) {
        return Some(debian);
    }
    let path = find_program(tool)?;
    let out = Command::new(&path).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.contains(&format!("LLVM version {LLVM_MAJOR}.")).then_some(path)
}

/// Whether programs can be built with LLVM 19: its headers and its shared library are there, and the C++ library that goes with it.
pub fn can_build_with() -> bool {
    let Some(config) = find_tool("llvm-config") else { return false };
    let says = |what: &str| {
        let out = Command::new(&config).args(["--link-shared", what]).output().ok()?;
        out.status.success().then(|| PathBuf::from(String::from_utf8_lossy(&out.stdout).trim()))
    };
    let headers = says("--includedir").is_some_and(|dir| dir.join("llvm-c/Core.h").is_file());
    headers && says("--libs").is_some() && has_cpp_library()
}

/// Whether the linker finds the C++ library: the C compiler prints its absolute path if it exists, and else the bare name.
fn has_cpp_library() -> bool {
    let printed = Command::new("cc").arg("-print-file-name=libstdc++.so").output();
    printed.is_ok_and(|out| std::path::Path::new(String::from_utf8_lossy(&out.stdout).trim()).is_absolute())
}
