//! Messages: diagnostics in the requested style, and remarks on arguments.

use std::io::IsTerminal;

use rtc::arguments::{Messages, Note};
use rtc::{Compilation, Diagnostic, Severity, SourceMap, Style};

use crate::error::Result;
use crate::{explain, output};

/// Prints remarks on arguments, in the form of diagnostics that `messages` asks for.
pub fn print_notes(notes: &[Note], messages: &Messages) {
    notes.iter().for_each(|note| print_plain(note.severity, &note.message, messages.style, messages.colour));
}

/// Prints an error of the command line, in the form of diagnostics that the arguments ask for.
pub fn print_error(message: &str, args: &[String]) {
    if args.first().is_some_and(|a| a == "build") && args.iter().any(|a| a == "--json") {
        // The reader of events gets this one, too.
        rtc_base::say!("{}", crate::build::json_error(message));
    }
    let style = rtc::arguments::style_of(args, &mut output::Named::default());
    print_plain(Severity::Error, message, style, None);
}

/// Prints a message without a place: as a record where a program reads records.
fn print_plain(severity: Severity, message: &str, style: Option<Style>, colour: Option<bool>) {
    if style == Some(Style::Json) {
        eprint!("{}", rtc::plain_json(severity, message));
        return;
    }
    let (word, sequence) = match severity {
        Severity::Note => ("note", "36"),
        Severity::Warning => ("warning", "35"),
        Severity::Error => ("error", "31"),
    };
    match colours(colour) && !called_dxc() {
        true => eprintln!("\u{1b}[1mrtc:\u{1b}[0m \u{1b}[1;{sequence}m{word}:\u{1b}[0m {message}"),
        false => eprintln!("rtc: {word}: {message}"),
    }
}

/// Whether messages have colours: as it is requested, or else on a terminal.
pub fn colours(requested: Option<bool>) -> bool {
    let off = |name: &str, value: Option<&str>| std::env::var(name).is_ok_and(|v| value.map_or(!v.is_empty(), |value| v == value));
    requested.unwrap_or_else(|| std::io::stderr().is_terminal() && !off("NO_COLOR", None) && !off("TERM", Some("dumb")))
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
pub fn text<'a>(diagnostics: impl Iterator<Item = (&'a SourceMap, &'a Diagnostic)>, style: Style, coloured: bool) -> String {
    let render = if coloured { rtc::render_coloured } else { rtc::render };
    let mut text = String::new();
    let mut codes = Vec::new();
    for (sources, d) in diagnostics {
        text.push_str(&render(sources, d, style));
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
    let coloured = match &messages.file {
        Some(_) => messages.colour == Some(true),
        None => colours(messages.colour) && !called_dxc(),
    };
    let text = text(c.diagnostics.iter().map(|d| (&c.sources, d)), style(messages.style), coloured);
    match &messages.file {
        Some(path) => output::write(path, text.as_bytes()),
        None => {
            eprint!("{text}");
            Ok(())
        }
    }
}
