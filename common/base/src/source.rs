//! The source map: every byte of every file of a compilation, and every token that a macro produced,
//! has one 32-bit position ([`Pos`]).
//!
//! Files are concatenated in the lower half of the position space: file `f` covers
//! `[start, start + len]` (one past the end included, so that the end of the file is a position). The upper half
//! holds *expansion positions*: one for each token of a macro expansion, which records where the
//! token is spelled and which expansion it belongs to. A [`Span`] is a pair of positions; joining two
//! does not need the map, only rendering resolves them:
//!
//! * [`SourceMap::file_span`] maps a span to the text in a file that the user wrote (for a macro token:
//!   the outermost use of the macro),
//! * [`SourceMap::spelling`] maps it to the spelling of the token (inside the macro's definition),
//! * [`SourceMap::expansions`] lists the macros between the two, innermost first.
//!
//! What is *not* here: `#line`. It renames a location and does not move it; only [`SourceMap::loc`] applies it.

use std::ops::Range;
use std::sync::Arc;

crate::entity! {
    /// A source file (or a buffer that behaves like one, for example the macros of the command line).
    pub struct FileId = "file";
    /// The name of a macro, of which all its expansions speak.
    pub struct MacroName = "macname";
    /// One use of a macro.
    pub struct Expansion = "mac";
}

/// A source position: a byte of a file, or a token of a macro expansion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pos(pub u32);

const EXPANDED: u32 = 1 << 31;

impl Pos {
    /// The position as a plain number.
    pub fn raw(self) -> u32 {
        self.0
    }
    /// Whether this is a token of a macro expansion.
    pub fn is_expanded(self) -> bool {
        self.0 & EXPANDED != 0
    }
    /// The position `bytes` further on in the same file. Must not be an expanded position.
    pub fn offset(self, bytes: u32) -> Pos {
        debug_assert!(!self.is_expanded());
        Pos(self.0 + bytes)
    }
}

impl std::fmt::Debug for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_expanded() { write!(f, "m{}", self.0 & !EXPANDED) } else { write!(f, "{}", self.0) }
    }
}

/// A range of source positions from `lo` up to, not including, `hi`. For a token of a macro expansion `lo == hi`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First position.
    pub lo: Pos,
    /// One past the last position.
    pub hi: Pos,
}

impl Span {
    /// No location: for entities that the compiler synthesises.
    pub const NONE: Span = Span { lo: Pos(0), hi: Pos(0) };

    /// The span from `lo` to `hi`.
    pub fn new(lo: Pos, hi: Pos) -> Span {
        Span { lo, hi }
    }
    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            other
        } else if other.is_none() {
            self
        } else {
            Span { lo: self.lo, hi: other.hi }
        }
    }
    /// Whether this is [`Span::NONE`].
    pub fn is_none(self) -> bool {
        self == Span::NONE
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}..{:?}", self.lo, self.hi)
    }
}

/// One file of a compilation.
#[derive(Clone)]
pub struct SourceFile {
    /// The name as diagnostics print it.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// Position of the first byte.
    pub start: Pos,
    /// Where the file was included, if it was.
    pub included_at: Option<Span>,
    /// Byte offsets of line starts, computed on first use.
    lines: std::sync::OnceLock<Vec<u32>>,
    /// `#line` directives in order: byte offset of the line after the directive, the number that line
    /// gets, and the new file name if one was given.
    line_marks: Vec<(u32, u32, Option<String>)>,
}

impl SourceFile {
    /// Byte offsets at which lines start.
    pub fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| std::iter::once(0).chain(self.text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect())
    }
}

#[derive(Clone)]
struct ExpandedToken {
    spelling: Span,
    expansion: Expansion,
}

#[derive(Clone)]
struct ExpansionData {
    /// The use of the macro: name and arguments. May itself be an expanded span.
    call: Span,
    name: MacroName,
}

/// A source location: file, line and column (both from 1; the column counts characters).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loc {
    /// File name, after `#line`.
    pub file: String,
    /// Line, after `#line`.
    pub line: u32,
    /// Column in characters.
    pub column: u32,
}

/// All files and macro expansions of one compilation.
#[derive(Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    tokens: Vec<ExpandedToken>,
    expansions: Vec<ExpansionData>,
    macro_names: Vec<Arc<str>>,
    next: u32,
}

impl SourceMap {
    /// A map without files. Position 0 belongs to no file, so that [`Span::NONE`] is unambiguous.
    pub fn new() -> Self {
        SourceMap { next: 1, ..Self::default() }
    }

    /// Adds a file. `None` when the position space (2 GiB) is used up.
    pub fn add_file(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>, included_at: Option<Span>) -> Option<FileId> {
        let text = text.into();
        let end = u64::from(self.next) + text.len() as u64 + 1;
        if end >= u64::from(EXPANDED) {
            return None;
        }
        let start = Pos(self.next);
        self.next = end as u32;
        let id = FileId::from_u32(self.files.len() as u32);
        self.files.push(SourceFile { name: name.into(), text, start, included_at, lines: Default::default(), line_marks: Vec::new() });
        Some(id)
    }

    /// The file `id`.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.as_u32() as usize]
    }

    /// All files in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId::from_u32(i as u32), f))
    }

    /// Records a `#line` directive of `file`: the line that starts at byte `offset` is called `line`,
    /// and, if `name` is given, its file `name`.
    pub fn add_line_mark(&mut self, file: FileId, offset: u32, line: u32, name: Option<String>) {
        self.files[file.as_u32() as usize].line_marks.push((offset, line, name));
    }

    /// Registers the name of a macro, for [`SourceMap::add_expansion`].
    pub fn add_macro_name(&mut self, name: &str) -> MacroName {
        self.macro_names.push(name.into());
        MacroName::from_u32(self.macro_names.len() as u32 - 1)
    }

    /// Starts the expansion of the macro `name` used at `call`.
    pub fn add_expansion(&mut self, name: MacroName, call: Span) -> Expansion {
        self.expansions.push(ExpansionData { call, name });
        Expansion::from_u32(self.expansions.len() as u32 - 1)
    }

    /// Leaves positions unused up to a multiple of `unit`, so that where the next file begins depends less on the files before it.
    pub fn align(&mut self, unit: u32) {
        self.next = self.next.saturating_add(unit - 1) / unit * unit;
    }

    /// The position that the next file gets.
    pub fn next_start(&self) -> Pos {
        Pos(self.next)
    }

    /// Replaces the text of `file`, which must end before the next file begins. What else refers to it must be the same in both texts.
    pub fn replace_text(&mut self, file: FileId, text: Arc<str>) {
        let f = &mut self.files[file.as_u32() as usize];
        f.text = text;
        f.lines = Default::default();
    }

    /// The uses of macros: names with arguments. Those inside of other macros are expanded spans.
    pub fn macro_uses(&self) -> impl Iterator<Item = Span> {
        self.expansions.iter().map(|e| e.call)
    }

    /// The span of one token, spelled at `spelling`, that `expansion` produced. When the position space
    /// is used up the token gets the span of the macro's use.
    pub fn expanded(&mut self, spelling: Span, expansion: Expansion) -> Span {
        let i = self.tokens.len() as u32;
        if i >= EXPANDED {
            return self.expansions[expansion.as_u32() as usize].call;
        }
        self.tokens.push(ExpandedToken { spelling, expansion });
        Span { lo: Pos(EXPANDED | i), hi: Pos(EXPANDED | i) }
    }

    fn token(&self, p: Pos) -> &ExpandedToken {
        &self.tokens[(p.0 & !EXPANDED) as usize]
    }

    fn call(&self, e: Expansion) -> Span {
        self.expansions[e.as_u32() as usize].call
    }

    /// The text in a file that `span` comes from: for tokens of macros, the outermost use.
    pub fn file_span(&self, span: Span) -> Span {
        let (mut lo, mut hi) = (span.lo, span.hi);
        while lo.is_expanded() {
            lo = self.call(self.token(lo).expansion).lo;
        }
        while hi.is_expanded() {
            hi = self.call(self.token(hi).expansion).hi;
        }
        if hi < lo { Span { lo, hi: lo } } else { Span { lo, hi } }
    }

    /// Where the characters of `span` are spelled. Falls back to [`Self::file_span`] when both ends are not
    /// spelled in one piece.
    pub fn spelling(&self, span: Span) -> Span {
        let (mut lo, mut hi) = (span.lo, span.hi);
        while lo.is_expanded() {
            lo = self.token(lo).spelling.lo;
        }
        while hi.is_expanded() {
            hi = self.token(hi).spelling.hi;
        }
        let one_file = self.find(lo).is_some() && self.find(lo) == self.find(hi);
        if lo <= hi && one_file { Span { lo, hi } } else { self.file_span(span) }
    }

    /// The macro uses that produced `span`'s first token, innermost first: name and use.
    pub fn expansions(&self, span: Span) -> Vec<(&str, Span)> {
        let mut out = Vec::new();
        let mut p = span.lo;
        while p.is_expanded() {
            let e = &self.expansions[self.token(p).expansion.as_u32() as usize];
            out.push((&*self.macro_names[e.name.as_u32() as usize], e.call));
            p = e.call.lo;
        }
        out
    }

    /// The file that holds `pos` (which must not be expanded).
    pub fn find(&self, pos: Pos) -> Option<FileId> {
        if pos.is_expanded() || pos.0 == 0 {
            return None;
        }
        let i = self.files.partition_point(|f| f.start <= pos);
        (i > 0).then(|| FileId::from_u32(i as u32 - 1))
    }

    /// File and byte range of the text that `span` comes from.
    pub fn range(&self, span: Span) -> Option<(FileId, Range<usize>)> {
        let s = self.file_span(span);
        let id = self.find(s.lo)?;
        let f = self.file(id);
        let lo = ((s.lo.0 - f.start.0) as usize).min(f.text.len());
        let hi = ((s.hi.0.max(s.lo.0) - f.start.0) as usize).min(f.text.len());
        Some((id, lo..hi))
    }

    /// The text of `span` as spelled.
    pub fn snippet(&self, span: Span) -> &str {
        let s = self.spelling(span);
        let Some(id) = self.find(s.lo) else { return "" };
        let f = self.file(id);
        let lo = (s.lo.0 - f.start.0) as usize;
        let hi = ((s.hi.0 - f.start.0) as usize).min(f.text.len());
        f.text.get(lo..hi).unwrap_or("")
    }

    /// The location of the start of `span`, after macros and `#line`.
    pub fn loc(&self, span: Span) -> Option<Loc> {
        let (id, range) = self.range(span)?;
        Some(self.loc_in(id, range.start))
    }

    /// The location of byte `offset` of `file`, after `#line`.
    pub fn loc_in(&self, file: FileId, offset: usize) -> Loc {
        let f = self.file(file);
        let starts = f.line_starts();
        let index = starts.partition_point(|&s| s as usize <= offset) - 1;
        let line_text = f.text.get(starts[index] as usize..offset).unwrap_or("");
        let column = line_text.chars().count() as u32 + 1;
        let mark = f.line_marks.iter().rev().find(|m| m.0 as usize <= offset);
        match mark {
            None => Loc { file: f.name.clone(), line: index as u32 + 1, column },
            Some((at, number, _)) => {
                let first = starts.partition_point(|&s| s < *at) as u32;
                let named = f.line_marks.iter().rev().filter(|m| m.0 <= *at);
                let name = named.filter_map(|m| m.2.clone()).next();
                Loc { file: name.unwrap_or_else(|| f.name.clone()), line: number.wrapping_add(index as u32 - first), column }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macro_tokens_resolve_to_the_outermost_use() {
        let mut m = SourceMap::new();
        let f = m.add_file("a.hlsl", "#define A B\n#define B 1\nint x = A;\n", None).unwrap();
        let at = |lo: u32, hi: u32| {
            let s = m.file(f).start;
            Span::new(s.offset(lo), s.offset(hi))
        };
        let (use_a, body_b, one) = (at(32, 33), at(10, 11), at(22, 23));
        let (a, b_name) = (m.add_macro_name("A"), m.add_macro_name("B"));
        let ea = m.add_expansion(a, use_a);
        let b = m.expanded(body_b, ea);
        let eb = m.add_expansion(b_name, b);
        let tok = m.expanded(one, eb);
        assert_eq!(m.file_span(tok), use_a);
        assert_eq!(m.snippet(tok), "1");
        let names: Vec<_> = m.expansions(tok).iter().map(|e| e.0).collect();
        assert_eq!(names, ["B", "A"]);
        assert_eq!(m.loc(tok).unwrap(), Loc { file: "a.hlsl".into(), line: 3, column: 9 });
    }

    #[test]
    fn line_directive_renames() {
        let mut m = SourceMap::new();
        let f = m.add_file("a.hlsl", "one\n#line 10 \"b.hlsl\"\nten\neleven\n", None).unwrap();
        m.add_line_mark(f, 22, 10, Some("b.hlsl".into()));
        assert_eq!(m.loc_in(f, 22).line, 10);
        let eleven = m.loc_in(f, 28);
        assert_eq!((eleven.file.as_str(), eleven.line, eleven.column), ("b.hlsl", 11, 3));
        assert_eq!(m.loc_in(f, 1).file, "a.hlsl");
    }

    #[test]
    fn empty_file_and_its_end_are_places() {
        let mut m = SourceMap::new();
        let f = m.add_file("e", "", None).unwrap();
        let s = m.file(f).start;
        assert_eq!(m.loc(Span::new(s, s)).unwrap().line, 1);
    }
}
