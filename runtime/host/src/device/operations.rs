//! Descriptions of indirect operations on acceleration structures, with what a device of this crate has addresses of.

use super::{Accel, Buffer, Micromaps};

pub use rtc_engine::operations::*;

/// An object with a device address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addressed {
    /// The first byte of a buffer; the others follow it.
    Buffer(Buffer),
    /// A structure that has a handle.
    Accel(Accel),
    /// An array of micromaps.
    Micromaps(Micromaps),
}
