//! Files: their names and texts, source locations in them, and the compiler that read them.

use rtc_base::Span;
use rtc_dxil_container::vers::PRODUCER;
use rtc_tables::spirv_debug::{DebugSet, MAX_SOURCE_WORDS, OPTIONS_PREFIX};
use spirv::{NonsemanticShaderDebuginfo100Op as Info, Op, SourceLanguage};

use super::Writer;
use crate::words::{AsOperand, Id, Literal, Operand, Words, operands, put, string};

/// A file.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// The string with its name.
    pub name: Id,
    /// Its `DebugSource`; none without an instruction set.
    pub source: Option<Id>,
}

/// A source location: file, line and column, from 1, and where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// The number of the file.
    pub file: usize,
    /// Line.
    pub line: u32,
    /// Column in characters.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column of the last character.
    pub end_column: u32,
}

/// A text in pieces of at most so many words, with the zero at the end.
pub fn pieces(text: &str, words: u32) -> impl Iterator<Item = &str> {
    let most = words.max(2) as usize * 4 - 1;
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = (0..=most.min(rest.len())).rev().find(|&n| rest.is_char_boundary(n))?;
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

impl Writer<'_> {
    /// Files, the compiler, and the compilation unit.
    pub(super) fn begin(&mut self, w: &mut Words, minor: u32) {
        let (content, sources) = (self.input.content, self.input.sources);
        if content.file {
            self.file(w, &sources.main);
            for (name, _) in &sources.files {
                self.file(w, name);
            }
        }
        if self.is_rich() {
            const VERSION: u32 = 1;
            const DWARF: u32 = 4;
            let main = self.file(w, &sources.main);
            let source = self.source(main);
            let [version, dwarf, language] = [VERSION, DWARF, SourceLanguage::HLSL as u32].map(|n| self.number(w, n));
            self.unit = Some(self.inst(w, Info::DebugCompilationUnit, &operands![version, dwarf, source, language]));
        }
        // As in the reference compiler, where the first version has no instruction for it.
        if content.tool && minor > 0 {
            let options = format!("{OPTIONS_PREFIX}{}", self.options());
            for text in [PRODUCER, &options] {
                let text = pieces(text, MAX_SOURCE_WORDS).next().unwrap_or_default();
                put(&mut w.processed, Op::ModuleProcessed, &string(text));
            }
        }
    }

    /// The source and the options, in one line.
    pub(super) fn options(&self) -> String {
        let mut all = vec![self.input.sources.main.as_str()];
        all.extend(self.input.sources.args.iter().map(String::as_str));
        all.join(" ")
    }

    /// The number of a file.
    pub fn file(&mut self, w: &mut Words, name: &str) -> usize {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let string = self.string(w, name);
        let text = self.input.sources.files.iter().find(|f| f.0 == name).map_or("", |f| f.1.as_str());
        let text = if self.input.content.source { text } else { "" };
        let source = match self.set {
            Some((set, _)) => Some(self.debug_source(w, set, string, text)),
            None => {
                self.op_source(w, string, text);
                None
            }
        };
        self.files.push(File { name: string, source });
        self.by_name.insert(name.to_owned(), self.files.len() - 1);
        self.files.len() - 1
    }

    fn piece(&self) -> u32 {
        match self.input.content.piece {
            0 => MAX_SOURCE_WORDS,
            n => n,
        }
    }

    /// `OpSource` of a file, with the text if there is one.
    fn op_source(&self, w: &mut Words, name: Id, text: &str) {
        let mut all = pieces(text, self.piece());
        let mut operands = operands![SourceLanguage::HLSL, Literal(self.input.version), name].to_vec();
        operands.extend(all.next().into_iter().flat_map(string));
        put(&mut w.strings, Op::Source, &operands);
        for piece in all {
            put(&mut w.strings, Op::SourceContinued, &string(piece));
        }
    }

    /// `DebugSource` of a file, with the text if there is one.
    fn debug_source(&mut self, w: &mut Words, set: DebugSet, name: Id, text: &str) -> Id {
        let all: Vec<&str> = pieces(text, self.piece()).collect();
        if set == DebugSet::OpenCl && all.len() > 1 {
            // This set has no instruction for the rest of a text.
            self.op_source(w, name, text);
            return self.inst(w, Info::DebugSource, &operands![name]);
        }
        let strings: Vec<Id> = all.into_iter().map(|piece| self.string(w, piece)).collect();
        let Some((&first, rest)) = strings.split_first() else { return self.inst(w, Info::DebugSource, &operands![name]) };
        let source = self.inst(w, Info::DebugSource, &operands![name, first]);
        for &piece in rest {
            self.inst(w, Info::DebugSourceContinued, &operands![piece]);
        }
        source
    }

    /// The `DebugSource` of a file. Only called where there is a set.
    pub fn source(&self, file: usize) -> Id {
        self.files[file].source.unwrap_or_else(|| rtc_base::bug!("a set has sources"))
    }

    /// The data of a file.
    pub fn file_data(&self, file: usize) -> File {
        self.files[file]
    }

    /// The location of `span`: of macros, their outermost use.
    pub fn at(&mut self, w: &mut Words, span: Span) -> Option<At> {
        if span.is_none() {
            return None;
        }
        let map = self.input.places;
        let (id, range) = map.range(span)?;
        let start = map.loc_in(id, range.start);
        let end = map.loc_in(id, range.end.saturating_sub(1).max(range.start));
        let file = self.file(w, &start.file);
        let ends = end.file == start.file && end.line >= start.line;
        let (end_line, end_column) = if ends { (end.line, end.column) } else { (start.line, start.column) };
        Some(At { file, line: start.line, column: start.column, end_line, end_column })
    }

    /// File, line and column of a declaration as operands; those of what the language declares are the main file's start.
    pub(super) fn declared(&mut self, w: &mut Words, span: Span) -> [Operand; 3] {
        let (file, line, column) = self.at(w, span).map_or((0, 0, 0), |a| (a.file, a.line, a.column));
        [self.source(file).operand(), self.number(w, line), self.number(w, column)]
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn pieces_fit_and_keep_characters_whole() {
        assert_eq!(pieces("", 2).count(), 0);
        assert_eq!(pieces("abcdefg", 2).collect::<Vec<_>>(), ["abcdefg"]);
        assert_eq!(pieces("abcdefgh", 2).collect::<Vec<_>>(), ["abcdefg", "h"]);
        assert_eq!(pieces("abcdef\u{e9}h", 2).collect::<Vec<_>>(), ["abcdef", "\u{e9}h"]);
    }
}
