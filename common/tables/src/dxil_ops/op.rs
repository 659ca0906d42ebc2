//! Opcodes of DXIL operations, by name. Their numbers are those of the rows: a name without a row does not compile, and a
//! number is no opcode until [`DxOp::from_u32`] has found its row.

use super::{DxilOp, EXPERIMENTAL, OPS};
use std::fmt;

/// The opcode of a DXIL operation that has a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct DxOp(u32);

impl DxOp {
    /// The opcode in a row of the table.
    pub(super) const fn in_row(number: u32) -> DxOp {
        DxOp(number)
    }

    /// The opcode with this number, as the first argument of a call has it, if there is such an operation.
    pub fn from_u32(number: u32) -> Option<DxOp> {
        super::row_with(number).map(|row| row.opcode)
    }

    /// The number, the first argument of each call.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The index in its table, released or experimental.
    pub const fn index(self) -> usize {
        (self.0 & !EXPERIMENTAL) as usize
    }

    /// Whether it is in the experimental table.
    pub const fn is_experimental(self) -> bool {
        self.0 & EXPERIMENTAL != 0
    }

    /// The row of the operation.
    pub fn row(self) -> &'static DxilOp {
        super::row_with(self.0).expect("opcodes are made from rows")
    }
}

impl fmt::Display for DxOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

macro_rules! named {
    ($($name:ident $text:literal;)*) => {
        $(#[doc = concat!("`", $text, "`.")] pub const $name: DxOp = opcode($text);)*
    };
}

/// The opcode of the row with this name.
pub(super) const fn opcode(name: &str) -> DxOp {
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
    LOAD_INPUT "LoadInput";
    STORE_OUTPUT "StoreOutput";
    RENDER_TARGET_GET_SAMPLE_POSITION "RenderTargetGetSamplePosition";
    RENDER_TARGET_GET_SAMPLE_COUNT "RenderTargetGetSampleCount";
    DISCARD "Discard";
    EVAL_SNAPPED "EvalSnapped";
    EVAL_SAMPLE_INDEX "EvalSampleIndex";
    EVAL_CENTROID "EvalCentroid";
    SAMPLE_INDEX "SampleIndex";
    COVERAGE "Coverage";
    GS_INSTANCE_ID "GSInstanceID";
    DOMAIN_LOCATION "DomainLocation";
    OUTPUT_CONTROL_POINT_ID "OutputControlPointID";
    PRIMITIVE_ID "PrimitiveID";
    EMIT_STREAM "EmitStream";
    CUT_STREAM "CutStream";
    EMIT_THEN_CUT_STREAM "EmitThenCutStream";
    LOAD_OUTPUT_CONTROL_POINT "LoadOutputControlPoint";
    LOAD_PATCH_CONSTANT "LoadPatchConstant";
    STORE_PATCH_CONSTANT "StorePatchConstant";
    SET_MESH_OUTPUT_COUNTS "SetMeshOutputCounts";
    EMIT_INDICES "EmitIndices";
    GET_MESH_PAYLOAD "GetMeshPayload";
    STORE_VERTEX_OUTPUT "StoreVertexOutput";
    STORE_PRIMITIVE_OUTPUT "StorePrimitiveOutput";
    DISPATCH_MESH "DispatchMesh";
    FABS "FAbs";
    SATURATE "Saturate";
    IS_NAN "IsNaN";
    IS_INF "IsInf";
    IS_FINITE "IsFinite";
    IS_NORMAL "IsNormal";
    COS "Cos";
    SIN "Sin";
    TAN "Tan";
    ACOS "Acos";
    ASIN "Asin";
    ATAN "Atan";
    HCOS "Hcos";
    HSIN "Hsin";
    HTAN "Htan";
    EXP "Exp";
    FRC "Frc";
    LOG "Log";
    SQRT "Sqrt";
    RSQRT "Rsqrt";
    ROUND_NE "Round_ne";
    ROUND_NI "Round_ni";
    ROUND_PI "Round_pi";
    ROUND_Z "Round_z";
    BFREV "Bfrev";
    COUNTBITS "Countbits";
    FIRSTBIT_LO "FirstbitLo";
    FIRSTBIT_HI "FirstbitHi";
    FIRSTBIT_SHI "FirstbitSHi";
    FMAX "FMax";
    FMIN "FMin";
    IMAX "IMax";
    IMIN "IMin";
    UMAX "UMax";
    UMIN "UMin";
    IMUL "IMul";
    UMUL "UMul";
    UDIV "UDiv";
    UADDC "UAddc";
    USUBB "USubb";
    FMAD "FMad";
    FMA "Fma";
    IMAD "IMad";
    UMAD "UMad";
    MSAD "Msad";
    IBFE "Ibfe";
    UBFE "Ubfe";
    BFI "Bfi";
    DOT2 "Dot2";
    DOT3 "Dot3";
    DOT4 "Dot4";
    CREATE_HANDLE "CreateHandle";
    CBUFFER_LOAD "CBufferLoad";
    CBUFFER_LOAD_LEGACY "CBufferLoadLegacy";
    SAMPLE "Sample";
    SAMPLE_BIAS "SampleBias";
    SAMPLE_LEVEL "SampleLevel";
    SAMPLE_GRAD "SampleGrad";
    SAMPLE_CMP "SampleCmp";
    SAMPLE_CMP_LEVEL_ZERO "SampleCmpLevelZero";
    TEXTURE_LOAD "TextureLoad";
    TEXTURE_STORE "TextureStore";
    BUFFER_LOAD "BufferLoad";
    BUFFER_STORE "BufferStore";
    BUFFER_UPDATE_COUNTER "BufferUpdateCounter";
    CHECK_ACCESS_FULLY_MAPPED "CheckAccessFullyMapped";
    GET_DIMENSIONS "GetDimensions";
    TEXTURE_GATHER "TextureGather";
    TEXTURE_GATHER_CMP "TextureGatherCmp";
    TEXTURE_2DMS_GET_SAMPLE_POSITION "Texture2DMSGetSamplePosition";
    ATOMIC_BIN_OP "AtomicBinOp";
    ATOMIC_COMPARE_EXCHANGE "AtomicCompareExchange";
    BARRIER "Barrier";
    CALCULATE_LOD "CalculateLOD";
    DERIV_COARSE_X "DerivCoarseX";
    DERIV_COARSE_Y "DerivCoarseY";
    DERIV_FINE_X "DerivFineX";
    DERIV_FINE_Y "DerivFineY";
    INNER_COVERAGE "InnerCoverage";
    THREAD_ID "ThreadId";
    GROUP_ID "GroupId";
    THREAD_ID_IN_GROUP "ThreadIdInGroup";
    FLATTENED_THREAD_ID_IN_GROUP "FlattenedThreadIdInGroup";
    MAKE_DOUBLE "MakeDouble";
    SPLIT_DOUBLE "SplitDouble";
    CYCLE_COUNTER_LEGACY "CycleCounterLegacy";
    WAVE_IS_FIRST_LANE "WaveIsFirstLane";
    WAVE_GET_LANE_INDEX "WaveGetLaneIndex";
    WAVE_GET_LANE_COUNT "WaveGetLaneCount";
    WAVE_ANY_TRUE "WaveAnyTrue";
    WAVE_ALL_TRUE "WaveAllTrue";
    WAVE_ACTIVE_ALL_EQUAL "WaveActiveAllEqual";
    WAVE_ACTIVE_BALLOT "WaveActiveBallot";
    WAVE_READ_LANE_AT "WaveReadLaneAt";
    WAVE_READ_LANE_FIRST "WaveReadLaneFirst";
    WAVE_ACTIVE_OP "WaveActiveOp";
    WAVE_ACTIVE_BIT "WaveActiveBit";
    WAVE_PREFIX_OP "WavePrefixOp";
    QUAD_READ_LANE_AT "QuadReadLaneAt";
    QUAD_OP "QuadOp";
    BITCAST_I16_TO_F16 "BitcastI16toF16";
    BITCAST_F16_TO_I16 "BitcastF16toI16";
    BITCAST_I32_TO_F32 "BitcastI32toF32";
    BITCAST_F32_TO_I32 "BitcastF32toI32";
    BITCAST_I64_TO_F64 "BitcastI64toF64";
    BITCAST_F64_TO_I64 "BitcastF64toI64";
    LEGACY_F32_TO_F16 "LegacyF32ToF16";
    LEGACY_F16_TO_F32 "LegacyF16ToF32";
    LEGACY_DOUBLE_TO_FLOAT "LegacyDoubleToFloat";
    LEGACY_DOUBLE_TO_SINT32 "LegacyDoubleToSInt32";
    LEGACY_DOUBLE_TO_UINT32 "LegacyDoubleToUInt32";
    WAVE_ALL_BIT_COUNT "WaveAllBitCount";
    WAVE_PREFIX_BIT_COUNT "WavePrefixBitCount";
    ATTRIBUTE_AT_VERTEX "AttributeAtVertex";
    VIEW_ID "ViewID";
    RAW_BUFFER_LOAD "RawBufferLoad";
    RAW_BUFFER_STORE "RawBufferStore";
    INSTANCE_ID "InstanceID";
    INSTANCE_INDEX "InstanceIndex";
    HIT_KIND "HitKind";
    RAY_FLAGS "RayFlags";
    DISPATCH_RAYS_INDEX "DispatchRaysIndex";
    DISPATCH_RAYS_DIMENSIONS "DispatchRaysDimensions";
    WORLD_RAY_ORIGIN "WorldRayOrigin";
    WORLD_RAY_DIRECTION "WorldRayDirection";
    OBJECT_RAY_ORIGIN "ObjectRayOrigin";
    OBJECT_RAY_DIRECTION "ObjectRayDirection";
    OBJECT_TO_WORLD "ObjectToWorld";
    WORLD_TO_OBJECT "WorldToObject";
    RAY_T_MIN "RayTMin";
    RAY_T_CURRENT "RayTCurrent";
    IGNORE_HIT "IgnoreHit";
    ACCEPT_HIT_AND_END_SEARCH "AcceptHitAndEndSearch";
    TRACE_RAY "TraceRay";
    REPORT_HIT "ReportHit";
    CALL_SHADER "CallShader";
    CREATE_HANDLE_FOR_LIB "CreateHandleForLib";
    PRIMITIVE_INDEX "PrimitiveIndex";
    DOT2_ADD_HALF "Dot2AddHalf";
    DOT4_ADD_I8_PACKED "Dot4AddI8Packed";
    DOT4_ADD_U8_PACKED "Dot4AddU8Packed";
    WAVE_MATCH "WaveMatch";
    WAVE_MULTI_PREFIX_OP "WaveMultiPrefixOp";
    WAVE_MULTI_PREFIX_BIT_COUNT "WaveMultiPrefixBitCount";
    WRITE_SAMPLER_FEEDBACK "WriteSamplerFeedback";
    WRITE_SAMPLER_FEEDBACK_BIAS "WriteSamplerFeedbackBias";
    WRITE_SAMPLER_FEEDBACK_LEVEL "WriteSamplerFeedbackLevel";
    WRITE_SAMPLER_FEEDBACK_GRAD "WriteSamplerFeedbackGrad";
    ALLOCATE_RAY_QUERY "AllocateRayQuery";
    RAY_QUERY_TRACE_RAY_INLINE "RayQuery_TraceRayInline";
    RAY_QUERY_PROCEED "RayQuery_Proceed";
    RAY_QUERY_ABORT "RayQuery_Abort";
    RAY_QUERY_COMMIT_NON_OPAQUE_TRIANGLE_HIT "RayQuery_CommitNonOpaqueTriangleHit";
    RAY_QUERY_COMMIT_PROCEDURAL_PRIMITIVE_HIT "RayQuery_CommitProceduralPrimitiveHit";
    RAY_QUERY_COMMITTED_STATUS "RayQuery_CommittedStatus";
    RAY_QUERY_CANDIDATE_TYPE "RayQuery_CandidateType";
    RAY_QUERY_CANDIDATE_OBJECT_TO_WORLD_3X4 "RayQuery_CandidateObjectToWorld3x4";
    RAY_QUERY_CANDIDATE_WORLD_TO_OBJECT_3X4 "RayQuery_CandidateWorldToObject3x4";
    RAY_QUERY_COMMITTED_OBJECT_TO_WORLD_3X4 "RayQuery_CommittedObjectToWorld3x4";
    RAY_QUERY_COMMITTED_WORLD_TO_OBJECT_3X4 "RayQuery_CommittedWorldToObject3x4";
    RAY_QUERY_CANDIDATE_PROCEDURAL_PRIMITIVE_NON_OPAQUE "RayQuery_CandidateProceduralPrimitiveNonOpaque";
    RAY_QUERY_CANDIDATE_TRIANGLE_FRONT_FACE "RayQuery_CandidateTriangleFrontFace";
    RAY_QUERY_COMMITTED_TRIANGLE_FRONT_FACE "RayQuery_CommittedTriangleFrontFace";
    RAY_QUERY_CANDIDATE_TRIANGLE_BARYCENTRICS "RayQuery_CandidateTriangleBarycentrics";
    RAY_QUERY_COMMITTED_TRIANGLE_BARYCENTRICS "RayQuery_CommittedTriangleBarycentrics";
    RAY_QUERY_RAY_FLAGS "RayQuery_RayFlags";
    RAY_QUERY_WORLD_RAY_ORIGIN "RayQuery_WorldRayOrigin";
    RAY_QUERY_WORLD_RAY_DIRECTION "RayQuery_WorldRayDirection";
    RAY_QUERY_RAY_T_MIN "RayQuery_RayTMin";
    RAY_QUERY_CANDIDATE_TRIANGLE_RAY_T "RayQuery_CandidateTriangleRayT";
    RAY_QUERY_COMMITTED_RAY_T "RayQuery_CommittedRayT";
    RAY_QUERY_CANDIDATE_INSTANCE_INDEX "RayQuery_CandidateInstanceIndex";
    RAY_QUERY_CANDIDATE_INSTANCE_ID "RayQuery_CandidateInstanceID";
    RAY_QUERY_CANDIDATE_GEOMETRY_INDEX "RayQuery_CandidateGeometryIndex";
    RAY_QUERY_CANDIDATE_PRIMITIVE_INDEX "RayQuery_CandidatePrimitiveIndex";
    RAY_QUERY_CANDIDATE_OBJECT_RAY_ORIGIN "RayQuery_CandidateObjectRayOrigin";
    RAY_QUERY_CANDIDATE_OBJECT_RAY_DIRECTION "RayQuery_CandidateObjectRayDirection";
    RAY_QUERY_COMMITTED_INSTANCE_INDEX "RayQuery_CommittedInstanceIndex";
    RAY_QUERY_COMMITTED_INSTANCE_ID "RayQuery_CommittedInstanceID";
    RAY_QUERY_COMMITTED_GEOMETRY_INDEX "RayQuery_CommittedGeometryIndex";
    RAY_QUERY_COMMITTED_PRIMITIVE_INDEX "RayQuery_CommittedPrimitiveIndex";
    RAY_QUERY_COMMITTED_OBJECT_RAY_ORIGIN "RayQuery_CommittedObjectRayOrigin";
    RAY_QUERY_COMMITTED_OBJECT_RAY_DIRECTION "RayQuery_CommittedObjectRayDirection";
    GEOMETRY_INDEX "GeometryIndex";
    RAY_QUERY_CANDIDATE_INSTANCE_CONTRIBUTION_TO_HIT_GROUP_INDEX "RayQuery_CandidateInstanceContributionToHitGroupIndex";
    RAY_QUERY_COMMITTED_INSTANCE_CONTRIBUTION_TO_HIT_GROUP_INDEX "RayQuery_CommittedInstanceContributionToHitGroupIndex";
    ANNOTATE_HANDLE "AnnotateHandle";
    CREATE_HANDLE_FROM_BINDING "CreateHandleFromBinding";
    CREATE_HANDLE_FROM_HEAP "CreateHandleFromHeap";
    UNPACK_4X8 "Unpack4x8";
    PACK_4X8 "Pack4x8";
    IS_HELPER_LANE "IsHelperLane";
    QUAD_VOTE "QuadVote";
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
    HIT_OBJECT_TRACE_RAY "HitObject_TraceRay";
    HIT_OBJECT_FROM_RAY_QUERY "HitObject_FromRayQuery";
    HIT_OBJECT_FROM_RAY_QUERY_WITH_ATTRS "HitObject_FromRayQueryWithAttrs";
    HIT_OBJECT_MAKE_MISS "HitObject_MakeMiss";
    HIT_OBJECT_MAKE_NOP "HitObject_MakeNop";
    HIT_OBJECT_INVOKE "HitObject_Invoke";
    MAYBE_REORDER_THREAD "MaybeReorderThread";
    HIT_OBJECT_IS_MISS "HitObject_IsMiss";
    HIT_OBJECT_IS_HIT "HitObject_IsHit";
    HIT_OBJECT_IS_NOP "HitObject_IsNop";
    HIT_OBJECT_RAY_FLAGS "HitObject_RayFlags";
    HIT_OBJECT_RAY_T_MIN "HitObject_RayTMin";
    HIT_OBJECT_RAY_T_CURRENT "HitObject_RayTCurrent";
    HIT_OBJECT_WORLD_RAY_ORIGIN "HitObject_WorldRayOrigin";
    HIT_OBJECT_WORLD_RAY_DIRECTION "HitObject_WorldRayDirection";
    HIT_OBJECT_OBJECT_RAY_ORIGIN "HitObject_ObjectRayOrigin";
    HIT_OBJECT_OBJECT_RAY_DIRECTION "HitObject_ObjectRayDirection";
    HIT_OBJECT_OBJECT_TO_WORLD_3X4 "HitObject_ObjectToWorld3x4";
    HIT_OBJECT_WORLD_TO_OBJECT_3X4 "HitObject_WorldToObject3x4";
    HIT_OBJECT_GEOMETRY_INDEX "HitObject_GeometryIndex";
    HIT_OBJECT_INSTANCE_INDEX "HitObject_InstanceIndex";
    HIT_OBJECT_INSTANCE_ID "HitObject_InstanceID";
    HIT_OBJECT_PRIMITIVE_INDEX "HitObject_PrimitiveIndex";
    HIT_OBJECT_HIT_KIND "HitObject_HitKind";
    HIT_OBJECT_SHADER_TABLE_INDEX "HitObject_ShaderTableIndex";
    HIT_OBJECT_SET_SHADER_TABLE_INDEX "HitObject_SetShaderTableIndex";
    HIT_OBJECT_LOAD_LOCAL_ROOT_TABLE_CONSTANT "HitObject_LoadLocalRootTableConstant";
    HIT_OBJECT_ATTRIBUTES "HitObject_Attributes";
    RAW_BUFFER_VECTOR_LOAD "RawBufferVectorLoad";
    RAW_BUFFER_VECTOR_STORE "RawBufferVectorStore";
    VECTOR_REDUCE_AND "VectorReduceAnd";
    VECTOR_REDUCE_OR "VectorReduceOr";
    FDOT "FDot";
    EXPERIMENTAL_NOP "ExperimentalNop";
    GET_GROUP_WAVE_INDEX "GetGroupWaveIndex";
    GET_GROUP_WAVE_COUNT "GetGroupWaveCount";
    CLUSTER_ID "ClusterID";
    RAY_QUERY_CANDIDATE_CLUSTER_ID "RayQuery_CandidateClusterID";
    RAY_QUERY_COMMITTED_CLUSTER_ID "RayQuery_CommittedClusterID";
    HIT_OBJECT_CLUSTER_ID "HitObject_ClusterID";
    TRIANGLE_OBJECT_POSITION "TriangleObjectPosition";
    RAY_QUERY_CANDIDATE_TRIANGLE_OBJECT_POSITION "RayQuery_CandidateTriangleObjectPosition";
    RAY_QUERY_COMMITTED_TRIANGLE_OBJECT_POSITION "RayQuery_CommittedTriangleObjectPosition";
    HIT_OBJECT_TRIANGLE_OBJECT_POSITION "HitObject_TriangleObjectPosition";
    LIN_ALG_MATRIX_MULTIPLY_ACCUMULATE "LinAlgMatrixMultiplyAccumulate";
    LIN_ALG_FILL_MATRIX "LinAlgFillMatrix";
    LIN_ALG_COPY_CONVERT_MATRIX "LinAlgCopyConvertMatrix";
    LIN_ALG_MATRIX_LOAD_FROM_DESCRIPTOR "LinAlgMatrixLoadFromDescriptor";
    LIN_ALG_MATRIX_LOAD_FROM_MEMORY "LinAlgMatrixLoadFromMemory";
    LIN_ALG_MATRIX_LENGTH "LinAlgMatrixLength";
    LIN_ALG_MATRIX_GET_COORDINATE "LinAlgMatrixGetCoordinate";
    LIN_ALG_MATRIX_GET_ELEMENT "LinAlgMatrixGetElement";
    LIN_ALG_MATRIX_SET_ELEMENT "LinAlgMatrixSetElement";
    LIN_ALG_MATRIX_STORE_TO_DESCRIPTOR "LinAlgMatrixStoreToDescriptor";
    LIN_ALG_MATRIX_STORE_TO_MEMORY "LinAlgMatrixStoreToMemory";
    LIN_ALG_MATRIX_QUERY_ACCUMULATOR_LAYOUT "LinAlgMatrixQueryAccumulatorLayout";
    LIN_ALG_MATRIX_MULTIPLY "LinAlgMatrixMultiply";
    LIN_ALG_MATRIX_ACCUMULATE "LinAlgMatrixAccumulate";
    LIN_ALG_MAT_VEC_MUL "LinAlgMatVecMul";
    LIN_ALG_MAT_VEC_MUL_ADD "LinAlgMatVecMulAdd";
    LIN_ALG_MATRIX_ACCUMULATE_TO_DESCRIPTOR "LinAlgMatrixAccumulateToDescriptor";
    LIN_ALG_MATRIX_ACCUMULATE_TO_MEMORY "LinAlgMatrixAccumulateToMemory";
    LIN_ALG_MATRIX_OUTER_PRODUCT "LinAlgMatrixOuterProduct";
    LIN_ALG_CONVERT "LinAlgConvert";
    LIN_ALG_VECTOR_ACCUMULATE_TO_DESCRIPTOR "LinAlgVectorAccumulateToDescriptor";
    DEBUG_BREAK "DebugBreak";
    IS_DEBUGGING_ENABLED "IsDebuggingEnabled";
}
