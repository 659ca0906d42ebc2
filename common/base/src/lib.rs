//! Shared infrastructure of all crates: entities and arenas, interning, the source map, diagnostics.
//!
//! * [`mod@entity`]: typed 32-bit indices with [`PrimaryMap`] (arenas) and [`SecondaryMap`] (facts about entities); [`list`]: lists
//!   in pools.
//! * [`intern`]: strings as [`Symbol`]s; [`unique`]: other values that are there once.
//! * [`source`]: files, macro expansions, and the [`Span`]s that refer to them.
//! * [`diag`]: a [`Diagnostic`] with its code, labels, notes and fix-its; [`render`]: as text, one line, or JSON; [`similar`]:
//!   spelling suggestions.
//! * [`dataflow`]: fixpoints over control-flow graphs; [`dominators`]: dominator trees.
//! * [`half`]: conversions of 16-bit floats; [`timing`]: how long phases take; [`control`]: cancellation and limits;
//!   [`mod@replace`]: files that are written completely or not at all; [`mod@path`]: what paths mean on each system.
//! * [`bug!`]: reports a broken invariant of the compiler.
//!
//! To read the crate, begin with [`mod@entity`], which every other crate uses, then [`source`].
//!
//! # Example
//!
//! ```
//! use rtc_base::render::{Style, render};
//! use rtc_base::{Code, Diagnostic, Severity, SourceMap, Span};
//!
//! static UNUSED: Code = Code { id: "W0001", severity: Severity::Warning, group: "unused", about: "an unused variable" };
//! let mut sources = SourceMap::new();
//! let file = sources.add_file("a.hlsl", "int x;", None).expect("the file is small");
//! let start = sources.file(file).start;
//! let d = Diagnostic::new(&UNUSED, Span::new(start.offset(4), start.offset(5)), "`x` is not used");
//! assert!(render(&sources, &d, Style::Short).starts_with("a.hlsl:1:5: warning: `x` is not used"));
//! ```
//!
//! What is *not* here: HLSL, the IR, and targets. The codes of diagnostics are in `rtc-tables`.

pub mod clock;
pub mod control;
pub mod dataflow;
pub mod diag;
pub mod dominators;
pub mod entity;
pub mod half;
pub mod intern;
pub mod list;
mod paint;
pub mod path;
pub mod render;
pub mod replace;
mod set;
pub mod similar;
pub mod source;
pub mod stdout;
pub mod timing;
pub mod unique;

pub use diag::{Code, Diagnostic, FixIt, Label, Severity};
pub use entity::{BitSet, EntityRef, EntitySet, PackedOption, PrimaryMap, ReservedValue, SecondaryMap};
pub use intern::{Interner, Symbol};
pub use list::List;
pub use source::{FileId, Loc, Pos, SourceMap, Span};
pub use unique::Unique;

/// Reports a broken invariant of the compiler itself: never the user's fault, never used for bad
/// input. Panics with the location of the call in the compiler.
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
