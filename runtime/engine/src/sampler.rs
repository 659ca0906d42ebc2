//! Sampler descriptions, with the settings of D3D12.

/// How a sampler treats coordinates outside of 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Address {
    /// Repeats the image.
    #[default]
    Wrap,
    /// Repeats it, every other time mirrored.
    Mirror,
    /// Continues the texel at the edge.
    Clamp,
    /// Transparent black, opaque black or opaque white, as [`SamplerDesc::border`] says.
    Border,
    /// Mirrored once, then clamped.
    MirrorOnce,
}

/// The border colours that both APIs have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Border {
    /// 0, 0, 0, 0.
    #[default]
    TransparentBlack,
    /// 0, 0, 0, 1.
    OpaqueBlack,
    /// 1, 1, 1, 1.
    OpaqueWhite,
}

/// How a comparison sampler compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Compare {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// A sampler to make.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SamplerDesc {
    /// Linear filtering when texels are smaller than samples.
    pub min_linear: bool,
    /// Linear filtering when texels are larger than samples.
    pub mag_linear: bool,
    /// Linear interpolation between mip levels.
    pub mip_linear: bool,
    /// Anisotropic filtering up to this ratio; 0 or 1: none.
    pub max_anisotropy: u32,
    /// Along u, v and w.
    pub address: [Address; 3],
    /// Colour outside with [`Address::Border`].
    pub border: Border,
    /// Added to the mip level.
    pub mip_bias: f32,
    /// Smallest mip level.
    pub min_lod: f32,
    /// Largest mip level.
    pub max_lod: f32,
    /// Comparison, for `SamplerComparisonState`.
    pub compare: Option<Compare>,
}

impl Default for SamplerDesc {
    fn default() -> Self {
        SamplerDesc {
            min_linear: true,
            mag_linear: true,
            mip_linear: true,
            max_anisotropy: 0,
            address: [Address::Wrap; 3],
            border: Border::default(),
            mip_bias: 0.0,
            min_lod: 0.0,
            max_lod: 1000.0,
            compare: None,
        }
    }
}
