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
    /// The names that these methods have here.
    const FUNCTIONS: &'static [&'static str];
}

/// The description of an interface, without its type.
#[derive(Clone, Copy, Debug)]
pub struct InterfaceInfo {
    /// Its identifier.
    pub iid: Guid,
    /// Its name.
    pub name: &'static str,
    /// The methods that it adds to its base, in the order of the table.
    pub methods: &'static [&'static str],
    /// The names that these methods have here.
    pub functions: &'static [&'static str],
}

impl InterfaceInfo {
    /// The description of `I`.
    pub const fn of<I: Interface>() -> InterfaceInfo {
        InterfaceInfo { iid: I::IID, name: I::NAME, methods: I::METHODS, functions: I::FUNCTIONS }
    }
}
