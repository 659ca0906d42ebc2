// A position that is `precise` is the same to the last bit in two shaders: as a member of the outputs, as a parameter, as the result, and by -precise-output.
// RUN: %rtc -T vs_6_0 -E main -D MEMBER %s -Fo %t.1.dxil -Fc %t.1.txt
// RUN: FileCheck %s --input-file=%t.1.txt
// RUN: %rtc -T vs_6_0 -E main -D PARAMETER %s -Fo %t.2.dxil -Fc %t.2.txt
// RUN: FileCheck %s --input-file=%t.2.txt
// RUN: %rtc -T vs_6_0 -E main -D RESULT %s -Fo %t.3.dxil -Fc %t.3.txt
// RUN: FileCheck %s --input-file=%t.3.txt
// RUN: %rtc -T vs_6_0 -E main -D OPTION -precise-output SV_Position %s -Fo %t.4.dxil -Fc %t.4.txt
// RUN: FileCheck %s --input-file=%t.4.txt
// RUN: %rtc -T vs_6_0 -E main -D OPTION -precise-output "UV0, sv_position" -Od %s -Fo %t.5.dxil -Fc %t.5.txt
// RUN: FileCheck %s --input-file=%t.5.txt
// RUN: %rtc -T vs_6_0 -E main -D OPTION -precise-output UV1 %s -Fo %t.6.dxil -Fc %t.6.txt
// RUN: FileCheck %s --check-prefix=LOOSE --input-file=%t.6.txt
// RUN: %rtc -T vs_6_0 -E main -D MEMBER -spirv %s -Fo %t.1.spv -Fc %t.1.spv.txt
// RUN: %spirv-val %t.1.spv
// RUN: FileCheck %s --check-prefix=SPIRV --input-file=%t.1.spv.txt
// RUN: %rtc -T vs_6_0 -E main -D OPTION -precise-output SV_Position -spirv %s -Fo %t.4.spv -Fc %t.4.spv.txt
// RUN: %spirv-val %t.4.spv
// RUN: FileCheck %s --check-prefix=SPIRV --input-file=%t.4.spv.txt
// RUN: %rtc -T ms_6_5 -E main -D MESH -validator-version 1.6 %s -Fo %t.7.dxil -Fc %t.7.txt
// RUN: FileCheck %s --input-file=%t.7.txt
// RUN: %rtc -T gs_6_0 -E main -D GEOMETRY %s -Fo %t.8.dxil -Fc %t.8.txt
// RUN: FileCheck %s --input-file=%t.8.txt
// CHECK-NOT: fast
// CHECK: {{fmul float|!dx.precise}}
// CHECK-NOT: fast
// LOOSE: fast
// SPIRV: NoContraction
cbuffer C { float4x4 m; };
struct Vertex { precise float4 p : SV_Position; float2 uv : UV; };
#if defined(MEMBER)
Vertex main(float4 p : P) { Vertex v; v.p = mul(m, p); v.uv = p.xy; return v; }
#elif defined(PARAMETER)
void main(float4 p : P, out precise float4 q : SV_Position) { q = mul(m, p); }
#elif defined(RESULT)
precise float4 main(float4 p : P) : SV_Position { return mul(m, p); }
#elif defined(MESH)
struct Triangle { Vertex v[3]; };
[numthreads(1, 1, 1)] [outputtopology("triangle")]
void main(out vertices Vertex v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(3, 1);
    for (uint i = 0; i < 3; ++i) { v[i].p = mul(m, m[i]); v[i].uv = 0; }
    t[0] = uint3(0, 1, 2);
}
#elif defined(GEOMETRY)
[maxvertexcount(3)]
void main(triangle float4 p[3] : P, inout TriangleStream<Vertex> s)
{
    for (uint i = 0; i < 3; ++i) { Vertex v; v.p = mul(m, p[i]); v.uv = p[i].xy; s.Append(v); }
}
#else
float4 main(float4 p : P, out float2 uv : UV) : SV_Position { uv = p.xy; return mul(m, p); }
#endif
