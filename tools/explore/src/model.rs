//! What the page shows: sources, listings with the place that each line comes from, messages, reports. All of it is data that serialises to JSON.

use serde::Serialize;
use serde_json::Value;

use crate::permutations::Permutations;
use crate::scene::Scene;

/// Everything that the page shows of one source under one set of options.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Model {
    /// The name of the source.
    pub name: String,
    /// The options of the compiler, without the name of the source.
    pub arguments: Vec<String>,
    /// The profile, as the options or the source name it.
    pub profile: String,
    /// The entry point; a library has none.
    pub entry: Option<String>,
    /// The line of the first source, from 1, at which the entry point begins, or the first shader of a library.
    pub start: Option<u32>,
    /// The sources: first the one that was compiled, then those that it includes.
    pub files: Vec<File>,
    /// Errors and warnings, each once.
    pub diagnostics: Vec<Diagnostic>,
    /// The listings.
    pub views: Vec<View>,
    /// The report on payloads ([`rtc::report::paq::json`]), if there is one.
    pub payloads: Option<Value>,
    /// The report on reorder points ([`rtc::report::reorder::json`]), if there is one. A `file` of a place in it is the name of one of `files`.
    pub reorder: Option<Value>,
    /// The scene, if the page shows one.
    pub scene: Option<Scene>,
    /// The permutations of the source, if a description of a build names it.
    pub permutations: Option<Permutations>,
}

/// A source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct File {
    /// Its name, as the compiler knows it.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// The colours of its lines: for each the runs of one kind, each a letter and a length in UTF-16 units (`k6p1t5`).
    pub colours: Vec<String>,
}

/// An error or a warning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    /// `error`, `warning`, `note`.
    pub severity: &'static str,
    /// Its code: `E0404`.
    pub code: &'static str,
    /// Whether it is about what the shader does when it runs, as what the sanitizer finds is.
    pub behaviour: bool,
    /// Its message.
    pub message: String,
    /// The file, as an index of [`Model::files`], and the line from 1.
    pub at: Option<[u32; 2]>,
    /// The targets that it was reported for.
    pub targets: Vec<&'static str>,
}

/// A listing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct View {
    /// `dxil`, `spirv`, or `ir-N`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is, in a sentence.
    pub doc: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// Their colours, as those of [`File`].
    pub colours: Vec<String>,
    /// The line, from 0, at which the code of the entry point begins.
    pub start: Option<u32>,
    /// For each line the place that it comes from: a file, as an index of [`Model::files`], and a line from 1.
    pub at: Vec<Option<[u32; 2]>>,
    /// The view that is the same, of a pass that changed nothing.
    pub same_as: Option<String>,
    /// Why there is no listing.
    pub missing: Option<String>,
}
