// What mesh shaders write for primitives is an input of that kind in the pixel shaders of the same module: SPIR-V says it of both.
// RUN: %rtc -spirv -T lib_6_6 -fspv-target-env=vulkan1.3 %s | FileCheck %s
// RUN: %rtc -spirv -T lib_6_6 -fspv-target-env=vulkan1.3 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T lib_6_6 -fspv-target-env=vulkan1.3 %s -Od -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -T lib_6_6 -fspv-target-env=vulkan1.3 -D VERTEX %s | FileCheck %s --check-prefix=BOTH
// RUN: %rtc -spirv -T ps_6_6 -E Ps -fspv-target-env=vulkan1.3 %s | FileCheck %s --check-prefix=ALONE
// A decoration that the source has is not repeated.
// RUN: %rtc -spirv -T lib_6_6 -fspv-target-env=vulkan1.3 -D SAID %s -Fo %t.said.spv
// RUN: %spirv-val %t.said.spv
#ifdef SAID
#define PRIMITIVE [[vk::ext_decorate(5271)]]
#else
#define PRIMITIVE
#endif
struct V { float4 at : SV_Position; float4 colour : COLOR; };
struct Q { nointerpolation uint2 n : Number; float4 tint[2] : TINT; };

// CHECK-DAG: OpDecorate %in_var_NUMBER PerPrimitiveEXT
// CHECK-DAG: OpDecorate %in_var_TINT PerPrimitiveEXT
// CHECK-DAG: OpDecorate %out_var_Number PerPrimitiveEXT
// CHECK-DAG: OpDecorate %out_var_TINT PerPrimitiveEXT
// CHECK-NOT: OpDecorate %in_var_COLOR PerPrimitiveEXT
// A vertex shader of the module gives one of them for vertices.
// BOTH: OpDecorate %in_var_TINT PerPrimitiveEXT
// BOTH-NOT: OpDecorate %in_var_NUMBER PerPrimitiveEXT
// ALONE-NOT: PerPrimitiveEXT
[shader("mesh")] [numthreads(3, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupIndex, out indices uint3 t[1], out vertices V v[3], out primitives Q q[1])
{
    SetMeshOutputCounts(3, 1);
    v[i] = (V)1;
    q[0] = (Q)1;
    t[0] = uint3(0, 1, 2);
}
#ifdef VERTEX
[shader("vertex")] void Vs(out float4 at : SV_Position, out nointerpolation uint2 n : NUMBER) { at = 0; n = 1; }
#endif
[shader("pixel")]
float4 Ps(float4 at : SV_Position, float4 colour : COLOR, PRIMITIVE nointerpolation uint2 n : NUMBER, float4 tint[2] : TINT) : SV_Target
{
    return colour * float(n.x + n.y) + tint[0] + tint[1];
}
