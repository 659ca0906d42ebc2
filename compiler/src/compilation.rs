//! The outcome of a compilation: the product, diagnostics, and whatever else was requested.

use rtc_base::timing::Interval;
use rtc_base::{Diagnostic, SourceMap};
use rtc_dxil_container::debug_module::{DebugModule, SourceInfo};
use rtc_frontend::preprocess::Included;

use crate::dis::ListedLine;
use crate::outputs::AuxiliaryFiles;
use crate::report::Report;

/// The file that a compilation produced.
#[derive(Clone, Debug)]
pub enum Product {
    /// A DXIL container.
    Dxil(Vec<u8>),
    /// A SPIR-V module.
    Spirv(SpirvModule),
    /// A runtime package.
    Package(Vec<u8>),
    /// IR text.
    Ir(String),
    /// The target was [`Target::Check`](crate::Target::Check).
    Nothing,
}

/// A SPIR-V module and what it requires of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpirvModule {
    /// Its words.
    pub words: Vec<u32>,
    /// Capabilities, extensions and features.
    pub requirements: Vec<SpirvRequirement>,
}

/// A capability, extension or feature that a SPIR-V module requires.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpirvRequirement {
    /// Its kind and its name: `capability RayQueryKHR`.
    pub name: String,
    /// What in the program requires it.
    pub reason: String,
}

impl Product {
    /// The bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Product::Dxil(b) | Product::Package(b) => b,
            Product::Spirv(module) => module.words.iter().flat_map(|w| w.to_le_bytes()).collect(),
            Product::Ir(text) => text.into_bytes(),
            Product::Nothing => Vec::new(),
        }
    }
}

/// The outcome of a compilation.
#[derive(Default)]
#[non_exhaustive]
pub struct Compilation {
    /// The product; `None` if there were errors.
    pub product: Option<Product>,
    /// Errors, warnings and notes, after the `-W` options.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources, for rendering diagnostics.
    pub sources: SourceMap,
    /// The files that were included, in order.
    pub includes: Vec<Included>,
    /// The other outputs of a DXIL compilation.
    pub outputs: Option<AuxiliaryFiles>,
    /// The reports of [`Options::reports`](crate::Options::reports), as far as the compilation got.
    pub reports: Vec<Report>,
    /// The debug information of [`Options::debug`](crate::Options::debug), whether or not the container has it.
    pub debug: Option<DebugOutput>,
    /// The IR before the first pass and after each pass, if [`Options::snapshots`](crate::Options::snapshots) asks for it.
    pub snapshots: Vec<Snapshot>,
    /// How long each phase took, if [`Options::times`](crate::Options::times) asks for it.
    pub times: Vec<Interval>,
}

/// The IR after a pass.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The pass; empty: the IR is that of the front end.
    pub pass: &'static str,
    /// What the pass does, in a sentence.
    pub doc: &'static str,
    /// The lines of the IR; none if the pass changed nothing.
    pub lines: Option<Vec<ListedLine>>,
}

/// Debug information of a shader: what a PDB file is made of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DebugOutput {
    /// The debug module (none with `-Zs`), its name and the shader's hash.
    pub module: DebugModule,
    /// Sources and arguments.
    pub sources: SourceInfo,
}

impl Compilation {
    /// Whether there was an error.
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
