// Geometry shaders: primitives, streams in helper functions, several streams, instances.
// RUN: %rtc -T gs_6_0 -E main %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc -T gs_6_0 -E main %s -validator-version 1.6 -Fo %t.16.dxil
// RUN: %dxil-val %t.16.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T gs_6_0 -E main %s -Od -Fo %t.od.dxil
// RUN: %dxv %t.od.dxil
// RUN: %rtc -spirv -T gs_6_0 -E main %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T gs_6_0 -E main %s -Od -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -T gs_6_0 -E main %s | FileCheck %s --check-prefix=SPV
// RUN: %rtc -spirv -T gs_6_0 -E main -fvk-invert-y %s | FileCheck %s --check-prefix=INVERT
// RUN: %rtc -T gs_6_0 -E points %s -Fo %t.points.dxil
// RUN: %dxv %t.points.dxil
// RUN: %rtc dis %t.points.dxil | FileCheck %s --check-prefix=POINTS
// RUN: %rtc -spirv -T gs_6_0 -E points %s -Fo %t.points.spv
// RUN: %spirv-val %t.points.spv
// RUN: %rtc -spirv -T gs_6_0 -E points %s | FileCheck %s --check-prefix=STREAMS
// RUN: not %rtc -spirv -T gs_6_0 -E positions %s -Fo %t.no.spv 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %rtc -T gs_6_0 -E positions %s -Fo %t.positions.dxil
// RUN: %dxv %t.positions.dxil

struct In { float4 at : SV_Position; float2 uv : TEXCOORD0; float unused : UNUSED; };
struct Out { float4 at : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint k : K; };

void corner(inout TriangleStream<Out> to, float4 at, In v, uint k)
{
    Out o = { at, v.uv, k };
    to.Append(o);
}
template <typename Stream> void end(inout Stream s, bool really) { if (really) s.RestartStrip(); }
float3 normal(In v[3]) { return cross(v[1].at.xyz - v[0].at.xyz, v[2].at.xyz - v[0].at.xyz); }

[maxvertexcount(6)] [instance(2)]
void main(triangle In v[3], uint pid : SV_PrimitiveID, uint run : SV_GSInstanceID, inout TriangleStream<Out> strip)
{
    float3 n = normal(v);
    for (uint i = 0; i < 3; ++i)
        corner(strip, v[i].at + float4(n * run, 0), v[i], pid);
    end(strip, n.z > 0);
}

// CHECK: SV_Position 0 xyzw 0 POS float xyzw
// CHECK: TEXCOORD 0 xy 1 NONE float xy
// CHECK: UNUSED
// CHECK: K 0 x 2 NONE uint x
// CHECK: define void @main()
// CHECK-DAG: PrimitiveID()
// CHECK-DAG: GSInstanceID()
// CHECK-DAG: loadInput.f32(i32 4, i32 1, i32 0, i8 0, i32 %{{[0-9]+}})
// CHECK: emitStream(i32 97, i8 0)
// CHECK: cutStream(i32 98, i8 0)
// CHECK: !{i32 3, i32 6, i32 1, i32 5, i32 2}

// SPV-DAG: OpCapability Geometry
// SPV-NOT: GeometryStreams
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} Triangles
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} OutputTriangleStrip
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} Invocations 2
// SPV-DAG: OpExecutionMode {{%[0-9A-Za-z_]+}} OutputVertices 6
// SPV-DAG: BuiltIn InvocationId
// SPV-NOT: Stream
// SPV: OpEmitVertex
// SPV: OpEndPrimitive
// INVERT: OpFNegate

struct A { float4 at : SV_Position; };
struct B { float3 v[2] : V; };
[maxvertexcount(2)]
void points(lineadj float4 at[4] : SV_Position, inout PointStream<A> a, inout PointStream<B> b)
{
    B x;
    x.v[0] = at[0].xyz;
    x.v[1] = at[3].xyz;
    b.Append(x);
    if (at[1].x > 0)
        a.Append((A)at[2]);
}
// POINTS: V 0 xyz 0 NONE float xyz
// POINTS: V 1 xyz 1 NONE float xyz
// POINTS: emitStream(i32 97, i8 1)
// POINTS: emitStream(i32 97, i8 0)
// POINTS: !{i32 6, i32 2, i32 3, i32 1, i32 1}

// STREAMS-DAG: OpCapability GeometryStreams
// STREAMS-DAG: InputLinesAdjacency
// STREAMS-DAG: OutputPoints
// STREAMS-DAG: Stream 1
// STREAMS: OpEmitStreamVertex
// STREAMS: OpEmitStreamVertex

[maxvertexcount(1)]
void positions(point A p[1], inout PointStream<A> a, inout PointStream<A> b) { a.Append(p[0]); b.Append(p[0]); }
// TWICE: error: `SV_Position` is in several streams: in SPIR-V a system value belongs to one of them
