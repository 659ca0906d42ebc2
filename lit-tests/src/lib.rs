//! Lit tests and their runner.
//!
//! A lit test is a file whose comments have the commands to run on it and the expected output: see
//! [`runner`] for the conventions (those of LLVM's lit) and [`filecheck`] for the expectations (those of LLVM's
//! FileCheck). The tests are in `tests/` of this crate, the program that runs them is `src/lit.rs`.

pub mod filecheck;
pub mod runner;

#[cfg(test)]
mod chaos;
#[cfg(test)]
mod conformance;
