//! A reader of TOML that tracks source locations: every value has its line and key path, and a table reports unknown keys.

use crate::error::{ErrorKind, Result, RunError, list};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use toml::de::{DeTable, DeValue};

/// A location in a scene file: line and key path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceLocation {
    /// Line, from 1.
    pub line: u32,
    /// Keys that lead to it, joined by dots: `dispatch.hit[1].group`.
    pub key: String,
}

/// What is left out of a scene, with its place. Copies of a scene have the same list, and it does not make scenes different.
#[derive(Clone, Debug, Default)]
pub(super) struct Warnings(Arc<Mutex<Vec<String>>>);

impl PartialEq for Warnings {
    fn eq(&self, _: &Warnings) -> bool {
        true
    }
}

impl Eq for Warnings {}

impl Warnings {
    /// All of them.
    pub fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The text of a scene and its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    pub path: PathBuf,
    pub warnings: Warnings,
    line_starts: Vec<usize>,
}

impl Source {
    pub fn new(path: &Path, text: &str) -> Source {
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let line_starts = std::iter::once(0).chain(starts).collect();
        Source { path: path.to_path_buf(), warnings: Warnings::default(), line_starts }
    }

    fn line(&self, offset: usize) -> u32 {
        self.line_starts.partition_point(|s| *s <= offset) as u32
    }

    /// An error at a location.
    pub fn error(&self, location: &SourceLocation, why: impl std::fmt::Display) -> RunError {
        let at = format!("{}:{}", self.path.display(), location.line);
        let message = if location.key.is_empty() { format!("{at}: {why}") } else { format!("{at}: `{}`: {why}", location.key) };
        RunError::new(ErrorKind::Scene, message)
    }

    /// An error of the TOML parser.
    pub fn syntax(&self, e: &toml::de::Error) -> RunError {
        let line = e.span().map_or(1, |s| self.line(s.start));
        self.error(&SourceLocation { line, key: String::new() }, e.message())
    }
}

/// A value with its location.
#[derive(Clone)]
pub(super) struct Node<'a> {
    value: &'a DeValue<'a>,
    /// Its location.
    pub location: SourceLocation,
    source: &'a Source,
}

/// `dispatch` and `size` make `dispatch.size`.
fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

impl<'a> Node<'a> {
    pub fn error(&self, why: impl std::fmt::Display) -> RunError {
        self.source.error(&self.location, why)
    }

    /// Says what is left out here.
    #[cfg(feature = "gltf")]
    pub fn warn(&self, what: impl std::fmt::Display) {
        let text = self.error(what).to_string();
        self.source.warnings.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn expected(&self, what: &str) -> RunError {
        let found = match self.value {
            DeValue::Table(_) => "a table",
            DeValue::Array(_) => "an array",
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// As a table.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn table(&self) -> Result<Table<'a>> {
        match self.value {
            DeValue::Table(t) => Ok(Table::new(t, self.location.clone(), self.source)),
            _ => Err(self.expected("a table")),
        }
    }

    /// Its file and line, as messages begin.
    pub fn at(&self) -> String {
        format!("{}:{}", self.source.path.display(), self.location.line)
    }

    pub fn is_table(&self) -> bool {
        self.value.is_table()
    }

    pub fn is_array(&self) -> bool {
        self.value.is_array()
    }

    #[cfg(feature = "gltf")]
    pub fn is_text(&self) -> bool {
        self.value.is_str()
    }

    #[cfg(feature = "gltf")]
    pub fn is_number(&self) -> bool {
        self.value.is_integer()
    }

    /// As a string.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn str(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    /// As an owned string.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn text(&self) -> Result<String> {
        self.str().map(str::to_string)
    }

    /// As a boolean.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn bool(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }

    /// Anything that is a number.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn number(&self) -> Result<f64> {
        match self.value {
            DeValue::Float(f) => f.as_str().parse().map_err(|_| self.error(format!("`{}` is not a number", f.as_str()))),
            DeValue::Integer(_) => Ok(self.integer()? as f64),
            _ => Err(self.expected("a number")),
        }
    }

    /// As a number of 32 bits.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn float(&self) -> Result<f32> {
        self.number().map(|n| n as f32)
    }

    /// As an integer.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn integer(&self) -> Result<i64> {
        match self.value {
            DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix()).map_err(|_| self.error(format!("`{i}` is too large"))),
            _ => Err(self.expected("an integer")),
        }
    }

    /// As an unsigned number of 32 bits.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn u32(&self) -> Result<u32> {
        let i = self.integer()?;
        u32::try_from(i).map_err(|_| self.error(format!("{i} is not between 0 and {}", u32::MAX)))
    }

    /// As an unsigned number.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn u64(&self) -> Result<u64> {
        let i = self.integer()?;
        u64::try_from(i).map_err(|_| self.error(format!("{i} is negative")))
    }

    /// The elements of an array.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn list(&self) -> Result<Vec<Node<'a>>> {
        let DeValue::Array(a) = self.value else {
            return Err(self.expected("an array"));
        };
        Ok(a.iter()
            .enumerate()
            .map(|(i, v)| Node {
                value: v.get_ref(),
                location: SourceLocation { line: self.source.line(v.span().start), key: format!("{}[{i}]", self.location.key) },
                source: self.source,
            })
            .collect())
    }

    /// A string, or an array of strings.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn strings(&self) -> Result<Vec<String>> {
        if self.is_array() { self.list()?.iter().map(Node::text).collect() } else { Ok(vec![self.text()?]) }
    }

    /// An array of exactly `N` numbers.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn floats<const N: usize>(&self) -> Result<[f32; N]> {
        let items = self.list()?;
        let mut out = [0.0; N];
        if items.len() != N {
            return Err(self.error(format!("expected {N} numbers, found {}", items.len())));
        }
        for (o, item) in out.iter_mut().zip(&items) {
            *o = item.float()?;
        }
        Ok(out)
    }

    /// One of a set of words.
    ///
    /// # Errors
    /// It is something else; the message has its place.
    pub fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T> {
        let word = self.str()?;
        words
            .iter()
            .find(|w| w.0 == word)
            .map(|w| w.1)
            .ok_or_else(|| self.error(format!("`{word}` is not one of {}", list(words.iter().map(|w| w.0)))))
    }
}

/// A table with its location; [`Table::finish`] reports keys that were not taken.
pub(super) struct Table<'a> {
    entries: &'a DeTable<'a>,
    /// Its location.
    pub location: SourceLocation,
    source: &'a Source,
    taken: RefCell<Vec<&'static str>>,
}

impl<'a> Table<'a> {
    pub fn new(entries: &'a DeTable<'a>, location: SourceLocation, source: &'a Source) -> Table<'a> {
        Table { entries, location, source, taken: RefCell::default() }
    }

    pub fn error(&self, why: impl std::fmt::Display) -> RunError {
        self.source.error(&self.location, why)
    }

    /// The value of a key, if it is there.
    pub fn take(&self, key: &'static str) -> Option<Node<'a>> {
        let mut taken = self.taken.borrow_mut();
        if !taken.contains(&key) {
            taken.push(key);
        }
        self.iter().find(|(k, _)| *k == key).map(|(_, node)| node)
    }

    /// The value of a key that must be there.
    ///
    /// # Errors
    /// It is not there.
    pub fn need(&self, key: &'static str) -> Result<Node<'a>> {
        self.take(key).ok_or_else(|| self.error(format!("the key `{key}` is missing")))
    }

    /// The value of a key under `read`, or a default.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn or<T>(&self, key: &'static str, read: impl FnOnce(&Node<'a>) -> Result<T>, default: T) -> Result<T> {
        self.take(key).map_or(Ok(default), |node| read(&node))
    }

    /// All keys and values, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> + use<'_, 'a> {
        self.entries.iter().map(|(k, v)| {
            let key: &'a str = k.get_ref();
            let location = SourceLocation { line: self.source.line(k.span().start), key: join(&self.location.key, key) };
            (key, Node { value: v.get_ref(), location, source: self.source })
        })
    }

    /// Reports the first key that was not taken.
    ///
    /// # Errors
    /// There is one.
    pub fn finish(&self) -> Result<()> {
        let taken = self.taken.borrow();
        match self.iter().find(|(k, _)| !taken.contains(k)) {
            None => Ok(()),
            Some((key, node)) => Err(node.error(format!("unknown key `{key}`")).note(format!("known keys: {}", list(taken.iter())))),
        }
    }

    /// Which one of several keys is there, when exactly one must be.
    ///
    /// # Errors
    /// None is there, or more than one.
    pub fn one_of(&self, keys: &[&'static str]) -> Result<(&'static str, Node<'a>)> {
        let mut found: Vec<_> = keys.iter().filter_map(|k| self.take(k).map(|n| (*k, n))).collect();
        found.sort_by_key(|f| f.1.location.line);
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(self.error(format!("one of {} is missing", list(keys)))),
            [a, b, ..] => Err(b.1.error(format!("`{}` and `{}` exclude each other", a.0, b.0))),
        }
    }
}
