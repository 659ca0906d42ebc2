//! The device on the CPU (cargo feature `cpu`): DXIL libraries that run anywhere.
//!
//! ```text
//! container ─► judged ─► lower ─► jit (LLVM) ─► code ─┐
//! device: buffers, images, structures, tables ─────────┴─► dispatch: threads ─► ops
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`device`], [`dispatch`] | the host's side, and launching |
//! | [`lower`] | from a DXIL module to one that LLVM can compile and that can do no harm |
//! | [`jit`] | LLVM: optimises, compiles, links, keeps objects on disk |
//! | [`load`] | from containers to a program |
//! | [`args`] | the one door from compiled code to the runtime |
//! | [`thread`], [`machine`] | what an invocation knows, what a dispatch knows |
//! | [`objects`] | what the host has made |
//! | [`structures`] | acceleration structures of the host |
//! | [`operations`] | structures in memory, by address |
//! | [`ops`] | the DXIL operations, by opcode |
//! | [`accel`] | acceleration structures and how rays walk them |
//! | [`resources`] | memory, images, descriptors, and what DXIL's operations do with them |
//! | [`sanitize`] | looks for what has no defined result |
//! | [`trace`] | shader tables and the control flow of rays |
//! | [`profile`] | how coherent waves are where they could be reordered |
//! | [`wave`] | threads that meet: waves, groups, barriers |

pub mod accel;
pub mod args;
pub mod device;
pub mod dispatch;
pub mod jit;
pub mod load;
pub mod lower;
pub mod machine;
pub mod objects;
pub mod operations;
pub mod ops;
pub mod profile;
pub mod resources;
pub mod sanitize;
pub mod structures;
pub mod thread;
pub mod trace;
pub mod wave;
