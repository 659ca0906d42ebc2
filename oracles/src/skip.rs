//! Skipping a test so that it is seen.
//!
//! Rust's test harness knows passed, failed and ignored, and ignored is decided before a test runs. A test that finds out
//! while running that it cannot ask its question calls [`skip`] and returns. The line goes to stderr and, when
//! `RTC_SKIP_LOG` names a file, to the end of that file: `cargo xtask test` collects them there, counts these tests as
//! skipped instead of passed, and prints each with its reason.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::panic::Location;
use std::path::PathBuf;

use crate::Missing;
use crate::artefacts::workspace_root;

/// The environment variable that names the file in which skipped tests are collected.
pub const SKIP_LOG: &str = "RTC_SKIP_LOG";

/// Reports the running test as skipped, with the reason. Return from the test right after it, once per test.
#[track_caller]
pub fn skip(why: impl Display) {
    let place = Location::caller();
    let name = match std::thread::current().name() {
        Some(name) if name != "main" => name.to_string(),
        _ => format!("{}:{}", place.file(), place.line()),
    };
    skip_named(&name, &why.to_string());
}

/// Reports a test that is known by `name` as skipped: for harnesses that know their tests' names.
pub fn skip_named(name: &str, why: &str) {
    eprintln!("skipped: {name}: {why}");
    let Some(log) = std::env::var_os(SKIP_LOG).filter(|l| !l.is_empty()) else {
        return;
    };
    // One write per line: test programs that run at the same time append whole lines.
    let line = format!("{name}\t{}\n", why.replace('\n', " "));
    let file = OpenOptions::new().create(true).append(true).open(&log);
    if let Err(e) = file.and_then(|mut f| f.write_all(line.as_bytes())) {
        eprintln!("cannot write {}: {e}", PathBuf::from(log).display());
    }
}

/// The folder of reference material that is shared beside the project: `RTC_SHARED`, or `shared` next to the workspace.
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
