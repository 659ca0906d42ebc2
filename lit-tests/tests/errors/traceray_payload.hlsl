struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("raygeneration")] void Main() { RayDesc r; TraceRay(Scene, 0, 255, 0, 1, 0, r, 1); }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: traceray_payload.hlsl:3:88: error: argument 8 of `TraceRay` is `literal int`, expected `struct` [E0313]
// CHECK: note: candidate: void TraceRay(RaytracingAccelerationStructure AccelerationStructure, uint RayFlags, uint InstanceInclusionMask, uint RayContributionToHitGroupIndex, uint MultiplierForGeometryContributionToHitGroupIndex, uint MissShaderIndex, RayDesc Ray, inout struct Payload)
