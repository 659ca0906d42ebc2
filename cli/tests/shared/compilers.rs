//! Our compiler and the reference as processes that take the same arguments.

use std::path::Path;
use std::process::Command;

/// Set in the process that is the reference compiler: its arguments, one a line.
const REFERENCE: &str = "RTC_TEST_REFERENCE";

/// A compiler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// Ours.
    Rtc,
    /// The reference, which may crash: this program, started again. It has a test `reference_compiler_process`, which calls
    /// [`be_the_reference`].
    Reference,
    #[allow(dead_code, reason = "some of the tests that share this file do without it")]
    /// The newest reference compiler, where the machine has one ([`rtc_oracles::DxcProgram`]).
    Newest,
}

/// Compiles, and ends the process, if it was started as the reference compiler.
pub fn be_the_reference() {
    if let Ok(args) = std::env::var(REFERENCE) {
        let args: Vec<String> = args.lines().map(str::to_string).collect();
        std::process::exit(i32::from(rtc_oracles::cli::run(&args)));
    }
}

/// The file that a compiler writes for a source. The error is what it prints.
pub fn compile(compiler: Compiler, args: &[String], source: &Path, out: &Path) -> Result<Vec<u8>, String> {
    let mut all = args.to_vec();
    all.extend([source.display().to_string(), "-Fo".into(), out.display().to_string()]);
    let mut command = match compiler {
        Compiler::Rtc => Command::new(env!("CARGO_BIN_EXE_rtc")),
        Compiler::Reference => Command::new(std::env::current_exe().expect("this program")),
        Compiler::Newest => rtc_oracles::DxcProgram::find().map_err(|e| e.to_string())?.command(),
    };
    match compiler {
        Compiler::Rtc | Compiler::Newest => command.args(&all),
        Compiler::Reference => {
            let all = [&["compile".to_string()], &all[..]].concat().join("\n");
            command.args(["--exact", "reference_compiler_process", "--nocapture"]).env(REFERENCE, all)
        }
    };
    let done = command.output().expect("a compiler starts");
    if !done.status.success() {
        return Err(format!("{:?} {}", done.status.code(), String::from_utf8_lossy(&done.stderr)));
    }
    std::fs::read(out).map_err(|e| e.to_string())
}
