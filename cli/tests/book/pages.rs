//! Pages of the book with their includes, and the code blocks of them.

use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A chapter.
pub struct Page {
    /// Its path below `src/`, with `/`.
    pub name: String,
    /// Its text, with what it includes.
    pub text: String,
}

/// A code block.
pub struct Block {
    /// Where it is: the page and the line at which it begins.
    pub at: String,
    /// The first word of its information string; empty without one.
    pub language: String,
    /// The others.
    attributes: Vec<String>,
    /// The code.
    pub text: String,
}

impl Block {
    /// The values of the attribute `name=VALUE`.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.attributes.iter().filter_map(move |a| a.strip_prefix(name)?.strip_prefix('='))
    }

    /// The attributes whose names are none of `names`.
    pub fn others(&self, names: &[&str]) -> Vec<&str> {
        let is_known = |a: &str| names.contains(&a.split('=').next().unwrap_or(a));
        self.attributes.iter().map(String::as_str).filter(|a| !is_known(a)).collect()
    }
}

/// The folder of the book.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book")
}

/// All Markdown files of the book but the table of contents, in the order of names.
pub fn pages() -> Vec<Page> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of the book").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => walk(&path, files),
                false if path.extension().is_some_and(|e| e == "md") => files.push(path),
                false => {}
            }
        }
    }
    let src = folder().join("src");
    let mut files = Vec::new();
    walk(&src, &mut files);
    files.sort();
    let name = |p: &Path| p.strip_prefix(&src).expect("below").to_string_lossy().replace('\\', "/");
    let all: Vec<Page> = files.iter().map(|p| Page { name: name(p), text: with_includes(p) }).filter(|p| p.name != "SUMMARY.md").collect();
    assert!(all.len() > 200, "the pages of the error index are there");
    all
}

/// The text of a file with the files, or parts of files, that it includes as mdBook does.
fn with_includes(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a page in UTF-8");
    let mut out = String::new();
    for line in text.lines() {
        let Some(what) = line.trim().strip_prefix("{{#include ").and_then(|l| l.strip_suffix("}}")) else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let (file, part) = what.trim().split_once(':').map_or((what.trim(), None), |(f, p)| (f, Some(p)));
        let included = path.parent().expect("a folder").join(file);
        let Ok(text) = fs::read_to_string(&included) else { panic!("{}: there is no `{file}` to include", path.display()) };
        out.push_str(&match part {
            None => text,
            Some(part) => part_of(&text, part).unwrap_or_else(|| panic!("{}: `{file}` has no part `{part}`", path.display())),
        });
    }
    out
}

/// The lines between `ANCHOR: part` and `ANCHOR_END: part`.
fn part_of(text: &str, part: &str) -> Option<String> {
    let is = |line: &str, word: &str| line.split_once(&format!("{word}: ")).is_some_and(|(_, l)| l.split_whitespace().next() == Some(part));
    let mut lines = text.lines().skip_while(|l| !is(l, "ANCHOR"));
    lines.next()?;
    Some(lines.take_while(|l| !is(l, "ANCHOR_END")).map(|l| format!("{l}\n")).collect())
}

/// The extensions of Markdown that mdBook has.
pub fn parser(text: &str) -> pulldown_cmark::OffsetIter<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options).into_offset_iter()
}

/// The code blocks of a page.
pub fn blocks(page: &Page) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut is_inside = false;
    for (event, range) in parser(&page.text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let line = page.text[..range.start].matches('\n').count() + 1;
                let information = match &kind {
                    CodeBlockKind::Fenced(i) => i.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                let mut words = information.split(',').map(|w| w.trim().to_owned());
                found.push(Block {
                    at: format!("{}:{line}", page.name),
                    language: words.next().unwrap_or_default(),
                    attributes: words.collect(),
                    text: String::new(),
                });
                is_inside = true;
            }
            Event::End(TagEnd::CodeBlock) => is_inside = false,
            Event::Text(t) if is_inside => {
                if let Some(b) = found.last_mut() {
                    b.text.push_str(&t);
                }
            }
            _ => {}
        }
    }
    found
}
