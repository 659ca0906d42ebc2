// A trace passes one payload type, and the shaders take another one that is declared alike: said with its name.
// RUN: not %rtc paq -T lib_6_6 -fdiagnostics-format=short %s 2>&1 | FileCheck %s
struct Sent { float3 color; uint depth; };
struct Taken { float3 color; uint depth; };
struct Different { float3 color; uint bounces; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
[shader("raygeneration")] void Rays()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    Sent p = (Sent)0;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    Out[0] = p.color.x;
}
[shader("miss")] void Miss(inout Taken p) { p.color = 0; }
[shader("miss")] void Other(inout Different p) { p.color = 0; }
// CHECK: error: the qualifiers of `Sent` cannot be inferred: no shader that receives it is in the libraries, so the effect of a trace is unknown [E0713]
// CHECK: note: `Taken`, declared at {{.*}}other_name.hlsl:4:8, has the same members: a payload is known by its name, so give both the same
// CHECK: error: the qualifiers of `Taken` cannot be inferred: no trace with it is in the libraries, so the demand of its callers is unknown [E0713]
// CHECK: note: `Sent`, declared at {{.*}}other_name.hlsl:3:8, has the same members
// CHECK: error: the qualifiers of `Different` cannot be inferred
// CHECK-NOT: has the same members
