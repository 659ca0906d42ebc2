//! Resources of the CPU device: memory, views of it, and what shaders do with them.
