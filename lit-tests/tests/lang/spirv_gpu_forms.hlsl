// Instructions that GPUs have: a 16-bit store, the component of memory, masks and shifts for bytes, `OpAny`, a choice of floats, `FClamp` of a finite number,
// a remainder of a power of two. What each computes is in `run/gpu_forms.hlsl`.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -enable-16bit-types %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
cbuffer C : register(b0) { float4 W[64]; float4x4 M[4]; };
RWStructuredBuffer<uint> o : register(u0);
RWByteAddressBuffer raw : register(u1);
groupshared float4 Shared[64];

[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    uint s = id.x * 747796405u;
    Shared[id.x & 63] = float4(s & 1, s & 2, s & 4, s & 8);
    GroupMemoryBarrierWithGroupSync();
    // CHECK-DAG: OpDecorate [[HALVES:%raw[_0-9]*]] Aliased
    // CHECK-NOT: OpAtomic
    // CHECK: [[HALF:%[0-9]+]] = OpAccessChain %_ptr_StorageBuffer_ushort {{%raw[_0-9]*}} %uint_0
    // CHECK-NEXT: OpStore [[HALF]] {{%[0-9]+}}
    raw.Store<uint16_t>(id.x * 2, (uint16_t)s);
    // CHECK: OpAccessChain %_ptr_Uniform_float %C %int_0 {{%[0-9]+}} {{%[0-9]+}}
    // CHECK: OpAccessChain %_ptr_Uniform_float %C %int_1 {{%[0-9]+}} {{%[0-9]+}} %int_2
    // CHECK: OpAccessChain %_ptr_Workgroup_float %Shared {{%[0-9]+}} {{%[0-9]+}}
    // CHECK-NOT: OpVectorExtractDynamic
    float v = W[s & 63][s >> 30] + M[s & 3][s >> 30].z + Shared[s >> 26][s >> 30];
    // CHECK-NOT: OpBitFieldInsert
    o[id.x + 64] = uint(pack_clamp_s8(int4(s & 511, -3, 300, s)));
    // CHECK: OpAny %bool
    // CHECK: OpAll %bool
    // CHECK: OpSelect %v4float {{%[0-9]+}} {{%[0-9]+}} {{%[0-9]+}}
    // CHECK-NOT: OpLogicalOr
    bool4 less = uint4(s, s * 3, s * 5, s * 7) < o[id.x];
    if (any(less)) o[id.x + 128] = all(less);
    v += dot(float4(less), float4(1, 2, 4, 8));
    // CHECK: FClamp
    // CHECK: NClamp
    o[id.x + 192] = asuint(saturate(float(s) * 0.5 - 7) + saturate(asfloat(s)));
    // CHECK-NOT: OpSDiv
    o[id.x + 256] = int(s) % 64;
    o[id.x] = asuint(v);
}
