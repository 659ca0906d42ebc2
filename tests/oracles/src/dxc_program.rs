//! A newer reference compiler, where the machine has one.
//!
//! Like the newer validator ([`crate::Dxv`]) it is found, not installed: the program named by `RTC_DXC`, else `dxc` on `PATH`. It compiles
//! what the pinned library cannot: shader models above 6.7, and containers as the newest validator expects them.

use std::path::PathBuf;
use std::process::Command;

use crate::programs::find_program;
use crate::{CompileResult, Missing, TempFile};

/// The library of a newer reference compiler: the one named by `RTC_DXCOMPILER`, else the one that belongs to the program. Its tables of
/// functions are those of today's headers, which the pinned library's are not.
///
/// # Errors
/// When there is none.
pub fn newer_library() -> Result<PathBuf, Missing> {
    let missing = |why: String| Missing { what: "a newer reference compiler's library", why, how: "set RTC_DXCOMPILER to its path" };
    if let Ok(name) = std::env::var("RTC_DXCOMPILER")
        && !name.is_empty()
    {
        let path = PathBuf::from(&name);
        return if path.is_file() { Ok(path) } else { Err(missing(format!("RTC_DXCOMPILER names `{name}`, which is not a file"))) };
    }
    let program = DxcProgram::find()?.program;
    let folder = program.parent().and_then(|bin| bin.parent()).map(|p| p.join("lib/libdxcompiler.so"));
    folder
        .filter(|p| p.is_file())
        .ok_or_else(|| missing(format!("RTC_DXCOMPILER is not set and `{}` has none in `lib`", program.display())))
}

/// The `dxc` program.
#[derive(Clone, Debug)]
pub struct DxcProgram {
    program: PathBuf,
}

impl DxcProgram {
    /// Finds the program.
    ///
    /// # Errors
    /// When neither `RTC_DXC` nor `PATH` has it.
    pub fn find() -> Result<DxcProgram, Missing> {
        let missing = |why: String| Missing { what: "a newer reference compiler (dxc)", why, how: "set RTC_DXC to its path" };
        match std::env::var("RTC_DXC") {
            Ok(name) if !name.is_empty() => find_program(&name)
                .map(|program| DxcProgram { program })
                .ok_or_else(|| missing(format!("RTC_DXC names `{name}`, which is not a program"))),
            _ => find_program("dxc")
                .map(|program| DxcProgram { program })
                .ok_or_else(|| missing("RTC_DXC is not set and no `dxc` is on PATH".to_string())),
        }
    }

    /// The program, without arguments.
    pub fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// Compiles `source` with the arguments of a command line, as `["-T", "lib_6_9"]`.
    pub fn compile(&self, source: &str, args: &[&str]) -> CompileResult {
        let failed = |diagnostics: String| CompileResult { diagnostics, ..CompileResult::default() };
        let (input, output) = match (TempFile::new("hlsl", source.as_bytes()), TempFile::new("out", &[])) {
            (Ok(input), Ok(output)) => (input, output),
            (Err(e), _) | (_, Err(e)) => return failed(e),
        };
        let out = self.command().args(args).arg("-Fo").arg(&output.path).arg(&input.path).output();
        let out = match out {
            Ok(out) => out,
            Err(e) => return failed(format!("cannot start {}: {e}", self.program.display())),
        };
        let diagnostics = String::from_utf8_lossy(&out.stderr).into_owned();
        if !out.status.success() {
            return failed(diagnostics);
        }
        match std::fs::read(&output.path) {
            Ok(object) => CompileResult { ok: true, object: Some(object), diagnostics },
            Err(e) => failed(format!("cannot read {}: {e}", output.path.display())),
        }
    }
}
