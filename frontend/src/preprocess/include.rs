//! `#include`: resolution of file names.
//!
//! The preprocessor composes candidate paths and tries each with an [`Includes`]: for `"name"` the directory of the
//! including file, those of the files that include it, innermost first, then the include directories, then the bare name; for
//! `<name>` the include directories first. Backslashes are read as slashes. Only if no candidate exists,
//! headers that the compiler has inside ([`headers`]) and names that differ in letter case are tried, with a warning: code from Windows depends on it.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rtc_base::path::opens_device;
use rtc_base::similar::nearest;
use rtc_base::{Diagnostic, Span, Symbol};
use rtc_tables::diagnostics as codes;

use super::headers;
use super::{Included, MAX_INCLUDE_DEPTH, MAX_INCLUDES, Preprocessor};
use crate::lex::{Kind, RawFile, Token, TokenCache, decode, lex_file};
use crate::preamble::PreambleCache;

/// The number of names of a folder that are considered for a suggestion.
const MAX_LISTED: usize = 4096;

/// A source of included files: a disk ([`Disk`]), a table ([`Virtual`]), a function ([`Callback`]), or two of them ([`Both`]).
///
/// For each `#include` the preprocessor composes candidate paths, with `/` between their parts, and reads one after the other until
/// a file exists. A file is read once in a compilation, however often it is included; a path without a file may be
/// read again. Only [`read`](Includes::read) is required; the other functions improve diagnostics.
pub trait Includes {
    /// The bytes of the file at `path`; `None` when there is no such file.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>>;

    /// A path that exists and differs from `path` in letter case only.
    fn same_but_case(&mut self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// The names of the files in folder `dir`, for a suggestion when one is not found; empty if unknown.
    fn list(&mut self, dir: &str) -> Vec<String> {
        let _ = dir;
        Vec::new()
    }

    /// What identifies the file at `path` for `#pragma once`, independent of the path.
    fn identity(&mut self, path: &str) -> String {
        path.to_string()
    }

    /// A cache of tokens that compilations with these files share.
    fn tokens(&mut self) -> Option<Arc<TokenCache>> {
        None
    }

    /// A cache of preambles that compilations with these files share.
    fn preambles(&mut self) -> Option<Arc<PreambleCache>> {
        None
    }
}

/// [`Includes`] that several threads read at once.
pub trait Files: Send + Sync {
    /// The bytes of the file at `path`; `None` when there is no such file.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>>;

    /// A path that exists and differs from `path` in letter case only.
    fn same_but_case(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// The names of the files in folder `dir`, for a suggestion when one is not found; empty if unknown.
    fn list(&self, dir: &str) -> Vec<String> {
        let _ = dir;
        Vec::new()
    }

    /// What identifies the file at `path` for `#pragma once`, independent of the path.
    fn identity(&self, path: &str) -> String {
        path.to_string()
    }
}

impl Files for NoIncludes {
    fn read(&self, _: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok(None)
    }
}

impl Files for Disk {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Includes::read(&mut Disk, path)
    }
    fn same_but_case(&self, path: &str) -> Option<String> {
        Includes::same_but_case(&mut Disk, path)
    }
    fn list(&self, dir: &str) -> Vec<String> {
        Includes::list(&mut Disk, dir)
    }
    fn identity(&self, path: &str) -> String {
        Includes::identity(&mut Disk, path)
    }
}

impl<B: Into<Arc<[u8]>>, F: Fn(&str) -> io::Result<Option<B>> + Send + Sync> Files for Callback<F> {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok((self.0)(path)?.map(Into::into))
    }
}

/// No file exists.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn read(&mut self, _: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok(None)
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Includes for Disk {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        // Reading one would wait for what a person types.
        if let Some(name) = opens_device(path) {
            return Err(io::Error::other(format!("`{name}` is the name of a device on Windows")));
        }
        match std::fs::read(path) {
            Ok(bytes) => Ok(Some(bytes.into())),
            // No file has such a name, as with `<` in it on Windows.
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename) => {
                Ok(None)
            }
            // A directory of this name does not hide a file of a later candidate.
            Err(e) if Path::new(path).is_dir() || e.kind() == io::ErrorKind::InvalidInput => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn same_but_case(&mut self, path: &str) -> Option<String> {
        if cfg!(windows) {
            // The system has found it already if it is there.
            return None;
        }
        let mut found = String::new();
        let mut rest = path;
        if let Some(r) = rest.strip_prefix('/') {
            found.push('/');
            rest = r;
        }
        for part in rest.split('/').filter(|p| !p.is_empty()) {
            let base = if found.is_empty() { "." } else { &found };
            let exact = Path::new(base).join(part);
            let name = if part == "." || part == ".." || exact.exists() {
                part.to_string()
            } else {
                let mut names: Vec<String> = std::fs::read_dir(base)
                    .ok()?
                    .flatten()
                    .filter_map(|e| e.file_name().into_string().ok())
                    .filter(|n| n.eq_ignore_ascii_case(part))
                    .collect();
                names.sort();
                names.into_iter().next()?
            };
            if !found.is_empty() && !found.ends_with('/') {
                found.push('/');
            }
            found.push_str(&name);
        }
        Path::new(&found).is_file().then_some(found)
    }

    fn list(&mut self, dir: &str) -> Vec<String> {
        let dir = if dir.is_empty() { "." } else { dir };
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        entries.take(MAX_LISTED).filter_map(|e| e.file_name().into_string().ok()).collect()
    }

    fn identity(&mut self, path: &str) -> String {
        match std::fs::canonicalize(path) {
            Ok(p) => p.to_string_lossy().into_owned(),
            Err(_) => path.to_string(),
        }
    }
}

/// Files in memory, by path.
#[derive(Clone, Debug, Default)]
pub struct Virtual(pub HashMap<String, Arc<[u8]>>);

impl Virtual {
    /// The files `files`: path, contents.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Virtual {
        Virtual(files.into_iter().map(|(n, t)| (n.to_string(), t.as_bytes().into())).collect())
    }
}

impl Includes for Virtual {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Files::read(self, path)
    }
    fn identity(&mut self, path: &str) -> String {
        Files::identity(self, path)
    }
    fn same_but_case(&mut self, path: &str) -> Option<String> {
        Files::same_but_case(self, path)
    }
    fn list(&mut self, dir: &str) -> Vec<String> {
        Files::list(self, dir)
    }
}

impl Files for Virtual {
    fn read(&self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok(self.0.get(path).or_else(|| self.0.get(&without_parents(path))).cloned())
    }
    fn identity(&self, path: &str) -> String {
        without_parents(path)
    }
    fn same_but_case(&self, path: &str) -> Option<String> {
        let path = without_parents(path);
        let same = |k: &&String| k.eq_ignore_ascii_case(&path);
        self.0.keys().filter(same).min().cloned()
    }
    fn list(&self, dir: &str) -> Vec<String> {
        let inside = |k: &&String| directory(k) == dir;
        let names = self.0.keys().filter(inside);
        names.map(|k| k[k.rfind('/').map_or(0, |i| i + 1)..].to_string()).collect()
    }
}

/// A function that loads: the path to the bytes, or `None` when there is no such file.
pub struct Callback<F>(pub F);

impl<B: Into<Arc<[u8]>>, F: FnMut(&str) -> io::Result<Option<B>>> Includes for Callback<F> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        Ok((self.0)(path)?.map(Into::into))
    }
}

/// The first source, then the second.
pub struct Both<'a>(pub &'a mut dyn Includes, pub &'a mut dyn Includes);

impl Includes for Both<'_> {
    fn read(&mut self, path: &str) -> io::Result<Option<Arc<[u8]>>> {
        match self.0.read(path)? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.1.read(path),
        }
    }
    fn same_but_case(&mut self, path: &str) -> Option<String> {
        self.0.same_but_case(path).or_else(|| self.1.same_but_case(path))
    }
    fn list(&mut self, dir: &str) -> Vec<String> {
        let mut all = self.0.list(dir);
        all.extend(self.1.list(dir));
        all
    }
    fn identity(&mut self, path: &str) -> String {
        let id = self.0.identity(path);
        if id == path { self.1.identity(path) } else { id }
    }
    fn tokens(&mut self) -> Option<Arc<TokenCache>> {
        self.0.tokens().or_else(|| self.1.tokens())
    }
    fn preambles(&mut self) -> Option<Arc<PreambleCache>> {
        self.0.preambles().or_else(|| self.1.preambles())
    }
}

/// A file that was read.
#[derive(Clone)]
pub(super) struct Cached {
    pub text: Arc<str>,
    pub raw: Arc<RawFile>,
    /// Contains `#pragma once`.
    pub once: bool,
    /// Computed on demand.
    pub identity: Option<String>,
}

/// The folder of a file; that of `/a.h` is `/`.
fn directory(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |i| &path[..i.max(usize::from(i == 0))])
}

/// `dir/name` without `.` components and empty ones. `//server/share` is a folder of another machine on Windows.
fn join(dir: &str, name: &str) -> String {
    let mut out = String::new();
    let first = if dir.is_empty() { name } else { dir };
    if first.starts_with('/') {
        let remote = first.starts_with("//") && !first.starts_with("///");
        out.push_str(if remote { "//" } else { "/" });
    }
    for part in dir.split('/').chain(name.split('/')).filter(|p| !p.is_empty() && *p != ".") {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        out.push_str(part);
    }
    out
}

/// `path` with every `dir/..` removed, as far as that is possible without the file system.
fn without_parents(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        if part == ".." && parts.last().is_some_and(|p| !p.is_empty() && *p != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

fn is_absolute(name: &str) -> bool {
    let b = name.as_bytes();
    name.starts_with('/') || b.len() > 2 && b[0].is_ascii_alphabetic() && b[1] == b':'
}

impl Preprocessor<'_> {
    /// `#include`, with the rest of its line.
    pub(super) fn include(&mut self, rest: &[Token], directive: Span) {
        let span = rest.first().map_or(directive, |t| t.span).to(rest.last().map_or(directive, |t| t.span));
        if let [first, extra, ..] = rest
            && first.kind == Kind::Str
        {
            let message = "tokens after the name of the file are ignored";
            self.report.emit(&codes::W0105, extra.span, message);
        }
        let Some((name, angled)) = self.header_name(rest) else {
            return self.report.emit(&codes::E0120, span, "`#include` needs a file name in quotes or angle brackets");
        };
        if self.frames.len() >= MAX_INCLUDE_DEPTH {
            let mut d = Diagnostic::new(&codes::E0125, span, format!("includes are nested more than {MAX_INCLUDE_DEPTH} deep"));
            let path = self.frames.last().map_or("", |f| f.path.as_str());
            let same: Vec<usize> = (0..self.frames.len()).filter(|&i| self.frames[i].path == path).collect();
            if let [.., a, b] = same[..] {
                let cycle: Vec<&str> = self.frames[a..=b].iter().map(|f| f.path.as_str()).collect();
                d = d.note(format!("the cycle is {}", cycle.join(" -> "))).note("`#pragma once` in the header prevents it");
            }
            self.report.add(d);
            // One report is enough: the including files would repeat it.
            return self.abandon_files();
        }
        let found = match self.find(&name, angled) {
            Ok(Some(path)) => path,
            Ok(None) => {
                let mut d = Diagnostic::new(&codes::E0124, span, format!("file `{name}` not found"));
                let tried = self.candidates(&name, angled);
                if let Some(near) = self.similar_file(&tried) {
                    d = d.here(format!("did you mean `{near}`?"));
                }
                d = d.note(format!("searched: {}", tried.join(", ")));
                return self.report.add(d.fatal());
            }
            Err((path, error)) => {
                let d = Diagnostic::new(&codes::E0124, span, format!("file `{path}` cannot be read: {error}"));
                return self.report.add(d.fatal());
            }
        };
        let depth = self.frames.len() as u32;
        let Some((text, raw)) = self.cache.get(&found.path).map(|c| (c.text.clone(), c.raw.clone())) else {
            return;
        };
        if let Some(tried) = &found.tried {
            self.warn_of_case(&name, tried, &found.path, span);
        }
        if self.included.len() >= MAX_INCLUDES {
            let message = format!("more than {MAX_INCLUDES} inclusions");
            return self.report.fatal(Diagnostic::new(&codes::E0125, span, message));
        }
        let guarded = raw.guard.is_some_and(|g: Symbol| self.macro_named(g).is_some());
        // A header inside the compiler is no file that a build depends on.
        if !headers::is_inside(&found.path) {
            self.included.push(Included { path: found.path.clone(), depth });
        }
        if guarded || self.seen_once(&found.path) {
            return;
        }
        let Some(file) = self.sources.add_file(found.path.as_str(), text, Some(span)) else {
            return self.report.fatal(Diagnostic::new(&codes::E0109, span, "the included files are larger than 2 GiB together"));
        };
        self.enter_raw(file, found.path, raw, span);
    }

    /// Warns that `tried` is a file only if letters may have another case: once for a folder of `-I`, if the name of the include is right.
    fn warn_of_case(&mut self, name: &str, tried: &str, found: &str, span: Span) {
        let note = "the names differ in letter case, which matters on most systems";
        let right = found.ends_with(&join("", name));
        let folder = self.options.include_dirs.iter().position(|d| join(&d.replace('\\', "/"), name) == tried).filter(|_| right);
        let Some(folder) = folder else {
            return self.report.add(Diagnostic::new(&codes::W0102, span, format!("`{name}` is found as `{found}`")).note(note));
        };
        if !self.misspelled_dirs.contains(&folder) {
            self.misspelled_dirs.push(folder);
            let given = &self.options.include_dirs[folder];
            let is = found[..found.len() - join("", name).len()].trim_end_matches('/');
            let message = format!("the folder of `-I {given}` is found as `{is}`");
            self.report.add(Diagnostic::new(&codes::W0102, span, message).note(note));
        }
    }

    /// The path of a file whose name is like that of one of `paths`.
    fn similar_file(&mut self, paths: &[String]) -> Option<String> {
        for path in paths {
            let dir = directory(path).to_string();
            let name = &path[path.rfind('/').map_or(0, |i| i + 1)..];
            let names = self.loader.list(&dir);
            if let Some(near) = nearest(name, names.iter().map(String::as_str)) {
                return Some(join(&dir, &near));
            }
        }
        None
    }

    fn abandon_files(&mut self) {
        while self.frames.len() > 1 {
            self.conditions.truncate(self.frames.last().map_or(0, |f| f.conditions));
            self.frames.pop();
        }
    }

    /// Whether a file with `#pragma once` is the one at `path`.
    fn seen_once(&mut self, path: &str) -> bool {
        if self.cache.get(path).is_some_and(|c| c.once) {
            return true;
        }
        if !self.cache.values().any(|c| c.once) {
            return false;
        }
        let id = self.identity(path);
        self.cache.values().any(|c| c.once && c.identity.as_deref() == Some(&id))
    }

    fn identity(&mut self, path: &str) -> String {
        if let Some(id) = self.cache.get(path).and_then(|c| c.identity.clone()) {
            return id;
        }
        let id = self.loader.identity(path);
        if let Some(c) = self.cache.get_mut(path) {
            c.identity = Some(id.clone());
        }
        id
    }

    /// `#pragma once`.
    pub(super) fn pragma_once(&mut self) {
        let Some(f) = self.frames.last() else { return };
        let (path, raw) = (f.path.clone(), f.raw.clone());
        let text = self.sources.file(f.file).text.clone();
        self.cache.entry(path.clone()).or_insert(Cached { text, raw, once: false, identity: None }).once = true;
        self.identity(&path);
    }

    /// The name in quotes or angle brackets that `tokens` spell, perhaps through macros, and whether it is angled.
    pub(super) fn header_name(&mut self, tokens: &[Token]) -> Option<(String, bool)> {
        let first = tokens.first()?;
        let expanded;
        let tokens = if first.kind == Kind::Ident {
            expanded = self.expand_list(tokens, false);
            &expanded
        } else {
            tokens
        };
        let first = tokens.first()?;
        let name = match first.kind {
            Kind::Str => {
                let text = self.interner.str(first.sym);
                Some((text[1..text.len() - 1].to_string(), false))
            }
            Kind::SmartStr => {
                let mut name = String::new();
                crate::lex::parse_string(self.interner.str(first.sym), &mut name);
                Some((name, false))
            }
            Kind::Lt => {
                let end = tokens.iter().position(|t| t.kind == Kind::Gt)?;
                let direct = tokens[..=end].iter().all(|t| !t.span.lo.is_expanded());
                let name = if direct {
                    // As written: the name may hold anything.
                    self.sources.snippet(Span::new(first.span.hi, tokens[end].span.lo)).to_string()
                } else {
                    tokens[1..end].iter().map(|&t| self.spelling(t)).collect()
                };
                Some((name, true))
            }
            _ => None,
        };
        name.map(|(n, a)| (n.trim().replace('\\', "/"), a)).filter(|(n, _)| !n.is_empty())
    }

    fn candidates(&self, name: &str, angled: bool) -> Vec<String> {
        if is_absolute(name) {
            return vec![name.to_string()];
        }
        let given = self.options.include_dirs.iter().map(String::as_str);
        // Headers inside of the compiler are in no folder.
        let includers = self.frames.iter().rev().filter(|f| !headers::is_inside(&f.path)).map(|f| directory(&f.path));
        let mut dirs: Vec<&str> = match angled {
            true => given.chain(includers).collect(),
            false => includers.chain(given).collect(),
        };
        dirs.push("");
        let mut out: Vec<String> = Vec::new();
        for d in dirs {
            let path = join(&d.replace('\\', "/"), name);
            if !out.contains(&path) {
                out.push(path);
            }
        }
        out
    }

    pub(super) fn exists(&mut self, name: &str, angled: bool) -> bool {
        matches!(self.find(name, angled), Ok(Some(_)))
    }

    /// Finds a file and loads it into the cache.
    fn find(&mut self, name: &str, angled: bool) -> Result<Option<ResolvedFile>, (String, io::Error)> {
        let candidates = self.candidates(name, angled);
        for path in &candidates {
            if self.load(path)? {
                return Ok(Some(ResolvedFile { path: path.clone(), tried: None }));
            }
        }
        if let Some(text) = headers::text(name) {
            let path = headers::path(name);
            self.remember(&path, text);
            return Ok(Some(ResolvedFile { path, tried: None }));
        }
        for path in &candidates {
            if let Some(other) = self.loader.same_but_case(path)
                && self.load(&other)?
            {
                return Ok(Some(ResolvedFile { path: other, tried: Some(path.clone()) }));
            }
        }
        Ok(None)
    }

    fn load(&mut self, path: &str) -> Result<bool, (String, io::Error)> {
        if self.cache.contains_key(path) {
            return Ok(true);
        }
        let Some(bytes) = self.loader.read(path).map_err(|e| (path.to_string(), e))? else {
            return Ok(false);
        };
        self.remember(path, &decode(&bytes).text);
        Ok(true)
    }

    fn remember(&mut self, path: &str, text: &str) {
        if !self.cache.contains_key(path) {
            let (text, raw) = match &self.tokens {
                Some(tokens) => {
                    let shared = tokens.file(text);
                    (shared.text.clone(), Arc::new(shared.tokens(self.interner)))
                }
                None => (text.into(), Arc::new(lex_file(text, self.interner))),
            };
            self.cache.insert(path.to_string(), Cached { text, raw, once: false, identity: None });
        }
    }
}

struct ResolvedFile {
    path: String,
    /// The path that was looked for, if the file's differs from it in letter case.
    tried: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_file_has_are_not_there() {
        for name in ["no/such/<file>?.h", &"n".repeat(5000), "nul\0.h"] {
            assert!(matches!(Includes::read(&mut Disk, name), Ok(None)), "{name}");
        }
    }

    #[test]
    fn paths() {
        assert_eq!(join("a/b", "./c.h"), "a/b/c.h");
        assert_eq!(join("", "c.h"), "c.h");
        assert_eq!(join("/a/", "../c.h"), "/a/../c.h");
        assert_eq!(join("", "/c.h"), "/c.h");
        assert_eq!(without_parents("a/b/../../c/../d.h"), "d.h");
        assert_eq!(without_parents("../a/../../d.h"), "../../d.h");
        assert_eq!(directory("a/b.h"), "a");
        assert_eq!(directory("b.h"), "");
        assert_eq!((directory("/b.h"), join("/", "c.h")), ("/", "/c.h".to_owned()), "the folder of all folders is one");
        let remote = directory(r"\\server\share\fx\a.hlsl").replace('\\', "/");
        assert_eq!(join(&remote, "../b.h"), "//server/share/fx/../b.h", "a folder of another machine");
        assert_eq!(join(directory("C:/fx/a.hlsl"), "./b.h"), "C:/fx/b.h");
    }
}
