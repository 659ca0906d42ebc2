//! Helpers that several test programs use.

pub mod samples;
