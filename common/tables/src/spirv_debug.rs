//! The values of `-fspv-debug`: what each adds to the debug information of a SPIR-V module.

use serde::{Deserialize, Serialize};

/// An extended instruction set with debug information.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum DebugSet {
    /// `OpenCL.DebugInfo.100`: numbers are literals, lines are `OpLine`.
    OpenCl,
    /// `NonSemantic.Shader.DebugInfo.100`: numbers are constants, lines are `DebugLine`.
    Shader,
}

impl DebugSet {
    /// Its name in `OpExtInstImport`.
    pub const fn name(self) -> &'static str {
        match self {
            DebugSet::OpenCl => "OpenCL.DebugInfo.100",
            DebugSet::Shader => "NonSemantic.Shader.DebugInfo.100",
        }
    }
}

/// A value of `-fspv-debug`.
#[derive(Debug)]
pub struct SpirvDebugValue {
    /// Its spelling.
    pub name: &'static str,
    /// The names of files are written.
    pub file: bool,
    /// The text of files is written, or is not, whatever a value before it says.
    pub source: Option<bool>,
    /// Lines are written.
    pub line: bool,
    /// The compiler and its options are written.
    pub tool: bool,
    /// Types, variables, scopes and inlined calls are written, as instructions of this set.
    pub set: Option<DebugSet>,
    /// Most words of one piece of a text; 0: as many as an instruction takes.
    pub piece: u32,
}

const fn value(name: &'static str, source: Option<bool>, line: bool, set: Option<DebugSet>) -> SpirvDebugValue {
    SpirvDebugValue { name, file: true, source, line, tool: false, set, piece: 0 }
}

/// Every value. Those of the reference compiler; `vulkan-with-source-test` is for tests of long texts.
#[rustfmt::skip]
pub const SPIRV_DEBUG_VALUES: &[SpirvDebugValue] = &[
    value("file",               None,        false, None),
    value("source",             Some(true),  false, None),
    value("line",               Some(true),  true,  None),
    SpirvDebugValue { tool: true, file: false, ..value("tool", None, false, None) },
    value("rich",               Some(false), true,  Some(DebugSet::OpenCl)),
    value("rich-with-source",   Some(true),  true,  Some(DebugSet::OpenCl)),
    value("vulkan",             Some(false), true,  Some(DebugSet::Shader)),
    value("vulkan-with-source", Some(true),  true,  Some(DebugSet::Shader)),
    SpirvDebugValue { piece: 13, ..value("vulkan-with-source-test", Some(true), true, Some(DebugSet::Shader)) },
];

/// The most words of one piece of a text, which an instruction takes with its other operands.
pub const MAX_SOURCE_WORDS: u32 = 0xfffd - 2;

/// The prefix of the `OpModuleProcessed` with the options, by which tools that compile a shader again find them.
pub const OPTIONS_PREFIX: &str = "dxc-cl-option: ";
