//! What the libraries with a C interface share: arguments are checked and panics caught in one way, and they are installed in one way.

pub mod boundary;
pub mod install;

pub use boundary::{Invalid, Text, bytes, bytes_mut, c_text, caught, free, give, object, put, slice, text};
