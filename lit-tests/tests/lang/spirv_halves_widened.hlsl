// A half that was rounded in the shader becomes wide by the instruction for it, two at a time, after a zero that drivers do not know was added to its bits: the last bit of the product of a
// number and its neighbour. What it computes is in `compute/halves_seen_wide.hlsl`.
// RUN: %rtc -T cs_6_6 -E main -spirv -enable-16bit-types %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
RWStructuredBuffer<float4> o : register(u0);

[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID)
{
    float4 s = o[id.x];
    // CHECK: OpFConvert %v4half
    // CHECK-COUNT-2: OpBitcast %uint
    // CHECK-NEXT: [[SUM:%[0-9]+]] = OpIAdd %uint
    // CHECK-NEXT: [[NEXT:%[0-9]+]] = OpBitwiseXor %uint [[SUM]] %uint_1
    // CHECK-NEXT: [[PRODUCT:%[0-9]+]] = OpIMul %uint [[SUM]] [[NEXT]]
    // CHECK-NEXT: [[ZERO:%[0-9]+]] = OpBitwiseAnd %uint [[PRODUCT]] %uint_1
    // CHECK-NEXT: [[BOTH:%[0-9]+]] = OpIMul %uint [[ZERO]] %uint_65537
    // CHECK-NEXT: OpIAdd %uint {{%[0-9]+}} [[BOTH]]
    // CHECK-NEXT: UnpackHalf2x16
    // CHECK: OpIAdd %uint {{%[0-9]+}} [[BOTH]]
    // CHECK-NEXT: UnpackHalf2x16
    // CHECK-NOT: UnpackHalf2x16
    // CHECK-NOT: OpShiftLeftLogical
    o[id.x] = (float4)(half4)(s * 1.25);
}
