//! Root signatures: their text in HLSL, their serialised form in containers and RDAT, their validation,
//! and the layout of a *local* root signature's arguments in a shader record.
//!
//! | function | from | to |
//! |---|---|---|
//! | [`parse()`] | text of HLSL | [`RootSignature`], or errors with offsets into the text |
//! | [`read()`], [`write()`] | binary form | [`RootSignature`], and back |
//! | [`check()`] | [`RootSignature`] | the rules that it violates |
//! | [`check_shader`] | [`RootSignature`] and PSV0 | the resources of the shader that it does not bind |
//! | [`about`] | text, whole or not, and a place in it | what is written there, and what could be |
//! | [`record_layout`] | local [`RootSignature`] | offsets in the shader record |
//!
//! To read the crate, begin with [`RootSignature`] and [`words`], the table of names and numbers that parser and printer share.
//!
//! # Example
//!
//! ```
//! use rtc_rootsig::{RootVersion, Scope, check, parse, read, record_layout, write};
//!
//! let text = "RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 3, b0), SRV(t1)";
//! let signature = parse(text, RootVersion::V1_1, Scope::Local).expect("the text is well formed");
//! assert!(check(&signature).is_empty());
//! // The address of the SRV is aligned to 8 bytes.
//! let record = record_layout(&signature)?;
//! assert_eq!(record.params[1].offset, 16);
//! assert_eq!(read(&write(&signature))?, signature);
//! # Ok::<(), rtc_dxil_container::FormatError>(())
//! ```

pub mod about;
mod binary;
mod check;
mod layout;
mod lex;
mod parse;
mod print;
mod shader;
#[cfg(test)]
mod tests;
pub mod words;

pub use binary::{read, write};
pub use check::{Location, MAX_WORDS, Problem, check};
pub use layout::{MAX_RECORD_DATA, RecordBinding, RecordData, RecordParam, RecordParamKind, record_layout};
pub use parse::{Scope, TextError, parse, parse_with_remarks};
use serde::{Deserialize, Serialize};
pub use shader::{check_shader, visibility_of};
pub use words::{AddressMode, BorderColor, Comparison, Filter, Visibility};

use rtc_dxil_container::ResourceClass;

/// The version of the binary form; it decides which flags exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum RootVersion {
    /// 1.0: no range, descriptor or sampler flags.
    V1_0 = 1,
    /// 1.1: flags on ranges and root descriptors. What shader text means unless told otherwise.
    V1_1 = 2,
    /// 1.2: flags on static samplers too.
    V1_2 = 3,
}

impl std::fmt::Display for RootVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RootVersion::V1_0 => "1.0",
            RootVersion::V1_1 => "1.1",
            RootVersion::V1_2 => "1.2",
        })
    }
}

/// A root signature.
#[derive(Clone, PartialEq, Debug)]
pub struct RootSignature {
    /// Version of the binary form.
    pub version: RootVersion,
    /// Bits of [`words::ROOT_FLAGS`].
    pub flags: u32,
    /// The parameters, in the order that the API numbers them.
    pub params: Vec<RootParam>,
    /// The static samplers.
    pub samplers: Vec<StaticSampler>,
}

/// The root flag of local root signatures.
pub const LOCAL_ROOT_SIGNATURE: u32 = 0x80;

impl RootSignature {
    /// Whether its arguments come from shader records.
    pub fn is_local(&self) -> bool {
        self.flags & LOCAL_ROOT_SIGNATURE != 0
    }

    /// How many words of 32 bits its arguments take in the root. Those of local ones are in shader records.
    pub fn words(&self) -> u64 {
        let of = |p: &RootParam| match &p.kind {
            RootParamKind::Table(_) => 1,
            RootParamKind::Constants { count, .. } => u64::from(*count),
            _ => 2,
        };
        self.params.iter().map(of).sum()
    }
}

/// One root parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootParam {
    /// Which stages see it (ray tracing sees `All` alone).
    pub visibility: Visibility,
    /// What it is.
    pub kind: RootParamKind,
}

/// What a root parameter is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RootParamKind {
    /// A table of descriptors.
    Table(Vec<Range>),
    /// 32-bit constants, which the shader sees as a constant buffer.
    Constants {
        /// `b` register.
        register: u32,
        /// Register space.
        space: u32,
        /// How many 32-bit values.
        count: u32,
    },
    /// A constant buffer, by address.
    Cbv(RootDescriptor),
    /// A buffer or acceleration structure to read, by address.
    Srv(RootDescriptor),
    /// A buffer to read and write, by address.
    Uav(RootDescriptor),
}

/// A descriptor in the root: an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootDescriptor {
    /// Register number.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Bits of [`words::DESCRIPTOR_FLAGS`]; 0 means the version's default.
    pub flags: u32,
}

/// Number of descriptors of a range without a bound.
pub const UNBOUNDED: u32 = u32::MAX;
/// Offset of a range that follows the range before it.
pub const APPEND: u32 = u32::MAX;

/// A range of descriptors in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Kind of descriptor.
    pub class: ResourceClass,
    /// How many, or [`UNBOUNDED`].
    pub count: u32,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Bits of [`words::RANGE_FLAGS`]; 0 means the version's default.
    pub flags: u32,
    /// Index of the first descriptor in the table, or [`APPEND`].
    pub offset: u32,
}

/// A sampler that is part of the root signature.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StaticSampler {
    /// `s` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Filter.
    pub filter: Filter,
    /// Addressing along u, v, w.
    pub address: [AddressMode; 3],
    /// Added to the level of detail.
    pub mip_lod_bias: f32,
    /// 1 to 16 (0 for filters that are not anisotropic is allowed).
    pub max_anisotropy: u32,
    /// Comparison of comparison filters.
    pub comparison: Comparison,
    /// Border of [`AddressMode::Border`].
    pub border: BorderColor,
    /// Lowest level of detail.
    pub min_lod: f32,
    /// Highest level of detail.
    pub max_lod: f32,
    /// Which stages see it.
    pub visibility: Visibility,
    /// Bits of [`words::SAMPLER_FLAGS`]; version 1.2 only, else 0.
    pub flags: u32,
}
