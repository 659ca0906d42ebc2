//! Facts about SPIR-V instructions that inline SPIR-V needs and the grammar of SPIR-V does not have: which run other shaders, and the
//! numbers of enumerations that the language itself refers to.

use crate::resources::AtomicOp;

/// Instructions that run other shaders, or after which a thread may go on in another wave: ranges of opcodes.
#[rustfmt::skip]
pub const RUNS_SHADERS: &[(u32, u32, &str)] = &[
    (4445, 4446, "OpTraceRayKHR, OpExecuteCallableKHR"),
    (5256, 5256, "OpHitObjectTraceRayMotionNV"),
    (5260, 5260, "OpHitObjectTraceRayNV"),
    (5264, 5264, "OpHitObjectExecuteShaderNV"),
    (5279, 5280, "OpReorderThreadWithHitObjectNV, OpReorderThreadWithHintNV"),
    (5310, 5312, "OpHitObjectReorderExecuteShaderEXT, OpHitObjectTraceReorderExecuteEXT, OpHitObjectTraceMotionReorderExecuteEXT"),
    (5314, 5317, "OpReorderThreadWithHintEXT, OpReorderThreadWithHitObjectEXT, OpHitObjectTraceRayEXT, OpHitObjectTraceRayMotionEXT"),
    (5319, 5319, "OpHitObjectExecuteShaderEXT"),
    (5334, 5339, "OpReportIntersectionKHR, OpIgnoreIntersectionNV, OpTerminateRayNV, OpTraceNV, OpTraceMotionNV, OpTraceRayMotionNV"),
    (5344, 5344, "OpExecuteCallableNV"),
];

/// Instructions whose operand is a type: that of the argument.
#[rustfmt::skip]
pub const OPERAND_IS_TYPE: &[(u32, &str)] = &[
    (4460, "OpCooperativeMatrixLengthKHR"),
    (5362, "OpCooperativeMatrixLengthNV"),
];

/// Instructions whose last operand is a variable of one of these storage classes: of a payload or the parameter of a callable shader.
#[rustfmt::skip]
pub const LAST_IS_VARIABLE: &[(u32, &[u32], &str)] = &[
    (4445, PAYLOAD,   "OpTraceRayKHR"),
    (4446, PARAMETER, "OpExecuteCallableKHR"),
    (5256, PAYLOAD,   "OpHitObjectTraceRayMotionNV"),
    (5260, PAYLOAD,   "OpHitObjectTraceRayNV"),
    (5264, PAYLOAD,   "OpHitObjectExecuteShaderNV"),
    (5316, PAYLOAD,   "OpHitObjectTraceRayEXT"),
    (5317, PAYLOAD,   "OpHitObjectTraceRayMotionEXT"),
    (5319, PAYLOAD,   "OpHitObjectExecuteShaderEXT"),
];
/// `RayPayloadKHR`, `IncomingRayPayloadKHR`.
pub const PAYLOAD: &[u32] = &[5338, 5342];
/// `CallableDataKHR`, `IncomingCallableDataKHR`.
pub const PARAMETER: &[u32] = &[5328, 5329];

/// Whether an instruction runs other shaders or reorders threads.
pub fn runs_shaders(opcode: u32) -> bool {
    RUNS_SHADERS.iter().any(|&(first, last, _)| (first..=last).contains(&opcode))
}

/// The instruction that is this atomic operation.
pub fn atomic(op: AtomicOp) -> u32 {
    match op {
        AtomicOp::Exchange => 229,
        AtomicOp::CompareExchange => 230,
        AtomicOp::Add => 234,
        AtomicOp::SMin => 236,
        AtomicOp::UMin => 237,
        AtomicOp::SMax => 238,
        AtomicOp::UMax => 239,
        AtomicOp::And => 240,
        AtomicOp::Or => 241,
        AtomicOp::Xor => 242,
    }
}

/// The scope of a device.
pub const DEVICE: u32 = 1;
/// The capability `Int64Atomics`.
pub const INT64_ATOMICS: u32 = 12;

/// The decoration `BuiltIn`.
pub const BUILT_IN: u32 = 11;

/// The decoration `InputAttachmentIndex`.
pub const INPUT_ATTACHMENT_INDEX: u32 = 43;

/// The decoration `Binding`.
pub const BINDING: u32 = 33;
/// The decoration `DescriptorSet`.
pub const DESCRIPTOR_SET: u32 = 34;
/// The storage class of descriptors.
pub const UNIFORM_CONSTANT: u32 = 0;

/// The storage classes of built-in variables.
pub const INPUT: u32 = 1;
/// See [`INPUT`].
pub const OUTPUT: u32 = 3;
