//! Runs ray-tracing packages: a scene and a compiled library in, pictures and buffers out.
//!
//! | module | what |
//! |---|---|
//! | [`device`] | one trait, plain descriptions: what a host does with a ray-tracing device |
//! | [`library`] | a loaded package: exports, resources, shader records |
//! | [`state_object`] | from subobjects to one pipeline |
//! | [`vulkan`] | the device on Vulkan (cargo feature `vulkan`) |
//! | [`cpu`] | the device on the CPU (cargo feature `cpu`) |
//! | [`merge`] | several packages in one pipeline |
//! | [`scene`] | `scene.toml`: its contents, and its parser |
//! | [`run`] | a scene on a device |
//! | [`capabilities`] | what the devices of this machine can do |
//!
//! This crate sees neither the front end nor the passes: a package is bytes.

pub mod capabilities;
pub mod checks;
#[cfg(feature = "cpu")]
pub mod cpu;
pub mod device;
pub mod error;
pub mod finding;
pub mod run;
pub mod scene;
#[cfg(feature = "vulkan")]
pub mod vulkan;

mod picture;
mod results;

pub use device::Device;
pub use error::{ErrorKind, Result, RunError};
pub use finding::Finding;
pub use rtc_engine::{library, merge, sampler, slot, state_object};
pub use run::{RunOptions, RunReport, run_scene};
pub use scene::Scene;
