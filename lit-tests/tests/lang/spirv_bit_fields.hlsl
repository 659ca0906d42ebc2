// A member of a bit-field is read from what was written last into its bits, not through what was written into its neighbours; at an end of the word a mask or a shift reads it.
// What it computes is in `compute/bit_fields.hlsl`.
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -spirv %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
struct Fields { uint a : 5; uint b : 11; uint c : 16; };
RWStructuredBuffer<uint> o : register(u0);

[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    Fields f;
    f.a = o[id.x]; f.b = o[id.x + 1] >> 7; f.c = o[id.x + 2] >> 13;
    // CHECK: OpLoopMerge
    // CHECK: OpBitFieldUExtract %uint [[WORD:%[0-9]+]] %uint_5 %uint_11
    // CHECK-NOT: OpBitFieldUExtract
    // CHECK: OpShiftRightLogical %uint [[WORD]] %uint_16
    // CHECK-NOT: OpBitFieldUExtract
    // CHECK: OpBranch
    for (uint i = 0; i < o[0]; ++i) { f.a += f.b; f.b = f.b * 3 + f.c; f.c ^= f.a * 77; }
    o[id.x] = f.a ^ f.b << 8 ^ f.c;
}
