//! Patterns of names: `*` and `?` within a part of a path, `**` over any number of folders, `[abc]` and `[!abc]` for one character.

use std::collections::BTreeSet;
use std::path::Path;

/// How deep folders are searched, which ends at links that lead back.
const DEEPEST: usize = 64;

/// Whether a text is a pattern.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether `name` matches `pattern`; both have `/` between parts.
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let name: Vec<&str> = name.split('/').collect();
    parts_match(&pattern, &name)
}

fn parts_match(pattern: &[&str], name: &[&str]) -> bool {
    // As for characters below: the last `**` takes one part more when what follows does not match.
    let (mut p, mut n, mut back) = (0, 0, None);
    while n < name.len() {
        if pattern.get(p) == Some(&"**") {
            back = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|part| part_matches(part, name[n])) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((star, from)) = back {
            back = Some((star, from + 1));
            (p, n) = (star + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|part| *part == "**")
}

fn part_matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n, mut back) = (0, 0, None);
    while n < name.len() {
        let taken = match pattern.get(p) {
            Some('*') => {
                back = Some((p, n));
                p += 1;
                continue;
            }
            Some('?') => Some(1),
            Some('[') => set(&pattern[p..], name[n]),
            Some(&c) if c == name[n] => Some(1),
            _ => None,
        };
        match (taken, back) {
            (Some(length), _) => (p, n) = (p + length, n + 1),
            (None, Some((star, from))) => {
                back = Some((star, from + 1));
                (p, n) = (star + 1, from + 1);
            }
            (None, None) => return false,
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// The length of the set at the start of `pattern` if `c` is in it. A bracket that is not closed stands for itself.
fn set(pattern: &[char], c: char) -> Option<usize> {
    let Some(end) = pattern.iter().skip(2).position(|&c| c == ']').map(|at| at + 2) else { return (c == '[').then_some(1) };
    let inside = &pattern[1..end];
    let (negated, inside) = match inside {
        ['!' | '^', rest @ ..] if !rest.is_empty() => (true, rest),
        _ => (false, inside),
    };
    let mut at = 0;
    let mut found = false;
    while at < inside.len() {
        match inside[at..] {
            [low, '-', high, ..] => {
                found |= (low..=high).contains(&c);
                at += 3;
            }
            _ => {
                found |= inside[at] == c;
                at += 1;
            }
        }
    }
    (found != negated).then_some(end + 1)
}

/// The folder before the first part of `pattern` that has something to match; empty if there is none.
pub fn fixed_folder(pattern: &str) -> &str {
    let first = pattern.split('/').take_while(|part| !is_pattern(part)).map(|part| part.len() + 1).sum::<usize>();
    match first {
        0 => "",
        // The root, and a text without a pattern, of which the last part is a file.
        n if n > pattern.len() => pattern.rfind('/').map_or("", |at| &pattern[..at.max(1)]),
        n => &pattern[..(n - 1).max(usize::from(pattern.starts_with('/')))],
    }
}

/// The files below `folder` that match `pattern`, as the pattern names them, sorted, and the folders that were looked at. Names that begin with a
/// dot match a part that does, too.
pub fn files(folder: &str, pattern: &str) -> (Vec<String>, Vec<String>) {
    let pattern = pattern.replace('\\', "/");
    let base = fixed_folder(&pattern);
    let rest: Vec<&str> = pattern[base.len()..].trim_start_matches('/').split('/').collect();
    let (mut found, mut folders) = (BTreeSet::new(), BTreeSet::new());
    walk(folder, base, &rest, 0, &mut found, &mut folders);
    (found.into_iter().collect(), folders.into_iter().collect())
}

fn joined(a: &str, b: &str) -> String {
    if a.is_empty() || Path::new(b).is_absolute() { b.to_owned() } else { format!("{}/{b}", a.trim_end_matches('/')) }
}

fn walk(folder: &str, at: &str, rest: &[&str], depth: usize, found: &mut BTreeSet<String>, folders: &mut BTreeSet<String>) {
    let [part, after @ ..] = rest else { return };
    if depth > DEEPEST {
        return;
    }
    if *part == "**" {
        // No folder at all.
        walk(folder, at, after, depth, found, folders);
    }
    let here = joined(folder, at);
    let here = if here.is_empty() { ".".to_owned() } else { here };
    let Ok(entries) = std::fs::read_dir(&here) else { return };
    folders.insert(here);
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let hidden = name.starts_with('.') && !part.starts_with('.');
        if hidden || (*part != "**" && !part_matches(part, &name)) {
            continue;
        }
        let path = joined(at, &name);
        let is_folder = Path::new(&joined(folder, &path)).is_dir();
        if *part == "**" {
            if is_folder {
                walk(folder, &path, rest, depth + 1, found, folders);
            }
        } else if after.is_empty() {
            if !is_folder {
                found.insert(path);
            }
        } else if is_folder {
            walk(folder, &path, after, depth + 1, found, folders);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match() {
        let yes = |pattern: &str, name: &str| assert!(matches(pattern, name), "{pattern} {name}");
        let no = |pattern: &str, name: &str| assert!(!matches(pattern, name), "{pattern} {name}");
        yes("a.hlsl", "a.hlsl");
        yes("*.hlsl", "a.hlsl");
        no("*.hlsl", "a/b.hlsl");
        yes("**/*.hlsl", "a.hlsl");
        yes("**/*.hlsl", "a/b/c.hlsl");
        yes("a/**", "a/b/c");
        yes("a/**/c", "a/c");
        no("a/**/c", "b/c");
        yes("a?c", "abc");
        no("a?c", "ac");
        yes("*a*b*", "xaybz");
        no("*a*b", "ab-");
        yes("[a-c]x[!0-9]", "bxy");
        no("[a-c]x[!0-9]", "bx1");
        yes("[", "[");
        yes("[]]", "]");
        // Neither is exponential.
        no(&"*a".repeat(40), &"a".repeat(39));
        no(&format!("{}b", "**/a/".repeat(40)), &format!("{}c", "a/".repeat(79)));
    }

    #[test]
    fn folders_before_patterns() {
        let all = ["passes/**/*.hlsl", "*.hlsl", "a.hlsl", "x/a.hlsl", "/x/*.hlsl", "/*.hlsl", "../a/b?/c"].map(fixed_folder);
        assert_eq!(all, ["passes", "", "", "x", "/x", "/", "../a"]);
    }

    #[test]
    fn files_are_found() {
        let folder = std::env::temp_dir().join(format!("rtc-glob-{}", std::process::id()));
        for file in ["a.hlsl", "b.hlsli", "x/c.hlsl", "x/y/d.hlsl", ".git/e.hlsl"] {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
            std::fs::write(path, "").expect("it can be written");
        }
        let at = folder.to_string_lossy().into_owned();
        let found = |pattern: &str| files(&at, pattern).0.join(" ");
        let all = [found("*.hlsl"), found("**/*.hlsl"), found("x/**/*.hlsl"), found("*/c.hlsl"), found("z/*"), found("./x/*.hlsl")];
        let folders = files(&at, "x/**/*.hlsl").1;
        std::fs::remove_dir_all(&folder).expect("it is there");
        assert_eq!(all, ["a.hlsl", "a.hlsl x/c.hlsl x/y/d.hlsl", "x/c.hlsl x/y/d.hlsl", "x/c.hlsl", "", "./x/c.hlsl"]);
        assert_eq!(folders, [format!("{at}/x"), format!("{at}/x/y")]);
    }
}
