//! Resources of the CPU device: memory, buffers, images, samplers, descriptors and their views.
//!
//! | module | what |
//! |---|---|
//! | [`memory`] | bytes that threads read, write and modify concurrently |
//! | [`atomics`] | atomic operations on 32 and 64 bits |
//! | [`bindings`] | the descriptors of a program's resources |
//! | [`buffer`] | buffer views: raw, structured, typed, constant; bounds-checked |
//! | [`format`](mod@format) | texel formats: normalised, half, sRGB, integers |
//! | [`handle`] | resource handles of compiled code |
//! | [`image`] | images of every dimension: levels, slices, samples |
//! | [`record_address`] | addresses in shader records |
//! | [`sampler`] | filtering, address modes, level of detail, cubes |
//!
//! This module is independent of DXIL calls: operations are functions with plain arguments, and an error of a shader (an index
//! out of range, an unbound resource) has the result that Direct3D defines: reads return zero, writes are dropped.

pub mod atomics;
pub mod bindings;
pub mod buffer;
pub mod feedback;
pub mod format;
pub mod handle;
pub mod image;
pub mod memory;
pub mod record_address;
pub mod sampler;

pub use bindings::{Bindings, Descriptor, Record};
pub use feedback::FeedbackMap;
pub use handle::Handle;
pub use image::Image;
pub use memory::Memory;
