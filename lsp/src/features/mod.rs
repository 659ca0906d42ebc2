//! The features: each file answers the questions of one kind about a snapshot.

pub mod actions;
pub mod completion;
pub mod describe;
pub mod folding;
pub mod format;
pub mod hover;
pub mod macros;
pub mod navigate;
pub mod rename;
pub mod signature;
pub mod symbols;
pub mod tokens;
