//! A named text with source locations, for messages.

use std::fmt::Write as _;
use std::ops::Range;

/// A text with the name that messages use for it.
#[derive(Clone, Debug)]
pub struct Text {
    /// File name, or `<stdin>`.
    pub name: String,
    /// The content, with `\n` line ends.
    pub text: String,
}

impl Text {
    /// A text with its line ends made `\n`.
    pub fn new(name: impl Into<String>, text: &str) -> Text {
        Text { name: name.into(), text: text.replace("\r\n", "\n") }
    }

    /// The same text with every run of blanks and tabs made one blank. Lines keep their numbers.
    pub fn canonical(&self) -> Text {
        Text { name: self.name.clone(), text: canonical(&self.text) }
    }

    /// Line and column of a byte offset, both counted from 1; the column in characters.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..floor(&self.text, offset)];
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// The range of the line around a byte offset, without its end.
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let offset = floor(&self.text, offset);
        let start = self.text[..offset].rfind('\n').map_or(0, |n| n + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |n| offset + n);
        start..end
    }

    /// A message about a place: `name:line:column: severity: message`, the line, and a marker under the range. Of a very
    /// long line only the part around the place is shown.
    pub fn report(&self, range: Range<usize>, severity: &str, message: &str) -> String {
        let (line, column) = self.place(range.start);
        let whole = self.line_range(range.start);
        let start = floor(&self.text, range.start).max(whole.start);
        let from = if start - whole.start > SHOWN_WIDTH { floor(&self.text, start - SHOWN_WIDTH / 2) } else { whole.start };
        let to = floor(&self.text, whole.end.min(start.saturating_add(SHOWN_WIDTH)));
        let before = &self.text[from..start];
        let (cut_before, cut_after) = (if from > whole.start { "..." } else { "" }, if to < whole.end { "..." } else { "" });
        let mut text = format!("{}:{line}:{column}: {severity}: {message}\n", self.name);
        let _ = writeln!(text, "{cut_before}{before}{}{cut_after}", &self.text[start..to]);
        text.push_str(if cut_before.is_empty() { "" } else { "   " });
        // Tabs stay tabs under tabs, so that the marker lines up.
        text.extend(before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }));
        let marked = self.text.get(start..range.end.min(to)).map_or(0, |s| s.chars().count());
        let _ = write!(text, "^{}", "~".repeat(marked.saturating_sub(1)));
        text
    }
}

/// The start of a line for a list of lines, cut when it is very long.
pub fn clip(line: &str) -> String {
    let end = floor(line, 2 * SHOWN_WIDTH);
    format!("{}{}", &line[..end], if end < line.len() { "..." } else { "" })
}

/// Bytes of a line that are shown on either side of a place.
const SHOWN_WIDTH: usize = 200;

/// Every run of blanks and tabs made one blank.
pub fn canonical(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if matches!(c, ' ' | '\t') {
            if !blank {
                out.push(' ');
            }
            blank = true;
        } else {
            blank = false;
            out.push(c);
        }
    }
    out
}

/// The nearest character boundary at or before `offset`.
fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
