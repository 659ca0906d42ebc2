//! Resources of the CPU device: memory, views of it, and what shaders do with them.
//!
//! | module | what |
//! |---|---|
//! | [`memory`] | bytes that threads read, write and modify at once |
//! | [`atomics`] | read-modify-write of 32 and 64 bits |
//! | [`bindings`] | which resources a program has, and what is bound to them |
//! | [`buffer`] | raw, structured, typed and constant buffers, bounds-checked |
//! | [`format`](mod@format) | texels from and to bytes: normalised, half, sRGB, integers |
//! | [`handle`] | what compiled code holds of a resource |
//! | [`image`] | textures of every kind: levels, slices, samples |
//! | [`sampler`] | filtering, address modes, levels of detail, cubes |
//!
//! Nothing here knows DXIL's calls: operations are functions with plain arguments, and a mistake of a
//! shader (an index outside, a resource that is not there) has the result that Direct3D gives it: reads
//! give zero, writes vanish.

pub mod atomics;
pub mod bindings;
pub mod buffer;
pub mod feedback;
pub mod format;
pub mod handle;
pub mod image;
pub mod memory;
pub mod sampler;

pub use bindings::{Bindings, Descriptor, Record};
pub use feedback::FeedbackMap;
pub use handle::Handle;
pub use image::Image;
pub use memory::Memory;
