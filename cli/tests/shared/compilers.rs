//! Our compiler and the reference as processes that take the same arguments.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A compiler that takes longer is ended: the reference has endless loops.
const LONGEST: Duration = Duration::from_secs(60);

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
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a compiler starts");
    let mut errors = child.stderr.take().expect("its messages");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        errors.read_to_end(&mut text).map(|_| text).unwrap_or_default()
    });
    let end = Instant::now() + LONGEST;
    let status = loop {
        if let Some(status) = child.try_wait().expect("the compiler is waited for") {
            break Some(status);
        }
        if Instant::now() > end {
            child.kill().ok();
            child.wait().ok();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = reader.join().unwrap_or_default();
    match status {
        Some(status) if status.success() => std::fs::read(out).map_err(|e| e.to_string()),
        Some(status) => Err(format!("{:?} {}", status.code(), String::from_utf8_lossy(&text))),
        None => Err(format!("it did not end in {} s", LONGEST.as_secs())),
    }
}
