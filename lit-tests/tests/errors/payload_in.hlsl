struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("miss")] void Sky(in P p) { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: payload_in.hlsl:3:27: error: the payload of a miss shader must be `inout` [E0601]
