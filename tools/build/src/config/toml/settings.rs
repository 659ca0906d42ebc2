//! The settings of shaders and templates.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::matrix::Value;

/// One text or a list of texts.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub enum OneOrMany {
    /// One.
    One(String),
    /// A list.
    Many(Vec<String>),
}

impl OneOrMany {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            OneOrMany::One(one) => std::slice::from_ref(one),
            OneOrMany::Many(many) => many.as_slice(),
        }
        .iter()
        .map(String::as_str)
    }
}

/// A file that a shader is built into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// A file for each object.
    Object,
    /// A C header for each object, as ShaderMake writes them.
    Header,
    /// A C header for each object, as `-Fh` writes it: with the listing.
    DxcHeader,
    /// A PDB for each object; the options must ask for debug information.
    Pdb,
    /// A blob of ShaderMake for each entry point, with all permutations.
    Blob,
    /// A C header with this blob.
    BlobHeader,
}

/// The settings of a shader, of a template, or of all shaders.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The template whose settings these add to.
    pub inherits: Option<String>,
    /// The source, or sources: a list, or a pattern. Each has objects of its own.
    pub source: Option<OneOrMany>,
    /// The profile: `cs_6_6`, or `cs` if there is a `model`.
    pub profile: Option<String>,
    /// The shader model of a profile without one: `6_6`.
    pub model: Option<String>,
    /// The entry point or entry points; `main` if it is not said. A library may have none.
    pub entry: Option<OneOrMany>,
    /// The targets; all if it is not said.
    pub targets: Option<Vec<String>>,
    /// Folders of includes.
    #[serde(default)]
    pub include_dirs: Vec<String>,
    /// Options in the dialect of dxc.
    #[serde(default)]
    pub options: Vec<String>,
    /// Macros of all permutations.
    #[serde(default)]
    pub defines: IndexMap<String, Value>,
    /// The axes of permutations.
    #[serde(default)]
    pub matrix: IndexMap<String, Vec<Value>>,
    /// Permutations that are left out: those that agree with all macros of one of these.
    #[serde(default)]
    pub exclude: Vec<IndexMap<String, Value>>,
    /// Permutations besides the product of the axes.
    #[serde(default)]
    pub include: Vec<IndexMap<String, Value>>,
    /// What files are written; objects, unless there is an archive.
    pub outputs: Option<Vec<Output>>,
    /// The name of an archive, which shaders may share.
    pub archive: Option<String>,
    /// The name of output files in place of the shader's.
    pub name: Option<String>,
}
