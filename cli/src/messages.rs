//! Messages: diagnostics in the requested style, and remarks on arguments.

use std::io::IsTerminal;

use rtc::arguments::{Messages, Note};
use rtc::{Compilation, Severity, Style};

use crate::error::Result;
use crate::output;

/// Prints remarks on arguments.
pub fn print_notes(notes: &[Note]) {
    for note in notes {
        let word = if note.severity == Severity::Note { "note" } else { "warning" };
        eprintln!("rtc: {word}: {}", note.message);
    }
}

/// The style of diagnostics: short where a program reads them, or where the command is called `dxc`.
pub fn style(requested: Option<Style>) -> Style {
    requested.unwrap_or_else(|| if std::io::stderr().is_terminal() && !called_dxc() { Style::Rich } else { Style::Short })
}

/// Whether the command has the name of dxc, as a link to it may.
fn called_dxc() -> bool {
    let name = std::env::args_os().next();
    name.is_some_and(|n| std::path::Path::new(&n).file_stem().is_some_and(|s| s.eq_ignore_ascii_case("dxc")))
}

/// Writes the diagnostics of a compilation to standard error or to the file of `-Fe`.
///
/// # Errors
/// The file cannot be written.
pub fn report(c: &Compilation, messages: &Messages) -> Result<()> {
    let mut text = String::new();
    for d in &c.diagnostics {
        text.push_str(&rtc::render(&c.sources, d, style(messages.style)));
    }
    match &messages.file {
        Some(path) => output::write(path, text.as_bytes()),
        None => {
            eprint!("{text}");
            Ok(())
        }
    }
}
