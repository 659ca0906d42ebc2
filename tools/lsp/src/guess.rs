//! What a folder that no description describes is guessed to be: which sources include a header, and which folders includes are relative to.
//!
//! Both come from the `#include` lines of the files in the folders that the client has open. An include that is found nowhere is looked for as
//! the end of a path: `#include "common/math.hlsli"` and a file `/p/shaders/common/math.hlsli` make `/p/shaders` a root.

use std::collections::VecDeque;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::overlay::Overlay;
use crate::paths::{folder, is_header, normal};

/// How many files of the folders are looked at, and how deep they are.
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 16;

/// Larger files are data.
const MAX_BYTES: u64 = 1 << 20;

/// How many files of a source are followed, and how many folders of includes it gets.
const MAX_FOLLOWED: usize = 512;
const MAX_ROOTS: usize = 64;

/// How many sources of a header are looked for.
const MAX_USERS: usize = 16;

/// The endings of sources.
const SOURCES: [&str; 4] = ["hlsl", "fx", "usf", "compute"];

/// The files of the folders that the client has open.
#[derive(Default)]
pub struct Guess {
    files: Option<Files>,
    /// The roots of sources, by their path and their own includes.
    roots: FxHashMap<(String, Vec<String>), Vec<String>>,
}

#[derive(Default)]
struct Files {
    all: FxHashSet<String>,
    /// The paths by the name of their file.
    named: FxHashMap<String, Vec<String>>,
    /// By the name of a file the includes of such a file: as they are written, and where.
    mentions: FxHashMap<String, Vec<(String, String)>>,
}

impl Guess {
    /// Files may have come or gone.
    pub fn forget(&mut self) {
        *self = Guess::default();
    }

    /// A document is open: if it is a new file, others may be new too.
    pub fn opened(&mut self, path: &str) {
        if self.files.as_ref().is_some_and(|f| !f.all.contains(path)) {
            self.forget();
        }
    }

    /// The sources that include a header, at one remove or several, nearest first.
    pub fn users(&mut self, header: &str, folders: &[String]) -> Vec<String> {
        let files = self.files.get_or_insert_with(|| Files::read(folders));
        let mut out = Vec::new();
        let mut seen = FxHashSet::from_iter([header.to_owned()]);
        let mut queue = VecDeque::from([header.to_owned()]);
        while let Some(path) = queue.pop_front() {
            let Some(mentions) = files.mentions.get(name_of(&path)) else { continue };
            for (written, includer) in mentions {
                if !ends_with(&path, written) || seen.len() >= MAX_FILES || !seen.insert(includer.clone()) {
                    continue;
                }
                if is_header(includer) {
                    queue.push_back(includer.clone());
                } else if out.len() < MAX_USERS {
                    out.push(includer.clone());
                }
            }
        }
        out
    }

    /// The folders that the includes of a source are relative to, besides those of its options.
    pub fn include_roots(&mut self, path: &str, text: &str, given: &[String], folders: &[String], overlay: &Overlay) -> Vec<String> {
        let own = includes(text);
        if own.is_empty() || !folders.iter().any(|f| path.starts_with(&format!("{}/", f.trim_end_matches('/')))) {
            return Vec::new();
        }
        let key = (path.to_owned(), own);
        if let Some(roots) = self.roots.get(&key) {
            return roots.clone();
        }
        let files = self.files.get_or_insert_with(|| Files::read(folders));
        let exists = |path: &str| files.all.contains(path) || overlay.get(path).is_some() || Path::new(path).is_file();
        let mut roots: Vec<String> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut queue = VecDeque::from([(path.to_owned(), key.1.clone())]);
        while let Some((at, names)) = queue.pop_front() {
            for name in names {
                let near = std::iter::once(folder(&at)).chain(given.iter().map(String::as_str)).chain(roots.iter().map(String::as_str));
                let mut found = near.map(|dir| normal(&format!("{dir}/{name}"))).find(|p| exists(p));
                if found.is_none()
                    && roots.len() < MAX_ROOTS
                    && let Some((root, file)) = files.find(&name, &at)
                {
                    roots.push(root);
                    found = Some(file);
                }
                if let Some(file) = found.filter(|f| seen.len() < MAX_FOLLOWED && !seen.contains(f)) {
                    seen.insert(file.clone());
                    let text = overlay.text(&file).unwrap_or_default();
                    queue.push_back((file, includes(&text)));
                }
            }
        }
        self.roots.insert(key, roots.clone());
        roots
    }
}

impl Files {
    /// The shaders in these folders.
    fn read(folders: &[String]) -> Files {
        let mut out = Files::default();
        let mut queue: VecDeque<(String, usize)> = folders.iter().map(|f| (f.clone(), 0)).collect();
        while let Some((dir, depth)) = queue.pop_front() {
            let Ok(entries) = std::fs::read_dir(&dir) else { continue };
            let mut entries: Vec<_> = entries.flatten().collect();
            entries.sort_by_key(std::fs::DirEntry::file_name);
            for e in entries {
                let name = e.file_name().to_string_lossy().into_owned();
                let (Ok(kind), path) = (e.file_type(), normal(&format!("{dir}/{name}"))) else { continue };
                // Folders of tools, of packages and of what was built.
                if kind.is_dir() && depth < MAX_DEPTH && !name.starts_with('.') && name != "node_modules" && name != "target" {
                    queue.push_back((path, depth + 1));
                } else if kind.is_file() && out.all.len() < MAX_FILES && (is_header(&path) || is_source(&path)) {
                    out.add(path, e.metadata().is_ok_and(|m| m.len() <= MAX_BYTES));
                }
            }
        }
        out
    }

    fn add(&mut self, path: String, is_small: bool) {
        let text = if is_small { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        for written in includes(&rtc::decode(&text).text) {
            let mentions = self.mentions.entry(name_of(&written).to_owned()).or_default();
            mentions.push((written, path.clone()));
        }
        self.named.entry(name_of(&path).to_owned()).or_default().push(path.clone());
        self.all.insert(path);
    }

    /// The file whose path ends as an include is written, the nearest to the file that has it, and the folder that it is relative to.
    fn find(&self, written: &str, from: &str) -> Option<(String, String)> {
        let near = |path: &&String| path.bytes().zip(from.bytes()).take_while(|(a, b)| a == b).count();
        let all = self.named.get(name_of(written))?.iter().rev().filter(|p| p.as_str() != from && ends_with(p, written));
        // The first of several that are as near.
        let best = all.max_by_key(near)?;
        let root = best[..best.len() - end_of(written).len()].trim_end_matches('/');
        // With `..` in it, the root is as many folders deeper, which need not be there.
        (!written.contains("..")).then(|| (root.to_owned(), best.clone()))
    }
}

fn is_source(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, e)| SOURCES.iter().any(|s| e.eq_ignore_ascii_case(s)))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// An include without the `./` and `../` at its start.
fn end_of(written: &str) -> &str {
    let mut rest = written;
    while let Some(r) = rest.strip_prefix("./").or_else(|| rest.strip_prefix("../")) {
        rest = r;
    }
    rest
}

/// Whether a path ends with an include, at the start of a name.
fn ends_with(path: &str, written: &str) -> bool {
    let end = end_of(written);
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The files that a text includes, as they are written; conditions do not count.
fn includes(text: &str) -> Vec<String> {
    let of_line = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let end = match rest.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        let name = rest[1..].split_once(end)?.0.trim();
        (!name.is_empty()).then(|| name.replace('\\', "/"))
    };
    text.lines().filter_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_read_as_they_are_written() {
        let text = "#include \"a.h\"\n  #  include <b\\c.h> // x\n#include NAME\n#include \"\n#includes \"d.h\"\n";
        assert_eq!(includes(text), ["a.h", "b/c.h"]);
        assert!(ends_with("/p/x/a.h", "../x/a.h") && !ends_with("/p/xa.h", "a.h"));
        assert!(ends_with("/p/x/a.h", "x/a.h") && !ends_with("/p/yx/a.h", "x/a.h"));
    }
}
