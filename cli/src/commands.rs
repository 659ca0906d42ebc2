//! The commands of `rtc`: their names, what they take, and what each does in a line. Help, errors and `docs/commands.md` come from these rows.

use std::fmt::Write as _;
use std::process::ExitCode;

use crate::error::{CommandError, Result};
use crate::{args, build, container, explain, explore, link, output, paq, run, server, tools};

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What follows its name.
    pub takes: &'static str,
    /// What it does.
    pub about: &'static str,
    start: fn(&[String]) -> Result<ExitCode>,
}

fn code(done: Result<bool>) -> Result<ExitCode> {
    done.map(|ok| if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// All commands, those first that are needed first.
#[rustfmt::skip]
pub const COMMANDS: &[Command] = &[
    Command { name: "build", takes: "[rtc.toml]", about: "build the shaders of a description, with all their permutations", start: |a| code(build::run(a)) },
    Command { name: "run", takes: "SCENE.toml", about: "run a scene on a GPU, or on the CPU", start: run::run },
    Command { name: "explore", takes: "FILE", about: "show source, DXIL, SPIR-V and the IR after each pass side by side in a browser", start: |a| code(explore::run(a)) },
    Command { name: "dis", takes: "FILE", about: "print the listing of a container, a package or a SPIR-V module", start: |a| code(tools::dis(a)) },
    Command { name: "reflect", takes: "FILE", about: "print what a host needs to know of a compiled file, as JSON", start: |a| code(tools::reflect(a)) },
    Command { name: "validate", takes: "FILES", about: "check containers of any compiler by the rules of DXIL", start: |a| code(tools::validate(a)) },
    Command { name: "link", takes: "-T PROFILE FILES", about: "link DXIL libraries into one, or into a shader", start: |a| code(linked(a)) },
    Command { name: "container", takes: "FILE", about: "list the parts of a container or a PDB, or extract one", start: |a| code(container::run(a)) },
    Command { name: "paq", takes: "FILES", about: "infer payload access qualifiers and write them into sources", start: |a| code(paq::run(a)) },
    Command { name: "explain", takes: "CODES", about: "print the page of the book about a diagnostic: why it is wrong and what to do", start: |a| code(explain::run(a)) },
    Command { name: "lsp", takes: "", about: "serve an editor: the language server", start: |a| code(language_server(a)) },
    Command { name: "cache", takes: "stat | gc | clear | verify", about: "look at the cache of compiled shaders, or clean it", start: |a| code(build::cache_command(a)) },
    Command { name: "server", takes: "status | stop", about: "look at the compile server of `rtc --server`, or end it", start: |a| code(server::command(a)) },
    Command { name: "device-info", takes: "", about: "list the devices that scenes run on, with what each can do", start: |a| run::run(&[run::DEVICE_INFO.map(String::from).as_slice(), a].concat()) },
];

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
        return (command.start)(&a[1..]);
    }
    match first.as_str() {
        // What the workers of a farm run.
        rtc_build::entry::COMMAND => code(build::task_command(&a[1..])),
        "--list-intrinsics" | "-list-intrinsics" => code(output::print(rtc::intrinsics::list().as_bytes()).map(|()| true)),
        "help" => code(output::print(help().as_bytes()).map(|()| true)),
        _ if link::is_help(a) && link::is_requested(a) => code(linked(a)),
        word => match no_command(word) {
            Some(error) => Err(error),
            None => code(server::run(a)),
        },
    }
}

/// The error of a first word that is neither a command nor anything that the compiler reads.
fn no_command(word: &str) -> Option<CommandError> {
    let bare = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') && !word.starts_with('-');
    if !bare || std::path::Path::new(word).exists() {
        return None;
    }
    let near = rtc_base::similar::nearest(word, COMMANDS.iter().map(|c| c.name));
    let near = near.map(|n| format!("; did you mean `rtc {n}`?")).unwrap_or_default();
    Some(format!("there is no command and no file `{word}`{near} (rtc --help lists the commands)").into())
}

/// The help text: commands, a line each, and the options of the compiler.
pub fn help() -> String {
    let mut out = String::from(
        "Compiles HLSL to DXIL and SPIR-V, with the options of dxc; runs, builds, examines and explains what is compiled.\n\n\
         Usage:\n  rtc -T PROFILE [OPTIONS] FILE    compile a source; - is standard input; of several sources the last one counts\n  \
         rtc COMMAND ...                  one of these; rtc COMMAND --help has its options\n\nCommands:\n",
    );
    for c in COMMANDS {
        // Writing to a string does not fail.
        _ = writeln!(out, "  {:<34} {}", format!("{} {}", c.name, c.takes).trim_end(), c.about);
    }
    out.push_str("  -list-intrinsics                   print the intrinsics of the language with their signatures\n\n");
    out + &rtc::arguments::help()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_has_a_line_for_each_command() {
        let text = help();
        for c in COMMANDS {
            let lines = text.lines().filter(|l| l.trim_start().starts_with(&format!("{} ", c.name)) && l.ends_with(c.about)).count();
            assert_eq!(lines, 1, "{}", c.name);
        }
    }

    #[test]
    fn every_command_has_its_part_of_the_reference() {
        let text = include_str!("../../docs/commands.md");
        let parts: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("## `rtc ")?.strip_suffix('`')).collect();
        let mut missing = COMMANDS.iter().map(|c| c.name).filter(|name| !parts.contains(name));
        assert_eq!((missing.next(), parts.len()), (None, COMMANDS.len()));
    }

    #[test]
    fn words_that_are_no_command() {
        let said = |word: &str| no_command(word).map(|e| e.to_string()).unwrap_or_default();
        assert!(said("biuld").contains("did you mean `rtc build`?"), "{}", said("biuld"));
        assert!(said("frobnicate").starts_with("there is no command and no file `frobnicate` ("));
        assert_eq!((said("a.hlsl"), said("-T"), said("a/b")), Default::default());
    }
}
