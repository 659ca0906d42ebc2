//! Resources: register classes, shapes, component types, with their numbers in DXIL and
//! their names in IR text.

macro_rules! numbered {
    ($(#[$m:meta])* $name:ident { $($(#[$vm:meta])* $v:ident = $n:literal $text:literal $title:literal,)* }) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        #[repr(u8)]
        pub enum $name { $($(#[$vm])* $v = $n,)* }
        impl $name {
            /// All values in order.
            pub const ALL: &[$name] = &[$($name::$v,)*];
            /// The name in IR text.
            pub const fn name(self) -> &'static str { match self { $(Self::$v => $text,)* } }
            /// The name in listings, reflection and reports.
            pub const fn title(self) -> &'static str { match self { $(Self::$v => $title,)* } }
            /// The value with this name in IR text.
            pub fn from_name(s: &str) -> Option<Self> { match s { $($text => Some(Self::$v),)* _ => None } }
            /// The value with this number: in DXIL and in the containers.
            pub const fn from_number(n: u32) -> Option<Self> { match n { $($n => Some(Self::$v),)* _ => None } }
            /// The number in DXIL and in the containers.
            pub const fn number(self) -> u32 { self as u32 }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.title()) }
        }
    };
}

numbered! {
    /// The register classes.
    ResourceClass {
        /// `t` registers: read only.
        Srv = 0 "srv" "SRV",
        /// `u` registers: read and write.
        Uav = 1 "uav" "UAV",
        /// `b` registers: constants.
        Cbv = 2 "cbv" "CBV",
        /// `s` registers.
        Sampler = 3 "sampler" "Sampler",
    }
}

impl ResourceClass {
    /// The letter of the registers: `t`, `u`, `b`, `s`.
    pub const fn letter(self) -> char {
        ['t', 'u', 'b', 's'][self as usize]
    }
}

numbered! {
    /// The shapes of resources, numbered as DXIL numbers them.
    ResourceKind {
        /// Not a resource.
        Invalid = 0 "none" "invalid",
        /// `Texture1D`.
        Texture1D = 1 "tex1d" "Texture1D",
        /// `Texture2D`.
        Texture2D = 2 "tex2d" "Texture2D",
        /// `Texture2DMS`.
        Texture2DMS = 3 "tex2dms" "Texture2DMS",
        /// `Texture3D`.
        Texture3D = 4 "tex3d" "Texture3D",
        /// `TextureCube`.
        TextureCube = 5 "texcube" "TextureCube",
        /// `Texture1DArray`.
        Texture1DArray = 6 "tex1darray" "Texture1DArray",
        /// `Texture2DArray`.
        Texture2DArray = 7 "tex2darray" "Texture2DArray",
        /// `Texture2DMSArray`.
        Texture2DMSArray = 8 "tex2dmsarray" "Texture2DMSArray",
        /// `TextureCubeArray`.
        TextureCubeArray = 9 "texcubearray" "TextureCubeArray",
        /// `Buffer<T>`, `RWBuffer<T>`.
        TypedBuffer = 10 "buffer" "TypedBuffer",
        /// `ByteAddressBuffer`.
        RawBuffer = 11 "raw" "RawBuffer",
        /// `StructuredBuffer<T>` and its relatives.
        StructuredBuffer = 12 "structured" "StructuredBuffer",
        /// `cbuffer`, `ConstantBuffer<T>`.
        CBuffer = 13 "cbuffer" "CBuffer",
        /// `SamplerState`, `SamplerComparisonState`.
        Sampler = 14 "sampler" "Sampler",
        /// `tbuffer`, `TextureBuffer<T>`.
        TBuffer = 15 "tbuffer" "TBuffer",
        /// `RaytracingAccelerationStructure`.
        AccelerationStructure = 16 "accel" "RTAccelerationStructure",
        /// `FeedbackTexture2D`.
        FeedbackTexture2D = 17 "feedback2d" "FeedbackTexture2D",
        /// `FeedbackTexture2DArray`.
        FeedbackTexture2DArray = 18 "feedback2darray" "FeedbackTexture2DArray",
        /// `SubpassInput`: of Vulkan, not of DXIL.
        SubpassInput = 19 "subpass" "SubpassInput",
        /// `SubpassInputMS`, the same with samples.
        SubpassInputMS = 20 "subpassms" "SubpassInputMS",
    }
}

impl ResourceKind {
    /// How many integers or floats address a texel: array slice included, mip level and sample not.
    /// 0 for what is not addressed by texel.
    pub fn coords(self) -> u32 {
        use ResourceKind::*;
        match self {
            Texture1D | TypedBuffer => 1,
            Texture2D | Texture2DMS | Texture1DArray | FeedbackTexture2D | SubpassInput | SubpassInputMS => 2,
            Texture3D | TextureCube | Texture2DArray | Texture2DMSArray | FeedbackTexture2DArray => 3,
            TextureCubeArray => 4,
            _ => 0,
        }
    }
    /// Whether it is a texture of any kind.
    pub fn is_texture(self) -> bool {
        matches!(self.number(), 1..=9)
    }
    /// Whether the last coordinate is an array slice.
    pub fn is_array(self) -> bool {
        use ResourceKind::*;
        matches!(self, Texture1DArray | Texture2DArray | Texture2DMSArray | TextureCubeArray | FeedbackTexture2DArray)
    }
    /// Whether texels have several samples.
    pub fn is_multisampled(self) -> bool {
        matches!(self, ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray | ResourceKind::SubpassInputMS)
    }
    /// Whether it is an attachment that a render pass reads at the place of the pixel.
    pub fn is_subpass(self) -> bool {
        matches!(self, ResourceKind::SubpassInput | ResourceKind::SubpassInputMS)
    }
    /// Whether it holds texels of a component type.
    pub fn is_typed(self) -> bool {
        self.coords() > 0
    }
}

numbered! {
    /// Component types of typed resources, numbered as DXIL numbers them.
    CompType {
        /// None.
        Invalid = 0 "none" "none",
        /// 1-bit boolean.
        I1 = 1 "i1" "i1",
        /// Signed 16 bits.
        I16 = 2 "i16" "i16",
        /// Unsigned 16 bits.
        U16 = 3 "u16" "u16",
        /// Signed 32 bits.
        I32 = 4 "i32" "i32",
        /// Unsigned 32 bits.
        U32 = 5 "u32" "u32",
        /// Signed 64 bits.
        I64 = 6 "i64" "i64",
        /// Unsigned 64 bits.
        U64 = 7 "u64" "u64",
        /// Half.
        F16 = 8 "f16" "f16",
        /// Float.
        F32 = 9 "f32" "f32",
        /// Double.
        F64 = 10 "f64" "f64",
        /// Signed normalised 16 bits.
        SNormF16 = 11 "snorm16" "snorm_f16",
        /// Unsigned normalised 16 bits.
        UNormF16 = 12 "unorm16" "unorm_f16",
        /// Signed normalised, float in registers.
        SNormF32 = 13 "snorm32" "snorm_f32",
        /// Unsigned normalised, float in registers.
        UNormF32 = 14 "unorm32" "unorm_f32",
        /// Signed normalised, double in registers.
        SNormF64 = 15 "snorm64" "snorm_f64",
        /// Unsigned normalised, double in registers.
        UNormF64 = 16 "unorm64" "unorm_f64",
        /// Four signed bytes in 32 bits.
        PackedS8x32 = 17 "pack_s8" "p32i8",
        /// Four unsigned bytes in 32 bits.
        PackedU8x32 = 18 "pack_u8" "p32u8",
    }
}

impl CompType {
    /// The type without normalisation.
    pub const fn plain(self) -> CompType {
        match self {
            CompType::SNormF16 | CompType::UNormF16 => CompType::F16,
            CompType::SNormF32 | CompType::UNormF32 => CompType::F32,
            CompType::SNormF64 | CompType::UNormF64 => CompType::F64,
            other => other,
        }
    }
}

numbered! {
    /// The read-modify-write operations, numbered as DXIL's `AtomicBinOp` numbers them;
    /// compare-exchange is 9.
    AtomicOp {
        /// Sum.
        Add = 0 "add" "add",
        /// Bitwise and.
        And = 1 "and" "and",
        /// Bitwise or.
        Or = 2 "or" "or",
        /// Bitwise exclusive or.
        Xor = 3 "xor" "xor",
        /// Signed minimum.
        SMin = 4 "smin" "smin",
        /// Signed maximum.
        SMax = 5 "smax" "smax",
        /// Unsigned minimum.
        UMin = 6 "umin" "umin",
        /// Unsigned maximum.
        UMax = 7 "umax" "umax",
        /// Exchange.
        Exchange = 8 "exchange" "exchange",
        /// Compare and exchange.
        CompareExchange = 9 "cmpxchg" "cmpxchg",
    }
}

numbered! {
    /// A reduction over the lanes of a wave. The signedness of a sum or product is irrelevant, but DXIL records it.
    WaveOp {
        /// Sum of floats or signed integers.
        Sum = 0 "sum" "sum",
        /// Product of floats or signed integers.
        Product = 1 "product" "product",
        /// Minimum of floats or signed integers.
        Min = 2 "min" "min",
        /// Maximum of floats or signed integers.
        Max = 3 "max" "max",
        /// Sum of unsigned integers.
        USum = 4 "usum" "usum",
        /// Product of unsigned integers.
        UProduct = 5 "uproduct" "uproduct",
        /// Minimum of unsigned integers.
        UMin = 6 "umin" "umin",
        /// Maximum of unsigned integers.
        UMax = 7 "umax" "umax",
        /// Bitwise and.
        And = 8 "and" "and",
        /// Bitwise or.
        Or = 9 "or" "or",
        /// Bitwise exclusive or.
        Xor = 10 "xor" "xor",
    }
}

impl WaveOp {
    /// The same operation on unsigned integers.
    pub const fn unsigned(self) -> WaveOp {
        match self {
            WaveOp::Sum => WaveOp::USum,
            WaveOp::Product => WaveOp::UProduct,
            WaveOp::Min => WaveOp::UMin,
            WaveOp::Max => WaveOp::UMax,
            other => other,
        }
    }
    /// Whether it is for integers alone.
    pub const fn is_integer(self) -> bool {
        self as u32 >= WaveOp::USum as u32
    }
}

numbered! {
    /// The formats that `[[vk::image_format("…")]]` names, numbered as SPIR-V numbers them.
    ImageFormat {
        /// `unknown`: whatever the image has.
        Unknown = 0 "unknown" "unknown",
        /// `rgba32f`.
        Rgba32f = 1 "rgba32f" "rgba32f",
        /// `rgba16f`.
        Rgba16f = 2 "rgba16f" "rgba16f",
        /// `r32f`.
        R32f = 3 "r32f" "r32f",
        /// `rgba8`.
        Rgba8 = 4 "rgba8" "rgba8",
        /// `rgba8snorm`.
        Rgba8snorm = 5 "rgba8snorm" "rgba8snorm",
        /// `rg32f`.
        Rg32f = 6 "rg32f" "rg32f",
        /// `rg16f`.
        Rg16f = 7 "rg16f" "rg16f",
        /// `r11g11b10f`.
        R11g11b10f = 8 "r11g11b10f" "r11g11b10f",
        /// `r16f`.
        R16f = 9 "r16f" "r16f",
        /// `rgba16`.
        Rgba16 = 10 "rgba16" "rgba16",
        /// `rgb10a2`.
        Rgb10a2 = 11 "rgb10a2" "rgb10a2",
        /// `rg16`.
        Rg16 = 12 "rg16" "rg16",
        /// `rg8`.
        Rg8 = 13 "rg8" "rg8",
        /// `r16`.
        R16 = 14 "r16" "r16",
        /// `r8`.
        R8 = 15 "r8" "r8",
        /// `rgba16snorm`.
        Rgba16snorm = 16 "rgba16snorm" "rgba16snorm",
        /// `rg16snorm`.
        Rg16snorm = 17 "rg16snorm" "rg16snorm",
        /// `rg8snorm`.
        Rg8snorm = 18 "rg8snorm" "rg8snorm",
        /// `r16snorm`.
        R16snorm = 19 "r16snorm" "r16snorm",
        /// `r8snorm`.
        R8snorm = 20 "r8snorm" "r8snorm",
        /// `rgba32i`.
        Rgba32i = 21 "rgba32i" "rgba32i",
        /// `rgba16i`.
        Rgba16i = 22 "rgba16i" "rgba16i",
        /// `rgba8i`.
        Rgba8i = 23 "rgba8i" "rgba8i",
        /// `r32i`.
        R32i = 24 "r32i" "r32i",
        /// `rg32i`.
        Rg32i = 25 "rg32i" "rg32i",
        /// `rg16i`.
        Rg16i = 26 "rg16i" "rg16i",
        /// `rg8i`.
        Rg8i = 27 "rg8i" "rg8i",
        /// `r16i`.
        R16i = 28 "r16i" "r16i",
        /// `r8i`.
        R8i = 29 "r8i" "r8i",
        /// `rgba32ui`.
        Rgba32ui = 30 "rgba32ui" "rgba32ui",
        /// `rgba16ui`.
        Rgba16ui = 31 "rgba16ui" "rgba16ui",
        /// `rgba8ui`.
        Rgba8ui = 32 "rgba8ui" "rgba8ui",
        /// `r32ui`.
        R32ui = 33 "r32ui" "r32ui",
        /// `rgb10a2ui`.
        Rgb10a2ui = 34 "rgb10a2ui" "rgb10a2ui",
        /// `rg32ui`.
        Rg32ui = 35 "rg32ui" "rg32ui",
        /// `rg16ui`.
        Rg16ui = 36 "rg16ui" "rg16ui",
        /// `rg8ui`.
        Rg8ui = 37 "rg8ui" "rg8ui",
        /// `r16ui`.
        R16ui = 38 "r16ui" "r16ui",
        /// `r8ui`.
        R8ui = 39 "r8ui" "r8ui",
        /// `r64ui`.
        R64ui = 40 "r64ui" "r64ui",
        /// `r64i`.
        R64i = 41 "r64i" "r64i",
    }
}

bitflags::bitflags! {
    /// Properties of a resource beyond its shape.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
    pub struct ResourceFlags: u8 {
        /// `globallycoherent`.
        const COHERENT = 1;
        /// Has a hidden counter that the shader uses.
        const COUNTER = 2;
        /// Rasterizer ordered.
        const ROV = 4;
        /// `reordercoherent`.
        const REORDER_COHERENT = 8;
        /// A comparison sampler.
        const COMPARISON = 16;
        /// Used by 64-bit atomics.
        const ATOMIC64 = 32;
        /// Push constants or a shader record (Vulkan): laid out as storage buffers are.
        const PUSH = 64;
        /// A texture with its sampler in one descriptor (Vulkan): where an instruction takes a sampler, it is this resource again.
        const SAMPLED = 128;
    }
}

/// In the immediate number of loads from buffers, besides the alignment: the load gives its residency status.
pub const LOAD_STATUS: u32 = 1 << 8;

bitflags::bitflags! {
    /// Which optional operands a texture instruction has, in this order after the required ones.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
    pub struct TexOperands: u32 {
        /// A constant or dynamic texel offset vector.
        const OFFSET = 1;
        /// A minimum level clamp.
        const CLAMP = 2;
        /// The instruction has a second result: the residency status (i32).
        const STATUS = 4;
        /// Four offset vectors instead of one (gather).
        const FOUR_OFFSETS = 8;
        /// Gather: bits 8 and 9 hold the channel.
        const CHANNEL = 3 << 8;
    }
}
