//! Control flow and calls.

super::rules! {}
