//! What a source sees of an edit of a file that it includes: nothing, if the tokens that it does not skip are the same ones.
//!
//! White space, comments and groups that the preprocessor skips are no tokens that count. So after most edits of a comment, and of code for other
//! platforms, an analysis of a source that includes the file says the same as before, but for positions in the file.

use std::sync::Arc;

use rtc_base::{Interner, Symbol};
use rtc_frontend::lex::{Flags, Kind, RawToken, lex_file};
use rtc_frontend::preprocess::{Evaluated, Outcome};
use rustc_hash::FxHashMap;

use crate::snapshot::Snapshot;

/// What an analysis has read: it stays when the analysis itself is dropped.
#[derive(Debug, Default)]
pub struct Read {
    files: Vec<(String, Arc<str>)>,
    /// Conditions: the number of the file, the offset of the directive, the result.
    conditions: Vec<(usize, usize, bool)>,
    /// Whether a file has `__LINE__`: then the number of a line can be a part of the program.
    numbers_lines: bool,
}

impl Read {
    /// What the analysis of a snapshot has read.
    pub fn of(s: &Snapshot) -> Read {
        let condition = |e: &Evaluated| {
            let p = s.place(e.span)?;
            let yes = match e.outcome {
                Outcome::Value(bits, _) => bits != 0,
                // The directive begins with its name.
                Outcome::Defined(yes) => yes != s.text(&p).contains("ndef"),
            };
            Some((p.file, p.lo, yes))
        };
        Read {
            files: s.files.iter().map(|f| (f.path.clone(), f.text.clone())).collect(),
            conditions: s.analysis.conditions.iter().filter_map(condition).collect(),
            numbers_lines: s.files.iter().any(|f| f.text.contains("__LINE__")),
        }
    }

    fn file(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|f| f.0 == path)
    }

    /// The text of a file as it was read.
    pub fn text(&self, path: &str) -> Option<&Arc<str>> {
        self.file(path).map(|f| &self.files[f].1)
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|f| f.1.len()).sum()
    }

    /// The paths of all files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|f| f.0.as_str())
    }
}

/// An edit: the tokens of the file before and after it.
pub struct Edit {
    names: Interner,
    old: Vec<RawToken>,
    new: Vec<RawToken>,
    old_text: Arc<str>,
    /// Whether all tokens are the same.
    same: bool,
    /// Whether lines come or go.
    moves_lines: bool,
}

/// What a token is, wherever it is.
type Item = (Kind, Flags, Symbol);

/// Results of the conditions of a file by the offset of their directive: whether one was true, and whether one was false.
type Results = FxHashMap<usize, (bool, bool)>;

/// How deeply groups are nested at most.
const DEEPEST: usize = 256;

impl Edit {
    /// The edit that makes `new` of `old`.
    pub fn new(old: &Arc<str>, new: &str) -> Edit {
        let mut names = Interner::new();
        let (a, b) = (lex_file(old, &mut names), lex_file(new, &mut names));
        let lines = |text: &str| text.bytes().filter(|b| *b == b'\n').count();
        // What is too long is an error, whose place is elsewhere afterwards.
        let same = !a.too_long && !b.too_long && a.tokens.iter().map(item).eq(b.tokens.iter().map(item));
        let moves_lines = lines(old) != lines(new);
        Edit { names, old: a.tokens, new: b.tokens, old_text: old.clone(), same, moves_lines }
    }

    /// Whether it is one of this text.
    pub fn is_of(&self, old: &Arc<str>) -> bool {
        Arc::ptr_eq(&self.old_text, old) || self.old_text == *old
    }

    /// Whether a source, which has read the file at `path` before the edit, may be another program after it.
    pub fn is_seen_in(&self, read: &Read, path: &str) -> bool {
        let Some(file) = read.file(path) else { return true };
        if !self.is_of(&read.files[file].1) {
            return true;
        }
        if self.moves_lines && read.numbers_lines {
            return true;
        }
        if self.same {
            return false;
        }
        let mut results = Results::default();
        for &(_, lo, yes) in read.conditions.iter().filter(|c| c.0 == file) {
            let r = results.entry(lo).or_default();
            *if yes { &mut r.0 } else { &mut r.1 } = true;
        }
        // Groups are counted in the old text. As long as all tokens are the same, the directives of the new one are those of the old one.
        let mut decisions = Vec::new();
        let Some(old) = self.counted(&self.old, |lo| results.get(&lo).copied(), &mut decisions) else { return true };
        let mut given = decisions.into_iter();
        let Some(new) = self.counted(&self.new, |_| given.next().flatten(), &mut Vec::new()) else { return true };
        old != new
    }

    /// The tokens that are in no skipped group. `result` gives that of the condition of the directive at an offset, none if it was not evaluated; they are
    /// kept in their order. Nothing if groups are not closed.
    fn counted(
        &self,
        tokens: &[RawToken],
        mut result: impl FnMut(usize) -> Option<(bool, bool)>,
        results: &mut Vec<Option<(bool, bool)>>,
    ) -> Option<Vec<Item>> {
        /// A group that is open.
        struct Group {
            /// Whether the conditional around it counts.
            around: bool,
            /// Whether it counts itself.
            counts: bool,
            /// Whether a condition was false when no group before had been taken: then the next one may count.
            rest: bool,
        }
        let mut open: Vec<Group> = Vec::new();
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(t) = tokens.get(at) {
            let end = at + 1 + tokens[at + 1..].iter().take_while(|t| !t.flags.contains(Flags::BOL) && t.kind != Kind::Eof).count();
            let counts = open.last().is_none_or(|g| g.counts);
            let name =
                if t.kind == Kind::Hash && t.flags.contains(Flags::BOL) && end > at + 1 { self.names.str(tokens[at + 1].sym) } else { "" };
            let mut evaluate = || {
                let r = result(t.lo as usize);
                results.push(r);
                r
            };
            // Whether the line of the directive counts.
            let kept = match name {
                "if" | "ifdef" | "ifndef" => {
                    if open.len() >= DEEPEST {
                        return None;
                    }
                    // One that counts and has no result was read in a way that is not known here.
                    let (yes, no) = if counts { evaluate().unwrap_or((true, true)) } else { (false, false) };
                    open.push(Group { around: counts, counts: yes, rest: no });
                    counts
                }
                "elif" | "elifdef" | "elifndef" => {
                    let g = open.last_mut()?;
                    let (yes, no) = if g.around { evaluate().unwrap_or((false, false)) } else { (false, false) };
                    (g.counts, g.rest) = (yes, no);
                    g.around
                }
                "else" => {
                    let g = open.last_mut()?;
                    (g.counts, g.rest) = (g.around && g.rest, false);
                    g.around
                }
                "endif" => open.pop()?.around,
                _ => counts,
            };
            // A directive is a line; other tokens go one by one.
            let until = if name.is_empty() { at + 1 } else { end };
            if kept {
                out.extend(tokens[at..until].iter().map(item));
            }
            at = until;
        }
        open.is_empty().then_some(out)
    }
}

/// A token without its place. White space before the end of the file says nothing.
fn item(t: &RawToken) -> Item {
    (t.kind, if t.kind == Kind::Eof { Flags::empty() } else { t.flags }, t.sym)
}

#[cfg(test)]
mod tests {
    use rtc::{Options, Profile, Virtual};

    use super::*;

    /// Whether a source that includes the header sees the edit of it.
    fn seen(source: &str, old: &str, new: &str) -> bool {
        let options = Options::new(Profile::parse("lib_6_6").expect("a profile"));
        let mut files = Virtual::new([("/h.hlsli", old)]);
        let analysis = rtc::analysis::analyse("/a.hlsl", source.as_bytes(), &mut files, &options, None);
        let s = Snapshot::new("/a.hlsl", 1, analysis);
        assert!(s.file("/h.hlsli").is_some(), "the header is read");
        Edit::new(&Arc::from(old), new).is_seen_in(&Read::of(&s), "/h.hlsli")
    }

    #[test]
    fn tokens_that_count_are_compared() {
        let source = "#define A 1\n#define B 0\n#include \"/h.hlsli\"\nfloat g() { return f(1); }\n";
        let old = "// text\nfloat f(float x) { return x; } /* more */\n#if A\nstatic int a = 1;\n#elif A\nstatic int b = 1;\n#else\nstatic int c = 1;\n#endif\n\
                   #ifndef A\nstatic int d = 1;\n#  if 1\nstatic int e = 1;\n#  endif\n#endif\n#if B\nit's\n#elif 1\nstatic int h;\n#endif\n";
        let edited = |from: &str, to: &str| {
            assert_eq!(old.matches(from).count(), 1, "{from}");
            seen(source, old, &old.replace(from, to))
        };
        for (from, to) in [
            ("// text", "// other text\n\n// and a line"),
            ("// text\n", ""),
            ("/* more */", ""),
            ("static int b = 1", "static float bb = sin(2)"),
            ("static int c = 1;", "#error no\n#if 7\n)\n#else\n(\n#endif"),
            ("static int d = 1;", "static int dd = 1;\n"),
            ("static int e = 1;", ""),
            ("#  if 1", "#  if 2"),
            ("it's", "it isn't"),
        ] {
            assert!(!edited(from, to), "{from} -> {to}");
        }
        for (from, to) in [
            ("return x", "return x + 1"),
            ("return x;", "return\nx;"),
            ("// text", "// text \\"),
            ("// text", "/* text"),
            ("/* more */", "/* more "),
            ("static int a = 1", "static int a = 2"),
            ("#if A", "#if B"),
            ("#elif A", "#elif B"),
            ("#ifndef A", "#ifdef A"),
            ("#ifndef A", "#ifndef B"),
            ("static int b = 1;", "static int b = 1;\n#elif 1"),
            ("static int c = 1;", "static int c = 1;\n#endif"),
            ("static int c = 1;", "static int c = 1; /*"),
            ("static int h", "static int i"),
        ] {
            assert!(edited(from, to), "{from} -> {to}");
        }
    }

    #[test]
    fn a_file_that_is_read_several_times_skips_what_it_never_reads() {
        let source = "#define N 1\n#include \"/h.hlsli\"\n#undef N\n#define N 2\n#include \"/h.hlsli\"\n";
        let old = "#if N == 1\nstatic int a;\n#elif N == 3\nstatic int b;\n#else\nstatic int c;\n#endif\n";
        for (from, to, expected) in [("int a", "int aa", true), ("int b", "int bb", false), ("int c", "int cc", true)] {
            assert_eq!(seen(source, old, &old.replace(from, to)), expected, "{from}");
        }
    }

    #[test]
    fn numbers_of_lines_count() {
        let source = "#include \"/h.hlsli\"\nstatic int a = LINE;\n";
        let old = "// text\n#define LINE __LINE__\nstatic int b = LINE;\n";
        assert!(seen(source, old, &old.replace("// text", "// text\n")) && !seen(source, old, &old.replace("text", "more")));
    }
}
