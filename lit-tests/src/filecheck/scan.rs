//! The scanner: finds the directives in a check file.
//!
//! A directive is a prefix, perhaps a suffix that says which kind, and a colon; the pattern is the rest of the line. What
//! looks like a directive and is none (a suffix that does not exist, a colon that is missing) is an error.

use super::options::Options;
use super::pattern::{Kind, Origin, Pattern, implicit_not};
use super::text::Text;

/// A directive that must match, with the patterns in front of it that it has to look after.
#[derive(Debug)]
pub struct Check {
    /// The directive.
    pub pattern: Pattern,
    /// The [`Kind::Dag`] and [`Kind::Not`] directives between the one before and this one, in order.
    pub before: Vec<Pattern>,
}

/// A line with one of these in front of a directive is about running the test or a comment.
const COMMENTS: [&str; 2] = ["RUN:", "COM:"];

/// The suffixes of directives, without those that carry a number.
const SUFFIXES: [(&str, Kind); 6] = [
    ("-NEXT", Kind::Next),
    ("-SAME", Kind::Same),
    ("-NOT", Kind::Not),
    ("-DAG", Kind::Dag),
    ("-LABEL", Kind::Label),
    ("-EMPTY", Kind::Empty),
];

/// The start of the suffix that carries a number.
const COUNT: &str = "-COUNT-";

/// Reads all directives of a check file.
///
/// # Errors
/// Everything that is wrong with them, each with its place.
pub fn scan(options: &Options, check: &Text, known_prefixes: &[String]) -> Result<Vec<Check>, String> {
    let mut prefixes: Vec<&str> = options.prefixes.iter().map(String::as_str).collect();
    prefixes.sort_by_key(|p| std::cmp::Reverse(p.len()));
    let mut errors: Vec<String> = Vec::new();
    let mut used: Vec<&str> = Vec::new();
    let mut checks: Vec<Check> = Vec::new();
    let mut before = implicit_nots(options)?;
    let implicit_count = before.len();
    let mut offset = 0;
    for (index, line) in check.text.split('\n').enumerate() {
        match find_directive(line, &prefixes, known_prefixes) {
            Ok(None) => {}
            Err((at, length, message)) => {
                errors.push(check.report(offset + at..offset + at + length, "error", &message));
            }
            Ok(Some(found)) => {
                if !used.contains(&found.prefix) {
                    used.push(found.prefix);
                }
                let text = &line[found.pattern_start..];
                let blanks = text.len() - text.trim_start().len();
                let start = offset + found.pattern_start + blanks;
                let range = start..(start + text.trim().len()).max(start);
                let origin = Origin {
                    kind: found.kind,
                    directive: found.name.to_string(),
                    range: range.clone(),
                    line: index + 1,
                    literal: found.literal,
                };
                match Pattern::parse(text, origin, options) {
                    Err(message) => errors.push(check.report(range, "error", &message)),
                    Ok(pattern) => match pattern.kind {
                        Kind::Not | Kind::Dag => before.push(pattern),
                        Kind::Next | Kind::Same | Kind::Empty if checks.is_empty() => {
                            let message = format!("{} needs a directive before it that matches", pattern.directive);
                            errors.push(check.report(range, "error", &message));
                        }
                        _ => {
                            let before = std::mem::replace(&mut before, implicit_nots(options)?);
                            checks.push(Check { pattern, before });
                        }
                    },
                }
            }
        }
        offset += line.len() + 1;
    }
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let unused: Vec<&str> = prefixes.iter().filter(|p| !used.contains(*p)).copied().collect();
    if used.is_empty() || (!unused.is_empty() && !options.allow_unused_prefixes) {
        let list = unused.iter().map(|p| format!("`{p}:`")).collect::<Vec<_>>().join(", ");
        return Err(format!("error: {} has no directives with the prefix {list}", check.name));
    }
    if before.len() > implicit_count || implicit_count > 0 {
        let end = check.text.len();
        let origin = Origin { kind: Kind::End, directive: "the end".to_string(), range: end..end, line: 0, literal: true };
        checks.push(Check { pattern: Pattern::parse("", origin, options)?, before });
    }
    Ok(checks)
}

/// The patterns that every directive has in front of it.
fn implicit_nots(options: &Options) -> Result<Vec<Pattern>, String> {
    options.implicit_check_not.iter().map(|text| implicit_not(text, options)).collect()
}

/// A directive found on a line.
struct Directive<'a> {
    prefix: &'a str,
    name: &'a str,
    kind: Kind,
    literal: bool,
    pattern_start: usize,
}

/// An error on a line: where, how long, and what.
type LineError = (usize, usize, String);

/// The first directive on a line.
fn find_directive<'a>(line: &'a str, prefixes: &[&'a str], known_prefixes: &[String]) -> Result<Option<Directive<'a>>, LineError> {
    let comment = COMMENTS.iter().filter_map(|c| find_word(line, c)).min().unwrap_or(line.len());
    let line = &line[..comment];
    let mut at = 0;
    while at < line.len() {
        let Some((start, prefix)) = next_prefix(line, at, prefixes) else {
            return Ok(None);
        };
        let rest = &line[start + prefix.len()..];
        let suffix_end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(rest.len());
        let (suffix, tail) = rest.split_at(suffix_end);
        let name_end = start + prefix.len() + suffix_end;
        let name = &line[start..name_end];
        let (literal, tail) = modifier(tail);
        let kind = kind_of(suffix);
        if let (Some(after), Some(kind)) = (tail.strip_prefix(':'), kind) {
            if kind == Kind::Plain(0) {
                return Err((start, name.len(), format!("`{name}` counts to nothing")));
            }
            if literal.is_err() {
                return Err((start, name.len(), format!("`{name}` has a modifier that does not exist; there is {{LITERAL}}")));
            }
            let pattern_start = line.len() - after.len();
            return Ok(Some(Directive { prefix, name, kind, literal: literal.is_ok_and(|l| l), pattern_start }));
        }
        let colon = tail.trim_start().starts_with(':');
        let anothers = known_prefixes.iter().any(|k| name.strip_prefix(k.as_str()).is_some_and(|s| kind_of(s).is_some()));
        if colon && !anothers && (kind.is_some() || suffix.starts_with(['-', '_'])) {
            let message = if kind.is_some() {
                format!("the colon of `{name}:` must follow at once")
            } else {
                format!("`{name}` is not a directive{}", suggestion(prefix, suffix))
            };
            return Err((start, name.len(), message));
        }
        let comment_start = line[..start].trim_matches([' ', '\t', '/', ';', '#', '*']).is_empty();
        if !colon && comment_start && !suffix.is_empty() && kind.is_some() && !anothers {
            return Err((start, name.len(), format!("`{name}` has no colon, so it would check nothing")));
        }
        at = name_end;
    }
    Ok(None)
}

/// The earliest prefix at or after `from` that begins a word, the longest of those that begin at the same place.
fn next_prefix<'a>(line: &str, from: usize, prefixes: &[&'a str]) -> Option<(usize, &'a str)> {
    let found = prefixes.iter().filter_map(|p| Some((find_word(&line[from..], p)? + from, *p)));
    found.filter(|(at, _)| begins_word(line, *at)).min_by_key(|(at, p)| (*at, std::cmp::Reverse(p.len())))
}

/// Where `word` occurs with nothing before it that belongs to a word.
fn find_word(line: &str, word: &str) -> Option<usize> {
    line.match_indices(word).map(|(at, _)| at).find(|at| begins_word(line, *at))
}

fn begins_word(line: &str, at: usize) -> bool {
    !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// The kind that a suffix stands for.
fn kind_of(suffix: &str) -> Option<Kind> {
    if suffix.is_empty() {
        return Some(Kind::Plain(1));
    }
    if let Some(count) = suffix.strip_prefix(COUNT) {
        return count.parse().ok().map(Kind::Plain);
    }
    SUFFIXES.iter().find(|(text, _)| *text == suffix).map(|(_, kind)| *kind)
}

/// A `{...}` in front of the colon: whether it is the literal modifier (`Err` for an unknown one), and what follows it.
fn modifier(tail: &str) -> (Result<bool, ()>, &str) {
    match tail.strip_prefix('{').and_then(|t| t.split_once('}')) {
        Some(("LITERAL", after)) => (Ok(true), after),
        Some((_, after)) if after.starts_with(':') => (Err(()), after),
        _ => (Ok(false), tail),
    }
}

/// What was probably meant.
fn suggestion(prefix: &str, suffix: &str) -> String {
    let suffix = suffix.replace('_', "-");
    let near = SUFFIXES.iter().map(|(text, _)| (distance(text, &suffix), *text)).min();
    match near {
        Some((distance, text)) if distance <= 2 => format!("; did you mean `{prefix}{text}`?"),
        _ => String::new(),
    }
}

/// The number of insertions, deletions and replacements between two texts.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = corner + usize::from(ca != *cb);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
