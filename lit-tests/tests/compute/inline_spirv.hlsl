// Inline SPIR-V is executed: arithmetic with two results, matrices, integers of 8 bits, atomics through references into a buffer that
// the shader also reads, pointers to group-shared memory, built-in variables.
// RUN: %rtc-run %S/Inputs/inline_spirv.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
using byte [[vk::ext_capability(/* Int8 */ 39)]] = vk::SpirvType</* OpTypeInt */ 21, 1, 1, vk::Literal<vk::integral_constant<uint, 8> >, vk::Literal<vk::integral_constant<bool, false> > >;
[[vk::ext_instruction(/* OpUConvert */ 113)]] byte narrow(uint v);
[[vk::ext_instruction(/* OpUConvert */ 113)]] uint widen(byte v);
[[vk::ext_instruction(/* OpIAdd */ 128)]] byte add(byte a, byte b);

struct Carry { uint low; uint high; };
[[vk::ext_instruction(/* OpIAddCarry */ 149)]] Carry add_carry(uint a, uint b);
[[vk::ext_instruction(/* Determinant */ 33, "GLSL.std.450")]] float determinant_of(float2x2 m);
[[vk::ext_instruction(/* MatrixInverse */ 34, "GLSL.std.450")]] float2x2 inverse(float2x2 m);
[[vk::ext_instruction(/* OpMatrixTimesVector */ 145)]] float2 times(float2x2 m, float2 v);
[[vk::ext_instruction(/* Modf */ 35, "GLSL.std.450")]] float fraction(float x, [[vk::ext_reference]] float whole);
[[vk::ext_instruction(/* OpAtomicIAdd */ 234)]]
uint atomic_add([[vk::ext_reference]] uint memory, uint scope, uint semantics, uint value);
[[vk::ext_instruction(/* OpLoad */ 61)]] float load([[vk::ext_reference]] float p);
template <typename T>
using Pointer = const vk::SpirvOpaqueType</* OpTypePointer */ 32, vk::Literal<vk::integral_constant<uint, /* Workgroup */ 4> >, T>;
template <typename T> [[vk::ext_instruction(/* OpCopyObject */ 83)]] Pointer<T> address_of([[vk::ext_reference]] T v);
[[vk::ext_instruction(/* OpStore */ 62)]] void store(Pointer<uint> p, uint x);

[[vk::ext_builtin_input(/* WorkgroupId */ 26)]] static const uint3 group;
[[vk::ext_builtin_input(/* LocalInvocationId */ 27)]] static const uint3 local_id;
groupshared uint box[4];
RWStructuredBuffer<float> Numbers : register(u0);
RWStructuredBuffer<uint> Counts : register(u1);
RWStructuredBuffer<uint> Out : register(u2);

[numthreads(4, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    store(address_of(box[local_id.x]), 100 + i);
    GroupMemoryBarrierWithGroupSync();
    atomic_add(Counts[3], vk::DeviceScope, 0, 5);
    AllMemoryBarrierWithGroupSync();
    if (i > 0)
        return;
    Carry c = add_carry(0xffffffff, 3 + group.x);
    Out[0] = c.low;
    Out[1] = c.high;
    float2x2 m = float2x2(2, 1, 0, 4);
    Out[2] = determinant_of(m);
    // A row of HLSL is a column of SPIR-V: (2, 1) * 1 + (0, 4) * 2.
    Out[3] = dot(times(m, float2(1, 2)), float2(1, 100));
    Out[4] = inverse(m)[1].y * 1000;
    Out[5] = widen(add(narrow(250), narrow(10)));
    float whole;
    float part = fraction(load(Numbers[0]), whole);
    Out[6] = part * 100 + whole;
    Out[7] = Counts[3];
    Out[8] = box[0] + box[1] + box[2] + box[3];
    Out[9] = atomic_add(Counts[0], vk::DeviceScope, 0, 1);
    Out[10] = Counts[0];
    Counts[1] = 7;
    Out[11] = atomic_add(Counts[1], vk::DeviceScope, 0, 1);
}
// CHECK: [
// CHECK-NEXT: 2,
// CHECK-NEXT: 1,
// CHECK-NEXT: 8,
// CHECK-NEXT: 902,
// CHECK-NEXT: 250,
// CHECK-NEXT: 4,
// CHECK-NEXT: 51,
// CHECK-NEXT: 60,
// CHECK-NEXT: 406,
// CHECK-NEXT: 10,
// CHECK-NEXT: 11,
// CHECK-NEXT: 7
