//! Bitcode: the bit stream that holds a [`Module`](crate::Module), as LLVM 3.7 wrote it.
//!
//! [`fn@write`] and [`read`] are each other's inverse as far as a module has meaning: types, constants
//! and metadata that nothing uses are not written, and the order of use lists is not kept.
//! Everything else survives, debug information included. What is written has no trailing bits and no
//! blocks beyond those of LLVM 3.7, because the validator refuses both.

mod bits;
mod error;
mod number;
mod read;
mod read_body;
mod read_consts;
mod read_insts;
mod read_meta;
mod read_types;
mod records;
mod stream;
mod write;
mod write_body;

#[cfg(test)]
mod tests;

pub use error::ReadError;
pub use read::{read, read_all};
pub use read_consts::unsigned as decode_signed;
pub use write::write;

/// The first four bytes of bitcode.
pub const MAGIC: [u8; 4] = [b'B', b'C', 0xC0, 0xDE];
