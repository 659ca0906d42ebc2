//! HLSL's types, interned: two types are equal exactly when their indices are.
//!
//! `half` and the minimum-precision types are resolved under the options in force, except that without native 16-bit types they stay types of their own
//! ([`Scalar::Half`] is then as wide as `float`). `float1` is a vector and not `float`. A matrix type
//! includes its packing, which only affects its layout in memory: the value of a matrix is its rows, and
//! sema converts between the two packings without a node. Whether something is `const` is a property of the
//! expression, not of the type.

use rtc_base::{PrimaryMap, SecondaryMap, Span, Symbol};
use rtc_ir::inline::Requirements;
use rtc_tables::intrinsics::Object;
use rtc_tables::linalg::MatrixType;
use rtc_tables::pipeline::StreamTopology;
use rtc_tables::resources::{ResourceClass, ResourceFlags, ResourceKind};
use rtc_tables::signature::Interpolation;
use rtc_tables::vk_builtins::VkBuiltin;
use rustc_hash::FxHashMap;

use super::Pass;
use super::inline::{InlineGlobal, SpirvType};
use super::{EnumId, FnTypeId, FuncId, GlobalId, RecordId, SpirvTypeId};

rtc_base::entity! {
    /// A type.
    pub struct Ty = "ty";
}

/// Scalar types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Scalar {
    /// `bool`: 32 bits in memory.
    Bool,
    /// `int16_t`
    Int16,
    /// `uint16_t`
    Uint16,
    /// `int`
    Int,
    /// `uint`
    Uint,
    /// `int64_t`
    Int64,
    /// `uint64_t`
    Uint64,
    /// `float16_t`; `half` with native 16-bit types.
    Float16,
    /// `half` without native 16-bit types: 32 bits wide, otherwise a type of its own.
    Half,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `min12int`: at least 12 bits; 32 in memory. As all `Min` types only without native 16-bit types.
    Min12Int,
    /// `min16int`
    Min16Int,
    /// `min16uint`
    Min16Uint,
    /// `min10float`
    Min10Float,
    /// `min16float`
    Min16Float,
    /// `min12int` with native 16-bit types: computed and stored as an `int16_t`, but a type of its own in overloads and templates. So are the
    /// other `Promoted` types.
    PromotedMin12Int,
    /// `min16int` with native 16-bit types.
    PromotedMin16Int,
    /// `min16uint` with native 16-bit types.
    PromotedMin16Uint,
    /// `min10float` with native 16-bit types.
    PromotedMin10Float,
    /// `min16float` with native 16-bit types.
    PromotedMin16Float,
    /// `int8_t4_packed`
    Int8x4,
    /// `uint8_t4_packed`
    Uint8x4,
    /// The type of `1`. Inside sema only: 64 bits.
    LitInt,
    /// The type of `1.0`. Inside sema only: 64 bits.
    LitFloat,
}

impl Scalar {
    /// All scalars that can occur in a module.
    pub const ALL: [Scalar; 25] = {
        use Scalar::*;
        [
            Bool,
            Int16,
            Uint16,
            Int,
            Uint,
            Int64,
            Uint64,
            Float16,
            Half,
            Float,
            Double,
            Min12Int,
            Min16Int,
            Min16Uint,
            Min10Float,
            Min16Float,
            PromotedMin12Int,
            PromotedMin16Int,
            PromotedMin16Uint,
            PromotedMin10Float,
            PromotedMin16Float,
            Int8x4,
            Uint8x4,
            LitInt,
            LitFloat,
        ]
    };
    /// The type of the tables that HLSL calls so; literals have none.
    pub fn row(self) -> Option<rtc_tables::types::Scalar> {
        use Scalar::*;
        use rtc_tables::types::Scalar as Row;
        Some(match self {
            Bool => Row::Bool,
            Int16 => Row::Int16,
            Uint16 => Row::Uint16,
            Int => Row::Int,
            Uint => Row::Uint,
            Int64 => Row::Int64,
            Uint64 => Row::Uint64,
            Float16 => Row::Float16,
            Half => Row::Half,
            Float => Row::Float,
            Double => Row::Double,
            Min12Int | PromotedMin12Int => Row::Min12Int,
            Min16Int | PromotedMin16Int => Row::Min16Int,
            Min16Uint | PromotedMin16Uint => Row::Min16Uint,
            Min10Float | PromotedMin10Float => Row::Min10Float,
            Min16Float | PromotedMin16Float => Row::Min16Float,
            Int8x4 => Row::Int8x4Packed,
            Uint8x4 => Row::Uint8x4Packed,
            LitInt | LitFloat => return None,
        })
    }
    /// As HLSL spells it.
    pub fn name(self) -> &'static str {
        match self.row() {
            Some(row) => row.name(),
            None if self == Scalar::LitInt => "literal int",
            None => "literal float",
        }
    }
    /// Whether it is a float of any width.
    pub fn is_float(self) -> bool {
        use Scalar::*;
        matches!(self.computed(), Float16 | Half | Float | Double | Min10Float | Min16Float | LitFloat)
    }
    /// Whether it is an integer of any width (not `bool`).
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }
    /// Whether it is a signed integer. Both packed types are unsigned words.
    pub fn is_signed(self) -> bool {
        use Scalar::*;
        matches!(self.computed(), Int16 | Int | Int64 | Min12Int | Min16Int | LitInt)
    }
    /// Whether it is an unsigned integer or `bool`.
    pub fn is_unsigned(self) -> bool {
        !self.is_float() && !self.is_signed()
    }
    /// The type that it is computed and stored as: the native one of a promoted minimum-precision type, else itself.
    pub fn computed(self) -> Scalar {
        use Scalar::*;
        match self {
            PromotedMin12Int | PromotedMin16Int => Int16,
            PromotedMin16Uint => Uint16,
            PromotedMin10Float | PromotedMin16Float => Float16,
            s => s,
        }
    }
    /// The minimum-precision type with native 16-bit types; other types are the same with and without.
    pub fn promoted(self) -> Scalar {
        use Scalar::*;
        match self {
            Min12Int => PromotedMin12Int,
            Min16Int => PromotedMin16Int,
            Min16Uint => PromotedMin16Uint,
            Min10Float => PromotedMin10Float,
            Min16Float => PromotedMin16Float,
            s => s,
        }
    }
    /// The type that the program names, whether minimum precision is promoted or not: the opposite of [`Scalar::promoted`].
    pub fn named(self) -> Scalar {
        use Scalar::*;
        match self {
            PromotedMin12Int => Min12Int,
            PromotedMin16Int => Min16Int,
            PromotedMin16Uint => Min16Uint,
            PromotedMin10Float => Min10Float,
            PromotedMin16Float => Min16Float,
            s => s,
        }
    }
    /// Whether it is a minimum-precision type that is not promoted.
    pub fn is_min_precision(self) -> bool {
        use Scalar::*;
        matches!(self, Min12Int | Min16Int | Min16Uint | Min10Float | Min16Float)
    }
    /// Whether it is the type of a literal.
    pub fn is_literal(self) -> bool {
        matches!(self, Scalar::LitInt | Scalar::LitFloat)
    }
    /// Width of a value in bits: 1 for `bool`, 16 for the minimum-precision types.
    pub fn bits(self) -> u32 {
        use Scalar::*;
        match self.computed() {
            Bool => 1,
            Int16 | Uint16 | Float16 | Min12Int | Min16Int | Min16Uint | Min10Float | Min16Float => 16,
            Int | Uint | Half | Float | Int8x4 | Uint8x4 => 32,
            _ => 64,
        }
    }
    /// Width of a value in bits that the program can rely on: 12 for `min12int`, 10 for `min10float`.
    pub fn precision(self) -> u32 {
        match self.named() {
            Scalar::Min12Int => 12,
            Scalar::Min10Float => 10,
            _ => self.bits(),
        }
    }
    /// Bytes in memory: 4 for `bool` and the minimum-precision types.
    pub fn bytes(self) -> u32 {
        match self.bits() {
            16 if !self.is_min_precision() => 2,
            64 => 8,
            _ => 4,
        }
    }
}

/// Whether a texel component is normalised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Norm {
    /// No.
    #[default]
    None,
    /// `snorm`
    Snorm,
    /// `unorm`
    Unorm,
}

/// A resource type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Resource {
    /// Which of HLSL's object types.
    pub object: Object,
    /// Register class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Its contents: the texel, the element, the record of constants. `None` for feedback textures and resources without contents.
    pub elem: Option<Ty>,
    /// Normalisation of a texel.
    pub norm: Norm,
    /// Declared sample count, 0 if none; the feedback kind for feedback textures.
    pub samples: u32,
    /// Further properties.
    pub flags: ResourceFlags,
}

/// The types of subobjects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum SubobjectType {
    StateObjectConfig,
    GlobalRootSignature,
    LocalRootSignature,
    SubobjectToExportsAssociation,
    RaytracingShaderConfig,
    RaytracingPipelineConfig,
    RaytracingPipelineConfig1,
    TriangleHitGroup,
    ProceduralPrimitiveHitGroup,
}

/// The kind of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// The type of an expression with an error that is already reported.
    Error,
    /// `void`
    Void,
    /// A scalar.
    Scalar(Scalar),
    /// A vector of 1 or more components.
    Vector(Scalar, u32),
    /// A matrix.
    Matrix {
        /// Of its components.
        scalar: Scalar,
        /// 1 to 4.
        rows: u8,
        /// 1 to 4.
        cols: u8,
        /// The packing in memory.
        row_major: bool,
    },
    /// An array; no length: unbounded, resources only.
    Array(Ty, Option<u32>),
    /// A structure or class.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// A resource, sampler or acceleration structure.
    Resource(Resource),
    /// `RayQuery<flags, flags>`
    RayQuery {
        /// Ray flags.
        flags: u32,
        /// Ray query flags.
        query_flags: u32,
    },
    /// `dx::HitObject`
    HitObject,
    /// `__builtin_LinAlgMatrix`, and which matrix of linear algebra its attribute says it is.
    Linalg(Option<MatrixType>),
    /// A stream of vertices of this type, the output of a geometry shader.
    Stream(StreamTopology, Ty),
    /// The control points of a patch; `true`: those that a hull shader makes.
    Patch(bool, Ty, u32),
    /// A type made of an instruction of SPIR-V: `vk::SpirvType<…>`, `vk::SpirvOpaqueType<…>`, `vk::ext_type<n>`.
    Spirv(SpirvTypeId),
    /// `vk::BufferPointer<T, align>`: an address; 0 is the alignment of `T`.
    BufferPointer(Ty, u32),
    /// `vk::integral_constant<T, n>`: type and bits. Inside sema only.
    Integral(Ty, u64),
    /// `vk::Literal<vk::integral_constant<T, n>>`. Inside sema only.
    SpirvLiteral(Ty, u64),
    /// `float(int)`: the type of functions. No variable has it.
    Function(FnTypeId),
    /// A subobject of a state object.
    Subobject(SubobjectType),
    /// A string literal.
    String,
    /// `ResourceDescriptorHeap` (false) or `SamplerDescriptorHeap` (true). Inside sema only.
    Heap(bool),
    /// An element of such a heap, which converts to any resource. Inside sema only.
    HeapElement(bool),
    /// `tex.mips` (false), `tex.sample` (true). Inside sema only.
    MipsOf(Ty, bool),
    /// `tex.mips[l]`, `tex.sample[s]`. Inside sema only.
    MipOf(Ty, bool),
}

/// Stages in payload access qualifiers: a set with a bit for each [`rtc_ir::PaqStage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct PaqStages(pub u8);

/// Payload access qualifiers of a field: the stages that read and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Paq {
    /// `read(…)`; `None` if not written.
    pub read: Option<PaqStages>,
    /// `write(…)`
    pub write: Option<PaqStages>,
}

/// The spans of the payload access qualifiers of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PaqSpans {
    /// `read(…)`, without the colon; [`Span::NONE`] if it is not written.
    pub read: Span,
    /// `write(…)`
    pub write: Span,
    /// The declarator: further qualifiers are inserted at its end.
    pub declarator: Span,
}

/// Where Vulkan has an input or output of a stage, as attributes say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StagePlace {
    /// `[[vk::location(n)]]`
    pub location: Option<u32>,
    /// `[[vk::index(n)]]`
    pub blend_index: Option<u32>,
    /// `[[vk::builtin("…")]]`
    pub builtin: Option<VkBuiltin>,
}

/// A member variable.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Symbol,
    /// Its type.
    pub ty: Ty,
    /// Where it is declared.
    pub span: Span,
    /// `packoffset`, in bytes from the start of the buffer.
    pub pack_offset: Option<u32>,
    /// Byte offset by `[[vk::offset(…)]]`.
    pub vk_offset: Option<u32>,
    /// Attributes of inline SPIR-V.
    pub inline: Option<Box<InlineGlobal>>,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// A bit-field without width follows: the next one does not share its storage unit.
    pub ends_unit: bool,
    /// Payload access qualifiers.
    pub paq: Option<Paq>,
    /// Their spans.
    pub paq_at: PaqSpans,
    /// Its semantic.
    pub semantic: Option<Symbol>,
    /// Its interpolation mode; undefined if it says none.
    pub interpolation: Interpolation,
    /// Where Vulkan has it as an input or output of a stage.
    pub place: StagePlace,
    /// `precise`
    pub precise: bool,
}

impl Field {
    /// A member of a constant buffer.
    pub fn of_block(name: Symbol, ty: Ty, span: Span, pack_offset: Option<u32>) -> Field {
        Field {
            name,
            ty,
            span,
            pack_offset,
            vk_offset: None,
            inline: None,
            bits: None,
            ends_unit: false,
            paq: None,
            paq_at: PaqSpans::default(),
            semantic: None,
            interpolation: Default::default(),
            place: StagePlace::default(),
            precise: false,
        }
    }
}

/// How the names of structures without a name begin.
pub const UNNAMED: &str = "<unnamed struct";

/// A structure or class.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name; empty if it has none.
    pub name: Symbol,
    /// With namespaces, outer structures and template arguments: `ns::Pair<float, 2>`.
    pub qualified: String,
    /// Its name and those of what it is declared in, innermost first, as mangled names have them: `Payload`, `ns`;
    /// an instance of a template is `?$Pair@MH@`.
    pub path: Vec<String>,
    /// Declared with `class`.
    pub is_class: bool,
    /// Its base, if it has one.
    pub base: Option<RecordId>,
    /// All member variables; those of the base first, so that a base's field numbers hold for what derives from it.
    pub fields: Vec<Field>,
    /// Fields before which a row of a constant buffer begins, since an array or a structure of resources alone was there in the source; the
    /// number of all fields if the last one was.
    pub rows: Vec<u32>,
    /// Declared `[raypayload]`.
    pub raypayload: bool,
    /// A parameter of a shader or the argument of a trace, also of a trace in a function that nothing calls.
    pub used_as_payload: bool,
    /// Declared by the language (`RayDesc`) or made for a cbuffer, not by the source.
    pub builtin: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A type of functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FnType {
    /// Of its results.
    pub ret: Ty,
    /// Types of its parameters, and how they are passed.
    pub params: Vec<(Ty, Pass)>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Symbol,
    /// With namespaces.
    pub qualified: String,
    /// Its name and those of what it is declared in, innermost first.
    pub path: Vec<String>,
    /// The type of its values.
    pub underlying: Scalar,
    /// `enum class`
    pub scoped: bool,
    /// Its constants: name and value as the bits of the underlying type, sign-extended to 64.
    pub items: Vec<(Symbol, i64)>,
    /// Where it is declared.
    pub span: Span,
}

/// The types of a module.
#[derive(Clone)]
pub struct Types {
    kinds: PrimaryMap<Ty, TyKind>,
    ids: FxHashMap<TyKind, Ty>,
    /// Structures.
    pub records: PrimaryMap<RecordId, Record>,
    /// Enumerations.
    pub enums: PrimaryMap<EnumId, Enum>,
    /// Types of functions.
    pub functions: PrimaryMap<FnTypeId, FnType>,
    /// Types made of an instruction of SPIR-V.
    pub spirv: PrimaryMap<SpirvTypeId, SpirvType>,
    /// Where each of those is named first.
    pub spirv_spans: SecondaryMap<SpirvTypeId, Span>,
    /// What each of those requires.
    pub spirv_requirements: SecondaryMap<SpirvTypeId, Requirements>,
    /// The packing of matrices that nothing in the source says: row-major (`-Zpr`).
    pub default_row_major: bool,
    /// In a constant buffer, members of minimum precision and others share no row of 16 bytes (DXIL without native 16-bit types).
    pub minimum_precision_rows: bool,
    /// Blocks have the layout of DXIL: members with `packoffset` come first, matrices of booleans have their registers to themselves.
    pub dxil_blocks: bool,
}

/// Types that every table has, at fixed indices.
impl Ty {
    /// The type of an expression with an error.
    pub const ERROR: Ty = Ty::number(0);
    /// `void`
    pub const VOID: Ty = Ty::number(1);
    /// `bool`
    pub const BOOL: Ty = Ty::scalar(Scalar::Bool);
    /// `int`
    pub const INT: Ty = Ty::scalar(Scalar::Int);
    /// `uint`
    pub const UINT: Ty = Ty::scalar(Scalar::Uint);
    /// `float`
    pub const FLOAT: Ty = Ty::scalar(Scalar::Float);

    /// The scalar type `s`.
    pub const fn scalar(s: Scalar) -> Ty {
        Ty::number(2 + s as u32)
    }
}

impl Default for Types {
    fn default() -> Self {
        let mut t = Types {
            kinds: PrimaryMap::new(),
            ids: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            spirv: PrimaryMap::new(),
            spirv_spans: SecondaryMap::new(),
            spirv_requirements: SecondaryMap::new(),
            default_row_major: false,
            minimum_precision_rows: false,
            dxil_blocks: false,
        };
        t.intern(TyKind::Error);
        t.intern(TyKind::Void);
        for s in Scalar::ALL {
            let ty = t.intern(TyKind::Scalar(s));
            debug_assert_eq!(ty, Ty::scalar(s));
        }
        t
    }
}

impl Types {
    /// The type of this kind.
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(&t) = self.ids.get(&kind) {
            return t;
        }
        let t = self.kinds.push(kind);
        self.ids.insert(kind, t);
        t
    }
    /// The type of this kind if there is one so far.
    pub fn find(&self, kind: TyKind) -> Option<Ty> {
        self.ids.get(&kind).copied()
    }
    /// The kind of `t`.
    pub fn kind(&self, t: Ty) -> TyKind {
        self.kinds[t]
    }
    /// The vector of `n` components; a vector even if `n` is 1.
    pub fn vector(&mut self, s: Scalar, n: u32) -> Ty {
        self.intern(TyKind::Vector(s, n))
    }
    /// The matrix of this size in canonical (column-major) packing.
    pub fn matrix(&mut self, scalar: Scalar, rows: u8, cols: u8) -> Ty {
        self.intern(TyKind::Matrix { scalar, rows, cols, row_major: false })
    }
    /// The array of `n` elements.
    pub fn array(&mut self, elem: Ty, n: Option<u32>) -> Ty {
        self.intern(TyKind::Array(elem, n))
    }
    /// The structure `r`.
    pub fn record(&mut self, r: RecordId) -> Ty {
        self.intern(TyKind::Record(r))
    }
    /// The enumeration `e`.
    pub fn enumeration(&mut self, e: EnumId) -> Ty {
        self.intern(TyKind::Enum(e))
    }
    /// The type of functions with these parameters and results.
    pub fn function_type(&mut self, data: FnType) -> FnTypeId {
        match self.functions.iter().find(|(_, d)| **d == data) {
            Some((id, _)) => id,
            None => self.functions.push(data),
        }
    }
    /// The type that this instruction of SPIR-V declares.
    pub fn spirv_type(&mut self, data: SpirvType) -> Ty {
        let known = self.spirv.iter().find(|(_, d)| if data.number.is_some() { d.number == data.number } else { **d == data }).map(|d| d.0);
        let id = match known {
            Some(id) => id,
            None => self.spirv.push(data),
        };
        self.intern(TyKind::Spirv(id))
    }
    /// The component type of a scalar, vector, matrix or enumeration.
    pub fn elem(&self, t: Ty) -> Option<Scalar> {
        match self.kind(t) {
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix { scalar: s, .. } => Some(s),
            TyKind::Enum(e) => Some(self.enums[e].underlying),
            _ => None,
        }
    }
    /// Rows and columns of a numeric type: a vector is one row, a scalar (or enumeration) 1 by 1.
    pub fn shape(&self, t: Ty) -> Option<(u32, u32)> {
        match self.kind(t) {
            TyKind::Scalar(_) | TyKind::Enum(_) => Some((1, 1)),
            TyKind::Vector(_, n) => Some((1, n)),
            TyKind::Matrix { rows, cols, .. } => Some((rows as u32, cols as u32)),
            _ => None,
        }
    }
    /// The number of components of a scalar, vector or matrix.
    pub fn components(&self, t: Ty) -> Option<u32> {
        self.shape(t).map(|(r, c)| r * c)
    }
    /// The same shape with components `s`, matrices in canonical packing.
    pub fn with_elem(&mut self, t: Ty, s: Scalar) -> Ty {
        match self.kind(t) {
            TyKind::Scalar(_) | TyKind::Enum(_) => Ty::scalar(s),
            TyKind::Vector(_, n) => self.vector(s, n),
            TyKind::Matrix { rows, cols, .. } => self.matrix(s, rows, cols),
            _ => t,
        }
    }
    /// The type of a value read from an l-value of type `t`: the same, but a matrix in canonical packing.
    pub fn value_ty(&mut self, t: Ty) -> Ty {
        match self.kind(t) {
            TyKind::Matrix { scalar, rows, cols, row_major: true } => self.matrix(scalar, rows, cols),
            _ => t,
        }
    }
    /// Whether only parameters have the type: a stream or a patch.
    pub fn is_stage_object(&self, t: Ty) -> bool {
        matches!(self.kind(self.strip_arrays(t).0), TyKind::Stream(..) | TyKind::Patch(..))
    }
    /// The type of the members of an array or patch, and their number if it is known.
    pub fn members(&self, t: Ty) -> Option<(Ty, Option<u32>)> {
        match self.kind(t) {
            TyKind::Array(e, n) => Some((e, n)),
            TyKind::Patch(_, e, n) => Some((e, Some(n))),
            _ => None,
        }
    }
    /// Whether it is a scalar, vector or matrix (not an enumeration).
    pub fn is_numeric(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix { .. })
    }
    /// The record that `t` is, if it is one.
    pub fn as_record(&self, t: Ty) -> Option<RecordId> {
        match self.kind(t) {
            TyKind::Record(r) => Some(r),
            _ => None,
        }
    }
    /// The resource that `t` is, if it is one.
    pub fn as_resource(&self, t: Ty) -> Option<Resource> {
        match self.kind(t) {
            TyKind::Resource(r) => Some(r),
            _ => None,
        }
    }
    /// The element type of `t` without all array dimensions, and the number of elements in all
    /// dimensions together (`None` if one has no bound). A type other than an array counts 1.
    pub fn strip_arrays(&self, mut t: Ty) -> (Ty, Option<u32>) {
        let mut n = Some(1u32);
        while let TyKind::Array(e, len) = self.kind(t) {
            n = n.zip(len).map(|(a, b)| a.saturating_mul(b));
            t = e;
        }
        (t, n)
    }
    /// Whether a variable of the type holds, anywhere inside, a resource, ray query, hit object or matrix of linear algebra.
    pub fn has_objects(&self, t: Ty) -> bool {
        match self.kind(self.strip_arrays(t).0) {
            TyKind::Resource(_) | TyKind::RayQuery { .. } | TyKind::HitObject | TyKind::Spirv(_) | TyKind::Linalg(_) => true,
            TyKind::Stream(..) | TyKind::Patch(..) => true,
            TyKind::Record(r) => self.records[r].fields.iter().any(|f| self.has_objects(f.ty)),
            _ => false,
        }
    }
    /// Whether a variable of the type holds, anywhere inside, a hit object.
    pub fn has_hit_objects(&self, t: Ty) -> bool {
        match self.kind(self.strip_arrays(t).0) {
            TyKind::HitObject => true,
            TyKind::Record(r) => self.records[r].fields.iter().any(|f| self.has_hit_objects(f.ty)),
            _ => false,
        }
    }
    /// Whether a variable of the type holds, anywhere inside, a matrix of linear algebra.
    pub fn has_matrices(&self, t: Ty) -> bool {
        match self.kind(self.strip_arrays(t).0) {
            TyKind::Linalg(_) => true,
            TyKind::Record(r) => self.records[r].fields.iter().any(|f| self.has_matrices(f.ty)),
            _ => false,
        }
    }
    /// The number of scalars (and objects) in a value of type `t`, depth first.
    pub fn leaf_count(&self, t: Ty) -> u64 {
        match self.kind(t) {
            TyKind::Array(e, n) => self.leaf_count(e).saturating_mul(n.unwrap_or(0) as u64),
            TyKind::Record(r) => self.records[r].fields.iter().fold(0u64, |n, f| n.saturating_add(self.leaf_count(f.ty))),
            _ => self.components(t).unwrap_or(1) as u64,
        }
    }
    /// The record whose fields precede those of `r`: its base, unless that has none.
    pub fn layout_base(&self, r: RecordId) -> Option<RecordId> {
        self.records[r].base.filter(|&b| !self.records[b].fields.is_empty())
    }
    /// Whether `derived` is `base` or inherits from it.
    pub fn derives_from(&self, derived: RecordId, base: RecordId) -> bool {
        self.distance_to_base(derived, base).is_some()
    }
    /// How many steps of inheritance lead from `derived` to `base`.
    pub fn distance_to_base(&self, derived: RecordId, base: RecordId) -> Option<u64> {
        let mut at = Some(derived);
        let mut steps = 0;
        while let Some(r) = at {
            if r == base {
                return Some(steps);
            }
            at = self.records[r].base;
            steps += 1;
        }
        None
    }
}

/// A member of a structure other than a field; for reflection and semantic analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
    /// A method.
    Method(FuncId),
    /// A static member variable.
    Static(GlobalId),
}
