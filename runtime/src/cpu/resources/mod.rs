//! Resources of the CPU device: memory, views of it, and what shaders do with them.

/// What is bound to the resources of a program.
#[derive(Default)]
pub struct Bindings {}
