// What an output's usage mask says of components that are not written: a `bool` that is undefined is not stored, an undefined patch constant is.
// RUN: %rtc -T vs_6_0 -E Vertex %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=VS
// RUN: %rtc -T hs_6_0 -E Hull %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=HS

struct Out
{
    float4 at : SV_Position;
    bool4 flags : FLAGS;
};

// VS: storeOutput.i32(i32 5, i32 1, i32 0, i8 1,
// VS-NOT: call void @dx.op.storeOutput.i32
Out Vertex(uint i : SV_VertexID)
{
    Out o;
    o.at = 0;
    o.flags.y = i > 3;
    return o;
}

struct Point { float4 at : A; uint layer : SV_RenderTargetArrayIndex; };
struct Patch { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float2 more : MORE; };

// HS: define void @"\01?Constants@@
// HS: storePatchConstant.f32(i32 106, i32 2, i32 0, i8 0, float undef)
// HS: storePatchConstant.f32(i32 106, i32 2, i32 0, i8 1, float %
Patch Constants(InputPatch<Point, 1> i)
{
    Patch p;
    p.edges[0] = p.edges[1] = p.edges[2] = p.inside = 1;
    p.more.y = i[0].at.x;
    return p;
}

// A control point's layer is a feature too (0x200).
// HS: !{{[0-9]+}} = !{i32 0, i64 512, i32 3,
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(1)] [patchconstantfunc("Constants")]
float4 Hull(InputPatch<Point, 1> i) : A
{
    return i[0].at;
}
