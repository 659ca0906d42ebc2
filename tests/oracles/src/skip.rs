//! Skipped tests: the one function through which a test says that it cannot run, and why.
//!
//! Rust's test harness distinguishes passed, failed and ignored tests, and whether a test is ignored is decided before it runs. A test
//! that finds out while running that something is missing calls [`skip`] and returns (or uses [`require!`](crate::require)). The line
//! goes to stderr and, when `RTC_SKIP_LOG` names a file, to the end of that file: `cargo xtask test` collects them there, counts these
//! tests as skipped instead of passed, and prints each with its reason. No test reports a skip in another way
//! (`skips_go_through_one_function` checks that).

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::panic::Location;
use std::path::PathBuf;

/// The environment variable that names the file in which skipped tests are collected.
pub const SKIP_LOG: &str = "RTC_SKIP_LOG";

/// Reports the running test as skipped, with the reason. Return from the test right after it, once per test.
#[track_caller]
pub fn skip(why: impl Display) {
    let caller = Location::caller();
    let name = match std::thread::current().name() {
        Some(name) if name != "main" => name.to_string(),
        _ => format!("{}:{}", caller.file(), caller.line()),
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
    let line = format!("{}\t{name}\t{}\n", test_program(), why.replace('\n', " "));
    let file = OpenOptions::new().create(true).append(true).open(&log);
    if let Err(e) = file.and_then(|mut f| f.write_all(line.as_bytes())) {
        eprintln!("cannot write {}: {e}", PathBuf::from(log).display());
    }
}

/// The name of the running test program, without the hash that cargo appends.
fn test_program() -> String {
    let exe = std::env::current_exe().ok();
    let stem = exe.as_deref().and_then(|e| e.file_stem()).unwrap_or_default().to_string_lossy().into_owned();
    stem.rsplit_once('-').map_or(stem.clone(), |(name, _hash)| name.to_string())
}

/// The value of a `Result`; if it is an error, the running test is skipped with it.
#[macro_export]
macro_rules! require {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(why) => return $crate::skip::skip(why),
        }
    };
}
