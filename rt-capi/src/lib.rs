//! `librtcrt`: the Vulkan runtime for engines ([`rtc_rt`]) with a C interface. `include/rtcrt.h` is generated from this crate.
//!
//! | file | what |
//! |---|---|
//! | `types` | status, errors, bytes, lists of texts |
//! | `library`, `state_object` | packages, and descriptions of state objects |
//! | `requirements`, `device`, `memory`, `layout` | the caller's device, its memory, layouts of descriptors |
//! | `pipeline`, `compilation` | pipelines, identifiers, stacks; collections, deferred compilation, caches on disk |
//! | `tables`, `dispatch` | shader tables over frames in flight; dispatches |
//! | `accel`, `serialized` | acceleration structures: builds and copies; serialised bytes and questions |
//!
//! Functions have the names and the meaning of the crate's; what is added here is ownership. An object that functions change
//! has a lock that no function waits for: who comes second gets [`rtcrt_status::Busy`]. That makes one structure given twice to a batch
//! an error as well. Only [`rtcrt_compilation_finish`] waits, for the threads that compile.
//!
//! `unsafe` is here because C is: each function states what it requires of its pointers. Its body is one block, whose only promise is that
//! contract.

#![allow(non_camel_case_types, reason = "names of C")]

mod accel;
mod boundary;
mod compilation;
mod device;
mod dispatch;
mod layout;
mod library;
mod memory;
mod pipeline;
mod requirements;
mod serialized;
mod state_object;
mod tables;
#[cfg(test)]
mod tests;
mod types;

pub use accel::*;
pub use compilation::*;
pub use device::*;
pub use dispatch::*;
pub use layout::*;
pub use library::*;
pub use memory::*;
pub use pipeline::*;
pub use requirements::*;
pub use serialized::*;
pub use state_object::*;
pub use tables::*;
pub use types::*;
