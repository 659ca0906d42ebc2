// Layers, viewports and shading rates that stages before the last one pass on. Vulkan has these builtins between the last stage before the rasteriser and the pixel shader;
// elsewhere they have locations, after all others, so that these match the stage before, whether or not it has written a builtin.
// RUN: %rtc -spirv -T vs_6_4 -E vertex -fspv-target-env=vulkan1.2 %s | FileCheck %s --check-prefix=VS
// RUN: %rtc -spirv -T gs_6_4 -E geometry %s | FileCheck %s --check-prefix=GS
// RUN: %rtc -spirv -T gs_6_4 -E geometry -fspv-target-env=vulkan1.2 %s -Fo %t.gs.spv
// RUN: %spirv-val %t.gs.spv
// RUN: %rtc -spirv -T gs_6_4 -E geometry -fspv-target-env=vulkan1.2 -pack-optimized %s -Fo %t.packed.spv
// RUN: %spirv-val %t.packed.spv
// RUN: %rtc -spirv -T hs_6_4 -E hull -fspv-target-env=vulkan1.2 %s | FileCheck %s --check-prefix=HS
// RUN: %rtc -spirv -T hs_6_4 -E hull -fspv-target-env=vulkan1.2 %s -Fo %t.hs.spv
// RUN: %spirv-val %t.hs.spv
// RUN: %rtc -spirv -T ds_6_4 -E domain -fspv-target-env=vulkan1.2 %s | FileCheck %s --check-prefix=DS
// RUN: %rtc -spirv -T ds_6_4 -E domain -fspv-target-env=vulkan1.2 %s -Fo %t.ds.spv
// RUN: %spirv-val %t.ds.spv
struct V { float4 at : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; float2 uv : UV; };
// VS-DAG: OpDecorate %gl_Layer BuiltIn Layer
// VS-DAG: OpDecorate %out_var_UV Location 0
V vertex(float4 p : P) { V v = { p, 1, 2, p.xy }; return v; }

// GS-DAG: OpDecorate %in_var_UV Location 0
// GS-DAG: OpDecorate %in_var_SV_RenderTargetArrayIndex Location 1
// GS-DAG: OpDecorate %in_var_SV_ViewportArrayIndex Location 2
// GS-DAG: OpDecorate %gl_Layer{{[_0-9]*}} BuiltIn Layer
[maxvertexcount(1)] void geometry(point V v[1], inout PointStream<V> s) { V o = v[0]; o.view++; s.Append(o); }

struct K { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; uint layer : SV_RenderTargetArrayIndex; float a : A; };
// HS-NOT: BuiltIn Layer
// HS-NOT: BuiltIn ViewportIndex
K constants(InputPatch<V, 3> v)
{
    K k;
    k.edges[0] = k.edges[1] = k.edges[2] = k.inside = 1;
    k.layer = v[1].layer; k.a = v[2].uv.x;
    return k;
}
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [patchconstantfunc("constants")] [outputcontrolpoints(3)]
V hull(InputPatch<V, 3> v, uint i : SV_OutputControlPointID) { return v[i]; }

// DS-DAG: OpDecorate %gl_Layer{{[_0-9]*}} BuiltIn Layer
// DS-DAG: OpDecorate %gl_ViewportIndex{{[_0-9]*}} BuiltIn ViewportIndex
[domain("tri")] V domain(K k, float3 l : SV_DomainLocation, const OutputPatch<V, 3> v)
{
    V o = v[0];
    o.layer = k.layer + v[1].view;
    o.uv = k.a;
    return o;
}
