struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("miss")] void Sky(inout P p) { p.colour = 1; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: member.hlsl:3:42: error: no member named `colour` in `P` [E0302]
