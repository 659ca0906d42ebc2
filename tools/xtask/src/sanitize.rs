//! `cargo xtask sanitize`: runs the tests of the crates at the boundary to C under the compiler's sanitizers.
//!
//! The address sanitizer finds invalid accesses and leaks, the thread sanitizer finds data races; for the latter the standard
//! library is built with it, too. Each has a target folder of its own, `target/sanitize-NAME`. The C programs of the tests
//! are not among them: they are linked without the sanitizer's runtime, and valgrind looks at them in every test run.

use std::path::Path;
use std::process::Command;

use crate::plan;
use crate::tool::{self, NIGHTLY, RUSTUP, TOOLCHAIN, Tool};

/// A sanitizer.
struct Sanitizer {
    name: &'static str,
    /// Cargo's flags besides those that all have.
    flags: &'static [&'static str],
    tools: &'static [Tool],
}

/// The source of the standard library.
const SOURCE: Tool = Tool {
    what: "the source of the standard library, which is built with the thread sanitizer",
    present: || {
        rustc(&["--print", "sysroot"]).is_some_and(|root| Path::new(root.trim()).join("lib/rustlib/src/rust/library/Cargo.lock").exists())
    },
    install: "rustup component add rust-src --toolchain nightly",
};

#[rustfmt::skip]
const SANITIZERS: &[Sanitizer] = &[
    Sanitizer { name: "address", flags: &[], tools: &[RUSTUP, NIGHTLY] },
    Sanitizer { name: "thread", flags: &["-Zbuild-std"], tools: &[RUSTUP, NIGHTLY, SOURCE] },
];

/// What is tested: arguments of `cargo test`.
const TESTS: &[&[&str]] =
    &[&["-p", "rtc-memory", "-p", "rtc-com", "-p", "rtc-dxcompiler", "--lib", "--tests"], &["-p", "rtc-c", "-p", "rtc-c-common", "--lib"]];

/// What the nightly compiler prints with these arguments, if it is there.
fn rustc(args: &[&str]) -> Option<String> {
    let output = Command::new("rustc").env_remove("RUSTUP_TOOLCHAIN").arg(TOOLCHAIN).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the tests under the sanitizer of this name, or under all.
///
/// # Errors
/// There is no such sanitizer, a tool is missing, or a test fails.
pub fn run(wanted: Option<&str>) -> Result<(), String> {
    let chosen: Vec<&Sanitizer> = SANITIZERS.iter().filter(|s| wanted.is_none_or(|w| w == s.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = SANITIZERS.iter().map(|s| s.name).collect();
        return Err(format!("unknown sanitizer; there are: {}", names.join(" ")));
    }
    let host = rustc(&["-vV"]).and_then(|text| Some(text.lines().find_map(|l| l.strip_prefix("host: "))?.to_owned()));
    for sanitizer in chosen {
        tool::require("a sanitizer", sanitizer.tools)?;
        let host = host.as_deref().ok_or("the nightly toolchain does not say what machine it is for")?;
        for tests in TESTS {
            let mut command = plan::rustup_cargo();
            command.args([TOOLCHAIN, "test", "--target", host]).args(sanitizer.flags).args(*tests).args(plan::lock_flags());
            // Libraries that tests load find the sanitizer's functions in the program.
            command.env("RUSTFLAGS", format!("-Zsanitizer={} -Clink-arg=-Wl,--export-dynamic", sanitizer.name));
            // The tests have the crates of which the libraries are made as well, so both have their global variables.
            command.env("ASAN_OPTIONS", "detect_odr_violation=0");
            command.env("CARGO_TARGET_DIR", plan::target_dir().join(format!("sanitize-{}", sanitizer.name)));
            plan::run_cargo(&mut command)?;
        }
        println!("the {} sanitizer has nothing to say", sanitizer.name);
    }
    Ok(())
}
