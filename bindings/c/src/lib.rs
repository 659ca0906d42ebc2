//! `librtc`: the compiler library with a C interface. `include/rtc.h` is generated from this crate.
//!
//! Objects are opaque handles that the caller frees; `NULL` may be freed. Everything that a function returns by pointer belongs to the
//! object that it comes from and lives as long as it. Text is UTF-8, and has a size, and a zero byte after it that is not counted.
//! Sessions, options, results and cancel tokens may be used by several threads at once, except that an object must not be used while or
//! after it is freed. No function unwinds into its caller: a panic, always a mistake of the compiler, is [`rtc_status::Internal`].
//!
//! What is versioned: the library's file name has the number of the binary interface ([`RTC_ABI_VERSION`]), functions are only added
//! under one number, and structures that callers fill begin with their size, so that they may grow.
//!
//! `unsafe` is here because C is: each function states what it requires of its pointers, and each block why that suffices.

#![allow(non_camel_case_types, reason = "names of C")]

mod boundary;
mod compile;
mod job;
mod options;
mod result;
mod session;
#[cfg(test)]
mod tests;
mod types;

/// Counts, so that `memory_limit_bytes` of a job has an effect.
#[global_allocator]
static ALLOCATOR: rtc::memory::Counting = rtc::memory::Counting;

pub use compile::*;
pub use job::*;
pub use options::*;
pub use result::*;
pub use session::*;
pub use types::*;
