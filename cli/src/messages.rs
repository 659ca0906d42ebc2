//! Messages: diagnostics in the requested style, and remarks on arguments.

use std::io::IsTerminal;

use rtc::arguments::{Messages, Note};
use rtc::{Compilation, Diagnostic, Severity, SourceMap, Style};

use crate::effects::Effects;
use crate::explain;

/// The process that has the job: its streams and its name decide how messages look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caller {
    /// Whether the command has the name of dxc, as a link to it may.
    pub dxc: bool,
    /// Whether standard error is a terminal.
    pub terminal: bool,
}

impl Caller {
    /// This process.
    pub fn this_process() -> Caller {
        let name = std::env::args_os().next();
        let dxc = name.is_some_and(|n| std::path::Path::new(&n).file_stem().is_some_and(|s| s.eq_ignore_ascii_case("dxc")));
        Caller { dxc, terminal: std::io::stderr().is_terminal() }
    }

    /// The style of diagnostics: short where a program reads them, or where the command is called `dxc`.
    pub fn style(self, requested: Option<Style>) -> Style {
        requested.unwrap_or(if self.terminal && !self.dxc { Style::Rich } else { Style::Short })
    }
}

/// Remarks on arguments as text.
pub fn notes_text(notes: &[Note]) -> String {
    let word = |note: &Note| if note.severity == Severity::Note { "note" } else { "warning" };
    notes.iter().map(|note| format!("rtc: {}: {}\n", word(note), note.message)).collect()
}

/// Prints remarks on arguments.
pub fn print_notes(notes: &[Note]) {
    eprint!("{}", notes_text(notes));
}

/// The diagnostics as text, with the sources of each. In the rich style, which people read, the last line names the pages that explain them.
/// A command called `dxc` quotes as dxc does, since programs that call it read that.
pub fn text<'a>(diagnostics: impl Iterator<Item = (&'a SourceMap, &'a Diagnostic)>, style: Style, caller: Caller) -> String {
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
    if style == Style::Short && caller.dxc { text.replace('`', "'") } else { text }
}

/// Writes the diagnostics of a compilation to standard error or to the file of `-Fe`.
pub fn report(c: &Compilation, messages: &Messages, caller: &Caller, effects: &mut Effects) {
    let text = text(c.diagnostics.iter().map(|d| (&c.sources, d)), caller.style(messages.style), *caller);
    match &messages.file {
        Some(path) => effects.write(path, text.into_bytes()),
        None => effects.error(text),
    }
}
