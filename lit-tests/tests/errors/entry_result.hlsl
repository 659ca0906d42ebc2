struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("miss")] float Sky(inout P p) { return 1; }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: entry_result.hlsl:3:18: error: invalid miss shader: a ray-tracing shader returns `void` [E0601]
// CHECK: note: DXR, shader entry points
// CHECK: note: fix: replace `float` with `void`
