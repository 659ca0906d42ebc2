//! Debug information: the module that the part `ILDB` or a PDB file holds.
//!
//! It is the module of the part `DXIL` with debug metadata of LLVM 3.7: the source location of every instruction, functions, types and
//! variables, the values of variables over time, and the text of all sources. Code is written once: while
//! [`crate`] writes it, a [`plan::Plan`] records for each function the current IR instruction
//! and the state of variables, and [`emit`] adds them to a copy of the finished module. So the part `DXIL` is the same with and
//! without debug information.
//!
//! [`nodes`] has the nodes of types, functions and global variables, [`locations`] those of source locations. [`debug_lookup`](rtc_dxil_container::metadata::debug_lookup)
//! reads: which line of HLSL an instruction of any module comes from.

pub mod emit;
pub mod locations;
pub mod nodes;
pub mod plan;
mod variables;

use rtc_base::SourceMap;

use rtc_dxil_container::debug_module::{DebugOptions, SourceInfo};

/// What a compilation needs for debug information.
pub struct DebugInput<'a> {
    /// What is requested.
    pub options: &'a DebugOptions,
    /// Where positions are.
    pub places: &'a SourceMap,
    /// The texts.
    pub sources: &'a SourceInfo,
}
