// `[[vk::builtin("…")]]` of inputs and outputs: parameters, members, results; no locations.
// RUN: %rtc -T vs_6_0 -E vertex -spirv %s | FileCheck %s --check-prefix=VS
// RUN: %rtc -T vs_6_0 -E vertex -spirv -fspv-target-env=vulkan1.0 %s -Fo %t.old.spv
// RUN: %spirv-val %t.old.spv
// VS: OpCapability DrawParameters
// VS-DAG: OpExtension "SPV_KHR_shader_draw_parameters"
// VS-DAG: OpExtension "SPV_KHR_device_group"
// VS-DAG: BuiltIn BaseVertex
// VS-DAG: BuiltIn BaseInstance
// VS-DAG: BuiltIn DrawIndex
// VS-DAG: BuiltIn DeviceIndex
// VS-DAG: BuiltIn PointSize
// VS-DAG: Location 0
// VS-NOT: Location 1
struct V { float4 at : SV_Position; [[vk::builtin("PointSize")]] float size : PSIZE; float4 b : B; };
V vertex([[vk::builtin("BaseVertex")]] int v : A, [[vk::builtin("BaseInstance")]] uint i : B, [[vk::builtin("DrawIndex")]] int d : C, [[vk::builtin("DeviceIndex")]] int g : D)
{
    V o = { v, i, d, g, 2, 1, 1, 1, 1 };
    return o;
}
// RUN: %rtc -T ps_6_0 -E pixel -spirv -fspv-target-env=vulkan1.3 %s | FileCheck %s --check-prefix=PS
// PS: BuiltIn HelperInvocation
float4 pixel([[vk::builtin("HelperInvocation")]] bool helper : H, float4 b : B) : SV_Target { clip(b.x); return helper; }
// RUN: %rtc -T ms_6_5 -E mesh -spirv -fspv-target-env=vulkan1.3 %s | FileCheck %s --check-prefix=MS
// MS-DAG: BuiltIn DrawIndex
// MS-DAG: BuiltIn PrimitivePointIndicesEXT
// MS-DAG: OutputPoints
[numthreads(1, 1, 1)] [outputtopology("point")]
void mesh([[vk::builtin("DrawIndex")]] int d : D, out vertices V v[1], out indices uint t[1])
{
    SetMeshOutputCounts(1, 1);
    v[0].at = v[0].b = d; v[0].size = 1; t[0] = 0;
}
// RUN: %rtc -T gs_6_0 -E geometry -spirv %s | FileCheck %s --check-prefix=GS
// GS: OpCapability GeometryPointSize
[maxvertexcount(1)] void geometry(point V v[1], inout PointStream<V> s) { V o = v[0]; o.size *= 2; s.Append(o); }
// RUN: %rtc -T vs_6_0 -E decorated -spirv %s | FileCheck %s --check-prefix=DECORATED
// A decoration with a location or a builtin takes the place of the location.
// DECORATED: OpName [[A:%[0-9A-Za-z_]+]] "in.var.A"
// DECORATED: OpName [[B:%[0-9A-Za-z_]+]] "in.var.B"
// DECORATED: OpDecorate [[A]] Location 7
// DECORATED-NOT: OpDecorate [[A]] Location
// DECORATED: OpDecorate [[B]] Location 0
float4 decorated([[vk::ext_decorate(30, 7)]] float a : A, float b : B) : SV_Position { return a + b; }
