// Functions that are instructions of SPIR-V: of SPIR-V itself, of an extended set, with literals and references.
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 %s -Fo %t.spv -Fc %t.txt
// RUN: %spirv-val %t.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -T cs_6_6 -E main -spirv -fspv-target-env=vulkan1.3 -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T cs_6_6 -E main -fdiagnostics-format=short %s 2>&1 | FileCheck %s --check-prefix=DXIL
// CHECK: OpCapability ShaderClockKHR
// CHECK: OpExtension "SPV_KHR_shader_clock"
// CHECK-DAG: [[GLSL:%[0-9A-Za-z_]+]] = OpExtInstImport "GLSL.std.450"
// CHECK-DAG: [[BREAK:%[0-9A-Za-z_]+]] = OpExtInstImport "NonSemantic.DebugBreak"
[[vk::ext_capability(5055)]]
[[vk::ext_extension("SPV_KHR_shader_clock")]]
[[vk::ext_instruction(/* OpReadClockKHR */ 5056)]]
uint64_t ReadClock(uint scope);

[[vk::ext_instruction(/* Sin */ 13, "GLSL.std.450")]]
float4 spv_sin(float4 v);

[[vk::ext_extension("SPV_KHR_non_semantic_info")]]
[[vk::ext_instruction(1, "NonSemantic.DebugBreak")]]
void debug_break();

[[vk::ext_capability(61), vk::ext_capability(64)]]
[[vk::ext_instruction(/* OpGroupNonUniformBallotBitCount */ 342)]]
uint bit_count(uint scope, [[vk::ext_literal]] uint operation, uint4 ballot);

[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]]
uint atomic_add([[vk::ext_reference]] uint memory, uint scope, uint semantics, uint value);

[[vk::ext_instruction(/* OpLoad */ 61)]]
float4 spv_load([[vk::ext_reference]] float4 pointer, [[vk::ext_literal]] int access);

[[vk::ext_instruction(/* OpStore */ 62)]]
void spv_store([[vk::ext_reference]] float4 pointer, float4 object, [[vk::ext_literal]] int access);

template <typename T>
[[vk::ext_instruction(/* OpBitcast */ 124)]]
uint bits(T x);

struct Carry { uint low; uint high; };
[[vk::ext_instruction(/* OpIAddCarry */ 149)]]
Carry add_carry(uint a, uint b);

[[vk::ext_instruction(/* Determinant */ 33, "GLSL.std.450")]]
float det(float3x3 m);
[[vk::ext_instruction(/* MatrixInverse */ 34, "GLSL.std.450")]]
float3x3 inverse(float3x3 m);
[[vk::ext_instruction(/* Modf */ 35, "GLSL.std.450")]]
float spv_modf(float x, [[vk::ext_reference]] float whole);

enum { ExclusiveScan = 2 };
static const uint Reduce = 0;
#define InclusiveScan 1

struct Inner { float4 value; };
groupshared uint shared_count;
RWStructuredBuffer<float4> Out : register(u0);
RWStructuredBuffer<uint> Counters : register(u1);

// CHECK-DAG: [[FLOAT4:%[0-9A-Za-z_]+]] = OpTypeVector {{%[0-9A-Za-z_]+}} 4
// CHECK-DAG: [[UINT:%[0-9A-Za-z_]+]] = OpTypeInt 32 0
[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    // CHECK: OpReadClockKHR {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}}
    // DXIL: instructions.hlsl:[[@LINE+1]]:{{[0-9]+}}: error: `ReadClock` is an instruction of SPIR-V: it cannot be compiled to DXIL [E0902]
    uint64_t clock = ReadClock(vk::SubgroupScope);
    // CHECK: OpExtInst [[FLOAT4]] [[GLSL]] Sin
    float4 s = spv_sin(Out[id.x]);
    // CHECK: OpExtInst {{%[0-9A-Za-z_]+}} [[BREAK]] DebugBreak
    debug_break();
    // CHECK: OpGroupNonUniformBallotBitCount [[UINT]] {{%[0-9A-Za-z_]+}} Reduce
    uint n = bit_count(vk::SubgroupScope, Reduce, uint4(1, 2, 3, 4));
    // CHECK: OpGroupNonUniformBallotBitCount [[UINT]] {{%[0-9A-Za-z_]+}} InclusiveScan
    n += bit_count(vk::SubgroupScope, InclusiveScan, uint4(1, 2, 3, 4));
    // CHECK: OpGroupNonUniformBallotBitCount [[UINT]] {{%[0-9A-Za-z_]+}} ExclusiveScan
    n += bit_count(vk::SubgroupScope, ExclusiveScan, uint4(1, 2, 3, 4));
    // CHECK: OpAtomicIAdd [[UINT]]
    n += atomic_add(shared_count, vk::WorkgroupScope, 0, 1);
    // CHECK: OpAtomicIAdd [[UINT]]
    n += atomic_add(Counters[id.x + 1], vk::DeviceScope, 0, 1);
    Inner inner;
    inner.value = s;
    // CHECK: OpLoad [[FLOAT4]] {{%[0-9A-Za-z_]+}} None
    float4 out_value = s;
    // CHECK: OpStore {{%[0-9A-Za-z_]+}} {{%[0-9A-Za-z_]+}} Volatile
    spv_store(out_value, spv_load(inner.value, 0), 1);
    // CHECK: OpBitcast [[UINT]]
    n += bits<float>(out_value.x);
    // CHECK: OpIAddCarry
    Carry c = add_carry(n, id.x);
    float3x3 m = float3x3(s.xyz, s.yzw, s.zwx);
    // CHECK: OpExtInst {{%[0-9A-Za-z_]+}} [[GLSL]] Determinant
    // CHECK: OpExtInst {{%[0-9A-Za-z_]+}} [[GLSL]] MatrixInverse
    out_value.x += det(m) + inverse(m)[1].y;
    float whole = 0;
    // CHECK: OpExtInst {{%[0-9A-Za-z_]+}} [[GLSL]] Modf
    out_value.y += spv_modf(s.x, whole) + whole;
    Out[id.x] = out_value + n + c.high + (uint)clock;
}
