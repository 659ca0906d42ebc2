// A file with shaders of every stage: one shader of a stage that is compiled may be picked, whatever the others are.
// RUN: %rtc -T cs_6_0 -E Fill -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_0 -E Fill -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: not %rtc -T lib_6_6 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=LIB
// RUN: %rtc -T ps_6_0 -E PSMain -validator-version 1.6 %s -Fo %t.ps.dxil
// RUN: %dxil-val %t.ps.dxil
// RUN: not %rtc -T cs_6_6 -E Nothing %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=NONE
// LIB: error[E0608]: node shaders are not compiled
// NONE: error[E0605]
#define TILE 4
static const uint Side = TILE * 2;
enum { Depth = 2 };
Texture2D<float4> Source : register(t0);
SamplerState Linear : register(s0);
RWStructuredBuffer<uint> Out : register(u0);
struct V { float4 position : SV_Position; float2 uv : TEXCOORD0; };

[shader("pixel")]
float4 PSMain(V v) : SV_Target { clip(v.uv.x - 0.5); return Source.Sample(Linear, v.uv) * ddx(v.uv.x); }
[shader("vertex")]
V VSMain(uint id : SV_VertexID) { V v; v.position = id; v.uv = 0; return v; }
[shader("node")] [numthreads(32, 1, 1)] void Node() {}
[shader("raygeneration")] void RG() { uint3 i = DispatchRaysIndex(); }
float4 unused(float2 uv) { uint m = WaveMatch(uv.x).x; return Source.Sample(Linear, uv) + m; }

[numthreads(Side, TILE * 2, Depth)]
void Fill(uint3 id : SV_DispatchThreadID) { Out[id.x] = id.y; }
