//! The debug module of a shader and what to write into it: options, sources, and the finished part `ILDB` with its name.

use crate::hash::ShaderHash;
use serde::{Deserialize, Serialize};

/// How much is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum DebugKind {
    /// Nothing (the container may still name a PDB file: [`DebugOptions::name`]).
    #[default]
    None,
    /// `-Zs`: no module; a PDB file has sources and arguments only.
    Slim,
    /// `-Zi`: the module.
    Full,
}

/// What the name of the debug information, and so the part `HASH`, depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub enum NamedBy {
    /// As `-Zsb`: the shader's code, so that equal shaders have one name.
    #[default]
    Code,
    /// `-Zss`: the debug module with its sources.
    Source,
}

/// The requested debug information.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash, Serialize, Deserialize)]
pub struct DebugOptions {
    /// How much is written.
    pub kind: DebugKind,
    /// `-Qembed_debug`: the container has the module in its part `ILDB`.
    pub embed: bool,
    /// The container names the debug information in its part `ILDN`: with `-Zi`, `-Zs`, `-Fd`, `-Zss`, `-Zsb`.
    pub named: bool,
    /// What the name is made of, if it is not given.
    pub by: NamedBy,
    /// The name, if it is given (`-Fd FILE`).
    pub name: Option<String>,
}

/// The texts that a shader is made of and how it was compiled, as the metadata `dx.source.*` and PDB files have them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceInfo {
    /// The name of the source that was compiled: the first of `files`.
    pub main: String,
    /// Name and text of the source and of every file that it includes, each once, in the order of their first use.
    pub files: Vec<(String, String)>,
    /// Macros of the command line: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The arguments, without the name of the source.
    pub args: Vec<String>,
}

/// The debug information of a shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugModule {
    /// The data of the part `ILDB`: a program header and the bitcode of the debug module. Empty with `-Zs`.
    pub part: Vec<u8>,
    /// What the part `ILDN` says: the name of the file that holds it. `<hash>.pdb` unless a name was given.
    pub name: String,
    /// What the part `HASH` says.
    pub hash: ShaderHash,
}
