//! `librtcrt`: the Vulkan runtime for engines ([`rtc_engine`]) with a C interface. `include/rtcrt.h` is generated from this crate.
//!
//! | file | what |
//! |---|---|
//! | `status`, `types` | statuses, errors, bytes, lists of texts |
//! | `library`, `hit_group`, `state_object` | packages, and descriptions of state objects |
//! | `requirements`, `device`, `memory`, `layout` | the caller's device, its memory, layouts of descriptors |
//! | `pipeline`, `compilation`, `cache` | pipelines, identifiers, stacks; collections, deferred compilation; caches on disk |
//! | `tables`, `dispatch` | shader tables over frames in flight; dispatches |
//! | `forms`, `measure` | packages with several forms, and which one is the fastest |
//! | `wavefront` | dispatches of divided shaders, whose rays are sorted between their stages |
//! | `execute_indirect` | dispatches that the device counts |
//! | `constants`, `specialisation` | constants of packages; values for them |
//! | `descriptor_buffer` | descriptors in memory |
//! | `accel`, `serialized` | acceleration structures: builds and copies; serialised bytes and questions |
//! | `builds` | indirect builds, and builds on the host |
//! | `micromap_linkage`, `micromaps`, `micromap_bytes` | micromaps: what triangles have, arrays, their bytes and questions |
//! | `operations`, `operation_arguments` | clustered geometry and partitioned structures |
//! | `d3d12` | what D3D12 describes in memory |
//!
//! Functions have the names and the meaning of the crate's; what is added here is ownership. An object that functions change
//! has a lock that no function waits for: the second caller gets [`rtcrt_status::Busy`]. That makes one structure given twice to a batch
//! an error as well. Only [`rtcrt_compilation_finish`] waits, for the threads that compile.
//!
//! `unsafe` is here because C is: each function states what it requires of its pointers. Its body is one block, whose only promise is that
//! contract.

#![allow(non_camel_case_types, reason = "names of C")]

mod accel;
mod boundary;
mod builds;
mod cache;
mod compilation;
mod constants;
mod d3d12;
mod descriptor_buffer;
mod device;
mod dispatch;
mod execute_indirect;
mod forms;
mod hit_group;
mod layout;
mod library;
mod measure;
mod memory;
mod micromap_bytes;
mod micromap_linkage;
mod micromaps;
mod operation_arguments;
mod operations;
mod pipeline;
mod requirements;
mod serialized;
mod specialisation;
mod state_object;
mod status;
mod tables;
#[cfg(test)]
mod tests;
mod types;
mod wavefront;

pub use accel::*;
pub use builds::*;
pub use cache::*;
pub use compilation::*;
pub use constants::*;
pub use d3d12::*;
pub use descriptor_buffer::*;
pub use device::*;
pub use dispatch::*;
pub use execute_indirect::*;
pub use forms::*;
pub use hit_group::*;
pub use layout::*;
pub use library::*;
pub use measure::*;
pub use memory::*;
pub use micromap_bytes::*;
pub use micromap_linkage::*;
pub use micromaps::*;
pub use operation_arguments::*;
pub use operations::*;
pub use pipeline::*;
pub use requirements::*;
pub use serialized::*;
pub use specialisation::*;
pub use state_object::*;
pub use tables::*;
pub use types::*;
pub use wavefront::*;
