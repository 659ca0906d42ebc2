//! Debug information: the module that the part `ILDB` or a PDB file holds.
//!
//! It is the module of the part `DXIL` and, in LLVM 3.7's metadata, where every instruction comes from, what functions, types and
//! variables there are, which values variables have when, and the text of all sources. Code is written once: while
//! [`crate`] writes it, a [`plan::Plan`] notes for each function which instruction of the IR is at work
//! and what is known of variables, and [`emit`] makes a copy of the finished module that says so. Nothing in the part `DXIL` can
//! differ, then.
//!
//! [`nodes`] has the nodes of types, functions and global variables, [`places`] those of positions. [`lookup`]
//! reads: which line of HLSL an instruction of any module comes from.

pub mod emit;
pub mod nodes;
pub mod places;
pub mod plan;
mod variables;

use rtc_base::SourceMap;

use rtc_dxil_container::debug_module::{DebugOptions, SourceInfo};

/// What a compilation needs for debug information.
pub struct DebugInput<'a> {
    /// What is asked for.
    pub options: &'a DebugOptions,
    /// Where positions are.
    pub places: &'a SourceMap,
    /// The texts.
    pub sources: &'a SourceInfo,
}
