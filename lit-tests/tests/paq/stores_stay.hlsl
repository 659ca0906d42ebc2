// `-fix` leaves a stage in `write` whose stores nothing reads, so that what it writes compiles without a warning; `-tightest` takes it out.
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_6 -fix %t.hlsl | FileCheck %s
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: cp %t.hlsl %t.again.hlsl
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_7 -fix %t.again.hlsl | FileCheck %s
// RUN: cmp %t.hlsl %t.again.hlsl
// RUN: cp %s %t.tight.hlsl
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_6 -fix -tightest %t.tight.hlsl | FileCheck --check-prefix=TIGHT %s
// RUN: %rtc paq -no-empty-hit-groups -T lib_6_6 %s | FileCheck --check-prefix=TIGHT %s
// RUN: %rtc -T lib_6_7 %t.tight.hlsl -Fo %t.dxil 2>&1 | FileCheck --check-prefix=LOST %s
// CHECK: float3 color : read(caller) : write(caller, closesthit, miss);
// CHECK-NEXT: uint depth : read(caller, closesthit) : write(caller, closesthit);
// CHECK-NEXT: float debug : read(caller) : write(anyhit, closesthit, miss);
// CHECK-NEXT: uint many : read(caller) : write(closesthit, miss);
// CHECK-NEXT: float some : read(closesthit) : write(caller);
// CHECK: color: write(caller): `Rays` sets it before the trace ({{.*}}), and nothing reads it: without that store `write` can go
// CHECK: depth: write(closesthit): `Hit` writes it ({{.*}}), and nothing reads it: without that store `write` can go
// TIGHT: float3 color : read(caller) : write(closesthit, miss);
// TIGHT-NEXT: uint depth : read(closesthit) : write(caller);
// TIGHT-NEXT: float debug : read() : write();
// TIGHT-NEXT: uint many : read(caller) : write(closesthit, miss);
// TIGHT-NEXT: float some : read(closesthit) : write(caller);
// LOST-COUNT-5: warning: the value written to
struct Payload
{
    float3 color;
    uint depth;
    float debug;
    uint many;
    float some;
};
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[shader("raygeneration")]
void Rays()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    // Of a store to all of the payload something is read.
    Payload p = (Payload)0;
    p.color = float3(1, 0, 1);
    p.depth = 1;
    p.some = 2;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    Out[0] = float4(p.color, p.many);
}
[shader("anyhit")]
void Any(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    p.debug = a.barycentrics.x;
}
[shader("closesthit")]
void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    p.color = a.barycentrics.xyx * p.some;
    p.debug = 1;
    p.many = 1;
    if (++p.depth > 4)
        p.color = 0;
}
[shader("miss")]
void Miss(inout Payload p)
{
    p.color = 0;
    p.debug = 2;
    p.many = 2;
}
