//! A lexer for Rust text and a walk over the files of the repository, for tests that check the source text itself.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// All files of the repository with this extension and their text, sorted; paths are relative to the root and use `/`.
pub fn files(extension: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
                // `shared` at the root is a link to files that are no part of the repository.
                if !path.is_symlink() {
                    walk(&path, extension, out);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                out.push(path);
            }
        }
    }
    let root = root();
    let mut paths = Vec::new();
    walk(&root, extension, &mut paths);
    paths.sort();
    assert!(extension != "rs" || paths.len() > 100, "the walk found {} files", paths.len());
    let relative = |p: &Path| p.strip_prefix(&root).expect("a path below the root").to_string_lossy().replace('\\', "/");
    paths.iter().map(|p| (relative(p), String::from_utf8_lossy(&std::fs::read(p).expect("a file")).into_owned())).collect()
}

/// The kind of a [`Token`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `//`, `///`, `//!` and block comments, without the marks at their begin.
    Comment,
    /// The inside of a string literal, as written.
    Str,
    /// An identifier or a keyword.
    Ident,
    /// One character of anything else that is not white space.
    Punct,
}

/// A token of Rust text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// The text, without marks of comments and quotes.
    pub text: &'a str,
    /// Line of its first character, from 1.
    pub line: usize,
}

/// Splits Rust text into tokens. Numbers, character literals and lifetimes are left out.
pub fn lex(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut out, mut at, mut line) = (Vec::new(), 0, 1);
    let is_ident = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    while at < bytes.len() {
        let (start, first) = (at, line);
        let rest = &text[at..];
        if bytes[at].is_ascii_whitespace() {
            line += usize::from(bytes[at] == b'\n');
            at += 1;
            continue;
        }
        let mut push = |kind, text| out.push(Token { kind, text, line: first });
        if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            let inner = rest[2..end].strip_prefix(['/', '!']).unwrap_or(&rest[2..end]);
            push(Kind::Comment, inner);
            at += end;
        } else if rest.starts_with("/*") {
            let mut depth = 0;
            let end = loop {
                let here = &text[at..];
                match here {
                    _ if here.starts_with("/*") => (depth, at) = (depth + 1, at + 2),
                    _ if here.starts_with("*/") => (depth, at) = (depth - 1, at + 2),
                    "" => break at,
                    _ => at += here.chars().next().map_or(1, char::len_utf8),
                }
                if depth == 0 {
                    break at;
                }
            };
            push(Kind::Comment, &text[start + 2..end.saturating_sub(2).max(start + 2)]);
        } else if let Some((open, hashes)) = raw_string(rest) {
            let close = format!("\"{}", "#".repeat(hashes));
            let len = rest[open..].find(&close).unwrap_or(rest.len() - open);
            push(Kind::Str, &rest[open..open + len]);
            at = (start + open + len + close.len()).min(text.len());
        } else if rest.starts_with('"') || rest.starts_with("b\"") || rest.starts_with("c\"") {
            let open = at + rest.find('"').expect("a quote") + 1;
            at = open;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = at.min(bytes.len());
            push(Kind::Str, &text[open..at]);
            at += 1;
        } else if bytes[at] == b'\'' {
            at += char_or_lifetime(rest);
        } else if is_ident(bytes[at]) {
            let len = rest.bytes().position(|b| !is_ident(b)).unwrap_or(rest.len());
            if !bytes[at].is_ascii_digit() {
                push(Kind::Ident, &rest[..len]);
            }
            at += len;
        } else {
            push(Kind::Punct, &rest[..1]);
            at += 1;
        }
        line += text[start..at.min(text.len())].bytes().filter(|b| *b == b'\n').count();
    }
    out
}

/// Length of the opening of a raw string and its number of hashes.
fn raw_string(text: &str) -> Option<(usize, usize)> {
    let prefix = ["r", "br", "cr"].into_iter().find(|p| text.strip_prefix(p).is_some_and(|r| r.starts_with(['"', '#'])))?;
    let rest = &text[prefix.len()..];
    let hashes = rest.bytes().take_while(|b| *b == b'#').count();
    rest[hashes..].starts_with('"').then_some((prefix.len() + hashes + 1, hashes))
}

/// Length of a character literal or a lifetime.
fn char_or_lifetime(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            _ = chars.next();
            chars.find(|c| c.1 == '\'').map_or(text.len(), |c| c.0 + 1)
        }
        Some(_) => match chars.next() {
            Some((end, '\'')) => end + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// The tokens without items under `#[cfg(test)]`, and the names of the modules in files that are declared so.
pub fn without_tests<'a>(tokens: &[Token<'a>]) -> (Vec<Token<'a>>, Vec<&'a str>) {
    let code: Vec<&Token<'a>> = tokens.iter().filter(|t| t.kind != Kind::Comment).collect();
    let (mut out, mut modules, mut at) = (Vec::new(), Vec::new(), 0);
    let is = |at: usize, text: &str| code.get(at).is_some_and(|t| t.kind != Kind::Str && t.text == text);
    while at < code.len() {
        let attribute = ["#", "[", "cfg", "("];
        let of_test = attribute.iter().enumerate().all(|(n, t)| is(at + n, t)) && (is(at + 4, "test") && is(at + 5, ")"));
        if !of_test {
            out.push(code[at].clone());
            at += 1;
            continue;
        }
        // The attribute's end, further attributes, then the item: to its `;`, or to the end of its block.
        let mut depth = 0;
        at += 1;
        while let Some(t) = code.get(at) {
            if is(at, "mod") && depth == 0 && is(at + 2, ";") {
                modules.push(code[at + 1].text);
            }
            at += 1;
            if t.kind != Kind::Punct {
                continue;
            }
            match t.text {
                "{" | "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                ";" if depth == 0 => break,
                _ => {}
            }
        }
    }
    (out, modules)
}
