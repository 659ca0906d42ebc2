//! Coverage of the language: intrinsics that have no row, with the reason, and rows that a target cannot express
//! ([`Intrinsic::missing`]). A test compiles every row for both targets and fails when a row does not compile and is not
//! marked, or is marked and compiles.

use super::{Expander, Intrinsic, Lower, Scope};
use crate::stages::StageMask;

/// A target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Target {
    /// DXIL.
    Dxil,
    /// SPIR-V.
    Spirv,
}

/// Intrinsics of the language that have no row.
#[derive(Debug)]
pub struct Absent {
    /// The section of the reference, or a name in it, or a name's beginning with `*`.
    pub what: &'static str,
    /// Why.
    pub reason: &'static str,
}

const fn absent(what: &'static str, reason: &'static str) -> Absent {
    Absent { what, reason }
}

/// The intrinsics of the language without a row.
#[rustfmt::skip]
pub const ABSENT: &[Absent] = &[
    absent("EmptyNodeInputMethods",                  "work graphs"),
    absent("RWDispatchNodeInputRecordMethods",       "work graphs"),
    absent("GroupNodeInputRecordsMethods",           "work graphs"),
    absent("NodeOutputMethods",                      "work graphs"),
    absent("EmptyNodeOutputMethods",                 "work graphs"),
    absent("GroupOrThreadNodeOutputRecordsMethods",  "work graphs"),
    absent("GetRemainingRecursionLevels",            "work graphs"),
    absent("BufferPointerMethods",                   "`Get` of a buffer pointer is no row: it gives an l-value"),
    absent("tex1D*",                                 "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("tex2D*",                                 "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("tex3D*",                                 "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("texCUBE*",                               "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("abort",                                  "neither DXIL nor the reference compiler has a form for it"),
    absent("source_mark",                            "neither DXIL nor the reference compiler has a form for it"),
];

/// Why there is no function of this name, if HLSL has one.
pub fn why_absent(name: &str) -> Option<&'static str> {
    let row = ABSENT.iter().find(|a| match a.what.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => a.what == name,
    })?;
    Some(row.reason)
}

impl Intrinsic {
    /// The name with the type or namespace before it.
    pub fn full_name(&self) -> String {
        match self.scope {
            Scope::Free => self.name.to_string(),
            Scope::Dx => format!("dx::{}", self.name),
            Scope::Vk => format!("vk::{}", self.name),
            Scope::Method(o) | Scope::Static(o) => format!("{}::{}", o.info().name, self.name),
        }
    }

    /// Whether it is legal in a stage that this compiler compiles.
    pub fn is_ours(&self) -> bool {
        self.stages.intersects(StageMask::ENTRIES)
    }

    /// Whether the front end translates calls of it.
    pub fn is_translated(&self) -> bool {
        self.lowers != Lower::Expand(Expander::NotYet)
    }

    /// Why `target` cannot express it, if it cannot.
    pub fn gap(&self, target: Target) -> Option<&'static str> {
        self.missing.filter(|m| m.0 == target).map(|m| m.1)
    }
}
