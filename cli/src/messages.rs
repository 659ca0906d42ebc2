//! Messages: diagnostics in the requested style, and remarks on arguments.

use std::io::IsTerminal;

use rtc::arguments::{Messages, Note};
use rtc::{Compilation, Diagnostic, Severity, SourceMap, Style};

use crate::effects::Effects;
use crate::{explain, output};

/// The process that has the job: its streams, its environment and its name decide how messages look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caller {
    /// Whether the command has the name of dxc, as a link to it may.
    pub dxc: bool,
    /// Whether standard error is a terminal.
    pub terminal: bool,
    /// Whether messages have colours there unless options say otherwise.
    pub colours: bool,
}

impl Caller {
    /// This process.
    pub fn this_process() -> Caller {
        let name = std::env::args_os().next();
        let dxc = name.is_some_and(|n| std::path::Path::new(&n).file_stem().is_some_and(|s| s.eq_ignore_ascii_case("dxc")));
        let terminal = std::io::stderr().is_terminal();
        let off = |name: &str, value: Option<&str>| std::env::var(name).is_ok_and(|v| value.map_or(!v.is_empty(), |value| v == value));
        Caller { dxc, terminal, colours: terminal && !off("NO_COLOR", None) && !off("TERM", Some("dumb")) }
    }

    /// The style of diagnostics: short where a program reads them, or where the command is called `dxc`.
    pub fn style(self, requested: Option<Style>) -> Style {
        requested.unwrap_or(if self.terminal && !self.dxc { Style::Rich } else { Style::Short })
    }

    /// Whether messages on standard error have colours: as it is requested, or else as a terminal has them. A command called `dxc` has none.
    pub fn coloured(self, requested: Option<bool>) -> bool {
        requested.unwrap_or(self.colours) && !self.dxc
    }
}

/// Remarks on arguments, in the form of diagnostics that `messages` asks for.
pub fn notes_text(notes: &[Note], messages: &Messages, caller: Caller) -> String {
    notes.iter().map(|note| plain(note.severity, &note.message, messages.style, messages.colour, caller)).collect()
}

/// Prints remarks on arguments.
pub fn print_notes(notes: &[Note], messages: &Messages) {
    eprint!("{}", notes_text(notes, messages, Caller::this_process()));
}

/// Prints an error of the command line, in the form of diagnostics that the arguments ask for.
pub fn print_error(message: &str, args: &[String]) {
    if args.first().is_some_and(|a| a == "build") && args.iter().any(|a| a == "--json") {
        // The reader of events gets this one, too.
        rtc_base::say!("{}", crate::build::json_error(message));
    }
    let style = rtc::arguments::style_of(args, &mut output::Named::default());
    eprint!("{}", plain(Severity::Error, message, style, None, Caller::this_process()));
}

/// A message without a place: a record where a program reads records.
fn plain(severity: Severity, message: &str, style: Option<Style>, colour: Option<bool>, caller: Caller) -> String {
    if style == Some(Style::Json) {
        return rtc::plain_json(severity, message);
    }
    let (word, sequence) = match severity {
        Severity::Note => ("note", "36"),
        Severity::Warning => ("warning", "35"),
        Severity::Error => ("error", "31"),
    };
    match caller.coloured(colour) {
        true => format!("\u{1b}[1mrtc:\u{1b}[0m \u{1b}[1;{sequence}m{word}:\u{1b}[0m {message}\n"),
        false => format!("rtc: {word}: {message}\n"),
    }
}

/// The diagnostics as text, with the sources of each. In the rich style, which people read, the last line names the pages that explain them.
/// A command called `dxc` quotes as dxc does, since programs that call it read that.
pub fn text<'a>(
    diagnostics: impl Iterator<Item = (&'a SourceMap, &'a Diagnostic)>,
    style: Style,
    coloured: bool,
    caller: Caller,
) -> String {
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
    if style == Style::Short && caller.dxc { text.replace('`', "'") } else { text }
}

/// Writes the diagnostics of a compilation to standard error or to the file of `-Fe`.
pub fn report(c: &Compilation, messages: &Messages, caller: &Caller, effects: &mut Effects) {
    let coloured = match &messages.file {
        Some(_) => messages.colour == Some(true),
        None => caller.coloured(messages.colour),
    };
    let text = text(c.diagnostics.iter().map(|d| (&c.sources, d)), caller.style(messages.style), coloured, *caller);
    match &messages.file {
        Some(path) => effects.write(path, text.into_bytes()),
        None => effects.error(text),
    }
}
