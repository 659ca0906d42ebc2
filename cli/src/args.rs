//! The command line of the compiler: does what its arguments ask for and prints the outcome. What they mean is in the library
//! ([`rtc::arguments`]).

use std::mem::ManuallyDrop;

use rtc::arguments::{CompileRequest, Invocation, help};
use rtc::{Disk, Options, Session};

use crate::effects::Effects;
use crate::error::Result;
use crate::messages::Caller;
use crate::{container, job, link, output, version};

/// Does what the arguments ask for. Returns `false` after printing errors.
///
/// # Errors
/// Invalid arguments and files that cannot be read or written.
pub fn run(args: &[String]) -> Result<bool> {
    match Options::parse_args(args, &mut output::Named)? {
        Invocation::Help => print_help(),
        Invocation::Version => output::print(version::text().as_bytes()).map(|()| true),
        Invocation::Container(request) => container::dump(*request),
        Invocation::Link(request) => link::link(*request),
        Invocation::Compile(request) => compile(*request),
    }
}

/// The help text, with the subcommands.
fn print_help() -> Result<bool> {
    let text = format!(
        "Compiles HLSL to DXIL and SPIR-V, with the options of dxc.\n\n\
         Usage: rtc [--server] -T PROFILE [OPTIONS] FILE\n       \
         rtc build [rtc.toml] | cache stat | run SCENE.toml | explore FILE | dis FILE | validate FILES | reflect FILE | container FILE | paq FILES | explain CODES | lsp | server status | link -T PROFILE FILES | -list-intrinsics\n\n\
         Arguments:\n  [FILE]...  the source; - is standard input; of several, the last one counts\n\n{}",
        help()
    );
    output::print(text.as_bytes()).map(|()| true)
}

/// Compiles in this process, which ends with the compilation: nothing of it is freed.
fn compile(request: CompileRequest) -> Result<bool> {
    let session = ManuallyDrop::new(Session::for_one_job(Disk));
    let mut effects = Effects::default();
    let done = job::compile(request, session.job(), output::read, &Caller::this_process(), &mut effects);
    // What cannot be written comes before what cannot be compiled.
    effects.perform()?;
    let (success, compilation) = done?;
    std::mem::forget(compilation);
    Ok(success)
}
