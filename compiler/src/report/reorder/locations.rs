//! Conversion of spans to source locations, with a list of the files that occur.

use rtc_base::{FileId, SourceMap, Span};

use super::{SourceLocation, SourceText};

/// Converts spans, and remembers their files.
pub(super) struct Locator<'a> {
    map: &'a SourceMap,
    files: Vec<FileId>,
}

impl<'a> Locator<'a> {
    pub fn new(map: &'a SourceMap) -> Self {
        Locator { map, files: Vec::new() }
    }

    /// The begin of a span.
    pub fn locate(&mut self, span: Span) -> Option<SourceLocation> {
        if span.is_none() {
            return None;
        }
        let (id, range) = self.map.range(span)?;
        let loc = self.map.loc_in(id, range.start);
        let physical_line = self.map.file(id).line_starts().partition_point(|&s| s as usize <= range.start) as u32;
        let index = self.files.iter().position(|&f| f == id).unwrap_or_else(|| {
            self.files.push(id);
            self.files.len() - 1
        });
        Some(SourceLocation { file: loc.file, line: loc.line, column: loc.column, physical_file: index as u32, physical_line })
    }

    /// The text of an expression, on one line and shortened.
    pub fn snippet(&self, span: Span) -> String {
        const MAX_CHARS: usize = 48;
        if span.is_none() || self.map.range(span).is_none() {
            return String::new();
        }
        let words: Vec<&str> = self.map.snippet(span).split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(MAX_CHARS) {
            None => text,
            Some((end, _)) => format!("{}…", &text[..end]),
        }
    }

    /// The files of all locations so far, by their index.
    pub fn sources(&self) -> Vec<SourceText> {
        let file = |&id: &FileId| SourceText { name: self.map.file(id).name.clone(), text: self.map.file(id).text.to_string() };
        self.files.iter().map(file).collect()
    }
}
