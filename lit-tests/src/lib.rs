//! Lit tests and what runs them.
//!
//! A lit test is a file that says in its comments how to run the product on it and what to expect: see
//! [`runner`] for the conventions (those of LLVM's lit) and [`filecheck`] for the expectations (those of LLVM's
//! FileCheck). The tests lie in `tests/` of this crate, the program that runs them is `src/lit.rs`.

pub mod filecheck;
pub mod runner;

#[cfg(test)]
mod chaos;
#[cfg(test)]
mod conformance;
