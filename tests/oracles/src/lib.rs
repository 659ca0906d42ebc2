//! Oracles: outside programs and libraries that check the output of rtc. Test support, never part of the product.
//!
//! | oracle | what it does |
//! |---|---|
//! | [`Dxc`] | compiles HLSL as the reference compiler does; validates, disassembles DXIL containers up to validator version 1.6 |
//! | [`SpirvVal`] | validates SPIR-V modules, extensions of 2026 included |
//! | [`Llvm`] | LLVM 19 reads and verifies the bitcode of any DXIL container |
//! | [`Dxv`] | a newer DXIL validator, when the machine has one |
//! | [`DxcProgram`] | a newer reference compiler, when the machine has one |
//!
//! Finding an oracle gives it or a [`Missing`] that says what is not there, why, and how to get it. A test whose oracle is
//! missing reports itself as skipped with that text; it never passes. `cargo xtask setup` installs them all except the
//! newer programs, which have no public package.
//!
//! [`vulkan_calls`] is no oracle: it is between a program and its Vulkan driver, counts objects and lets calls fail.
//!
//! What comes from outside is trusted no further than its answer: the libraries are loaded once, calls into them are
//! serialised, and the `rtc-oracle` program offers each of them as a process of its own, which is what lit tests run.

pub mod artefacts;
pub mod c_library;
pub mod cli;
mod com;
pub mod container;
mod dxc;
mod dxc_program;
mod dxv;
pub mod facts;
pub mod llvm;
pub mod measure;
pub mod mutants;
pub mod permutations;
pub mod programs;
pub mod selection;
pub mod skip;
mod spirv_val;
pub mod vulkan;
pub mod vulkan_calls;

use std::fmt;

pub use dxc::{CompileResult, Dxc, Validated};
pub use dxc_program::{DxcProgram, newer_library};
pub use dxv::Dxv;
pub use facts::shared_dir;
pub use llvm::Llvm;
pub use skip::skip;
pub use spirv_val::SpirvVal;

/// An oracle that this machine does not have: the text of a skipped test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The oracle, for a person.
    pub what: &'static str,
    /// What was looked for and not found, or would not load.
    pub why: String,
    /// What to do about it.
    pub how: &'static str,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is missing: {} ({})", self.what, self.why, self.how)
    }
}

impl std::error::Error for Missing {}

/// How every oracle but the newer validator is obtained.
const RUN_SETUP: &str = "run `cargo xtask setup`";

/// Loads an installed artefact.
fn load_library(artefact: &artefacts::Artefact) -> Result<libloading::Library, Missing> {
    let missing = |why: String| Missing { what: artefact.what, why, how: RUN_SETUP };
    if !artefacts::platform_supported() {
        return Err(missing("its library exists for x86-64 Linux only".to_string()));
    }
    let path = artefact.path();
    if !path.is_file() {
        return Err(missing(format!("no {} in {}", artefact.file, artefacts::oracle_dir().display())));
    }
    // SAFETY: the file was installed by hash, so its initialisers are those of the pinned library, which were seen to run
    // without preconditions. The libraries are kept loaded for the life of the process.
    unsafe { libloading::Library::new(&path) }.map_err(|e| missing(format!("{} does not load: {e}", path.display())))
}

/// The result of a program that has ended: its output if it failed.
fn verdict(out: std::process::Output) -> Result<(), String> {
    if out.status.success() {
        return Ok(());
    }
    let said = [out.stdout, out.stderr].concat();
    Err(format!("{} ({})", String::from_utf8_lossy(&said).trim_end(), out.status))
}

/// A file in the temporary folder that is removed at the end of its scope.
struct TempFile {
    path: std::path::PathBuf,
}

impl TempFile {
    /// Writes `bytes` to a new file with this extension.
    fn new(extension: &str, bytes: &[u8]) -> Result<TempFile, String> {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("rtc-oracle-{}-{number}.{extension}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        Ok(TempFile { path })
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
