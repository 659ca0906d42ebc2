//! Opcodes of the operations that rules name. A test compares them with the table's names.

macro_rules! ops {
    ($($name:ident = $opcode:literal $text:literal;)*) => {
        $(#[doc = concat!("`", $text, "`.")] pub const $name: u32 = $opcode;)*
        #[cfg(test)]
        const ALL: &[(u32, &str)] = &[$(($opcode, $text),)*];
    };
}

ops! {
    FMA = 47 "Fma";
    MSAD = 50 "Msad";
    CREATE_HANDLE = 57 "CreateHandle";
    SAMPLE = 60 "Sample";
    SAMPLE_BIAS = 61 "SampleBias";
    SAMPLE_LEVEL = 62 "SampleLevel";
    SAMPLE_GRAD = 63 "SampleGrad";
    SAMPLE_CMP = 64 "SampleCmp";
    SAMPLE_CMP_LEVEL_ZERO = 65 "SampleCmpLevelZero";
    TEXTURE_LOAD = 66 "TextureLoad";
    BUFFER_LOAD = 68 "BufferLoad";
    CHECK_ACCESS_FULLY_MAPPED = 71 "CheckAccessFullyMapped";
    ATOMIC_BIN_OP = 78 "AtomicBinOp";
    ATOMIC_COMPARE_EXCHANGE = 79 "AtomicCompareExchange";
    BARRIER = 80 "Barrier";
    CALCULATE_LOD = 81 "CalculateLOD";
    DERIV_COARSE_X = 83 "DerivCoarseX";
    DERIV_COARSE_Y = 84 "DerivCoarseY";
    DERIV_FINE_X = 85 "DerivFineX";
    DERIV_FINE_Y = 86 "DerivFineY";
    INNER_COVERAGE = 92 "InnerCoverage";
    ATTRIBUTE_AT_VERTEX = 137 "AttributeAtVertex";
    VIEW_ID = 138 "ViewID";
    CREATE_HANDLE_FOR_LIB = 160 "CreateHandleForLib";
    ALLOCATE_RAY_QUERY = 178 "AllocateRayQuery";
    GEOMETRY_INDEX = 213 "GeometryIndex";
    ANNOTATE_HANDLE = 216 "AnnotateHandle";
    CREATE_HANDLE_FROM_BINDING = 217 "CreateHandleFromBinding";
    CREATE_HANDLE_FROM_HEAP = 218 "CreateHandleFromHeap";
    TEXTURE_GATHER_RAW = 223 "TextureGatherRaw";
    SAMPLE_CMP_LEVEL = 224 "SampleCmpLevel";
    TEXTURE_STORE_SAMPLE = 225 "TextureStoreSample";
    BARRIER_BY_MEMORY_TYPE = 244 "BarrierByMemoryType";
    BARRIER_BY_MEMORY_HANDLE = 245 "BarrierByMemoryHandle";
    BARRIER_BY_NODE_RECORD_HANDLE = 246 "BarrierByNodeRecordHandle";
    SAMPLE_CMP_GRAD = 254 "SampleCmpGrad";
    SAMPLE_CMP_BIAS = 255 "SampleCmpBias";
    START_VERTEX_LOCATION = 256 "StartVertexLocation";
    START_INSTANCE_LOCATION = 257 "StartInstanceLocation";
    ALLOCATE_RAY_QUERY_2 = 258 "AllocateRayQuery2";
    GET_GROUP_WAVE_INDEX = 0x8000_0001 "GetGroupWaveIndex";
    GET_GROUP_WAVE_COUNT = 0x8000_0002 "GetGroupWaveCount";
}

#[cfg(test)]
mod tests {
    use rtc_tables::dxil_ops::DxilOp;

    #[test]
    fn opcodes_are_those_of_the_table() {
        for &(opcode, name) in super::ALL {
            assert_eq!(DxilOp::by_opcode(opcode).map(|op| op.name), Some(name));
        }
    }
}
