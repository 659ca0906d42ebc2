//! Ray-tracing packages for engines: D3D12's objects of ray tracing on the Vulkan device of the caller.
//!
//! | module | what |
//! |---|---|
//! | [`library`] | a loaded package: exports, resources, shader records |
//! | [`merge`] | several packages in one pipeline |
//! | [`forms`] | packages with several forms, among which a device or a measurement chooses |
//! | [`state_object`] | from subobjects to one pipeline |
//! | [`tables`] | shader tables by name and index, laid out for a device |
//! | [`stack`] | stack sizes of pipelines |
//! | [`slot`], [`sampler`] | names of resources; descriptions of samplers |
//! | [`operations`] | clustered geometry and partitioned structures, as the device reads them |
//! | [`error`] | the error type |
//! | [`vulkan`] | all of it on a Vulkan device of the caller (cargo feature `vulkan`) |
//!
//! Only the last one knows an API. The crate sees no compiler: a package is bytes.

pub mod error;
pub mod forms;
pub mod library;
pub mod merge;
pub mod operations;
mod own_tables;
pub mod sampler;
pub mod slot;
pub mod stack;
pub mod state_object;
pub mod tables;
#[cfg(feature = "vulkan")]
pub mod vulkan;

#[cfg(test)]
mod testing;

pub use error::{Error, ErrorKind, Result};
