//! What tests need of Python's package index, in an environment of its own: servers, and Playwright, which drives a browser: `.oracles/servers`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rtc_oracles::artefacts::oracle_dir;

use crate::progress::Step;
use crate::python::{environment, present, program};

/// What is installed. The versions are those that the tests were seen to pass with; newer ones of BuildGrid need a database server.
const PACKAGES: &[&str] = &["moto[s3]==5.1.22", "flask>=3,<4", "flask-cors>=4,<7", "buildgrid==0.2.53", "playwright==1.65.2"];

/// Installs the servers, unless they are there.
///
/// # Errors
/// There is no Python that makes environments, or the packages cannot be fetched.
pub fn install() -> Result<(), String> {
    let (folder, done) = (folder(), folder().join("packages"));
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if !present() {
        return Err("there is no `python3` with the module `venv` (Debian's package: python3-venv)".into());
    }
    environment(&folder)?;
    let mut command = Command::new(program(&folder, "python"));
    command.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]).args(PACKAGES);
    let mut step = Step::new("Installing the servers of tests");
    let installed = step.run(&mut command);
    step.done();
    installed?;
    fs::write(&done, wanted).map_err(|e| format!("cannot write {}: {e}", done.display()))
}

fn folder() -> PathBuf {
    oracle_dir().join("servers")
}
