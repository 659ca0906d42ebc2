//! The help text, printed from the table of options.

use std::fmt::Write as _;

use super::flags::{FLAGS, Support, Takes};

/// Every option of the compiler with its value and a line of explanation.
pub fn help() -> String {
    let mut out = String::from("Options:\n");
    for f in FLAGS {
        let suffix = match f.support {
            Support::Full => "",
            Support::NoEffect(_) => " [no effect]",
            Support::Refused(_) => continue,
        };
        let value = match f.takes {
            Takes::Nothing => String::new(),
            Takes::Joined => format!("<{}>", f.value),
            Takes::Equals => format!("=<{}>", f.value),
            Takes::OptionalEquals => format!("[=<{}>]", f.value),
            Takes::JoinedOrSeparate | Takes::Separate | Takes::Two | Takes::Four => format!(" <{}>", f.value),
        };
        // Writing to a string does not fail.
        _ = writeln!(out, "      -{}{value}\n          {}{suffix}", f.name, f.help);
    }
    out.push_str("  -h, -help\n          print help\n      -version\n          print the version\n");
    out
}
