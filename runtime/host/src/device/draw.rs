//! Draws: render targets, vertex and index buffers, and the state of a graphics pipeline, as plain data.
//!
//! The conventions are Direct3D's: front faces are clockwise as they are seen, y points up unless a viewport says otherwise, and depth
//! is 0 to 1. A draw keeps what is in its targets; a target is cleared when it is made.

use super::{Buffer, Compare, Format, RenderTarget};
use std::fmt;

/// What a texel of a render target is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TargetFormat {
    /// A colour.
    Color(Format),
    /// A depth, with or without a stencil value.
    Depth(DepthFormat),
}

/// The format of a depth target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum DepthFormat {
    /// 16-bit numbers that stand for 0 to 1.
    D16Unorm,
    /// 32-bit floating point.
    D32Float,
    /// 32-bit floating point, and 8 bits of stencil.
    D32FloatS8Uint,
}

impl DepthFormat {
    /// Every depth format with its name in scenes.
    pub const ALL: [(&'static str, DepthFormat); 3] =
        [("d16_unorm", DepthFormat::D16Unorm), ("d32_float", DepthFormat::D32Float), ("d32_float_s8_uint", DepthFormat::D32FloatS8Uint)];

    /// Whether it has a stencil value.
    pub fn has_stencil(self) -> bool {
        self == DepthFormat::D32FloatS8Uint
    }
}

impl fmt::Display for TargetFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetFormat::Color(format) => format.name(),
            TargetFormat::Depth(format) => DepthFormat::ALL.iter().find(|row| row.1 == *format).map_or("", |row| row.0),
        })
    }
}

/// What a target holds before anything is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clear {
    /// A colour as its format's channels: floats, or integers of integer formats (bits of signed ones).
    Float([f32; 4]),
    /// See [`Clear::Float`].
    Uint([u32; 4]),
    /// A depth and a stencil value.
    Depth(f32, u32),
}

/// A render target to make.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetDesc {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Layers of an array; 1: no array.
    pub layers: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// What a texel is.
    pub format: TargetFormat,
    /// What it holds at first.
    pub clear: Clear,
}

/// How the rasteriser assembles vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Topology {
    /// Points.
    Points,
    /// Every two vertices a line.
    Lines,
    /// Connected lines.
    LineStrip,
    /// Every three vertices a triangle.
    Triangles,
    /// Connected triangles.
    TriangleStrip,
    /// Lines with a neighbour at each end.
    LinesAdjacency,
    /// Connected lines with neighbours.
    LineStripAdjacency,
    /// Triangles with three neighbours.
    TrianglesAdjacency,
    /// Connected triangles with neighbours.
    TriangleStripAdjacency,
    /// Patches of so many control points.
    Patches(u32),
}

impl Topology {
    /// Whether the indices may have one that begins a new strip.
    pub fn is_strip(self) -> bool {
        use Topology::*;
        matches!(self, LineStrip | TriangleStrip | LineStripAdjacency | TriangleStripAdjacency)
    }
}

/// The type of the components of a vertex attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AttributeType {
    /// 32-bit floats, this many.
    Float(u32),
    /// 32-bit signed integers.
    Int(u32),
    /// 32-bit unsigned integers.
    Uint(u32),
    /// A texel.
    Texel(Format),
}

impl AttributeType {
    /// Bytes of one attribute.
    pub fn size(self) -> u32 {
        match self {
            AttributeType::Float(n) | AttributeType::Int(n) | AttributeType::Uint(n) => n * 4,
            AttributeType::Texel(format) => format.texel_size(),
        }
    }
}

/// A vertex attribute: where the input at a location comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VertexAttribute {
    /// The location of the vertex shader's input.
    pub location: u32,
    /// The buffer.
    pub buffer: Buffer,
    /// The first attribute's place in it, in bytes.
    pub offset: u64,
    /// Bytes from one attribute to the next; 0: all vertices have the same.
    pub stride: u32,
    /// Its type.
    pub kind: AttributeType,
    /// It advances with each instance and not with each vertex.
    pub per_instance: bool,
}

/// The indices of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexBuffer {
    /// The buffer.
    pub buffer: Buffer,
    /// The place of its first index, in bytes.
    pub offset: u64,
    /// Indices of 16 bits rather than 32.
    pub short: bool,
    /// An index of all ones begins a new strip.
    pub restart: bool,
}

/// How many vertices, instances or groups of threads a draw has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawSize {
    /// Vertices, or indices where there are some.
    Vertices {
        /// How many for each instance.
        count: u32,
        /// How many instances.
        instances: u32,
        /// The first vertex or index.
        first: u32,
        /// Added to indices.
        base_vertex: i32,
        /// The first instance.
        first_instance: u32,
    },
    /// Groups of threads of the mesh shader, or of the amplification shader if there is one.
    Groups([u32; 3]),
}

/// The shaders of a draw, by the names of their exports; a mesh shader, or a vertex shader, and what follows it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawShaders {
    /// The vertex shader.
    pub vertex: Option<String>,
    /// The hull shader.
    pub hull: Option<String>,
    /// The domain shader.
    pub domain: Option<String>,
    /// The geometry shader.
    pub geometry: Option<String>,
    /// The amplification shader.
    pub amplification: Option<String>,
    /// The mesh shader.
    pub mesh: Option<String>,
    /// The pixel shader; none: depth alone.
    pub pixel: Option<String>,
}

/// A factor of blending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum BlendFactor {
    Zero,
    One,
    SrcColor,
    InvSrcColor,
    SrcAlpha,
    InvSrcAlpha,
    DestColor,
    InvDestColor,
    DestAlpha,
    InvDestAlpha,
    SrcAlphaSaturated,
    Constant,
    InvConstant,
    Src1Color,
    InvSrc1Color,
    Src1Alpha,
    InvSrc1Alpha,
}

impl BlendFactor {
    /// Every factor with its name in scenes.
    #[rustfmt::skip]
    pub const ALL: [(&'static str, BlendFactor); 17] = [
        ("zero", BlendFactor::Zero), ("one", BlendFactor::One),
        ("src_color", BlendFactor::SrcColor), ("inv_src_color", BlendFactor::InvSrcColor),
        ("src_alpha", BlendFactor::SrcAlpha), ("inv_src_alpha", BlendFactor::InvSrcAlpha),
        ("dest_color", BlendFactor::DestColor), ("inv_dest_color", BlendFactor::InvDestColor),
        ("dest_alpha", BlendFactor::DestAlpha), ("inv_dest_alpha", BlendFactor::InvDestAlpha),
        ("src_alpha_sat", BlendFactor::SrcAlphaSaturated),
        ("constant", BlendFactor::Constant), ("inv_constant", BlendFactor::InvConstant),
        ("src1_color", BlendFactor::Src1Color), ("inv_src1_color", BlendFactor::InvSrc1Color),
        ("src1_alpha", BlendFactor::Src1Alpha), ("inv_src1_alpha", BlendFactor::InvSrc1Alpha),
    ];

    /// Whether it is of the second colour of the pixel shader.
    pub fn is_second(self) -> bool {
        use BlendFactor::*;
        matches!(self, Src1Color | InvSrc1Color | Src1Alpha | InvSrc1Alpha)
    }
}

/// How blending combines its two products.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum BlendOp {
    Add,
    Subtract,
    RevSubtract,
    Min,
    Max,
}

impl BlendOp {
    /// Every operation with its name in scenes.
    pub const ALL: [(&'static str, BlendOp); 5] = [
        ("add", BlendOp::Add),
        ("subtract", BlendOp::Subtract),
        ("rev_subtract", BlendOp::RevSubtract),
        ("min", BlendOp::Min),
        ("max", BlendOp::Max),
    ];
}

/// An equation of blending: source factor, operation, destination factor.
pub type BlendEquation = (BlendFactor, BlendOp, BlendFactor);

/// How what a pixel shader gives gets into a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blend {
    /// The equations of colour and alpha; none: the new value replaces the old one.
    pub equations: Option<[BlendEquation; 2]>,
    /// The channels that are written: bits from red on.
    pub write_mask: u8,
}

impl Blend {
    /// The new value replaces the old one.
    pub const OFF: Blend = Blend { equations: None, write_mask: 15 };

    /// Whether it needs the second colour of the pixel shader.
    pub fn is_dual(&self) -> bool {
        self.equations.iter().flatten().any(|e| e.0.is_second() || e.2.is_second())
    }
}

/// The depth test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthTest {
    /// When a pixel passes.
    pub compare: Compare,
    /// Whether its depth is kept.
    pub write: bool,
}

/// What becomes of a stencil value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum StencilOp {
    Keep,
    Zero,
    Replace,
    IncrSat,
    DecrSat,
    Invert,
    Incr,
    Decr,
}

impl StencilOp {
    /// Every operation with its name in scenes.
    pub const ALL: [(&'static str, StencilOp); 8] = [
        ("keep", StencilOp::Keep),
        ("zero", StencilOp::Zero),
        ("replace", StencilOp::Replace),
        ("incr_sat", StencilOp::IncrSat),
        ("decr_sat", StencilOp::DecrSat),
        ("invert", StencilOp::Invert),
        ("incr", StencilOp::Incr),
        ("decr", StencilOp::Decr),
    ];
}

/// The stencil test of one side of triangles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StencilFace {
    /// When a pixel passes: the reference value compared with that of the target.
    pub compare: Compare,
    /// After the stencil test fails.
    pub fail: StencilOp,
    /// After the depth test fails.
    pub depth_fail: StencilOp,
    /// After both pass.
    pub pass: StencilOp,
}

/// The stencil test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StencilTest {
    /// Of front faces, points and lines.
    pub front: StencilFace,
    /// Of back faces.
    pub back: StencilFace,
    /// The bits that are compared.
    pub read_mask: u32,
    /// The bits that are written.
    pub write_mask: u32,
    /// The reference value.
    pub reference: u32,
}

/// Which triangles are not drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[allow(missing_docs)]
pub enum Cull {
    #[default]
    None,
    Front,
    Back,
}

/// A viewport.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewport {
    /// Left edge, top edge, width and height, in texels.
    pub rect: [f32; 4],
    /// The depths that 0 and 1 become.
    pub depth: [f32; 2],
    /// Whether y of positions points up.
    pub y_up: bool,
    /// Texels outside of this are not drawn: left, top, width, height.
    pub scissor: Option<[u32; 4]>,
}

/// How primitives become pixels.
#[derive(Clone, PartialEq, Debug)]
pub struct Rasterizer {
    /// Which triangles are not drawn.
    pub cull: Cull,
    /// Counter-clockwise triangles face front.
    pub front_counter_clockwise: bool,
    /// Triangles are drawn as their edges.
    pub wireframe: bool,
    /// What has a depth below 0 or above 1 is cut off; otherwise its depth is clamped.
    pub depth_clip: bool,
    /// Constant, slope-scaled and maximal addition to the depth.
    pub depth_bias: Option<[f32; 3]>,
    /// The samples that are written.
    pub sample_mask: u32,
    /// Alpha of the first target decides which samples are written.
    pub alpha_to_coverage: bool,
}

impl Default for Rasterizer {
    fn default() -> Rasterizer {
        Rasterizer {
            cull: Cull::None,
            front_counter_clockwise: false,
            wireframe: false,
            depth_clip: true,
            depth_bias: None,
            sample_mask: u32::MAX,
            alpha_to_coverage: false,
        }
    }
}

/// A draw.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawDesc {
    /// Its shaders.
    pub shaders: DrawShaders,
    /// What its vertices are.
    pub topology: Topology,
    /// The inputs of its vertex shader.
    pub attributes: Vec<VertexAttribute>,
    /// Its indices.
    pub indices: Option<IndexBuffer>,
    /// How much it draws.
    pub size: DrawSize,
    /// The colour targets in the order of `SV_Target`, with how each is blended.
    pub targets: Vec<(RenderTarget, Blend)>,
    /// The constant of blending.
    pub blend_constant: [f32; 4],
    /// The depth target.
    pub depth: Option<RenderTarget>,
    /// The depth test.
    pub depth_test: Option<DepthTest>,
    /// The stencil test.
    pub stencil_test: Option<StencilTest>,
    /// The viewports; none: all of the targets, y up.
    pub viewports: Vec<Viewport>,
    /// How primitives become pixels.
    pub rasterizer: Rasterizer,
    /// Views that are drawn at once: a bit for each, and a layer of the targets; 0: none.
    pub view_mask: u32,
}
