//! What makes a type the table of an interface.
#![allow(unsafe_code)] // The promise about a table's layout.

use super::guid::Guid;

/// A table of functions.
///
/// # Safety
/// The type is `repr(C)`, begins with the table of its base, and holds nothing but functions.
pub unsafe trait Interface {
    /// Its identifier.
    const IID: Guid;
    /// Its name.
    const NAME: &'static str;
    /// The names of the methods that it adds to its base, in the order of the table.
    const METHODS: &'static [&'static str];
}
