struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("raygeneration")] void Main() { float3 colour = 1; Out[uint2(0, 0)] = float4(color, 1); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: undeclared.hlsl:3:86: error: use of undeclared identifier `color` [E0301]
// CHECK: note: fix: replace `color` with `colour`
