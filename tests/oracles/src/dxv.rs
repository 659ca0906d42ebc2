//! A newer DXIL validator, where the machine has one.
//!
//! There is no public package of it for Linux, so it is found, not installed: the program named by `RTC_DXV`, else `dxv` on
//! `PATH`. It validates what the pinned library cannot: validator versions 1.7 and later.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Missing;
use crate::programs::find_program;

/// The `dxv` program.
#[derive(Clone, Debug)]
pub struct Dxv {
    program: PathBuf,
}

impl Dxv {
    /// Finds the program.
    ///
    /// # Errors
    /// When neither `RTC_DXV` nor `PATH` has it.
    pub fn find() -> Result<Dxv, Missing> {
        let missing = |why: String| Missing {
            what: "a newer DXIL validator (dxv)",
            why,
            how: "set RTC_DXV to its path; it comes with newer releases of the reference compiler",
        };
        match std::env::var("RTC_DXV") {
            Ok(name) if !name.is_empty() => find_program(&name)
                .map(|program| Dxv { program })
                .ok_or_else(|| missing(format!("RTC_DXV names `{name}`, which is not a program"))),
            _ => find_program("dxv")
                .map(|program| Dxv { program })
                .ok_or_else(|| missing("RTC_DXV is not set and no `dxv` is on PATH".to_string())),
        }
    }

    /// Validates the container in a file.
    ///
    /// # Errors
    /// What the validator says when it rejects the container.
    pub fn validate_file(&self, path: &Path) -> Result<(), String> {
        let out = Command::new(&self.program).arg(path).output().map_err(|e| format!("cannot start {}: {e}", self.program.display()))?;
        crate::verdict(out)
    }

    /// Validates a container in memory, by way of a temporary file.
    ///
    /// # Errors
    /// As [`Dxv::validate_file`]; also when the temporary file cannot be written.
    pub fn validate(&self, container: &[u8]) -> Result<(), String> {
        let file = crate::TempFile::new("dxil", container)?;
        self.validate_file(&file.path)
    }
}
