//! A small engine: a renderer with a Vulkan device of its own that gets D3D12's objects of ray tracing from `rtc-engine`.
//!
//! | file | what is in it that an engine has anyway, or does for `rtc-engine` |
//! |---|---|
//! | `gpu.rs` | instance, device, queue and buffers with `ash`; the device is made with what the packages need |
//! | `counters.rs` | an allocator that counts, and what is held |
//! | `scene.rs` | structures that are rebuilt each frame, one copy for each frame in flight |
//! | `measure.rs` | what many frames cost, and that nothing is left after them |
//! | `renderer.rs` | packages, the pipeline that grows, shader tables, descriptor sets, indirect dispatches |
//! | `reference.rs` | the pictures that come of it |
//!
//! Nothing here waits but for the fence of the frame before last.

mod counters;
mod gpu;
mod measure;
pub mod reference;
mod renderer;
mod scene;

pub use counters::{Counters, Held};
pub use gpu::Gpu;
pub use measure::{Measurements, measure};
pub use renderer::{Options, Picture, package, render};

/// Any error, for its text.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Frames that the device works on while the host prepares the next.
pub const FRAMES_IN_FLIGHT: usize = 3;
