//! `rtc lsp`: the language server, over standard input and output.

use crate::error::Result;

const USAGE: &str = "usage: rtc lsp [--stdio]\n\
    Serves an editor by the Language Server Protocol over standard input and output.\n\
    docs/editors.md says how editors start it, and what its settings are.";

/// Serves a client until it leaves. Returns whether it left in the order that the protocol demands.
///
/// # Errors
/// Invalid arguments, or the client closed the output.
pub fn run(args: &[String]) -> Result<bool> {
    for arg in args {
        match arg.as_str() {
            "-h" | "-help" | "--help" => {
                rtc_base::say!("{USAGE}");
                return Ok(true);
            }
            // Clients add it by convention.
            "--stdio" | "-stdio" => {}
            other => return Err(format!("unknown argument `{other}`\n{USAGE}").into()),
        }
    }
    let end = rtc_lsp::run().map_err(|e| format!("the language server: {e}"))?;
    Ok(end == rtc_lsp::End::Orderly)
}
