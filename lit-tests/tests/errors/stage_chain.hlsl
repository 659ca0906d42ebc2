struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
void Inner() { IgnoreHit(); }
void Outer() { Inner(); }
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { Outer(); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: stage_chain.hlsl:3:16: error: `IgnoreHit` cannot be used in the closesthit shader `Hit` [E0602]
// CHECK: stage_chain.hlsl:5:90: note: `Outer` is called here
// CHECK: stage_chain.hlsl:4:16: note: `Inner` is called here
// CHECK: note: it is only available in anyhit shaders
