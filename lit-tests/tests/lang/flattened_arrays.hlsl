// -fspv-flatten-resource-arrays: each element of an array of resources has a binding, one after the other; indices may be computed.
// RUN: %rtc -T ps_6_0 -spirv -fspv-flatten-resource-arrays %s -Fo %t.spv -Fc - | FileCheck %s
// RUN: %spirv-val %t.spv
// RUN: %rtc -T ps_6_0 -spirv -Od -fspv-flatten-resource-arrays %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T ps_6_0 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil

// CHECK-DAG: OpName [[A2:%[0-9A-Za-z_]+]] "a[2]"
// CHECK-DAG: OpDecorate [[A2]] Binding 2
// CHECK-DAG: OpName [[NEXT:%[0-9A-Za-z_]+]] "next"
// CHECK-DAG: OpDecorate [[NEXT]] Binding 5
// CHECK-DAG: OpName [[FREE:%[0-9A-Za-z_]+]] "free[1][0]"
// CHECK-DAG: OpDecorate [[FREE]] Binding 8
// CHECK-DAG: OpName [[ONE:%[0-9A-Za-z_]+]] "one"
// CHECK-DAG: OpDecorate [[ONE]] Binding 3
Texture2D<float> a[3] : register(t0);
SamplerState one;
Texture2D<float> taken : register(t4);
Texture2D<float> free[2][2];
Texture2D<float> next : register(t5);

float main(float2 uv : UV, nointerpolation uint i : I) : SV_Target
{
    return a[2].Sample(one, uv) + a[i].Sample(one, uv) + free[1][i & 1].Sample(one, uv) + free[1][0].Sample(one, uv) + next.Sample(one, uv);
}
