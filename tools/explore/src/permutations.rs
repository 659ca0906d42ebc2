//! The permutations of a source that a description of a build names: filtered, since there may be thousands.

use serde::Serialize;

use crate::options::is_own;

/// A permutation of a source: an entry point, a target and defines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Permutation {
    /// Its name: `blur:main [spirv] RADIUS=4`.
    pub name: String,
    /// Its options, in the dialect of the command line.
    pub arguments: Vec<String>,
}

/// What the page says of the permutations of its source.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Permutations {
    /// The description that names them.
    pub description: Option<String>,
    /// How many there are.
    pub count: usize,
    /// The names of those with the model's options; targets that differ in options of one product alone have the same.
    pub chosen: Vec<String>,
    /// What is wrong with descriptions.
    pub problems: Vec<String>,
}

/// Those with some words in their names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Listed<'a> {
    /// How many they are.
    pub matching: usize,
    /// The first of them.
    pub list: Vec<&'a Permutation>,
}

/// How many permutations an answer has at most.
const MAX_LISTED: usize = 200;

/// How many names of those with the same options are in the model.
const MAX_CHOSEN: usize = 8;

impl Permutations {
    /// Of all permutations, with the options of a model.
    pub fn of(description: Option<String>, all: &[Permutation], arguments: &[String], problems: Vec<String>) -> Permutations {
        let same = |p: &&Permutation| p.arguments.iter().filter(|a| !is_own(a)).eq(arguments);
        let chosen = all.iter().filter(same).take(MAX_CHOSEN).map(|p| p.name.clone()).collect();
        Permutations { description, count: all.len(), chosen, problems }
    }
}

/// The permutations whose names have each of the words in `filter`, whatever their case.
pub fn listed<'a>(all: &'a [Permutation], filter: &str) -> Listed<'a> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let mut out = Listed::default();
    for p in all {
        let name = p.name.to_lowercase();
        if words.iter().all(|w| name.contains(w)) {
            out.matching += 1;
            if out.list.len() < MAX_LISTED {
                out.list.push(p);
            }
        }
    }
    out
}
