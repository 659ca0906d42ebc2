//! Options of the command line: their names, those that the page decides itself, and those that matter to a run.

use rtc::flags::{FLAGS, Flag, Takes};

/// Options that the page decides itself: the target, and debug information. Those that name files to write have no effect on a compilation.
const OWN: &[&str] = &["spirv", "Zi", "Zs", "Zss", "Zsb", "Qembed_debug", "P", "fspv-debug"];

/// The name of an option without what introduces it; empty for what is none.
pub fn option(argument: &str) -> &str {
    let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix(['-', '/']));
    name.unwrap_or("")
}

/// Whether the page decides itself what an argument requests.
pub fn is_own(argument: &str) -> bool {
    let name = option(argument).split('=').next().unwrap_or("");
    OWN.contains(&name)
}

/// Options that write files or print, or do something else than to compile.
const OUTPUTS: &[&str] = &[
    "Fo",
    "Fc",
    "Fe",
    "Fh",
    "Fi",
    "Fd",
    "Fre",
    "Frs",
    "Fsh",
    "getprivate",
    "M",
    "MD",
    "MF",
    "H",
    "Vi",
    "verify",
    "report",
    "ftime-trace",
    "ftime-report",
];

/// The arguments that matter to a run of what they compile: without those that write files, which the page ignores, too.
pub fn to_run(arguments: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let name = option(word);
        match FLAGS.iter().find(|f| f.name == name) {
            // Its values go with it.
            Some(f) if OUTPUTS.contains(&f.name) => words.by_ref().take(if f.takes.joins() { 0 } else { f.takes.values() }).for_each(drop),
            None if FLAGS.iter().any(|f| OUTPUTS.contains(&f.name) && has_value(name, f)) => {}
            _ => out.push(word.clone()),
        }
    }
    out
}

/// Whether this is an option with its value in the same word: `Fox`, `Fo=x`.
fn has_value(name: &str, flag: &Flag) -> bool {
    let rest = name.strip_prefix(flag.name);
    rest.is_some_and(|rest| rest.starts_with('=') || matches!(flag.takes, Takes::JoinedOrSeparate | Takes::Joined))
}
