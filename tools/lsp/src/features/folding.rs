//! Folding ranges: blocks, conditionals, comments, groups of includes. They need the text alone, so broken sources fold too.

use lsp_types::{FoldingRange, FoldingRangeKind};
use rtc_base::Interner;
use rtc_frontend::lex::{Flags, Kind, lex_file};

use crate::text::Lines;

/// The folding ranges of a text.
pub fn ranges(text: &str) -> Vec<FoldingRange> {
    let lines = Lines::of(text);
    let mut names = Interner::new();
    let raw = lex_file(text, &mut names);
    let line = |at: u32| lines.line_of(at as usize) as u32;
    let mut out = Vec::new();
    let mut add = |from: u32, to: u32, kind: Option<FoldingRangeKind>| {
        if from < to {
            out.push(FoldingRange { start_line: from, end_line: to, kind, ..FoldingRange::default() });
        }
    };
    let (mut braces, mut conditionals) = (Vec::new(), Vec::new());
    let mut includes: Option<(u32, u32)> = None;
    for (i, t) in raw.tokens.iter().enumerate() {
        match t.kind {
            Kind::LBrace => braces.push(line(t.lo)),
            Kind::RBrace => {
                if let Some(from) = braces.pop() {
                    add(from, line(t.lo).saturating_sub(1), None);
                }
            }
            Kind::Hash if t.flags.contains(Flags::BOL) => {
                let Some(word) = raw.tokens.get(i + 1).filter(|n| n.kind == Kind::Ident) else { continue };
                let here = line(t.lo);
                match names.str(word.sym) {
                    "if" | "ifdef" | "ifndef" => conditionals.push(here),
                    "else" | "elif" | "elifdef" | "elifndef" => {
                        if let Some(from) = conditionals.last_mut() {
                            add(*from, here.saturating_sub(1), None);
                            *from = here;
                        }
                    }
                    "endif" => {
                        if let Some(from) = conditionals.pop() {
                            add(from, here, None);
                        }
                    }
                    "include" => match &mut includes {
                        Some((_, last)) if *last + 1 == here => *last = here,
                        other => {
                            if let Some((from, to)) = other.replace((here, here)) {
                                add(from, to, Some(FoldingRangeKind::Imports));
                            }
                        }
                    },
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if let Some((from, to)) = includes {
        add(from, to, Some(FoldingRangeKind::Imports));
    }
    // Comments are between tokens.
    let mut ends = vec![0];
    ends.extend(raw.tokens.iter().map(|t| t.hi as usize));
    let mut comments: Vec<(u32, u32)> = Vec::new();
    for (i, t) in raw.tokens.iter().enumerate() {
        let from = ends[i];
        let to = if t.kind == Kind::Eof { text.len() } else { t.lo as usize };
        let gap = text.get(from..to).unwrap_or("");
        let mut at = 0;
        while let Some(start) = gap[at..].find('/').map(|x| x + at) {
            let rest = &gap[start..];
            let length = match rest.as_bytes().get(1) {
                Some(b'*') => rest.get(2..).and_then(|r| r.find("*/")).map_or(rest.len(), |e| e + 4),
                Some(b'/') => rest.find(['\n', '\r']).unwrap_or(rest.len()),
                _ => 1,
            };
            if length > 1 {
                let (a, b) = (line((from + start) as u32), line((from + start + length) as u32));
                match comments.last_mut() {
                    Some(last) if rest.starts_with("//") && last.1 + 1 == a => last.1 = b,
                    _ => comments.push((a, b)),
                }
            }
            at = start + length;
        }
    }
    for (from, to) in comments {
        add(from, to, Some(FoldingRangeKind::Comment));
    }
    out.sort_by_key(|r| (r.start_line, r.end_line));
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_comments_conditionals_and_includes_fold() {
        let text = "#include \"a\"\n#include \"b\"\n\n// one\n// two\nvoid f() {\n  /* a\n  b */\n}\n#if 1\nint x;\n#else\nint y;\n#endif\n{ unclosed";
        let found: Vec<(u32, u32)> = ranges(text).iter().map(|r| (r.start_line, r.end_line)).collect();
        assert_eq!(found, [(0, 1), (3, 4), (5, 7), (6, 7), (9, 10), (11, 13)]);
        assert!(ranges("").is_empty());
        ranges("/* open");
        ranges("}}}} #endif\n#else é // é");
    }
}
