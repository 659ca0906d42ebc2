//! IR to IR: what SPIR-V cannot say is said differently before emission.

pub mod exits;
pub mod float_atomics;
pub mod hit_objects;
pub mod long_vectors;
pub mod partitions;
pub mod payloads;
pub mod queries;
