//! The error type of this crate, which is that of the layer below.
//!
//! Every invalid input (a scene, a package, a device without a required feature) is reported as a [`RunError`] that names its
//! location: file, line and key of a scene; the part of a package; the physical device and the missing feature. Nothing in
//! this crate panics on input.

pub(crate) use rtc_engine::error::list;
pub use rtc_engine::error::{Error as RunError, ErrorKind, Result};
