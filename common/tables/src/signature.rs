//! Semantics of stage inputs and outputs: which system value is legal at which signature point, what it becomes there, and
//! the types that it may have. The shape is that of the reference's tables: a row for each semantic, a cell for each point.

use crate::dxil_ops::{DxOp, op};
use crate::pipeline::Domain;
use crate::stages::Stage;

/// A signature point: a set of inputs or outputs of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum SigPoint {
    VsIn,
    VsOut,
    PcIn,
    HsIn,
    HsCpIn,
    HsCpOut,
    PcOut,
    DsIn,
    DsCpIn,
    DsOut,
    GsVIn,
    GsIn,
    GsOut,
    PsIn,
    PsOut,
    MsIn,
    MsOut,
    MsPOut,
}

/// Which rows and columns of registers the elements of a signature point may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Every element begins a new row.
    InputAssembler,
    /// Elements share rows.
    Shared,
    /// The row is the semantic index.
    Target,
    /// The point has no packed elements.
    None,
}

impl SigPoint {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        use SigPoint::*;
        match self {
            VsIn => "a vertex shader's input",
            VsOut => "a vertex shader's output",
            PsIn => "a pixel shader's input",
            PsOut => "a pixel shader's output",
            PcIn => "a patch constant function's input",
            HsIn => "a hull shader's input",
            HsCpIn => "a hull shader's control point input",
            HsCpOut => "a hull shader's output",
            PcOut => "a patch constant function's output",
            DsIn => "a domain shader's input",
            DsCpIn => "a domain shader's control point input",
            DsOut => "a domain shader's output",
            GsVIn => "a geometry shader's vertex input",
            GsIn => "a geometry shader's input",
            GsOut => "a geometry shader's output",
            MsIn => "a mesh shader's input",
            MsOut => "a mesh shader's vertex output",
            MsPOut => "a mesh shader's primitive output",
        }
    }
    /// How its elements are packed.
    pub fn packing(self) -> Packing {
        use SigPoint::*;
        match self {
            VsIn => Packing::InputAssembler,
            PsOut => Packing::Target,
            PcIn | HsIn | GsIn | MsIn => Packing::None,
            _ => Packing::Shared,
        }
    }
    /// Whether its elements have interpolation modes.
    pub fn interpolates(self) -> bool {
        use SigPoint::*;
        matches!(self, VsOut | HsCpIn | HsCpOut | DsCpIn | DsOut | GsVIn | GsOut | PsIn | MsOut | MsPOut)
    }
    /// All, with their names in IR text.
    pub const ALL: [(SigPoint, &'static str); 18] = [
        (SigPoint::VsIn, "VsIn"),
        (SigPoint::VsOut, "VsOut"),
        (SigPoint::PcIn, "PcIn"),
        (SigPoint::HsIn, "HsIn"),
        (SigPoint::HsCpIn, "HsCpIn"),
        (SigPoint::HsCpOut, "HsCpOut"),
        (SigPoint::PcOut, "PcOut"),
        (SigPoint::DsIn, "DsIn"),
        (SigPoint::DsCpIn, "DsCpIn"),
        (SigPoint::DsOut, "DsOut"),
        (SigPoint::GsVIn, "GsVIn"),
        (SigPoint::GsIn, "GsIn"),
        (SigPoint::GsOut, "GsOut"),
        (SigPoint::PsIn, "PsIn"),
        (SigPoint::PsOut, "PsOut"),
        (SigPoint::MsIn, "MsIn"),
        (SigPoint::MsOut, "MsOut"),
        (SigPoint::MsPOut, "MsPOut"),
    ];
    /// Whether its elements leave the stage.
    pub fn is_output(self) -> bool {
        use SigPoint::*;
        matches!(self, VsOut | HsCpOut | PcOut | DsOut | GsOut | PsOut | MsOut | MsPOut)
    }
    /// The stage that has the point.
    pub fn stage(self) -> Stage {
        use SigPoint::*;
        match self {
            VsIn | VsOut => Stage::Vertex,
            PcIn | HsIn | HsCpIn | HsCpOut | PcOut => Stage::Hull,
            DsIn | DsCpIn | DsOut => Stage::Domain,
            GsVIn | GsIn | GsOut => Stage::Geometry,
            PsIn | PsOut => Stage::Pixel,
            MsIn | MsOut | MsPOut => Stage::Mesh,
        }
    }
    /// The point of plain parameters, or of results and `out` parameters, of a stage; the mesh shader's are those of vertices.
    pub fn of_stage(stage: Stage, output: bool) -> Option<SigPoint> {
        use SigPoint::*;
        Some(match (stage, output) {
            (Stage::Vertex, false) => VsIn,
            (Stage::Vertex, true) => VsOut,
            (Stage::Geometry, false) => GsIn,
            (Stage::Geometry, true) => GsOut,
            (Stage::Hull, false) => HsIn,
            (Stage::Hull, true) => HsCpOut,
            (Stage::Domain, false) => DsIn,
            (Stage::Domain, true) => DsOut,
            (Stage::Pixel, false) => PsIn,
            (Stage::Pixel, true) => PsOut,
            (Stage::Mesh | Stage::Amplification, false) => MsIn,
            (Stage::Mesh, true) => MsOut,
            _ => return None,
        })
    }
}

/// What a semantic becomes at a signature point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpretation {
    /// Any name: nothing of the name matters.
    Arbitrary,
    /// A system value.
    SystemValue,
    /// A system value that the hardware makes; it is packed last.
    SystemGenerated,
    /// Not in the signature: an operation gives it.
    NotInSignature,
    /// In the signature, without a register.
    NotPacked,
    /// An operation gives it, and the signature has an element without a register.
    Shadow,
    /// A render target.
    Target,
    /// A tessellation factor.
    TessFactor,
    /// A clip or cull distance.
    ClipCull,
}

impl Interpretation {
    /// Whether it has a register.
    pub fn is_packed(self) -> bool {
        use Interpretation::*;
        !matches!(self, NotInSignature | NotPacked | Shadow)
    }
    /// Whether the signature has an element for it.
    pub fn is_in_signature(self) -> bool {
        self != Interpretation::NotInSignature
    }
}

/// The types that a system value may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Any numbers.
    Any,
    /// One unsigned integer.
    Uint,
    /// One integer or `bool`.
    Flag,
    /// One `bool`.
    Bool,
    /// One float.
    Float,
    /// Floats, up to so many components.
    Floats(u8),
    /// Exactly so many floats.
    Vector(u8),
    /// Numbers of 32 bits at most, up to four components.
    Target,
}

impl Demand {
    /// The types in words.
    pub fn text(self) -> String {
        match self {
            Demand::Any => "any numbers".into(),
            Demand::Uint => "`uint`".into(),
            Demand::Flag => "`bool` or an integer".into(),
            Demand::Bool => "`bool`".into(),
            Demand::Float | Demand::Floats(1) => "`float`".into(),
            Demand::Floats(most) => format!("`float`, up to {most} components"),
            Demand::Vector(n) => format!("`float{n}`"),
            Demand::Target => "numbers of 32 bits at most, up to four components".into(),
        }
    }
}

macro_rules! semantics {
    ($($(#[$doc:meta])* $name:ident = $n:literal, $sv:literal, $text:literal, $cells:literal, $demand:expr, $model:literal, $op:expr;)*) => {
        /// The meaning of a semantic, numbered as DXIL numbers it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Semantic { $($name = $n,)* }

        /// The table of semantics, by number.
        pub const SEMANTICS: &[SemanticInfo] = &[$(SemanticInfo {
            semantic: Semantic::$name, name: $text, system_value: $sv, cells: $cells, demand: $demand, model: $model, op: $op,
        },)*];
    };
}

/// A row of [`SEMANTICS`].
pub struct SemanticInfo {
    /// The semantic.
    pub semantic: Semantic,
    /// Its canonical spelling; empty for arbitrary names.
    pub name: &'static str,
    /// The number of the system value in `ISG1` and its like; of tessellation factors, which depend on the domain, 0.
    pub system_value: u32,
    /// A letter for each [`SigPoint`]: what it is there.
    cells: &'static str,
    /// The types it may have.
    pub demand: Demand,
    /// The first shader model that has it.
    pub model: u8,
    /// The operation that gives it where it is not in the signature or a shadow.
    pub op: Option<DxOp>,
}

use Demand as D;

#[rustfmt::skip]
semantics! {
//                            sv  name             A: VsIn … MsPOut      types         model, operation
    Arbitrary = 0,             0, "",                       "AA..AAAAAAA.AA..AA", D::Any,       0, None;
    VertexId = 1,              6, "SV_VertexID",            "S.................", D::Uint,      0, None;
    InstanceId = 2,            8, "SV_InstanceID",          "SA..AA..AAA.AA....", D::Uint,      0, None;
    Position = 3,              1, "SV_Position",            "AS..SSAASSS.SS..S.", D::Vector(4), 0, None;
    RenderTargetArrayIndex = 4, 4, "SV_RenderTargetArrayIndex", "AS..SSAASSS.SS...S", D::Uint,  0, None;
    ViewportArrayIndex = 5,    5, "SV_ViewportArrayIndex",  "AS..SSAASSS.SS...S", D::Uint,      0, None;
    ClipDistance = 6,          2, "SV_ClipDistance",        "AC..CCAACCC.CC..C.", D::Floats(4), 0, None;
    CullDistance = 7,          3, "SV_CullDistance",        "AC..CCAACCC.CC..C.", D::Floats(4), 0, None;
    OutputControlPointId = 8,  0, "SV_OutputControlPointID", "...i..............", D::Uint,     0, Some(op::OUTPUT_CONTROL_POINT_ID);
    DomainLocation = 9,        0, "SV_DomainLocation",      ".......i..........", D::Floats(3), 0, Some(op::DOMAIN_LOCATION);
    PrimitiveId = 10,          7, "SV_PrimitiveID",         "..ii...i...hGG...S", D::Uint,      0, Some(op::PRIMITIVE_ID);
    GsInstanceId = 11,         0, "SV_GSInstanceID",        "...........i......", D::Uint,      0, Some(op::GS_INSTANCE_ID);
    SampleIndex = 12,         10, "SV_SampleIndex",         ".............h....", D::Uint,      0, Some(op::SAMPLE_INDEX);
    IsFrontFace = 13,          9, "SV_IsFrontFace",         "............GG....", D::Flag,      0, None;
    Coverage = 14,            66, "SV_Coverage",            ".............ip...", D::Uint,      0, Some(op::COVERAGE);
    InnerCoverage = 15,       70, "SV_InnerCoverage",       ".............i....", D::Uint,      0, Some(op::INNER_COVERAGE);
    Target = 16,              64, "SV_Target",              "..............T...", D::Target,    0, None;
    Depth = 17,               65, "SV_Depth",               "..............p...", D::Float,     0, None;
    DepthLessEqual = 18,      68, "SV_DepthLessEqual",      "..............p...", D::Float,     0, None;
    DepthGreaterEqual = 19,   67, "SV_DepthGreaterEqual",   "..............p...", D::Float,     0, None;
    StencilRef = 20,          69, "SV_StencilRef",          "..............p...", D::Uint,      0, None;
    DispatchThreadId = 21,     0, "SV_DispatchThreadID",    "...............i..", D::Any,       0, Some(op::THREAD_ID);
    GroupId = 22,              0, "SV_GroupID",             "...............i..", D::Any,       0, Some(op::GROUP_ID);
    GroupIndex = 23,           0, "SV_GroupIndex",          "...............i..", D::Uint,      0, Some(op::FLATTENED_THREAD_ID_IN_GROUP);
    GroupThreadId = 24,        0, "SV_GroupThreadID",       "...............i..", D::Any,       0, Some(op::THREAD_ID_IN_GROUP);
    TessFactor = 25,           0, "SV_TessFactor",          "......FF..........", D::Floats(1), 0, None;
    InsideTessFactor = 26,     0, "SV_InsideTessFactor",    "......FF..........", D::Floats(1), 0, None;
    ViewId = 27,               0, "SV_ViewID",              "i.ii...i...i.i.i..", D::Uint,      1, Some(op::VIEW_ID);
    Barycentrics = 28,        23, "SV_Barycentrics",        ".............p....", D::Vector(3), 1, None;
    ShadingRate = 29,         24, "SV_ShadingRate",         ".S..SS..SSS.SS...S", D::Uint,      4, None;
    CullPrimitive = 30,       25, "SV_CullPrimitive",       ".............i...p", D::Bool,      0, None;
    StartVertexLocation = 31,  0, "SV_StartVertexLocation", "i.................", D::Uint,      8, Some(op::START_VERTEX_LOCATION);
    StartInstanceLocation = 32, 0, "SV_StartInstanceLocation", "i.................", D::Uint,   8, Some(op::START_INSTANCE_LOCATION);
}

/// The system values of `ISG1` and its like in listings, by number. Tessellation factors have numbers of their own for each domain.
pub const SYSTEM_VALUES: &[(u32, &str)] = &[
    (1, "POS"),
    (2, "CLIPDST"),
    (3, "CULLDST"),
    (4, "RTINDEX"),
    (5, "VPINDEX"),
    (6, "VERTID"),
    (7, "PRIMID"),
    (8, "INSTID"),
    (9, "FFACE"),
    (10, "SAMPLE"),
    (11, "QUADEDGE"),
    (12, "QUADINT"),
    (13, "TRIEDGE"),
    (14, "TRIINT"),
    (15, "LINEDET"),
    (16, "LINEDEN"),
    (23, "BARYCEN"),
    (24, "SHDINGRATE"),
    (25, "CULLPRIM"),
    (64, "TARGET"),
    (65, "DEPTH"),
    (66, "COVERAGE"),
    (67, "DEPTHGE"),
    (68, "DEPTHLE"),
    (69, "STENCILREF"),
    (70, "INNERCOV"),
];

/// The system value with this number in listings: `NONE` if there is none.
pub fn system_value_name(number: u32) -> &'static str {
    SYSTEM_VALUES.iter().find(|r| r.0 == number).map_or("NONE", |r| r.1)
}

/// The semantics of Direct3D 9 that stand for system values.
const OLDER: &[(SigPoint, &str, Semantic)] = &[
    (SigPoint::VsOut, "POSITION", Semantic::Position),
    (SigPoint::PsIn, "VPOS", Semantic::Position),
    (SigPoint::PsOut, "COLOR", Semantic::Target),
    (SigPoint::PsOut, "DEPTH", Semantic::Depth),
];

impl Semantic {
    /// The system value that a semantic of Direct3D 9, without its index, stands for at a signature point.
    pub fn of_older(point: SigPoint, name: &str) -> Option<Semantic> {
        OLDER.iter().find(|r| r.0 == point && r.1.eq_ignore_ascii_case(name)).map(|r| r.2)
    }
    /// The row.
    pub fn info(self) -> &'static SemanticInfo {
        &SEMANTICS[self as usize]
    }
    /// The number in DXIL.
    pub fn number(self) -> u32 {
        self as u32
    }
    /// The one with this number.
    pub fn from_number(n: u32) -> Option<Semantic> {
        SEMANTICS.get(n as usize).map(|r| r.semantic)
    }
    /// The system value of a semantic's name without its index, upper and lower case alike; arbitrary if there is none of
    /// that name. `None`: the name begins with `SV_` and is no system value.
    pub fn named(name: &str) -> Option<Semantic> {
        match SEMANTICS.iter().find(|r| !r.name.is_empty() && r.name.eq_ignore_ascii_case(name)) {
            Some(row) => Some(row.semantic),
            None if name.get(..3).is_some_and(|p| p.eq_ignore_ascii_case("SV_")) => None,
            None => Some(Semantic::Arbitrary),
        }
    }
    /// What it is at a signature point; `None`: it is an error.
    pub fn at(self, point: SigPoint) -> Option<Interpretation> {
        use Interpretation as I;
        Some(match self.info().cells.as_bytes()[point as usize] {
            b'A' => I::Arbitrary,
            b'S' => I::SystemValue,
            b'G' => I::SystemGenerated,
            b'i' => I::NotInSignature,
            b'p' => I::NotPacked,
            b'h' => I::Shadow,
            b'T' => I::Target,
            b'F' => I::TessFactor,
            b'C' => I::ClipCull,
            _ => return None,
        })
    }
    /// The names of the system values that a signature point has.
    pub fn names_at(point: SigPoint) -> impl Iterator<Item = &'static str> {
        SEMANTICS.iter().filter(move |r| !r.name.is_empty() && r.semantic.at(point).is_some()).map(|r| r.name)
    }
    /// The number of the system value in `ISG1` and its like; `domain`: of the patch, if it is for one.
    pub fn system_value(self, domain: Option<Domain>, index: u32) -> u32 {
        match (self, domain) {
            (Semantic::TessFactor, Some(Domain::Quad)) => 11,
            (Semantic::InsideTessFactor, Some(Domain::Quad)) => 12,
            (Semantic::TessFactor, Some(Domain::Triangle)) => 13,
            (Semantic::InsideTessFactor, Some(Domain::Triangle)) => 14,
            // Of a line the density comes first, then the detail.
            (Semantic::TessFactor, Some(Domain::Isoline)) => {
                if index == 0 {
                    16
                } else {
                    15
                }
            }
            _ => self.info().system_value,
        }
    }
    /// What it means, in one sentence.
    pub fn about(self) -> &'static str {
        match self {
            Semantic::Arbitrary => "Connects an output of a stage with the input of the next one that has the same name.",
            Semantic::VertexId => "The number of the vertex.",
            Semantic::InstanceId => "The number of the instance.",
            Semantic::Position => {
                "The position in clip space that a stage gives; in pixel shaders the position on the screen, depth and 1/w."
            }
            Semantic::RenderTargetArrayIndex => "The slice of the render target that the primitive goes to.",
            Semantic::ViewportArrayIndex => "The viewport that the primitive goes to.",
            Semantic::ClipDistance => "A distance to a plane: where it is negative the primitive is clipped.",
            Semantic::CullDistance => "A distance to a plane: the primitive is dropped if it is negative at all vertices.",
            Semantic::OutputControlPointId => "The number of the control point that this run makes.",
            Semantic::DomainLocation => "Where the vertex is in the domain of the patch.",
            Semantic::PrimitiveId => "The number of the primitive.",
            Semantic::GsInstanceId => "The number of the run of the geometry shader for the same primitive.",
            Semantic::SampleIndex => "The number of the sample; the pixel shader runs for each sample if it reads it.",
            Semantic::IsFrontFace => "Whether the front of the primitive is seen.",
            Semantic::Coverage => "A bit for each sample that the primitive covers.",
            Semantic::InnerCoverage => "Whether the pixel is certainly covered whole.",
            Semantic::Target => "A value for the render target with the number of the index.",
            Semantic::Depth => "The depth, in place of that of the primitive.",
            Semantic::DepthLessEqual => "The depth, which is at most that of the primitive, so that early tests stay valid.",
            Semantic::DepthGreaterEqual => "The depth, which is at least that of the primitive, so that early tests stay valid.",
            Semantic::StencilRef => "The stencil reference, in place of that of the command list.",
            Semantic::DispatchThreadId => "The position of the thread in the dispatch.",
            Semantic::GroupId => "The position of the thread group in the dispatch.",
            Semantic::GroupIndex => "The number of the thread in its group.",
            Semantic::GroupThreadId => "The position of the thread in its group.",
            Semantic::TessFactor => "How finely an edge of the patch is divided.",
            Semantic::InsideTessFactor => "How finely the inside of the patch is divided.",
            Semantic::ViewId => "The number of the view that is rendered.",
            Semantic::Barycentrics => "The barycentric coordinates of the pixel in its triangle.",
            Semantic::ShadingRate => "How many pixels one run of the pixel shader covers.",
            Semantic::CullPrimitive => "Whether the primitive is dropped.",
            Semantic::StartVertexLocation => "What the draw adds to the numbers of vertices.",
            Semantic::StartInstanceLocation => "The first instance of the draw.",
        }
    }
    /// Whether compute shaders have it, as a parameter.
    pub fn is_of_compute(self) -> bool {
        matches!(self, Semantic::DispatchThreadId | Semantic::GroupId | Semantic::GroupIndex | Semantic::GroupThreadId)
    }
    /// The largest semantic index that it may have; `None`: any.
    pub fn largest_index(self) -> Option<u32> {
        match self {
            Semantic::Arbitrary | Semantic::ClipDistance | Semantic::CullDistance | Semantic::TessFactor | Semantic::InsideTessFactor => {
                None
            }
            Semantic::Target => Some(7),
            Semantic::Barycentrics => Some(1),
            _ => Some(0),
        }
    }
    /// Whether it replaces the depth of a fragment.
    pub fn is_depth(self) -> bool {
        matches!(self, Semantic::Depth | Semantic::DepthLessEqual | Semantic::DepthGreaterEqual)
    }
}

/// How a value changes over a primitive, numbered as DXIL numbers it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Interpolation {
    #[default]
    Undefined = 0,
    Constant = 1,
    Linear = 2,
    LinearCentroid = 3,
    LinearNoperspective = 4,
    LinearNoperspectiveCentroid = 5,
    LinearSample = 6,
    LinearNoperspectiveSample = 7,
}

impl Interpolation {
    /// All, by number, with their names in IR text, and the modifiers that give them in HLSL, as listings print them.
    pub const ALL: [(Interpolation, &'static str, &'static str); 8] = [
        (Interpolation::Undefined, "undefined", ""),
        (Interpolation::Constant, "nointerpolation", "nointerpolation"),
        (Interpolation::Linear, "linear", "linear"),
        (Interpolation::LinearCentroid, "centroid", "centroid"),
        (Interpolation::LinearNoperspective, "noperspective", "noperspective"),
        (Interpolation::LinearNoperspectiveCentroid, "noperspective_centroid", "noperspective centroid"),
        (Interpolation::LinearSample, "sample", "sample"),
        (Interpolation::LinearNoperspectiveSample, "noperspective_sample", "noperspective sample"),
    ];
    /// The one with this number.
    pub fn from_number(n: u32) -> Option<Interpolation> {
        Self::ALL.get(n as usize).map(|r| r.0)
    }
    /// The name in IR text.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
    /// Whether it is interpolated.
    pub fn is_linear(self) -> bool {
        self as u8 >= Interpolation::Linear as u8
    }
    /// The modifiers that give it in HLSL, as listings print them; nothing if it is not interpolated.
    pub fn words(self) -> &'static str {
        Self::ALL[self as usize].2
    }
    /// Whether it is linear in the plane of the screen.
    pub fn is_noperspective(self) -> bool {
        matches!(self as u8, 4 | 5 | 7)
    }
    /// Whether it is evaluated at the centroid.
    pub fn is_centroid(self) -> bool {
        matches!(self as u8, 3 | 5)
    }
    /// Whether it is evaluated at each sample.
    pub fn is_sample(self) -> bool {
        matches!(self as u8, 6 | 7)
    }
    /// The same without perspective.
    pub fn noperspective(self) -> Interpolation {
        match self {
            Interpolation::Linear => Interpolation::LinearNoperspective,
            Interpolation::LinearCentroid => Interpolation::LinearNoperspectiveCentroid,
            Interpolation::LinearSample => Interpolation::LinearNoperspectiveSample,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_their_numbers() {
        for (n, r) in SEMANTICS.iter().enumerate() {
            assert_eq!(r.semantic as usize, n);
            assert_eq!(r.cells.len(), SigPoint::MsPOut as usize + 1, "{}", r.name);
            assert!(r.cells.bytes().all(|c| b"ASGiphTFC.".contains(&c)), "{}", r.name);
            let by_op = r.cells.bytes().any(|c| matches!(c, b'i' | b'h'));
            assert_eq!(by_op && r.semantic != Semantic::CullPrimitive, r.op.is_some(), "{}", r.name);
        }
        for (n, r) in Interpolation::ALL.iter().enumerate() {
            assert_eq!(r.0 as usize, n);
        }
    }

    #[test]
    fn system_values_have_names() {
        let domains = [None, Some(Domain::Isoline), Some(Domain::Triangle), Some(Domain::Quad)];
        for row in SEMANTICS {
            for (domain, index) in domains.into_iter().flat_map(|d| [(d, 0), (d, 1)]) {
                let number = row.semantic.system_value(domain, index);
                assert_eq!(system_value_name(number) == "NONE", number == 0, "{}: {number}", row.name);
            }
        }
    }

    #[test]
    fn points_are_in_order() {
        for (n, r) in SigPoint::ALL.iter().enumerate() {
            assert_eq!((r.0 as usize, r.1.to_string()), (n, format!("{:?}", r.0)));
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(Semantic::named("sv_POSITION"), Some(Semantic::Position));
        assert_eq!(Semantic::named("TEXCOORD"), Some(Semantic::Arbitrary));
        assert_eq!(Semantic::named("SV_Nonsense"), None);
        assert_eq!(Semantic::Position.at(SigPoint::VsIn), Some(Interpretation::Arbitrary));
        assert_eq!(Semantic::VertexId.at(SigPoint::PsIn), None);
    }
}
