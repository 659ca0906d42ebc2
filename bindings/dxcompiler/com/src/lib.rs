//! The interfaces of the reference compiler's library, over the `rtc` library.
//!
//! Programs load `libdxcompiler.so`, look up one function and call methods through tables. This crate has the objects that these tables belong to;
//! two other small crates export the function: `rtc-dxcompiler` and `rtc-dxil`.
//!
//! ```text
//! client ─► DxcCreateInstance ─► create ─► class (classes.rs) ─► object (base/object.rs) ─► methods of its interfaces (interfaces.rs)
//! ```
//!
//! * `base/` is COM by hand. `interfaces.rs` declares every interface once: the table, the trait that a class implements, the calls.
//! * One file for each class: [`utils`], [`validator`], [`container`], …
//! * Memory that clients give or get is in [`memory`]; text is decoded in [`text`].
//!
//! # Safety
//! Clients are not checked: a pointer that is neither null nor valid is undefined behaviour, as it is with the reference. Everything else
//! that a client does wrong is a result code: null pointers, unknown identifiers, bytes that are no container, panics of our own.

pub mod arguments;
pub mod assembler;
pub mod base;
pub mod blob;
mod bridge;
mod classes;
pub mod compiler;
pub mod container;
pub mod include;
pub mod interfaces;
pub mod linker;
pub mod memory;
pub mod out;
pub mod pdb_utils;
pub mod reflection;
pub mod result;
pub mod stream;
pub mod text;
pub mod utils;
pub mod validator;
pub mod version;
pub mod wide;

pub use base::guid::Guid;
pub use base::hresult::HResult;
pub use rtc::memory::Counting;

pub use classes::{ABSENT, ABSENT_INTERFACES, CLASSES, ClassInfo, Library, create};
