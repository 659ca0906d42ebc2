//! Colours of lines: for each line its runs of one kind, as a text that the page reads: a letter for the kind and the length in UTF-16 units, as
//! `k6p1t5`. What follows the last run is plain.
//!
//! Sources are split by the compiler's own lexer ([`rtc::words`]). Listings (LLVM IR, SPIR-V assembly, the IR of rtc) need no more than the
//! first letters of a word to tell what it is, so one rule reads all three.

use rtc::words::{WordKind, words};

/// Kinds of runs, by their letters in the page's style sheet.
const PLAIN: char = 'p';
const COMMENT: char = 'c';
const DIRECTIVE: char = 'd';
const KEYWORD: char = 'k';
const TYPE: char = 't';
const FUNCTION: char = 'f';
const NUMBER: char = 'n';
const TEXT: char = 's';
const VALUE: char = 'v';

/// Texts with more bytes are shown without colours.
const MAX_TEXT: usize = 8 << 20;

/// The runs of a line.
#[derive(Default)]
struct Runs {
    out: String,
    /// The length of plain text before the next run.
    plain: usize,
}

impl Runs {
    fn push(&mut self, kind: char, text: &str) {
        let length = text.encode_utf16().count();
        if kind == PLAIN {
            self.plain += length;
        } else if length > 0 {
            if self.plain > 0 {
                self.out.push_str(&format!("{PLAIN}{}", self.plain));
                self.plain = 0;
            }
            self.out.push_str(&format!("{kind}{length}"));
        }
    }
}

/// The colours of each line of a source.
pub(crate) fn source(text: &str) -> Vec<String> {
    if text.len() > MAX_TEXT {
        return vec![String::new(); text.lines().count()];
    }
    let words = words(text);
    let mut out = Vec::new();
    let mut next = 0;
    for line in text.lines() {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let end = start + line.len();
        let mut runs = Runs::default();
        let mut at = start;
        // A comment may have several lines: it stays the next word until it ends.
        while let Some((range, kind)) = words.get(next).filter(|w| w.0.start < end) {
            let (from, to) = (range.start.clamp(at, end), range.end.clamp(at, end));
            runs.push(PLAIN, &text[at..from]);
            runs.push(letter(*kind), &text[from..to]);
            at = to;
            if range.end > end {
                break;
            }
            next += 1;
        }
        out.push(runs.out);
    }
    out
}

fn letter(kind: WordKind) -> char {
    match kind {
        WordKind::Comment => COMMENT,
        WordKind::Directive => DIRECTIVE,
        WordKind::Keyword => KEYWORD,
        WordKind::Type => TYPE,
        WordKind::Function => FUNCTION,
        WordKind::Number => NUMBER,
        WordKind::Text => TEXT,
    }
}

/// The line of a source, from 1, at which its entry point begins: that of this name, or without one the first shader.
pub(crate) fn start_of(text: &str, entry: Option<&str>) -> Option<u32> {
    let words = if text.len() > MAX_TEXT { Vec::new() } else { words(text) };
    // Attributes have parentheses too: they follow `[` or a comma.
    let mut functions = words
        .iter()
        .filter(|(range, kind)| *kind == WordKind::Function && !text[..range.start].trim_end().ends_with(['[', ',', '.', '(', '=']));
    let found = match entry {
        Some(name) => functions.find(|(range, _)| &text[range.clone()] == name)?,
        None => {
            let shader = words.iter().find(|(range, kind)| *kind == WordKind::Function && &text[range.clone()] == "shader")?.0.end;
            functions.find(|(range, _)| range.start > shader)?
        }
    };
    Some(text[..found.0.start].matches('\n').count() as u32 + 1)
}

/// The colours of a line of a listing.
pub(crate) fn listing(line: &str) -> String {
    let mut runs = Runs::default();
    let mut rest = line;
    // The first word of an instruction, after the value that it defines, is its name.
    let mut is_name = true;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            ';' => (COMMENT, rest.len()),
            '"' => (TEXT, 1 + quoted(&rest[1..])),
            '%' | '@' | '!' => {
                let length = match rest[1..].strip_prefix('"') {
                    Some(name) => 2 + quoted(name),
                    None => 1 + word(&rest[1..]),
                };
                (if first == '@' { FUNCTION } else { VALUE }, length)
            }
            c if c.is_ascii_digit() || c == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                let digits = word(&rest[1..]) + 1;
                // The sign of an exponent.
                let exponent = rest[..digits].ends_with('e') && rest[digits..].starts_with(['+', '-']);
                (NUMBER, if exponent { digits + 1 + word(&rest[digits + 1..]) } else { digits })
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = word(rest);
                let text = &rest[..length];
                let kind = match text {
                    _ if is_op(text) => KEYWORD,
                    _ if is_type(text) => TYPE,
                    _ if is_name => KEYWORD,
                    _ => PLAIN,
                };
                is_name = false;
                (kind, length)
            }
            c => {
                is_name |= c == '=';
                (PLAIN, c.len_utf8())
            }
        };
        runs.push(kind, &rest[..length]);
        rest = &rest[length..];
    }
    runs.out
}

/// The length of a string after its first quote, with its last one.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |n| n + 1)
}

fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))).unwrap_or(text.len())
}

/// Whether it is an instruction of SPIR-V.
fn is_op(word: &str) -> bool {
    word.strip_prefix("Op").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether it is a type: `i32`, `f16`, `float`, `ptr`.
fn is_type(word: &str) -> bool {
    let number = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    matches!(word, "void" | "bool" | "half" | "float" | "double" | "ptr" | "label" | "metadata" | "opaque")
        || word.strip_prefix(['i', 'u', 'f']).is_some_and(number)
}

/// The line, from 0, at which the code of the entry point begins in a listing: that of this name, or the first function.
pub(crate) fn code(lines: &[String], entry: Option<&str>) -> Option<u32> {
    let begins = |line: &str, name: Option<&str>| match name {
        None => line.starts_with("define ") || line.starts_with("fn "),
        Some(n) => {
            line.starts_with("define ") && [format!("@{n}("), format!("@\"{n}\"(")].iter().any(|n| line.contains(n))
                || line.starts_with("fn ") && line.contains(&format!("\"{n}\""))
        }
    };
    let spirv = || {
        let named = |l: &&String| entry.is_none_or(|n| l.contains(&format!("\"{n}\"")));
        let point = lines.iter().filter(|l| l.contains("OpEntryPoint ")).find(named)?;
        let id = point.split_whitespace().find(|w| w.starts_with('%'))?;
        lines.iter().position(|l| l.trim_start().strip_prefix(id).is_some_and(|rest| rest.trim_start().starts_with("= OpFunction ")))
    };
    let at = |name| lines.iter().position(|l| begins(l, name));
    at(entry).or_else(spirv).or_else(|| at(None)).map(|n| n as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_coloured_line_by_line() {
        let text = "/* é\nb */ float f(int a) { return 1.5; } // 𝄞\n\n#define X 2\r\nvoid main() {}\n";
        let lines = source(text);
        assert_eq!(lines, ["c4", "c4p1t5p1f1p1t3p6k6p1n3p4c5", "", "d1d6p3n1", "t4p1f4"], "{text}");
        assert_eq!(start_of(text, Some("main")), Some(5));
    }

    #[test]
    fn the_first_shader_is_found() {
        let text = "float g(int a) { return g(a); }\n[numthreads(1, 1, 1)]\n[shader(\"compute\"), numthreads(1, 1, 1)]\nvoid Start() { }\n";
        assert_eq!(start_of(text, None), Some(4));
        assert_eq!(start_of(text, Some("none")), None);
    }

    #[test]
    fn listings_are_coloured() {
        for (line, expected) in [
            ("  %3 = fmul fast float %2, 3.500000e+00 ; scale", "p2v2p3k4p6t5p1v2p2n12p1c7"),
            ("define void @\"\\01?f@@\"(i32 %0) {", "k6p1t4p1f10p1t3p1v2"),
            ("       %main = OpFunction %void None %7", "p7v5p3k10p1v5p6v2"),
            ("OpName %main \"a \\\" b\"", "k6p1v5p1s8"),
            ("!3 = !{i32 -1}", "v2p3v1p1t3p1n2"),
            ("", ""),
            ("\"", "s1"),
        ] {
            assert_eq!(listing(line), expected, "{line}");
        }
    }

    #[test]
    fn the_code_is_found() {
        let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        let dxil = lines("; a\ntarget = 1\ndefine float @g(i32) {\n}\ndefine void @main() {");
        assert_eq!((code(&dxil, Some("main")), code(&dxil, None)), (Some(4), Some(2)));
        let spirv = lines("OpEntryPoint GLCompute %main \"main\" %a\n%g = OpFunction %void None %1\n %main = OpFunction %void None %1");
        assert_eq!((code(&spirv, Some("main")), code(&spirv, None)), (Some(2), Some(2)));
        assert_eq!(code(&[], None), None);
    }
}
