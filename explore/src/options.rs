//! Options of the command line: their names, and those that the page decides itself.

/// Options that the page decides itself: the target, and debug information. Those that name files to write have no effect on a compilation.
const OWN: &[&str] = &["spirv", "Zi", "Zs", "Zss", "Zsb", "Qembed_debug", "P", "fspv-debug"];

/// The name of an option without what introduces it; empty for what is none.
pub(crate) fn option(argument: &str) -> &str {
    let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix(['-', '/']));
    name.unwrap_or("")
}

/// Whether the page decides itself what an argument requests.
pub(crate) fn is_own(argument: &str) -> bool {
    let name = option(argument).split('=').next().unwrap_or("");
    OWN.contains(&name)
}
