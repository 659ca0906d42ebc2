//! What attributes and types of graphics shaders say of the primitives that they take and make: the words of HLSL, and the numbers
//! that DXIL has for them.

use crate::limits::PATCH_POINTS;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$row:meta])* $variant:ident = $number:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$row])* $variant = $number,)* }

        impl $name {
            /// All, with their words in HLSL.
            pub const ALL: &[($name, &'static str)] = &[$(($name::$variant, $text),)*];
            /// The word in HLSL.
            pub fn word(self) -> &'static str {
                Self::ALL.iter().find(|r| r.0 == self).map_or("", |r| r.1)
            }
            /// The one with this word, in lower case.
            pub fn named(word: &str) -> Option<$name> {
                Self::ALL.iter().find(|r| r.1 == word).map(|r| r.0)
            }
            /// The one with this number in DXIL.
            pub fn from_number(n: u32) -> Option<$name> {
                Self::ALL.iter().find(|r| r.0 as u32 == n).map(|r| r.0)
            }
            /// All words.
            pub fn words() -> impl Iterator<Item = &'static str> {
                Self::ALL.iter().map(|r| r.1)
            }
        }
    };
}

/// What a geometry shader runs for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum InputPrimitive {
    /// One vertex.
    Point,
    /// Two vertices.
    Line,
    /// Three vertices.
    Triangle,
    /// A line with the vertices before and after it.
    LineAdjacency,
    /// A triangle with the vertices of its neighbours.
    TriangleAdjacency,
    /// A patch of so many control points (`InputPatch`), 1 to 32.
    Patch(u8),
}

impl InputPrimitive {
    /// Those that specifiers name: the word in HLSL, the number in DXIL, the vertices.
    const NAMED: [(InputPrimitive, &'static str, u32, u32); 5] = [
        (InputPrimitive::Point, "point", 1, 1),
        (InputPrimitive::Line, "line", 2, 2),
        (InputPrimitive::Triangle, "triangle", 3, 3),
        (InputPrimitive::LineAdjacency, "lineadj", 6, 4),
        (InputPrimitive::TriangleAdjacency, "triangleadj", 7, 6),
    ];
    /// The number in DXIL of a patch of no control points, which there is not.
    const PATCH: u32 = 7;

    fn row(self) -> Option<&'static (InputPrimitive, &'static str, u32, u32)> {
        Self::NAMED.iter().find(|r| r.0 == self)
    }
    /// Vertices of a primitive.
    pub fn vertices(self) -> u32 {
        match self {
            InputPrimitive::Patch(n) => n.into(),
            named => named.row().map_or(0, |r| r.3),
        }
    }
    /// The word in HLSL; of a patch it is that of its type.
    pub fn word(self) -> &'static str {
        self.row().map_or("InputPatch", |r| r.1)
    }
    /// All words of specifiers.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::NAMED.iter().map(|r| r.1)
    }
    /// The number in DXIL.
    pub fn number(self) -> u32 {
        match self {
            InputPrimitive::Patch(n) => Self::PATCH + u32::from(n),
            named => named.row().map_or(0, |r| r.2),
        }
    }
    /// The one with this number in DXIL.
    pub fn from_number(n: u32) -> Option<InputPrimitive> {
        let named = Self::NAMED.iter().find(|r| r.2 == n).map(|r| r.0);
        let points = n.checked_sub(Self::PATCH).filter(|points| (1..=PATCH_POINTS).contains(points));
        named.or_else(|| points.map(|points| InputPrimitive::Patch(points as u8)))
    }
}

/// The word, with the number of control points of a patch: what listings say.
impl std::fmt::Display for InputPrimitive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputPrimitive::Patch(n) => write!(f, "patch{n}"),
            named => f.write_str(named.word()),
        }
    }
}

words! {
    /// What a geometry shader makes; the word is the type of its stream.
    StreamTopology {
        /// Points.
        Points = 1 "PointStream",
        /// Line strips.
        Lines = 3 "LineStream",
        /// Triangle strips.
        Triangles = 5 "TriangleStream",
    }
}

impl StreamTopology {
    /// The primitive that it is made of.
    pub fn primitive(self) -> &'static str {
        match self {
            StreamTopology::Points => "point",
            StreamTopology::Lines => "line",
            StreamTopology::Triangles => "triangle",
        }
    }
}

words! {
    /// What a mesh shader makes (`[outputtopology]`).
    MeshTopology {
        /// Points, in Vulkan alone.
        Point = 0 "point",
        /// Lines.
        Line = 1 "line",
        /// Triangles.
        Triangle = 2 "triangle",
    }
}

impl MeshTopology {
    /// Vertices of a primitive.
    pub fn vertices(self) -> u32 {
        self as u32 + 1
    }
}

words! {
    /// The shape of a patch (`[domain]`).
    Domain {
        /// Lines.
        Isoline = 1 "isoline",
        /// A triangle.
        Triangle = 2 "tri",
        /// A quadrilateral.
        Quad = 3 "quad",
    }
}

impl Domain {
    /// Edge factors, and factors of the inside.
    pub fn factors(self) -> (u32, u32) {
        match self {
            Domain::Isoline => (2, 0),
            Domain::Triangle => (3, 1),
            Domain::Quad => (4, 2),
        }
    }
    /// Components of `SV_DomainLocation` that a shader may read; the third of an isoline means nothing.
    pub fn location_components(self) -> u32 {
        if self == Domain::Quad { 2 } else { 3 }
    }
}

words! {
    /// How the tessellator divides edges (`[partitioning]`).
    Partitioning {
        /// Into a whole number of pieces.
        Integer = 1 "integer",
        /// Into a power of two.
        PowerOfTwo = 2 "pow2",
        /// Into an odd number, continuously.
        FractionalOdd = 3 "fractional_odd",
        /// Into an even number, continuously.
        FractionalEven = 4 "fractional_even",
    }
}

words! {
    /// What the tessellator makes (`[outputtopology]` of a hull shader).
    TessellatorOutput {
        /// Points.
        Point = 1 "point",
        /// Lines.
        Line = 2 "line",
        /// Triangles, clockwise.
        Clockwise = 3 "triangle_cw",
        /// Triangles, counterclockwise.
        Counterclockwise = 4 "triangle_ccw",
    }
}
