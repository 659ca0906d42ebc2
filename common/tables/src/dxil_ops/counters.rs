//! What reflection counts: the kinds of work that instructions do, by the names that the reference gives them.

use super::OPS;
use super::op::{DxOp, opcode};

/// What is counted, in the order of the names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Counter {
    ArrayLocalBytes,
    ArrayLocalAccesses,
    ArrayStaticBytes,
    ArrayStaticAccesses,
    ArraySharedBytes,
    ArraySharedAccesses,
    Atomic,
    Barrier,
    Branches,
    Fence,
    Floats,
    GsCut,
    GsEmit,
    Insts,
    Ints,
    SigLoad,
    SigStore,
    TexBias,
    TexCompare,
    TexGrad,
    TexLoad,
    TexNorm,
    TexStore,
    Uints,
}

/// The names of [`Counter`], in the order of the names.
pub static NAMES: [&str; 24] = [
    "array_local_bytes",
    "array_local_ldst",
    "array_static_bytes",
    "array_static_ldst",
    "array_tgsm_bytes",
    "array_tgsm_ldst",
    "atomic",
    "barrier",
    "branches",
    "fence",
    "floats",
    "gs_cut",
    "gs_emit",
    "insts",
    "ints",
    "sig_ld",
    "sig_st",
    "tex_bias",
    "tex_cmp",
    "tex_grad",
    "tex_load",
    "tex_norm",
    "tex_store",
    "uints",
];

/// A first and a last opcode.
type Range = (DxOp, DxOp);

const fn one(name: &str) -> Range {
    (opcode(name), opcode(name))
}

const fn to(first: &str, last: &str) -> Range {
    (opcode(first), opcode(last))
}

/// Counters of operations, and the operations that each counts.
static OF_OPERATIONS: &[(Counter, &[Range])] = &[
    (Counter::Atomic, &[one("BufferUpdateCounter"), to("AtomicBinOp", "AtomicCompareExchange")]),
    (Counter::Barrier, &[one("Barrier"), to("BarrierByMemoryType", "BarrierByNodeRecordHandle")]),
    (Counter::Floats, &[to("FAbs", "Round_z"), to("FMax", "FMin"), one("Fma"), to("Dot2", "Dot4"), one("Dot2AddHalf"), one("FDot")]),
    (Counter::GsCut, &[to("CutStream", "EmitThenCutStream")]),
    (Counter::GsEmit, &[one("EmitStream"), one("EmitThenCutStream")]),
    (
        Counter::Ints,
        &[to("IMax", "IMin"), one("IMul"), one("IMad"), one("Ibfe"), one("Dot4AddI8Packed"), to("VectorReduceAnd", "VectorReduceOr")],
    ),
    (Counter::SigLoad, &[one("LoadInput"), to("LoadOutputControlPoint", "LoadPatchConstant")]),
    (Counter::SigStore, &[one("StoreOutput"), one("StorePatchConstant"), to("StoreVertexOutput", "StorePrimitiveOutput")]),
    (Counter::TexBias, &[one("SampleBias")]),
    (
        Counter::TexCompare,
        &[to("SampleCmp", "SampleCmpLevelZero"), one("TextureGatherCmp"), one("SampleCmpLevel"), to("SampleCmpGrad", "SampleCmpBias")],
    ),
    (Counter::TexGrad, &[one("SampleGrad")]),
    (Counter::TexLoad, &[one("TextureLoad"), one("BufferLoad"), one("RawBufferLoad"), one("RawBufferVectorLoad")]),
    (Counter::TexNorm, &[one("Sample"), one("SampleLevel"), one("TextureGather"), one("TextureGatherRaw")]),
    (
        Counter::TexStore,
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
        Counter::Uints,
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

/// For each row of [`OPS`] the counters that count it, as a set of bits.
static OF_ROW: [u32; OPS.len()] = {
    let mut sets = [0; OPS.len()];
    let mut row = 0;
    while row < OPS.len() {
        sets[row] = counters(OPS[row].opcode.number());
        row += 1;
    }
    sets
};

/// The counters that count the operation of this number.
const fn counters(number: u32) -> u32 {
    let (mut set, mut at) = (0, 0);
    while at < OF_OPERATIONS.len() {
        let (counter, ranges) = OF_OPERATIONS[at];
        let mut range = 0;
        while range < ranges.len() {
            if ranges[range].0.number() <= number && number <= ranges[range].1.number() {
                set |= 1 << counter as u32;
            }
            range += 1;
        }
        at += 1;
    }
    set
}

/// The counters that count an operation, as bits in the order of [`Counter`].
pub fn of_operation(number: u32) -> u32 {
    super::row_number(number).map_or(0, |row| OF_ROW[row])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted());
        assert_eq!(NAMES[Counter::Uints as usize], "uints");
        for &(counter, _) in OF_OPERATIONS {
            // Of the two spellings one is short.
            assert!(NAMES[counter as usize].starts_with(&format!("{counter:?}").to_lowercase()[..2]), "{counter:?}");
        }
    }

    #[test]
    fn operations_are_counted() {
        let of = |name: &str| of_operation(opcode(name).number());
        assert_eq!(of("EmitThenCutStream"), 1 << Counter::GsCut as u32 | 1 << Counter::GsEmit as u32);
        assert_eq!(of("FMin"), 1 << Counter::Floats as u32);
        assert_eq!(of("ThreadId"), 0);
        assert_eq!(of_operation(u32::MAX), 0);
    }
}
