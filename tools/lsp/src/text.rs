//! Text of a document: lines, positions of the protocol, incremental changes.
//!
//! The protocol counts lines, and in a line UTF-16 code units, or bytes if the client offers that. A line ends in LF, CR LF or CR. A position
//! beyond the end of a line is its end; one beyond the last line is the end of the text; one inside a character is its start. So every
//! position of a client is one of the text, whatever it sends.

use std::ops::Range;

use lsp_types::{Position, TextDocumentContentChangeEvent};

/// The unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Columns {
    /// UTF-16 code units.
    #[default]
    Utf16,
    /// Bytes.
    Utf8,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// The lines of `text`.
    pub fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(i, &b)| b == b'\n' || b == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
        Lines { starts: std::iter::once(0).chain(ends.map(|(i, _)| i as u32 + 1)).collect() }
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line, from 0, that holds the byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&s| s as usize <= offset) - 1
    }

    /// The bytes of line `line` without its end.
    pub fn range(&self, text: &str, line: usize) -> Range<usize> {
        let from = self.starts.get(line).map_or(text.len(), |&s| s as usize);
        let to = self.starts.get(line + 1).map_or(text.len(), |&s| s as usize);
        let body = text.get(from..to).unwrap_or("").trim_end_matches(['\n', '\r']);
        from..from + body.len()
    }

    /// The position of byte `offset`.
    pub fn position(&self, text: &str, offset: usize, columns: Columns) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let before = &text[self.starts[line] as usize..offset];
        let character = match columns {
            Columns::Utf8 => before.len(),
            Columns::Utf16 => before.encode_utf16().count(),
        };
        Position { line: line as u32, character: character as u32 }
    }

    /// The range of the bytes `range`.
    pub fn span(&self, text: &str, range: Range<usize>, columns: Columns) -> lsp_types::Range {
        lsp_types::Range { start: self.position(text, range.start, columns), end: self.position(text, range.end, columns) }
    }

    /// The byte at `position`.
    pub fn offset(&self, text: &str, position: Position, columns: Columns) -> usize {
        if position.line as usize >= self.starts.len() {
            return text.len();
        }
        let line = self.range(text, position.line as usize);
        let body = &text[line.clone()];
        let mut left = position.character as usize;
        for (i, c) in body.char_indices() {
            let width = match columns {
                Columns::Utf8 => c.len_utf8(),
                Columns::Utf16 => c.len_utf16(),
            };
            if left < width {
                return line.start + i;
            }
            left -= width;
        }
        line.end
    }
}

/// Applies the changes of a notification in their order.
pub fn apply(text: &mut String, changes: Vec<TextDocumentContentChangeEvent>, columns: Columns) {
    for change in changes {
        match change.range {
            None => *text = change.text,
            Some(range) => {
                let lines = Lines::of(text);
                let (a, b) = (lines.offset(text, range.start, columns), lines.offset(text, range.end, columns));
                text.replace_range(a.min(b)..a.max(b), &change.text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn positions_of_every_kind_of_line() {
        let text = "a\r\nb\rc\nd";
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 4);
        for (i, offset) in [(0, 0), (1, 3), (2, 5), (3, 7)] {
            assert_eq!(lines.offset(text, at(i, 0), Columns::Utf16), offset);
            assert_eq!(lines.position(text, offset, Columns::Utf16), at(i, 0));
        }
        assert_eq!(lines.offset(text, at(0, 9), Columns::Utf16), 1, "beyond the end of a line is its end");
        assert_eq!(lines.offset(text, at(9, 0), Columns::Utf16), text.len());
        assert_eq!(lines.range(text, 0), 0..1);
    }

    #[test]
    fn columns_count_utf16_units_or_bytes() {
        let text = "é𝒳x";
        let lines = Lines::of(text);
        let x = text.len() - 1;
        assert_eq!(lines.position(text, x, Columns::Utf16), at(0, 3));
        assert_eq!(lines.position(text, x, Columns::Utf8), at(0, 6));
        assert_eq!(lines.offset(text, at(0, 3), Columns::Utf16), x);
        assert_eq!(lines.offset(text, at(0, 2), Columns::Utf16), 2, "inside a character is its start");
        assert_eq!(lines.offset(text, at(0, 6), Columns::Utf8), x);
    }

    #[test]
    fn changes_apply_in_order() {
        let change = |range: Option<(Position, Position)>, text: &str| TextDocumentContentChangeEvent {
            range: range.map(|(start, end)| lsp_types::Range { start, end }),
            range_length: None,
            text: text.to_owned(),
        };
        let mut text = String::from("one\r\ntwo\r\n");
        let changes = [change(Some((at(1, 0), at(1, 3))), "2\n3"), change(Some((at(2, 1), at(0, 3))), "!"), change(None, "")];
        apply(&mut text, changes[..1].to_vec(), Columns::Utf16);
        assert_eq!(text, "one\r\n2\n3\r\n");
        apply(&mut text, changes[1..2].to_vec(), Columns::Utf16);
        assert_eq!(text, "one!\r\n", "a range whose ends are exchanged is the range between them");
        apply(&mut text, changes[2..].to_vec(), Columns::Utf16);
        assert_eq!(text, "");
    }
}
