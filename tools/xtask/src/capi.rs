//! `cargo xtask capi PREFIX`: builds the libraries with a C interface and the command, and installs them.

use std::path::Path;
use std::process::Command;

use crate::plan;

/// Builds and installs.
///
/// # Errors
/// When something cannot be built or copied.
pub fn install(prefix: &str) -> Result<(), String> {
    plan::build(plan::PRODUCT.0, "", true)?;
    for (package, program) in plan::CAPI {
        let mut build = plan::cargo();
        build.args(["build", "--release", "-p", package]).args(plan::lock_flags());
        plan::run_cargo(&mut build)?;
        let mut install = Command::new(plan::program(program, true));
        install.arg(Path::new(prefix));
        let output = install.output().map_err(|e| format!("cannot start `{program}`: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
    }
    println!("installed into {prefix}");
    Ok(())
}
