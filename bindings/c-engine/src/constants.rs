//! Constants that packages leave to the host, as the caller sees them.

use rtc_c_common::Text;
use rtc_engine::library::{ConstantType, Library, SpecialisationConstant};
use std::ffi::c_char;

/// The kinds of constants. Integers of packages do not say whether they have a sign.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtcrt_constant_kind {
    /// `bool`: not 0 is true.
    Bool = 0,
    /// An integer of 16 bits.
    Int16 = 1,
    /// An integer of 32 bits.
    Int32 = 2,
    /// An integer of 64 bits.
    Int64 = 3,
    /// A half.
    Float16 = 4,
    /// A `float`.
    Float32 = 5,
    /// A `double`.
    Float64 = 6,
    /// Another one, to which no value can be given.
    Other = 7,
}

impl From<ConstantType> for rtcrt_constant_kind {
    fn from(ty: ConstantType) -> rtcrt_constant_kind {
        match ty {
            ConstantType::Bool => rtcrt_constant_kind::Bool,
            ConstantType::Int(16) => rtcrt_constant_kind::Int16,
            ConstantType::Int(32) => rtcrt_constant_kind::Int32,
            ConstantType::Int(64) => rtcrt_constant_kind::Int64,
            ConstantType::Float(16) => rtcrt_constant_kind::Float16,
            ConstantType::Float(32) => rtcrt_constant_kind::Float32,
            ConstantType::Float(64) => rtcrt_constant_kind::Float64,
            ConstantType::Int(_) | ConstantType::Float(_) => rtcrt_constant_kind::Other,
        }
    }
}

/// A constant of a library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtcrt_constant {
    /// Its number.
    pub id: u32,
    /// `rtcrt_constant_kind`.
    pub kind: u32,
    /// Its name in HLSL; empty if the package has no names.
    pub name: *const c_char,
    /// The bits of the value that it has if the host gives none.
    pub default_bits: u64,
}

/// The constants of a library, with their names.
pub(crate) struct Constants {
    pub list: Vec<rtcrt_constant>,
    _names: Vec<Text>,
}

impl Constants {
    pub fn of(library: &Library) -> Constants {
        let all = library.constants();
        let names: Vec<Text> = all.iter().map(|c| Text::new(c.name.as_str())).collect();
        let constant = |(c, name): (&SpecialisationConstant, &Text)| rtcrt_constant {
            id: c.id,
            kind: rtcrt_constant_kind::from(c.ty) as u32,
            name: name.data().cast(),
            default_bits: c.default,
        };
        Constants { list: all.iter().zip(&names).map(constant).collect(), _names: names }
    }
}
