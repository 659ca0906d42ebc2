//! Messages: diagnostics in the requested style, and remarks on arguments.

use std::io::IsTerminal;

use rtc::arguments::{Messages, Note};
use rtc::{Compilation, Diagnostic, Severity, SourceMap, Style};

use crate::error::Result;
use crate::{explain, output};

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

/// The diagnostics as text, with the sources of each. In the rich style, which people read, the last line names the pages that explain them.
/// A command called `dxc` quotes as dxc does, since programs that call it read that.
pub fn text<'a>(diagnostics: impl Iterator<Item = (&'a SourceMap, &'a Diagnostic)>, style: Style) -> String {
    let mut text = String::new();
    let mut codes = Vec::new();
    for (sources, d) in diagnostics {
        text.push_str(&rtc::render(sources, d, style));
        codes.push((d.is_error(), d.code.id));
    }
    if style == Style::Rich
        && let Some(line) = explain::pointer(codes)
    {
        text.push_str(&line);
    }
    if style == Style::Short && called_dxc() { text.replace('`', "'") } else { text }
}

/// Writes the diagnostics of a compilation to standard error or to the file of `-Fe`.
///
/// # Errors
/// The file cannot be written.
pub fn report(c: &Compilation, messages: &Messages) -> Result<()> {
    let text = text(c.diagnostics.iter().map(|d| (&c.sources, d)), style(messages.style));
    match &messages.file {
        Some(path) => output::write(path, text.as_bytes()),
        None => {
            eprint!("{text}");
            Ok(())
        }
    }
}
