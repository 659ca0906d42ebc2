//! The commands of `rtc`: their names, what they take, and what each does in a line. Help, errors and `docs/commands.md` come from these rows.

use std::fmt::Write as _;

use crate::error::CommandError;

/// What a command is called in code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    Build,
    Run,
    Explore,
    Dis,
    Reflect,
    Validate,
    Link,
    Container,
    Paq,
    Explain,
    Lsp,
    Cache,
    Server,
    DeviceInfo,
}

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What follows its name.
    pub takes: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Which one it is.
    pub which: Which,
}

/// All commands, those first that are needed first.
#[rustfmt::skip]
pub const COMMANDS: &[Command] = &[
    Command { name: "build", takes: "[rtc.toml]", about: "build the shaders of a description, with all their permutations", which: Which::Build },
    Command { name: "run", takes: "SCENE.toml", about: "run a scene on a GPU, or on the CPU", which: Which::Run },
    Command { name: "explore", takes: "FILE", about: "show source, DXIL, SPIR-V and the IR after each pass side by side in a browser", which: Which::Explore },
    Command { name: "dis", takes: "FILE", about: "print the listing of a container, a package or a SPIR-V module", which: Which::Dis },
    Command { name: "reflect", takes: "FILE", about: "print what a host needs to know of a compiled file, as JSON", which: Which::Reflect },
    Command { name: "validate", takes: "FILES", about: "check containers of any compiler by the rules of DXIL", which: Which::Validate },
    Command { name: "link", takes: "-T PROFILE FILES", about: "link DXIL libraries into one, or into a shader", which: Which::Link },
    Command { name: "container", takes: "FILE", about: "list the parts of a container or a PDB, or extract one", which: Which::Container },
    Command { name: "paq", takes: "FILES", about: "infer payload access qualifiers and write them into sources", which: Which::Paq },
    Command { name: "explain", takes: "CODES", about: "print the page of the book about a diagnostic: why it is wrong and what to do", which: Which::Explain },
    Command { name: "lsp", takes: "", about: "serve an editor: the language server", which: Which::Lsp },
    Command { name: "cache", takes: "stat | gc | clear | verify", about: "look at the cache of compiled shaders, or clean it", which: Which::Cache },
    Command { name: "server", takes: "status | stop", about: "look at the compile server of `rtc --server`, or end it", which: Which::Server },
    Command { name: "device-info", takes: "", about: "list the devices that scenes run on, with what each can do", which: Which::DeviceInfo },
];

/// The error of a first word that is neither a command nor anything that the compiler reads.
pub fn no_command(word: &str) -> Option<CommandError> {
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
