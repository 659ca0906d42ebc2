struct P { float3 c; }; struct Attr { float2 b; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("miss")] void Sky(inout P p, in Attr a) { }
// RUN: not %rtc -T lib_6_3 -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// RUN: not test -e %t.dxil
// CHECK: extra_parameter.hlsl:3:38: error: invalid miss shader: its parameter is the `inout` payload [E0601]
// CHECK: note: DXR, shader entry points
