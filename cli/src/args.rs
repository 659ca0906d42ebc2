//! The command line of the compiler: does what its arguments ask for and prints the outcome. What they mean is in the library
//! ([`rtc::arguments`]).

use std::mem::ManuallyDrop;

use rtc::arguments::{CompileRequest, Invocation};
use rtc::{Disk, Options, Session};

use crate::effects::Effects;
use crate::error::Result;
use crate::job::Inputs;
use crate::messages::Caller;
use crate::{commands, container, job, link, output, version};

/// Does what the arguments ask for. Returns `false` after printing errors.
///
/// # Errors
/// Invalid arguments and files that cannot be read or written.
pub fn run(args: &[String]) -> Result<bool> {
    let mut named = output::Named::default();
    match Options::parse_args(args, &mut named)? {
        Invocation::Help => output::print(commands::help().as_bytes()).map(|()| true),
        Invocation::Version => output::print(version::text().as_bytes()).map(|()| true),
        Invocation::Container(request) => container::dump(*request),
        Invocation::Link(request) => link::link(*request),
        Invocation::Compile(request) => compile(*request, &named.read),
    }
}

/// Compiles in this process, which ends with the compilation: nothing of it is freed. `named` are the files that arguments name and that were read.
fn compile(request: CompileRequest, named: &[String]) -> Result<bool> {
    let session = ManuallyDrop::new(Session::for_one_job(Disk));
    let mut effects = Effects::default();
    let inputs = Inputs { named, folder: "".as_ref() };
    let done = job::compile(request, session.job(), output::read, &inputs, &Caller::this_process(), &mut effects);
    // What cannot be written comes before what cannot be compiled.
    effects.perform()?;
    let (success, compilation) = done?;
    std::mem::forget(compilation);
    Ok(success)
}
