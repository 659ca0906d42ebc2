//! What reflection counts: the kinds of work that instructions do, by the names that the reference gives them.

use super::op::{DxOp, opcode};

/// A first and a last opcode.
pub type Range = (DxOp, DxOp);

const fn one(name: &str) -> Range {
    (opcode(name), opcode(name))
}

const fn to(first: &str, last: &str) -> Range {
    (opcode(first), opcode(last))
}

/// Counters of operations, and the operations that each counts.
pub static OF_OPERATIONS: &[(&str, &[Range])] = &[
    ("atomic", &[one("BufferUpdateCounter"), to("AtomicBinOp", "AtomicCompareExchange")]),
    ("barrier", &[one("Barrier"), to("BarrierByMemoryType", "BarrierByNodeRecordHandle")]),
    ("floats", &[to("FAbs", "Round_z"), to("FMax", "FMin"), one("Fma"), to("Dot2", "Dot4"), one("Dot2AddHalf"), one("FDot")]),
    ("gs_cut", &[to("CutStream", "EmitThenCutStream")]),
    ("gs_emit", &[one("EmitStream"), one("EmitThenCutStream")]),
    ("ints", &[to("IMax", "IMin"), one("IMul"), one("IMad"), one("Ibfe"), one("Dot4AddI8Packed"), to("VectorReduceAnd", "VectorReduceOr")]),
    ("sig_ld", &[one("LoadInput"), to("LoadOutputControlPoint", "LoadPatchConstant")]),
    ("sig_st", &[one("StoreOutput"), one("StorePatchConstant"), to("StoreVertexOutput", "StorePrimitiveOutput")]),
    ("tex_bias", &[one("SampleBias")]),
    (
        "tex_cmp",
        &[to("SampleCmp", "SampleCmpLevelZero"), one("TextureGatherCmp"), one("SampleCmpLevel"), to("SampleCmpGrad", "SampleCmpBias")],
    ),
    ("tex_grad", &[one("SampleGrad")]),
    ("tex_load", &[one("TextureLoad"), one("BufferLoad"), one("RawBufferLoad"), one("RawBufferVectorLoad")]),
    ("tex_norm", &[one("Sample"), one("SampleLevel"), one("TextureGather"), one("TextureGatherRaw")]),
    (
        "tex_store",
        &[
            one("TextureStore"),
            one("BufferStore"),
            one("RawBufferStore"),
            to("WriteSamplerFeedback", "WriteSamplerFeedbackGrad"),
            one("TextureStoreSample"),
            one("RawBufferVectorStore"),
        ],
    ),
    (
        "uints",
        &[
            to("Bfrev", "FirstbitSHi"),
            to("UMax", "UMin"),
            to("UMul", "USubb"),
            to("UMad", "Msad"),
            to("Ubfe", "Bfi"),
            one("Dot4AddU8Packed"),
            to("VectorReduceAnd", "VectorReduceOr"),
        ],
    ),
];
