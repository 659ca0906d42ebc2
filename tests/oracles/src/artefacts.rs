//! The table of oracle libraries to fetch, pinned by hash.
//!
//! Each library is one member of an archive that the Python package index keeps. The archive is fetched by package name
//! and version, its hash is checked by the package client before anything of it is used, and the hash of the extracted
//! library is checked here. `cargo xtask setup` installs the rows into `.oracles/` of the workspace; nothing of it is
//! ever committed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// How the archive of an [`Artefact`] is packed, which also decides the options of the package client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archive {
    /// A source distribution (`.tar.gz`).
    Sdist,
    /// A built wheel (`.zip` by another name) for this Python tag and platform, for any running Python.
    Wheel {
        /// Python version of the wheel, as `3.11`.
        python: &'static str,
        /// ABI tag of the wheel.
        abi: &'static str,
        /// Platform tag of the wheel.
        platform: &'static str,
    },
}

/// One library that an oracle needs, and where it is found.
#[derive(Clone, Copy, Debug)]
pub struct Artefact {
    /// File name inside `.oracles/`.
    pub file: &'static str,
    /// What a person calls it.
    pub what: &'static str,
    /// Package name.
    pub package: &'static str,
    /// Exact package version.
    pub version: &'static str,
    /// Kind of archive.
    pub archive: Archive,
    /// SHA-256 of the archive, lower-case hexadecimal.
    pub archive_sha256: &'static str,
    /// Path of the library inside the archive.
    pub member: &'static str,
    /// SHA-256 of the library, lower-case hexadecimal.
    pub sha256: &'static str,
}

/// The reference DXIL compiler and validator of the 1.7 era.
pub const DXC: Artefact = Artefact {
    file: "libdxcompiler.so",
    what: "the reference HLSL compiler and DXIL validator",
    package: "compushady",
    version: "0.17.5",
    archive: Archive::Sdist,
    archive_sha256: "5052caf9e955d8e7a48e22f536e82b44b72e83af46e824a9e99157c7809de691",
    member: "compushady-0.17.5/compushady/backends/libdxcompiler_x86_64.so.3.7",
    sha256: "fb549976da7abff1ee56bdfa4f5ab156b95e971d4270b5b4447b61682d105809",
};

/// The SPIR-V validator of 2026.
pub const SPIRV_VAL: Artefact = Artefact {
    file: "libslang-glslang.so",
    what: "the SPIR-V validator",
    package: "slangpy",
    version: "0.43.1",
    archive: Archive::Wheel { python: "3.11", abi: "cp311", platform: "manylinux_2_34_x86_64" },
    archive_sha256: "965dbbd1d907c90e17027945780146a67c66baf766f3d0b8af3f52ea2c4a8eb9",
    member: "slangpy/libslang-glslang-2026.12.so",
    sha256: "d529bf64d39521d626cca4c1f74612b1b662e0b68829a5efd12fdb20306f0b69",
};

/// Every artefact, in the order of installation.
pub const ARTEFACTS: &[Artefact] = &[DXC, SPIRV_VAL];

/// The root folder of the workspace that this crate was built in.
pub fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The folder that holds the installed artefacts: `RTC_ORACLES` when set, `.oracles` of the workspace otherwise.
pub fn oracle_dir() -> PathBuf {
    match std::env::var_os("RTC_ORACLES") {
        Some(dir) if !dir.is_empty() => PathBuf::from(dir),
        _ => workspace_root().join(".oracles"),
    }
}

/// The state of an artefact's file on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Present, and the hash is the pinned one.
    Installed,
    /// No such file.
    Absent,
    /// Present with another hash (given in hexadecimal): to be fetched again.
    Different(String),
}

impl Artefact {
    /// Where the file lies once it is installed.
    pub fn path(&self) -> PathBuf {
        oracle_dir().join(self.file)
    }

    /// Compares the file at `path` with the pinned hash.
    ///
    /// # Errors
    /// When a file that exists cannot be read.
    pub fn state_of(&self, path: &Path) -> io::Result<State> {
        match sha256_of(path) {
            Ok(hash) if hash == self.sha256 => Ok(State::Installed),
            Ok(hash) => Ok(State::Different(hash)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(State::Absent),
            Err(e) => Err(e),
        }
    }
}

/// True when this machine can load the artefacts: they are x86-64 Linux libraries.
pub const fn platform_supported() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// SHA-256 of a file's contents, lower-case hexadecimal.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buf = vec![0u8; 1 << 16];
    loop {
        let n = file.read(&mut buf)?;
        if n == 0 {
            break;
        }
        hasher.update(&buf[..n]);
    }
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
