//! `rtc explain`: the page of a diagnostic's code, and the line under diagnostics that names it.

use std::fmt::Write as _;

use rtc_base::similar::{distance, nearest};
use rtc_book::{PAGES, Page, page};

use crate::error::Result;
use crate::output;

const USAGE: &str = "usage: rtc explain CODES
       rtc explain -list
Explains codes of diagnostics: what is wrong, an example, and the example without the mistake. A code is written E0704, e0704 or 704;
for a group of warnings, as in -Wconversion, its codes are listed.
  -list      list every code
  -markdown  print pages in Markdown, as they are in the book";

/// How many codes are suggested for one that does not exist.
const SUGGESTED: usize = 4;

/// How many characters a code may differ in to be near.
const DISTANCE: usize = 2;

/// How many codes the line under diagnostics names.
const NAMED: usize = 3;

/// Prints the pages of the codes in `arguments`.
///
/// # Errors
/// An unknown option or code; the message has the nearest codes.
pub fn run(arguments: &[String]) -> Result<bool> {
    let (mut list, mut markdown, mut codes) = (false, false, Vec::new());
    for a in arguments {
        match a.as_str() {
            "-h" | "-help" | "--help" => return output::print(format!("{USAGE}\n").as_bytes()).map(|()| true),
            "-list" | "--list" => list = true,
            "-markdown" | "--markdown" => markdown = true,
            // A group of warnings may be spelled as the option.
            a if a.starts_with('-') && !a.starts_with("-W") => return Err(format!("unknown option `{a}`\n{USAGE}").into()),
            a => codes.push(a),
        }
    }
    if codes.is_empty() && !list {
        return Err(format!("no code given\n{USAGE}").into());
    }
    let mut text = if list { listing(PAGES.iter()) } else { String::new() };
    for code in codes {
        let found = found(code)?;
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&match (found, markdown) {
            (Match::Group(pages), _) => listing(pages.into_iter()),
            (Match::Pages(pages), true) => pages.iter().map(|p| p.text).collect::<Vec<_>>().join("\n"),
            (Match::Pages(pages), false) => pages.iter().map(|p| p.plain()).collect::<Vec<_>>().join("\n"),
        });
    }
    output::print(text.as_bytes()).map(|()| true)
}

/// What a word of the command line means.
enum Match {
    /// A code, or the codes with these digits.
    Pages(Vec<&'static Page>),
    /// The codes of a group of warnings.
    Group(Vec<&'static Page>),
}

fn found(word: &str) -> Result<Match> {
    // As it may be copied: `[E0704]`, `error[E0704]:`, `E0704.`
    let inner = word.rsplit('[').next().unwrap_or(word);
    let code: String = inner.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    if let Some(p) = page(&code) {
        return Ok(Match::Pages(vec![p]));
    }
    let digits = code.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &code[..code.len() - digits.len()];
    if !digits.is_empty() && digits.len() < 5 && digits.bytes().all(|b| b.is_ascii_digit()) {
        let padded = format!("{digits:0>4}");
        let of_digits: Vec<&Page> = PAGES.iter().filter(|p| p.code[1..] == padded && p.code.starts_with(letters)).collect();
        if letters.len() < 2 && !of_digits.is_empty() {
            return Ok(Match::Pages(of_digits));
        }
        return Err(unknown(word, &format!("{}{padded}", if letters.is_empty() { "E" } else { letters })).into());
    }
    let group = word.trim_start_matches('-').strip_prefix('W').filter(|g| !g.is_empty()).unwrap_or(word);
    let of_group: Vec<&Page> = PAGES.iter().filter(|p| p.group() == Some(group)).collect();
    match of_group.is_empty() {
        false => Ok(Match::Group(of_group)),
        true => Err(unknown(word, &code).into()),
    }
}

/// The error for a code or group that does not exist, with the nearest ones: few other characters first, then numbers close by.
fn unknown(word: &str, code: &str) -> String {
    let groups = PAGES.iter().filter_map(Page::group);
    if let Some(near) = nearest(word.trim_start_matches("-W"), groups) {
        return format!("there is no group of warnings `{word}`; did you mean `-W{near}`?");
    }
    let number = |c: &str| c.get(1..).and_then(|d| d.get(..4)).and_then(|d| d.parse::<u32>().ok());
    let of_word = number(code);
    let mut near: Vec<(usize, u32, &Page)> = PAGES
        .iter()
        .map(|p| {
            let between = of_word.zip(number(p.code)).map_or(u32::MAX, |(a, b)| a.abs_diff(b));
            (distance(code, p.code, DISTANCE), between, p)
        })
        .filter(|(apart, _, p)| *apart <= DISTANCE || of_word.is_some() && p.code.starts_with(&code[..1]))
        .collect();
    near.sort_by_key(|(apart, between, p)| (*apart, *between, p.code));
    near.truncate(SUGGESTED);
    let near: String = near.iter().map(|(_, _, p)| format!("\n  {}  {}", p.code, p.about())).collect();
    match near.is_empty() {
        true => format!("`{word}` is no code of a diagnostic and no group of warnings; `rtc explain -list` lists them"),
        false => format!("there is no diagnostic `{word}`; the nearest are{near}"),
    }
}

fn listing(pages: impl Iterator<Item = &'static Page>) -> String {
    let mut out = String::new();
    for p in pages {
        let group = p.group().map_or(String::new(), |g| format!(" [-W{g}]"));
        _ = writeln!(out, "{}  {}{group}", p.code, p.about());
    }
    out
}

/// The line under diagnostics that says where to read on: about errors, or about warnings where there is no error. `codes` are those of
/// the diagnostics, with whether it is an error.
pub fn pointer<'a>(codes: impl IntoIterator<Item = (bool, &'a str)>) -> Option<String> {
    let mut all: Vec<(bool, &str)> = codes.into_iter().filter(|(_, c)| page(c).is_some()).collect();
    if all.iter().any(|(is_error, _)| *is_error) {
        all.retain(|(is_error, _)| *is_error);
    }
    let mut named: Vec<&str> = Vec::new();
    for (_, code) in all {
        if !named.contains(&code) {
            named.push(code);
        }
    }
    named.truncate(NAMED);
    (!named.is_empty()).then(|| format!("`rtc explain {}` says more\n", named.join(" ")))
}
