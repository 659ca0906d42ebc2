//! DXIL: the container and its parts, root signatures, the LLVM-3.7-shaped module, its bitcode, and
//! the lowering of the IR into it.

pub mod bitcode;
pub mod container;
mod counters;
pub mod debug;
pub mod dis;
pub mod library;
pub mod link;
pub mod lower;
pub mod metadata;
pub mod module;
pub mod recompute;
pub mod rootsig;
pub mod validate;
