//! D3D12's objects of ray tracing on a Vulkan device that the caller owns.
//!
//! | file | what |
//! |---|---|
//! | `features` | one row per feature: queried, switched on, required |
//! | `requirements` | what packages need of a device, before it is made |
//! | `physical`, `device` | the caller's device, from raw handles |
//! | `memory` | memory of the caller or of Vulkan, and buffers in it |
//! | `layout` | descriptor set layouts and pipeline layout from the binding map |
//! | `descriptor_buffer` | descriptors in memory in place of sets |
//! | `parts` | create information of a pipeline, and its compilation |
//! | `pipeline` | pipelines with shader identifiers; collections, additions |
//! | `cache` | a pipeline cache on disk, one file for each driver |
//! | `dispatch` | `DispatchRays`, directly and indirectly |
//! | `execute_indirect` | `ExecuteIndirect` with a count that the device knows |
//! | `wavefront` | dispatches of divided shaders, with a sort of the rays between their stages |
//! | `frames` | shader tables that change while frames are in flight |
//! | `accel` | acceleration structures: builds, updates, copies, questions |
//! | `d3d12` | numbers of D3D12 |
//! | `false_reports` | what validation layers say about all of this and is not so |
//!
//! All functions record into command buffers of the caller or make objects. None submits, waits or keeps anything outside of
//! the objects that it returns. Handles are numbers (`u64`), as C has them, so that every Vulkan binding can be used:
//! `ash` and `vulkanalia` call the conversion `as_raw` and `from_raw`.
//!
//! What makes the foreign calls sound: the caller promises in [`Device::new`] that its handles are what they say and outlive
//! everything made from them; each object here keeps what it was made from; and the caller promises, where a command is
//! recorded or an object is dropped, that the device does not use it any more.

#![allow(unsafe_code)]

pub mod accel;
pub mod cache;
mod d3d12;
pub mod descriptor_buffer;
pub mod device;
pub mod dispatch;
pub mod execute_indirect;
mod false_reports;
pub mod features;
pub mod frames;
pub mod layout;
pub mod memory;
mod parts;
mod physical;
pub mod pipeline;
pub mod requirements;
pub mod wavefront;

pub use accel::{Accel, Build, Inputs, Scratch, Source};
pub use cache::{DiskCache, choices};
pub use descriptor_buffer::{Descriptor, DescriptorBuffer};
pub use device::{Device, EnabledFeatures, Handles};
pub use dispatch::{DispatchRays, Range, StridedRange};
pub use execute_indirect::{Arguments, ExecuteIndirect};
pub use false_reports::is_false_report;
pub use frames::FrameTables;
pub use layout::{Layout, LayoutOptions};
pub use memory::{Allocate, Allocation, Buffer, MemoryRequest, OwnMemory};
pub use physical::Limits;
pub use pipeline::{Collection, Compilation, Identifier, Pipeline, PipelineOptions};
pub use requirements::{Requirements, StructureUses, Uses};
pub use wavefront::Wavefront;

use crate::error::{Error, ErrorKind};
use vulkanalia::vk;

/// The error of a driver that failed to do `what`, for `map_err`.
pub fn failed(what: &str) -> impl FnOnce(vk::ErrorCode) -> Error + '_ {
    move |code| {
        let kind = match code {
            vk::ErrorCode::OUT_OF_HOST_MEMORY | vk::ErrorCode::OUT_OF_DEVICE_MEMORY => ErrorKind::OutOfMemory,
            vk::ErrorCode::DEVICE_LOST => ErrorKind::DeviceLost,
            _ => ErrorKind::Device,
        };
        Error::new(kind, format!("the device failed to {what}: {code}"))
    }
}
