//! Types of variables that shaders pass to each other and that a driver gets wrong, in the storage classes where it does. The SPIR-V back end writes such a type as a
//! structure whose one member is the type: the same bytes in another shape.
//!
//! All stages of a pipeline see the same type, so what counts is the type alone.

use crate::inline_spirv::{PARAMETER, PAYLOAD};

/// A kind of structure that a driver gets wrong: all of its members are scalars of 32 bits.
pub struct MisreadType {
    /// The storage classes of the variables.
    pub classes: &'static [u32],
    /// Structures of more members than this are wrong.
    pub members: usize,
    /// Which driver, and what happens there.
    pub seen: &'static str,
}

/// All of them. That driver is right up to 32 members, or 30 where any payload variable of the pipeline has more than 32 words; a shader does not know
/// the others of its pipeline.
#[rustfmt::skip]
pub const MISREAD_TYPES: &[MisreadType] = &[
    MisreadType { classes: PAYLOAD,   members: 30, seen: "NVIDIA 580.159: what the caller reads after the trace is lost" },
    MisreadType { classes: PARAMETER, members: 30, seen: "NVIDIA 580.159: the pipeline is not created" },
];

/// Whether a structure of so many members, all scalars of 32 bits, is wrong in a storage class.
pub fn is_misread(class: u32, members: usize) -> bool {
    MISREAD_TYPES.iter().any(|t| t.classes.contains(&class) && members > t.members)
}
