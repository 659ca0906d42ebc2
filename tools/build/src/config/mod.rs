//! Descriptions of builds: `rtc.toml`, and the configurations and arguments of ShaderMake.

pub mod shadermake;
pub mod toml;

use std::path::{Component, Path};

use rtc_base::path::System;

use crate::error::Error;

/// Limits of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many permutations there may be, before rules exclude some.
    pub permutations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { permutations: 100_000 }
    }
}

/// How many permutations a shader adds, with its axes, for [`Error::TooMany`].
#[derive(Default)]
struct Count {
    total: u128,
    axes: Vec<(String, String, usize)>,
}

impl Count {
    fn add(&mut self, permutations: u128) {
        self.total = self.total.saturating_add(permutations);
    }

    fn axis(&mut self, shader: &str, name: &str, values: usize) {
        self.axes.push((shader.to_owned(), name.to_owned(), values));
    }

    fn check(mut self, limits: &Limits) -> Result<(), Error> {
        if self.total <= limits.permutations as u128 {
            return Ok(());
        }
        self.axes.sort_by_key(|a| std::cmp::Reverse(a.2));
        self.axes.truncate(5);
        Err(Error::TooMany { count: self.total, limit: limits.permutations, axes: self.axes })
    }
}

/// A path that a description in `folder` names, as the compiler is given it: with `/` between its parts, so that names, records and debug information
/// are the same on every system.
fn within(folder: &str, path: &str) -> String {
    let (folder, path) = (plain(folder), plain(path));
    // `/x` and `C:x` of Windows are not absolute, but not in the folder either.
    let elsewhere = matches!(Path::new(&path).components().next(), Some(Component::Prefix(_) | Component::RootDir));
    if folder.is_empty() || folder == "." || elsewhere {
        return path;
    }
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// The folder of a file; empty for the current one.
fn folder_of(file: &str) -> String {
    Path::new(file).parent().map(|p| plain(&p.to_string_lossy())).unwrap_or_default()
}

/// A path with `/` between its parts.
fn plain(path: &str) -> String {
    System::HERE.slashes(path)
}

/// Eight hexadecimal digits for a key, for file names.
fn short(key: &str) -> String {
    crate::Hash::of(key.as_bytes()).to_string()[..8].to_owned()
}
