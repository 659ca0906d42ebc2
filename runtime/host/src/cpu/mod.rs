//! The CPU device (cargo feature `cpu`): executes DXIL libraries without a GPU.
//!
//! ```text
//! container ─► validate ─► lower ─► jit (LLVM) ─► code ─┐
//! device: buffers, images, structures, tables ───────────┴─► dispatch: threads ─► ops
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`device`], [`dispatch`] | the host API, and launching |
//! | [`lower`] | lowering of a DXIL module to one that LLVM can compile and that is memory-safe |
//! | [`jit`] | LLVM: optimises, compiles, links, caches objects on disk |
//! | [`load`] | loading of containers |
//! | [`args`], [`entry`] | the call interface between compiled code and the runtime |
//! | [`program`] | the interface of a compiled program: shaders, call sites |
//! | [`thread`] | the state of an invocation, and of the dispatch that it belongs to |
//! | [`failure`] | the first failure of a dispatch |
//! | [`objects`] | the registry of objects that the host has created, and its operations on acceleration structures |
//! | [`operations`] | indirect operations on acceleration structures in memory, by address |
//! | [`ops`] | the DXIL operations of the runtime, by opcode |
//! | [`matrices`] | matrices of linear algebra, and their arithmetic |
//! | [`accel`] | acceleration structures and their traversal |
//! | [`resources`] | memory, images, descriptors, samplers |
//! | [`sanitize`] | the sanitizer: detects undefined behaviour of shaders |
//! | [`trace`] | shader tables and the control flow of `TraceRay` |
//! | [`profile`] | the coherence profile of waves at reorder points |
//! | [`wave`] | waves, thread groups, barriers |

pub mod accel;
pub mod args;
pub mod device;
pub mod dispatch;
pub mod entry;
pub mod failure;
pub mod jit;
pub mod load;
pub mod lower;
pub mod matrices;
pub mod objects;
pub mod operations;
pub mod ops;
pub mod profile;
pub mod program;
pub mod resources;
pub mod sanitize;
pub mod thread;
pub mod trace;
pub mod wave;
