//! Opcodes of the operations that rules speak of by name. Their numbers are those of the rows: a name that no row has does
//! not compile.

use super::OPS;

macro_rules! named {
    ($($name:ident $text:literal;)*) => {
        $(#[doc = concat!("`", $text, "`.")] pub const $name: u32 = opcode($text);)*
    };
}

/// The opcode of the row with this name.
pub(super) const fn opcode(name: &str) -> u32 {
    let mut at = 0;
    while !same(OPS[at].name.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    OPS[at].opcode
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

named! {
    FMA "Fma";
    MSAD "Msad";
    CREATE_HANDLE "CreateHandle";
    SAMPLE "Sample";
    SAMPLE_BIAS "SampleBias";
    SAMPLE_LEVEL "SampleLevel";
    SAMPLE_GRAD "SampleGrad";
    SAMPLE_CMP "SampleCmp";
    SAMPLE_CMP_LEVEL_ZERO "SampleCmpLevelZero";
    TEXTURE_LOAD "TextureLoad";
    BUFFER_LOAD "BufferLoad";
    CHECK_ACCESS_FULLY_MAPPED "CheckAccessFullyMapped";
    ATOMIC_BIN_OP "AtomicBinOp";
    ATOMIC_COMPARE_EXCHANGE "AtomicCompareExchange";
    BARRIER "Barrier";
    CALCULATE_LOD "CalculateLOD";
    DERIV_COARSE_X "DerivCoarseX";
    DERIV_COARSE_Y "DerivCoarseY";
    DERIV_FINE_X "DerivFineX";
    DERIV_FINE_Y "DerivFineY";
    INNER_COVERAGE "InnerCoverage";
    ATTRIBUTE_AT_VERTEX "AttributeAtVertex";
    VIEW_ID "ViewID";
    CREATE_HANDLE_FOR_LIB "CreateHandleForLib";
    ALLOCATE_RAY_QUERY "AllocateRayQuery";
    GEOMETRY_INDEX "GeometryIndex";
    ANNOTATE_HANDLE "AnnotateHandle";
    CREATE_HANDLE_FROM_BINDING "CreateHandleFromBinding";
    CREATE_HANDLE_FROM_HEAP "CreateHandleFromHeap";
    TEXTURE_GATHER_RAW "TextureGatherRaw";
    SAMPLE_CMP_LEVEL "SampleCmpLevel";
    TEXTURE_STORE_SAMPLE "TextureStoreSample";
    BARRIER_BY_MEMORY_TYPE "BarrierByMemoryType";
    BARRIER_BY_MEMORY_HANDLE "BarrierByMemoryHandle";
    BARRIER_BY_NODE_RECORD_HANDLE "BarrierByNodeRecordHandle";
    SAMPLE_CMP_GRAD "SampleCmpGrad";
    SAMPLE_CMP_BIAS "SampleCmpBias";
    START_VERTEX_LOCATION "StartVertexLocation";
    START_INSTANCE_LOCATION "StartInstanceLocation";
    ALLOCATE_RAY_QUERY_2 "AllocateRayQuery2";
    GET_GROUP_WAVE_INDEX "GetGroupWaveIndex";
    GET_GROUP_WAVE_COUNT "GetGroupWaveCount";
    RAW_BUFFER_LOAD "RawBufferLoad";
    RAW_BUFFER_STORE "RawBufferStore";
    IS_NAN "IsNaN";
    IS_NORMAL "IsNormal";
}
