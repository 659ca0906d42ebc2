//! What every other crate stands on: typed indices and the maps over them, interned names, the
//! source map with its spans, diagnostics with their rendering, and numbers that Rust lacks.
//!
//! Nothing here knows HLSL, the IR or a target.

pub mod diag;
pub mod entity;
pub mod half;
pub mod intern;
pub mod list;
pub mod render;
pub mod similar;
pub mod source;

pub use diag::{Code, Diagnostic, FixIt, Label, Severity};
pub use entity::{EntityRef, EntitySet, PackedOption, PrimaryMap, ReservedValue, SecondaryMap};
pub use intern::{Interner, Symbol};
pub use list::List;
pub use source::{FileId, Loc, Pos, SourceMap, Span};

/// Reports a broken invariant of the compiler itself: never the user's fault, never used for bad
/// input. Panics with the place in the compiler that complained.
#[track_caller]
#[cold]
pub fn bug(what: std::fmt::Arguments<'_>) -> ! {
    let at = std::panic::Location::caller();
    panic!("internal error at {}:{}: {what}", at.file(), at.line())
}

/// Like `panic!`, for broken invariants of the compiler itself; see [`bug()`].
#[macro_export]
macro_rules! bug {
    ($($arg:tt)*) => { $crate::bug(format_args!($($arg)*)) };
}
