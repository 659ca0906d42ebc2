//! Names of GLSL, Metal, CUDA and C++ with their HLSL equivalents: for suggestions in diagnostics only.

/// Pairs of a foreign name and its HLSL equivalent.
#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    // Types
    ("vec2", "float2"), ("vec3", "float3"), ("vec4", "float4"), ("ivec2", "int2"), ("ivec3", "int3"), ("ivec4", "int4"),
    ("uvec2", "uint2"), ("uvec3", "uint3"), ("uvec4", "uint4"), ("bvec2", "bool2"), ("bvec3", "bool3"), ("bvec4", "bool4"),
    ("dvec2", "double2"), ("dvec3", "double3"), ("dvec4", "double4"),
    ("mat2", "float2x2"), ("mat3", "float3x3"), ("mat4", "float4x4"), ("mat4x3", "float4x3"), ("mat3x4", "float3x4"),
    ("sampler2D", "Texture2D"), ("samplerCube", "TextureCube"), ("image2D", "RWTexture2D"), ("accelerationStructureEXT", "RaytracingAccelerationStructure"),
    ("rayQueryEXT", "RayQuery"), ("unsigned_int", "uint"), ("u32", "uint"), ("i32", "int"), ("f32", "float"), ("f16", "half"),
    ("int8_t", "int"), ("uint8_t", "uint"), ("char", "int"), ("long", "int64_t"), ("size_t", "uint"), ("packed_float3", "float3"),
    // Functions
    ("mix", "lerp"), ("fract", "frac"), ("inversesqrt", "rsqrt"), ("mod", "fmod"), ("dFdx", "ddx"), ("dFdy", "ddy"),
    ("roundEven", "round"), ("fma", "mad"), ("bitCount", "countbits"), ("findMSB", "firstbithigh"), ("findLSB", "firstbitlow"),
    ("bitfieldReverse", "reversebits"), ("floatBitsToInt", "asint"), ("floatBitsToUint", "asuint"), ("intBitsToFloat", "asfloat"),
    ("uintBitsToFloat", "asfloat"), ("barrier", "GroupMemoryBarrierWithGroupSync"),
    ("memoryBarrierShared", "GroupMemoryBarrier"), ("atomicAdd", "InterlockedAdd"), ("atomicMin", "InterlockedMin"),
    ("atomicMax", "InterlockedMax"), ("atomicExchange", "InterlockedExchange"), ("atomicCompSwap", "InterlockedCompareExchange"),
    ("traceRayEXT", "TraceRay"), ("reportIntersectionEXT", "ReportHit"), ("ignoreIntersectionEXT", "IgnoreHit"),
    ("terminateRayEXT", "AcceptHitAndEndSearch"), ("executeCallableEXT", "CallShader"), ("reorderThreadEXT", "dx::MaybeReorderThread"),
    ("subgroupAdd", "WaveActiveSum"), ("subgroupBallot", "WaveActiveBallot"), ("subgroupBroadcastFirst", "WaveReadLaneFirst"),
    ("subgroupElect", "WaveIsFirstLane"), ("fabs", "abs"), ("fmin", "min"), ("fmax", "max"), ("sqrtf", "sqrt"), ("powf", "pow"),
    ("sinf", "sin"), ("cosf", "cos"), ("expf", "exp"), ("logf", "log"), ("floorf", "floor"), ("rcpf", "rcp"), ("texture", "Sample"),
    ("textureLod", "SampleLevel"), ("texelFetch", "Load"), ("nonuniformEXT", "NonUniformResourceIndex"), ("constexpr", "static const"),
];

/// C++ keywords that HLSL does not have, and the feature that each stands for.
#[rustfmt::skip]
const CPP: &[(&str, &str)] = &[
    ("new", "`new`: there is no memory to allocate"), ("delete", "`delete`: there is no memory to free"),
    ("try", "exceptions"), ("catch", "exceptions"), ("throw", "exceptions"), ("goto", "`goto`"),
    ("friend", "`friend`"), ("virtual", "virtual methods"), ("explicit", "`explicit`"), ("mutable", "`mutable`"),
    ("decltype", "`decltype`"), ("typeid", "`typeid`"), ("noexcept", "exceptions"), ("concept", "concepts"),
    ("requires", "concepts"), ("co_await", "coroutines"), ("co_return", "coroutines"), ("alignas", "`alignas`"),
    ("thread_local", "`thread_local`"), ("asm", "`asm`"),
];

/// The C++ feature that a keyword stands for and that HLSL does not have.
pub fn cpp_word(name: &str) -> Option<&'static str> {
    CPP.iter().find(|n| n.0 == name).map(|n| n.1)
}

/// The HLSL equivalent of the foreign name `name`.
pub fn hlsl_of(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|n| n.0 == name).map(|n| n.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_none_is_an_intrinsic() {
        for (i, (name, ours)) in NAMES.iter().enumerate() {
            assert!(NAMES[i + 1..].iter().all(|n| n.0 != *name), "{name}");
            assert_ne!(name, ours);
            assert!(crate::intrinsics::all().all(|r| r.name != *name || *name == "fma"), "{name}");
        }
    }
}
