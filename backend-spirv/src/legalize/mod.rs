//! Legalisation: IR to IR, replaces what SPIR-V cannot express before emission.

pub mod chosen_components;
pub mod exits;
pub mod float_atomics;
pub mod hit_objects;
pub mod interface_arrays;
pub mod joined_components;
pub mod long_vectors;
pub mod partitions;
pub mod queries;
