//! Formats of vertex positions: DXGI's numbers, Vulkan's, and what addresses and strides must be multiples of.

use super::vk;

/// A format of vertex positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VertexFormat {
    /// D3D12's name, without `DXGI_FORMAT_`; empty where it has none.
    pub name: &'static str,
    /// `DXGI_FORMAT`; 0 where D3D12 has none.
    pub dxgi: u32,
    /// `VkFormat`.
    pub vk: i32,
    /// Bytes of the smallest component; of a packed format, bytes of a position.
    pub component: u64,
}

macro_rules! rows {
    ($($name:literal $dxgi:literal $vk:ident $component:literal;)*) => {
        &[$(VertexFormat { name: $name, dxgi: $dxgi, vk: vk::Format::$vk.as_raw(), component: $component }),*]
    };
}

/// The formats of D3D12's tiers 1.0 and 1.1, and those that Vulkan adds. Where D3D12 ignores a fourth component, Vulkan does too.
#[rustfmt::skip]
pub const VERTEX_FORMATS: &[VertexFormat] = rows! {
    "R32G32B32_FLOAT"     6 R32G32B32_SFLOAT 4;
    "R32G32_FLOAT"       16 R32G32_SFLOAT 4;
    "R16G16B16A16_FLOAT" 10 R16G16B16A16_SFLOAT 2;
    "R16G16_FLOAT"       34 R16G16_SFLOAT 2;
    "R16G16B16A16_SNORM" 13 R16G16B16A16_SNORM 2;
    "R16G16_SNORM"       37 R16G16_SNORM 2;
    "R16G16B16A16_UNORM" 11 R16G16B16A16_UNORM 2;
    "R16G16_UNORM"       35 R16G16_UNORM 2;
    "R10G10B10A2_UNORM"  24 A2B10G10R10_UNORM_PACK32 4;
    "R8G8B8A8_UNORM"     28 R8G8B8A8_UNORM 1;
    "R8G8_UNORM"         49 R8G8_UNORM 1;
    "R8G8B8A8_SNORM"     31 R8G8B8A8_SNORM 1;
    "R8G8_SNORM"         51 R8G8_SNORM 1;
    ""                    0 R32G32B32A32_SFLOAT 4;
    ""                    0 R16G16B16_SFLOAT 2;
    ""                    0 R16G16B16_SNORM 2;
    ""                    0 R16G16B16_UNORM 2;
    ""                    0 R8G8B8_SNORM 1;
    ""                    0 R8G8B8_UNORM 1;
    ""                    0 R64G64B64_SFLOAT 8;
};

/// The `VkFormat` of a `DXGI_FORMAT` that vertex positions may have.
pub fn vertex_format_of_dxgi(dxgi: u32) -> Option<i32> {
    VERTEX_FORMATS.iter().find(|f| dxgi != 0 && f.dxgi == dxgi).map(|f| f.vk)
}

/// What addresses and strides of vertices of a format are multiples of; 1 for formats that this crate does not know.
pub(super) fn component(format: i32) -> u64 {
    VERTEX_FORMATS.iter().find(|f| f.vk == format).map_or(1, |f| f.component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_d3d12() {
        assert_eq!(vertex_format_of_dxgi(6), Some(106));
        assert_eq!(vertex_format_of_dxgi(24), Some(64));
        for not in [0, 2, 42, 57, u32::MAX] {
            assert_eq!(vertex_format_of_dxgi(not), None, "{not}");
        }
        assert_eq!(VERTEX_FORMATS.iter().filter(|f| vertex_format_of_dxgi(f.dxgi).is_some()).count(), 13, "the specification lists 13");
        assert_eq!((component(106), component(97), component(51), component(-1)), (4, 2, 1, 1));
    }
}
