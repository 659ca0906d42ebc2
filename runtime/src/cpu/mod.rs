//! The device on the CPU (cargo feature `cpu`): DXIL libraries that run anywhere.
//!
//! | module | what |
//! |---|---|
//! | [`resources`] | memory, images, descriptors, and what DXIL's operations do with them |

pub mod resources;
