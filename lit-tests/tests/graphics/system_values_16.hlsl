// System values of 16 bits, native and of minimum precision: Vulkan's builtins have 32 bits, and are converted.
// RUN: %rtc -spirv -T vs_6_2 -E vertex -fvk-invert-y %s -Fo %t.vs.spv
// RUN: %spirv-val %t.vs.spv
// RUN: %rtc -spirv -T vs_6_2 -E vertex -enable-16bit-types -fspv-target-env=vulkan1.3 -fvk-support-nonzero-base-vertex %s -Fo %t.vs16.spv
// RUN: %spirv-val %t.vs16.spv
// RUN: %rtc -spirv -T vs_6_2 -E vertex -enable-16bit-types %s | FileCheck %s --check-prefix=VS
// RUN: %rtc -spirv -T ps_6_2 -E pixel -fspv-target-env=vulkan1.3 %s -Fo %t.ps.spv
// RUN: %spirv-val %t.ps.spv
// RUN: %rtc -spirv -T ps_6_2 -E pixel -fspv-target-env=vulkan1.3 -enable-16bit-types -fvk-use-dx-position-w -Od %s -Fo %t.ps16.spv
// RUN: %spirv-val %t.ps16.spv
// RUN: %rtc -spirv -T hs_6_2 -E hull %s -Fo %t.hs.spv
// RUN: %spirv-val %t.hs.spv
// RUN: %rtc -spirv -T hs_6_2 -E hull -fspv-target-env=vulkan1.3 -enable-16bit-types %s -Fo %t.hs16.spv
// RUN: %spirv-val %t.hs16.spv
// RUN: %rtc -spirv -T ds_6_2 -E domain %s -Fo %t.ds.spv
// RUN: %spirv-val %t.ds.spv
// RUN: %rtc -spirv -T ds_6_2 -E domain -fspv-target-env=vulkan1.3 -enable-16bit-types -Od %s -Fo %t.ds16.spv
// RUN: %spirv-val %t.ds16.spv
// RUN: %rtc -spirv -T gs_6_2 -E geometry -fspv-target-env=vulkan1.3 -enable-16bit-types %s -Fo %t.gs16.spv
// RUN: %spirv-val %t.gs16.spv
// RUN: %rtc -spirv -T ms_6_5 -E mesh -fspv-target-env=vulkan1.3 -enable-16bit-types -fvk-invert-y %s -Fo %t.ms16.spv
// RUN: %spirv-val %t.ms16.spv
// What is evaluated is an attribute of 32 bits, which one of minimum precision is.
// RUN: %rtc -spirv -T ps_6_2 -E evaluated %s -Fo %t.evaluated.spv
// RUN: %spirv-val %t.evaluated.spv
// RUN: not %rtc -spirv -T ps_6_2 -E evaluated -enable-16bit-types %s 2>&1 | FileCheck %s --check-prefix=EVALUATED
// EVALUATED: error: Vulkan evaluates attributes of 32 bits alone: declare this one with `float` [E0903]
#ifdef __HLSL_ENABLE_16_BIT
typedef float16_t F; typedef float16_t2 F2; typedef float16_t3 F3; typedef float16_t4 F4; typedef uint16_t U; typedef int16_t I;
#else
typedef min16float F; typedef min16float2 F2; typedef min16float3 F3; typedef min16float4 F4; typedef min16uint U; typedef min16int I;
#endif
struct V { F4 at : SV_Position; F2 clip[2] : SV_ClipDistance; F cull : SV_CullDistance; F2 uv : UV; };

// VS: OpCapability StorageInputOutput16
// VS: %gl_Position = OpVariable %_ptr_Output_v4float Output
V vertex(U v : SV_VertexID, I i : SV_InstanceID)
{
    V o;
    o.at = F4(v, i, 0, 1); o.clip[0] = v; o.clip[1] = i; o.clip[v & 1][i & 1] = 3; o.cull = 2; o.uv = v;
    return o;
}
struct O { float4 c : SV_Target; F d : SV_DepthLessEqual; };
O pixel(sample V v, F3 b : SV_Barycentrics, bool front : SV_IsFrontFace, U p : SV_PrimitiveID)
{
    O o;
    o.c = float4(v.at.xyz, v.clip[1].y) + v.cull + float4(b, (front ? 1 : 0) + p);
    o.d = v.at.z;
    return o;
}
struct K { F edges[3] : SV_TessFactor; F inside : SV_InsideTessFactor; F a : A; };
K constants(InputPatch<V, 3> v, OutputPatch<V, 3> o, U n : SV_PrimitiveID)
{
    K k;
    k.edges[0] = v[n % 3].clip[1].x; k.edges[1] = k.edges[2] = o[1].cull; k.inside = 1; k.a = n;
    return k;
}
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [patchconstantfunc("constants")] [outputcontrolpoints(3)]
V hull(InputPatch<V, 3> v, U i : SV_OutputControlPointID) { V o = v[i]; o.clip[i & 1].y += 1; return o; }
[domain("tri")] V domain(K k, F3 l : SV_DomainLocation, const OutputPatch<V, 3> v)
{
    V o = v[0];
    o.at = v[1].at * l.x + k.edges[2] * l.z; o.cull = k.inside + k.a; o.clip[1] = v[2].clip[0] * l.y;
    return o;
}
struct G { V v; U layer : SV_RenderTargetArrayIndex; U id : SV_PrimitiveID; };
[maxvertexcount(1)] void geometry(point V v[1], U id : SV_PrimitiveID, inout PointStream<G> s) { G g; g.v = v[0]; g.layer = id; g.id = id + 1; s.Append(g); }
struct Q { U layer : SV_RenderTargetArrayIndex; U id : SV_PrimitiveID; F c : C; };
[numthreads(3, 1, 1)] [outputtopology("triangle")]
void mesh(uint i : SV_GroupIndex, out vertices V v[3], out primitives Q q[1], out indices uint3 t[1])
{
    SetMeshOutputCounts(3, 1);
    v[i] = (V)0;
    v[i].at.y = i; v[i].at[i] = 1; v[i].clip[0].x = 2; v[i].cull = 3;
    q[0].layer = 1; q[0].id = 2; q[0].c = 3; t[0] = uint3(0, 1, 2);
}
float4 evaluated(sample F2 a : A, uint s : SV_SampleIndex) : SV_Target { return EvaluateAttributeAtSample(a, s).xyxy; }
