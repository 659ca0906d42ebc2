// Hull and domain shaders: patches in helper functions, patch constants, all domains, libraries.
// RUN: %rtc -T hs_6_0 -E hull %s -Fo %t.hs.dxil
// RUN: %dxv %t.hs.dxil
// RUN: %rtc -T hs_6_0 -E hull %s -validator-version 1.6 -Fo %t.hs16.dxil
// RUN: %dxil-val %t.hs16.dxil
// RUN: %rtc validate %t.hs.dxil
// RUN: %rtc dis %t.hs.dxil | FileCheck %s --check-prefix=HS
// RUN: %rtc -T hs_6_0 -E hull %s -Od -validator-version 1.6 -Fo %t.hsod.dxil
// RUN: %dxil-val %t.hsod.dxil
// RUN: %rtc -T ds_6_0 -E domain %s -validator-version 1.6 -Fo %t.ds.dxil
// RUN: %dxil-val %t.ds.dxil
// RUN: %rtc validate %t.ds.dxil
// RUN: %rtc dis %t.ds.dxil | FileCheck %s --check-prefix=DS
// RUN: %rtc -T ds_6_0 -E domain %s -Od -validator-version 1.6 -Fo %t.dsod.dxil
// RUN: %dxil-val %t.dsod.dxil
// RUN: %rtc -spirv -T hs_6_0 -E hull %s -Fo %t.hs.spv
// RUN: %spirv-val %t.hs.spv
// RUN: %rtc -spirv -T hs_6_0 -E hull %s -Od -Fo %t.hsod.spv
// RUN: %spirv-val %t.hsod.spv
// RUN: %rtc -spirv -T hs_6_0 -E hull %s | FileCheck %s --check-prefix=HSSPV
// RUN: %rtc -spirv -T ds_6_0 -E domain %s -Fo %t.ds.spv
// RUN: %spirv-val %t.ds.spv
// RUN: %rtc -spirv -T ds_6_0 -E domain %s | FileCheck %s --check-prefix=DSSPV
// The reference's validators refuse that patch constant functions of libraries read control points, of the reference compiler's libraries too.
// RUN: %rtc -T lib_6_3 %s -DINPUTS_ONLY -validator-version 1.6 -Fo %t.lib16.dxil
// RUN: %dxil-val %t.lib16.dxil
// RUN: %rtc -T lib_6_3 %s -DINPUTS_ONLY -Fo %t.lib.inputs.dxil
// RUN: %dxv %t.lib.inputs.dxil
// RUN: %rtc -T lib_6_3 %s -Fo %t.lib.dxil
// RUN: %rtc dis %t.lib.dxil | FileCheck %s --check-prefix=LIB
// RUN: %rtc -spirv -T lib_6_3 %s -Fo %t.lib.spv
// RUN: %spirv-val %t.lib.spv
// RUN: %rtc -T hs_6_0 -E lines %s -validator-version 1.6 -Fo %t.lines.dxil
// RUN: %dxil-val %t.lines.dxil
// RUN: %rtc -spirv -T ds_6_0 -E quads %s -Fo %t.quads.spv
// RUN: %spirv-val %t.quads.spv
// RUN: not %rtc -spirv -T hs_6_0 -E halves %s -Fo %t.halves.spv 2>&1 | FileCheck %s --check-prefix=POW2

struct V { float4 at : SV_Position; float2 uv : TEXCOORD0; };
struct P { float3 at : POINT; float unused : UNUSED; };
struct Constants { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float3 middle : MIDDLE; };

float length_of(InputPatch<V, 3> v, uint a) { return distance(v[a].at.xyz, v[(a + 1) % 3].at.xyz); }
#ifdef INPUTS_ONLY
float3 sum(const OutputPatch<P, 3> p) { return 0; }
#else
float3 sum(const OutputPatch<P, 3> p) { return p[0].at + p[1].at + p[2].at; }
#endif
static float factor = 2;

Constants constants(InputPatch<V, 3> v, const OutputPatch<P, 3> p, uint id : SV_PrimitiveID)
{
    Constants o;
    for (uint i = 0; i < 3; ++i)
        o.edges[i] = length_of(v, i) * factor;
    o.inside = id;
    o.middle = sum(p) / 3;
    return o;
}

[shader("hull")] [domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
[patchconstantfunc("constants")] [maxtessfactor(16)]
P hull(InputPatch<V, 3> v, uint i : SV_OutputControlPointID)
{
    P o;
    o.unused = 0;
    o.at = v[i].at.xyz / v[i].at.w;
    if (factor > length_of(v, i))
        return o;
    o.at += v[i].uv.xyx;
    return o;
}

// HS: MIDDLE 0 xyz
// HS: define void @"\01?constants@@YA?AUConstants@@V?$InputPatch@UV@@$02@@V?$OutputPatch@UP@@$02@@I@Z"()
// HS-DAG: loadOutputControlPoint.f32(i32 103, i32 0, i32 0, i8 0, i32 2)
// HS-DAG: storePatchConstant.f32(i32 106, i32 0, i32 {{2|%[0-9]+}}, i8 0
// HS-DAG: storePatchConstant.f32(i32 106, i32 1, i32 0, i8 0
// HS: define void @hull()
// HS-DAG: OutputControlPointID()
// HS-DAG: storeOutput.f32(i32 5, i32 0, i32 0, i8 2
// HS: !{void ()* @"\01?constants@@YA?AUConstants@@V?$InputPatch@UV@@$02@@V?$OutputPatch@UP@@$02@@I@Z", i32 3, i32 3, i32 2, i32 3, i32 3, float 1.600000e+01}

// HSSPV-DAG: OpCapability Tessellation
// HSSPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} Triangles
// HSSPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} SpacingFractionalOdd
// HSSPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} VertexOrderCw
// HSSPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} OutputVertices 3
// HSSPV-DAG: BuiltIn TessLevelOuter
// HSSPV-DAG: BuiltIn TessLevelInner
// HSSPV-DAG: Patch
// HSSPV: OpControlBarrier

[shader("domain")] [domain("tri")]
float4 domain(Constants c, const OutputPatch<P, 3> p, float3 where : SV_DomainLocation, out float3 middle : MIDDLE) : SV_Position
{
    middle = c.middle * c.inside + c.edges[uint(where.x * 3)];
    return float4(p[0].at * where.x + p[1].at * where.y + p[2].at * where.z, 1);
}

// DS: define void @domain()
// DS-DAG: domainLocation.f32(i32 105, i8 2)
// DS-DAG: loadPatchConstant.f32(i32 104, i32 0, i32 %{{[0-9]+}}, i8 0)
// DS-DAG: loadInput.f32(i32 4, i32 0, i32 0, i8 1, i32 2)
// DS: !{i32 2, i32 3}

// DSSPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} Triangles
// DSSPV-DAG: BuiltIn TessCoord
// DSSPV-DAG: BuiltIn TessLevelOuter

// LIB-DAG: define void @hull()
// LIB-DAG: define void @domain()
// LIB-DAG: define void @"\01?constants@@
// LIB-DAG: define void @"\01?line_constants@@

struct LineConstants { float2 unused : U; float factors[2] : SV_TessFactor; };
LineConstants line_constants() { LineConstants c; c.unused = 0; c.factors[0] = 2; c.factors[1] = 3; return c; }
[shader("hull")] [domain("isoline")] [partitioning("integer")] [outputtopology("line")] [outputcontrolpoints(2)] [patchconstantfunc("line_constants")]
V lines(InputPatch<V, 2> v, uint i : SV_OutputControlPointID, uint id : SV_PrimitiveID) { V o = v[i]; o.uv += id; return o; }

[domain("isoline")] [partitioning("pow2")] [outputtopology("point")] [outputcontrolpoints(1)] [patchconstantfunc("line_constants")]
V halves(InputPatch<V, 2> v) { return v[0]; }
// POW2: error: SPIR-V has no `[partitioning("pow2")]`

struct QuadConstants { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
[shader("domain")] [domain("quad")]
V quads(QuadConstants c, float2 where : SV_DomainLocation, OutputPatch<V, 4> v, uint id : SV_PrimitiveID)
{
    V o;
    o.at = lerp(v[0].at, v[id & 3].at, where.x) * c.inside[1];
    o.uv = where * c.edges[3];
    return o;
}
