//! The features: each file answers the questions of one kind about a snapshot.

pub mod actions;
pub mod bindings;
pub mod completion;
pub mod cursor;
pub mod describe;
pub mod folding;
pub mod format;
pub mod hover;
pub mod macros;
pub mod navigate;
pub mod reach;
pub mod rename;
pub mod semantics;
pub mod signature;
pub mod symbols;
pub mod tokens;
