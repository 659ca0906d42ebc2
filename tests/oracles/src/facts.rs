//! Where the reference data is that tests compare with.
//!
//! Facts are files of the repository (`common/tables/facts/`, whose README lists them), so every clone has them. Generated listings
//! and the code examples of the specifications are not committed: they are in the shared folder, and a test that needs them is skipped where there is none.

use std::path::{Path, PathBuf};

use crate::Missing;
use crate::artefacts::workspace_root;

/// The folder of committed facts.
pub fn dir() -> PathBuf {
    workspace_root().join("common/tables/facts")
}

/// The examples of the specifications: other authors' code, so not part of the repository.
///
/// # Errors
/// When the folder of reference material is missing: the reason for a skipped test.
pub fn spec_examples() -> Result<PathBuf, Missing> {
    let dir = shared_dir()?.join("spec-examples");
    if dir.is_dir() {
        return Ok(dir);
    }
    Err(Missing {
        what: "the examples of the specifications",
        why: format!("no folder {}", dir.display()),
        how: "set RTC_SHARED to the folder that has `spec-examples/`",
    })
}

/// Shaders of this project and the reference containers of them.
pub fn reference() -> PathBuf {
    dir().join("reference")
}

/// The text of a committed fact.
///
/// # Panics
/// When there is no such file: every clone has them.
#[track_caller]
pub fn text(name: &str) -> String {
    read(&dir().join(name))
}

/// The text of a file among the facts.
///
/// # Panics
/// When it cannot be read.
#[track_caller]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("cannot read the fact {}: {e}", path.display()))
}

/// The folder of reference material outside the repository: `RTC_SHARED`, or `shared` next to the workspace.
///
/// # Errors
/// When there is none: the reason for a skipped test.
pub fn shared_dir() -> Result<PathBuf, Missing> {
    let named = std::env::var_os("RTC_SHARED").filter(|d| !d.is_empty()).map(PathBuf::from);
    let dir = named.unwrap_or_else(|| workspace_root().join("../shared"));
    if dir.is_dir() {
        return Ok(dir);
    }
    Err(Missing { what: "the folder of reference material", why: format!("no folder {}", dir.display()), how: "set RTC_SHARED to it" })
}

/// The folder with the listings that the reference compiler made of the shaders of [`fn@reference`].
///
/// # Errors
/// When there is none: the reason for a skipped test.
pub fn reference_listings() -> Result<PathBuf, Missing> {
    let dir = shared_dir()?.join("reference");
    if dir.is_dir() {
        return Ok(dir);
    }
    Err(Missing {
        what: "the listings of the reference compiler",
        why: format!("no folder {}", dir.display()),
        how: "set RTC_SHARED to the folder that has `reference/`",
    })
}
