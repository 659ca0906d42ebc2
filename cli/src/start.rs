//! Starts the command that the arguments name, or the compiler.

use std::process::ExitCode;

use crate::commands::{self, COMMANDS, Which, no_command};
use crate::error::Result;
use crate::{args, build, container, explain, explore, link, output, paq, run, server, tools};

fn code(done: Result<bool>) -> Result<ExitCode> {
    done.map(|ok| if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn linked(a: &[String]) -> Result<bool> {
    if link::is_help(a) {
        return output::print(format!("{}\n", link::USAGE).as_bytes()).map(|()| true);
    }
    args::run(&[&["-link".to_owned()], a].concat())
}

#[cfg(feature = "lsp")]
fn language_server(a: &[String]) -> Result<bool> {
    crate::lsp::run(a)
}

#[cfg(not(feature = "lsp"))]
fn language_server(_: &[String]) -> Result<bool> {
    Err("this build of rtc has no language server; build it with the feature `lsp`".into())
}

/// Does what the arguments ask for.
///
/// # Errors
/// What the command says.
pub fn start(a: &[String]) -> Result<ExitCode> {
    let Some(first) = a.first() else { return code(args::run(a)) };
    if let Some(command) = COMMANDS.iter().find(|c| c.name == first) {
        return command_of(command.which, &a[1..]);
    }
    match first.as_str() {
        // What the workers of a farm run.
        rtc_build::entry::COMMAND => code(build::task_command(&a[1..])),
        "--list-intrinsics" | "-list-intrinsics" => code(output::print(rtc::intrinsics::list().as_bytes()).map(|()| true)),
        "help" => code(output::print(commands::help().as_bytes()).map(|()| true)),
        _ if link::is_help(a) && link::is_requested(a) => code(linked(a)),
        word => match no_command(word) {
            Some(error) => Err(error),
            None => code(server::run(a)),
        },
    }
}

/// Starts a command with what follows its name.
fn command_of(which: Which, a: &[String]) -> Result<ExitCode> {
    match which {
        Which::Run => run::run(a),
        Which::DeviceInfo => run::run(&[run::DEVICE_INFO.map(String::from).as_slice(), a].concat()),
        Which::Build => code(build::run(a)),
        Which::Explore => code(explore::run(a)),
        Which::Dis => code(tools::dis(a)),
        Which::Reflect => code(tools::reflect(a)),
        Which::Validate => code(tools::validate(a)),
        Which::Link => code(linked(a)),
        Which::Container => code(container::run(a)),
        Which::Paq => code(paq::run(a)),
        Which::Explain => code(explain::run(a)),
        Which::Lsp => code(language_server(a)),
        Which::Cache => code(build::cache_command(a)),
        Which::Server => code(server::command(a)),
    }
}
