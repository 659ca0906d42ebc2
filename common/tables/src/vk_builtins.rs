//! `[[vk::builtin("…")]]`: inputs and outputs that are built-in variables of Vulkan, whatever their semantics say.

use crate::signature::SigPoint;

/// The type that a built-in variable must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltinType {
    /// One `bool`.
    Flag,
    /// One `float`.
    Float,
    /// One integer of 32 bits.
    Integer,
    /// An array of `int`.
    Integers,
}

impl BuiltinType {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            BuiltinType::Flag => "bool",
            BuiltinType::Float => "float",
            BuiltinType::Integer => "uint",
            BuiltinType::Integers => "int[1]",
        }
    }
}

/// A built-in variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum VkBuiltin {
    PointSize,
    HelperInvocation,
    BaseVertex,
    BaseInstance,
    DrawIndex,
    DeviceIndex,
    ViewportMaskNv,
}

/// A row of [`VK_BUILTINS`].
pub struct VkBuiltinInfo {
    /// The variable.
    pub builtin: VkBuiltin,
    /// Its name in the attribute.
    pub name: &'static str,
    /// Its type.
    pub ty: BuiltinType,
    /// The signature points that may have it.
    pub points: &'static [SigPoint],
}

use BuiltinType as T;
use SigPoint::*;

#[rustfmt::skip]
/// The built-in variables.
pub const VK_BUILTINS: &[VkBuiltinInfo] = &[
    VkBuiltinInfo { builtin: VkBuiltin::PointSize, name: "PointSize", ty: T::Float,
        points: &[VsOut, HsCpIn, HsCpOut, DsCpIn, DsOut, GsVIn, GsOut, MsOut] },
    VkBuiltinInfo { builtin: VkBuiltin::HelperInvocation, name: "HelperInvocation", ty: T::Flag, points: &[PsIn] },
    VkBuiltinInfo { builtin: VkBuiltin::BaseVertex, name: "BaseVertex", ty: T::Integer, points: &[VsIn] },
    VkBuiltinInfo { builtin: VkBuiltin::BaseInstance, name: "BaseInstance", ty: T::Integer, points: &[VsIn] },
    VkBuiltinInfo { builtin: VkBuiltin::DrawIndex, name: "DrawIndex", ty: T::Integer, points: &[VsIn, MsIn] },
    VkBuiltinInfo { builtin: VkBuiltin::DeviceIndex, name: "DeviceIndex", ty: T::Integer, points: &[VsIn, HsIn, DsIn, GsIn, PsIn, MsIn] },
    VkBuiltinInfo { builtin: VkBuiltin::ViewportMaskNv, name: "ViewportMaskNV", ty: T::Integers, points: &[MsPOut] },
];

/// An attribute `[[vk::name]]` of a pixel shader that is an execution mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PixelMode {
    /// The name of the attribute.
    pub name: &'static str,
    /// The number of the mode in SPIR-V.
    pub mode: u32,
    /// The extension that has it, if any.
    pub extension: Option<&'static str>,
    /// Of the rows with one such number, a shader has one.
    pub group: Option<u8>,
}

const fn mode(name: &'static str, mode: u32, extension: Option<&'static str>, group: Option<u8>) -> PixelMode {
    PixelMode { name, mode, extension, group }
}

const LATE: Option<&str> = Some("SPV_AMD_shader_early_and_late_fragment_tests");

/// The attributes that are execution modes. What a shader writes to stencil references is compared with those of front and back faces.
pub const PIXEL_MODES: &[PixelMode] = &[
    mode("depth_unchanged", 16, None, None),
    mode("post_depth_coverage", 4446, Some("SPV_KHR_post_depth_coverage"), None),
    mode("early_and_late_tests", 5017, LATE, None),
    mode("stencil_ref_unchanged_front", 5079, LATE, Some(0)),
    mode("stencil_ref_greater_equal_front", 5080, LATE, Some(0)),
    mode("stencil_ref_less_equal_front", 5081, LATE, Some(0)),
    mode("stencil_ref_unchanged_back", 5082, LATE, Some(1)),
    mode("stencil_ref_greater_equal_back", 5083, LATE, Some(1)),
    mode("stencil_ref_less_equal_back", 5084, LATE, Some(1)),
];

impl VkBuiltin {
    /// The row.
    pub fn info(self) -> &'static VkBuiltinInfo {
        &VK_BUILTINS[self as usize]
    }
    /// The one with this name.
    pub fn named(name: &str) -> Option<VkBuiltin> {
        VK_BUILTINS.iter().find(|r| r.name == name).map(|r| r.builtin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order() {
        for (n, r) in VK_BUILTINS.iter().enumerate() {
            assert_eq!(r.builtin as usize, n);
            assert_eq!(VkBuiltin::named(r.name), Some(r.builtin));
        }
    }
}
