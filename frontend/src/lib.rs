//! The frontend: text to tokens to syntax tree to typed tree to IR.
//!
//! Each stage returns what it has together with diagnostics; none stops at the first error.

pub mod classify;
pub mod hir;
pub mod lex;
pub mod lower;
pub mod preprocess;
pub mod report;
pub mod sema;
pub mod syntax;
pub mod text;

pub use syntax::{Parsed, parse};
