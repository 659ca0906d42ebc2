//! The DXIL operations: one row per `dx.op` call that a driver understands.
//!
//! A DXIL operation is a call of an external function `dx.op.<function>[.<overload>]…` whose first
//! argument is the opcode as an `i32`; several opcodes share one function (`Sqrt` and `Cos` are both
//! `dx.op.unary`). A row says what such a call looks like (result, parameters, overloads), what the
//! declaration promises (attribute) and where it is allowed (shader model, stages). The opcode
//! parameter itself is in no row, it always comes first.
//!
//! Opcodes are `table << 16 | index`: table 0 holds the released operations, table 0x8000 the
//! experimental ones ([`EXPERIMENTAL`]), which only shader model 6.10 accepts.

pub mod counters;
pub mod op;
mod rows;

use std::sync::LazyLock;

pub use op::DxOp;
pub use rows::OPS;

/// The bit that all experimental opcodes have; the low 16 bits are the index among them.
pub const EXPERIMENTAL: u32 = 0x8000_0000;

/// What one DXIL operation is.
#[derive(Debug, PartialEq, Eq)]
pub struct DxilOp {
    /// The first argument of every call.
    pub opcode: DxOp,
    /// The name of the operation, as listings print it: `FMad`.
    pub name: &'static str,
    /// The function name between `dx.op.` and the overload suffix: `tertiary`.
    pub function: &'static str,
    /// What the declaration promises besides `nounwind`.
    pub attr: OpAttr,
    /// The first shader model that has it.
    pub min_sm: ShaderModel,
    /// The first shader model of a *library* that may contain it (an operation that is translated
    /// at link time may appear earlier there); otherwise equal to `min_sm`.
    pub min_sm_in_library: ShaderModel,
    /// The stages that may call it: bit n is shader kind n (see [`stage`]).
    pub stages: u16,
    /// See [`flag`].
    pub flags: u8,
    /// What each overloaded dimension may be; nearly always exactly one.
    pub overloads: &'static [Overload],
    /// The result type.
    pub result: OpTy,
    /// Name and type of each parameter after the opcode.
    pub params: &'static [(&'static str, OpTy)],
}

/// A shader model, `(major, minor)`.
pub type ShaderModel = (u8, u8);

/// The promise in an operation's declaration, in addition to `nounwind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpAttr {
    /// No promise.
    Nothing,
    /// Touches no memory.
    ReadNone,
    /// Writes no memory.
    ReadOnly,
    /// Reads and writes only what its pointer arguments point to.
    ArgMemOnly,
    /// A call must not be copied.
    NoDuplicate,
    /// A call never returns.
    NoReturn,
}

/// One overloaded dimension: which component types it takes as a scalar, and which as a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overload {
    /// [`kind`] bits of the scalars.
    pub scalar: u16,
    /// [`kind`] bits of the vector components.
    pub vector: u16,
}

/// The bits of [`Overload`].
pub mod kind {
    /// Not overloaded: the function name has no suffix.
    pub const VOID: u16 = 1;
    /// `half`.
    pub const F16: u16 = 1 << 1;
    /// `float`.
    pub const F32: u16 = 1 << 2;
    /// `double`.
    pub const F64: u16 = 1 << 3;
    /// A boolean.
    pub const I1: u16 = 1 << 4;
    /// 8-bit integer.
    pub const I8: u16 = 1 << 5;
    /// 16-bit integer.
    pub const I16: u16 = 1 << 6;
    /// 32-bit integer.
    pub const I32: u16 = 1 << 7;
    /// 64-bit integer.
    pub const I64: u16 = 1 << 8;
    /// A user-defined structure, passed by pointer.
    pub const UDT: u16 = 1 << 9;
    /// An opaque object, passed by value.
    pub const OBJECT: u16 = 1 << 10;
}

/// The bits of [`DxilOp::stages`]; the bit number is the shader kind of the program header.
pub mod stage {
    use crate::stages::Stage;

    /// Pixel.
    pub const PS: u16 = 1 << Stage::Pixel as u16;
    /// Vertex.
    pub const VS: u16 = 1 << Stage::Vertex as u16;
    /// Geometry.
    pub const GS: u16 = 1 << Stage::Geometry as u16;
    /// Hull.
    pub const HS: u16 = 1 << Stage::Hull as u16;
    /// Domain.
    pub const DS: u16 = 1 << Stage::Domain as u16;
    /// Compute.
    pub const CS: u16 = 1 << Stage::Compute as u16;
    /// A library function that is no entry point.
    pub const LIB: u16 = 1 << Stage::Library as u16;
    /// Ray generation.
    pub const RG: u16 = 1 << Stage::RayGeneration as u16;
    /// Intersection.
    pub const IS: u16 = 1 << Stage::Intersection as u16;
    /// Any hit.
    pub const AH: u16 = 1 << Stage::AnyHit as u16;
    /// Closest hit.
    pub const CH: u16 = 1 << Stage::ClosestHit as u16;
    /// Miss.
    pub const MISS: u16 = 1 << Stage::Miss as u16;
    /// Callable.
    pub const CL: u16 = 1 << Stage::Callable as u16;
    /// Mesh.
    pub const MESH: u16 = 1 << Stage::Mesh as u16;
    /// Amplification.
    pub const AMP: u16 = 1 << Stage::Amplification as u16;
    /// Work-graph node.
    pub const NODE: u16 = 1 << 15;
    /// Every stage.
    pub const ALL: u16 = 0xFFFF;
}

/// The bits of [`DxilOp::flags`].
pub mod flag {
    /// Talks to other lanes of the wave.
    pub const WAVE: u8 = 1;
    /// Needs derivatives: quads in pixel shaders, a fitting thread group elsewhere.
    pub const GRADIENT: u8 = 2;
    /// A barrier.
    pub const BARRIER: u8 = 4;
    /// Is itself a derivative.
    pub const DERIV: u8 = 8;
    /// Must not be made control-dependent on more than it is.
    pub const CONVERGENT: u8 = 16;
    /// Writes sampler feedback.
    pub const FEEDBACK: u8 = 32;
}

/// The type of a parameter or result. `O` is the overload (its only dimension).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip]
pub enum OpTy {
    /// `void`.
    Void,
    /// `i1`.
    I1,
    /// `i8`.
    I8,
    /// `i8`, by name unsigned.
    U8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i32`, by name unsigned.
    U32,
    /// `i64`.
    I64,
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `float*`.
    FloatPtr,
    /// The overload itself.
    O,
    /// `i1`, or a vector of `i1` as long as the overload.
    OI1,
    /// `i32`, or a vector of `i32` as long as the overload.
    OI32,
    /// The component type of the overload.
    OElem,
    /// A vector of two overloads.
    OVec2,
    /// A vector of four overloads.
    OVec4,
    /// A vector of nine overloads.
    OVec9,
    /// A pointer to the user-defined structure that is the overload.
    UdtPtr,
    /// The object type that is the overload.
    Object,
    /// Dimension n of an operation with several overloaded dimensions.
    X(u8),
    /// A pointer to group-shared memory holding dimension n.
    Gs(u8),
    /// `<2 x i32>`.
    Int2,
    /// `%dx.types.Handle`.
    Handle,
    /// `%dx.types.HitObject`.
    HitObject,
    /// `%dx.types.ResRet.<O>`: four components (or one vector) and the status.
    ResRet,
    /// `%dx.types.CBufRet.<O>`: the 16 bytes of one constant-buffer row.
    CBufRet,
    /// `%dx.types.Dimensions`.
    Dimensions,
    /// `%dx.types.splitdouble`.
    SplitDouble,
    /// `%dx.types.i32c`: value and carry.
    I32c,
    /// `%dx.types.twoi32`.
    TwoI32,
    /// `%dx.types.fouri32`.
    FourI32,
    /// `%dx.types.SamplePos`.
    SamplePos,
    /// `%dx.types.ResourceProperties`.
    ResourceProperties,
    /// `%dx.types.ResBind`.
    ResBind,
    /// `%dx.types.NodeHandle`.
    NodeHandle,
    /// `%dx.types.NodeRecordHandle`.
    NodeRecordHandle,
    /// `%dx.types.NodeInfo`.
    NodeInfo,
    /// `%dx.types.NodeRecordInfo`.
    NodeRecordInfo,
}

impl DxilOp {
    /// The operation with this name, `FMad` say.
    pub fn by_name(name: &str) -> Option<&'static DxilOp> {
        static ORDER: LazyLock<Vec<&'static DxilOp>> = LazyLock::new(|| {
            let mut order: Vec<_> = OPS.iter().collect();
            order.sort_unstable_by_key(|op| op.name);
            order
        });
        ORDER.binary_search_by_key(&name, |op| op.name).ok().map(|i| ORDER[i])
    }

    /// Whether the function name carries no overload suffix.
    pub fn is_plain(&self) -> bool {
        matches!(self.overloads, [Overload { scalar: kind::VOID, .. }])
    }

    /// Whether a call may be replaced by the result of a dominating call with the same arguments, if no reorder point is between
    /// them. Constant buffers do not change, nor do the resources that handles stand for; derivatives depend on the neighbouring lanes.
    pub fn is_pure(&self) -> bool {
        const DERIVATIVES: [DxOp; 4] = [op::DERIV_COARSE_X, op::DERIV_COARSE_Y, op::DERIV_FINE_X, op::DERIV_FINE_Y];
        const CONSTANT: [DxOp; 3] = [op::CREATE_HANDLE, op::CBUFFER_LOAD_LEGACY, op::CREATE_HANDLE_FOR_LIB];
        self.attr == OpAttr::ReadNone && !DERIVATIVES.contains(&self.opcode) || CONSTANT.contains(&self.opcode)
    }

    /// Whether only shader model 6.10 accepts it.
    pub fn is_experimental(&self) -> bool {
        self.opcode.is_experimental()
    }
}

/// The row of the operation with this number.
fn row_with(number: u32) -> Option<&'static DxilOp> {
    row_number(number).map(|at| &OPS[at])
}

/// The index in [`OPS`] of that row.
fn row_number(number: u32) -> Option<usize> {
    let table: &[u16] = if number & EXPERIMENTAL == 0 { &CORE } else { &EXPERIMENTAL_OPS };
    let at = usize::from(*table.get((number & !EXPERIMENTAL) as usize)?);
    (at < OPS.len()).then_some(at)
}

const NO_ROW: u16 = u16::MAX;
/// Row number of each released opcode, [`NO_ROW`] in the gaps.
static CORE: [u16; table_len(false)] = row_numbers(false);
/// Row number of each experimental opcode.
static EXPERIMENTAL_OPS: [u16; table_len(true)] = row_numbers(true);

const fn table_len(experimental: bool) -> usize {
    let mut len = 0;
    let mut i = 0;
    while i < OPS.len() {
        let op = OPS[i].opcode;
        if op.is_experimental() == experimental && op.index() >= len {
            len = op.index() + 1;
        }
        i += 1;
    }
    len
}

const fn row_numbers<const N: usize>(experimental: bool) -> [u16; N] {
    let mut rows = [NO_ROW; N];
    let mut i = 0;
    while i < OPS.len() {
        let op = OPS[i].opcode;
        if op.is_experimental() == experimental {
            rows[op.index()] = i as u16;
        }
        i += 1;
    }
    rows
}
