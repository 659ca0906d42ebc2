// Payloads of a library that is all that there is: a ray that misses where no miss shader is brings back what the caller set, and what a callable shader
// gave back through the same structure is anything.
// rtc -T lib_6_6
// scene: Inputs/bare.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc-run %s -o %T -- -no-warnings -payload-layout=whole -Od
// RUN: FileCheck %s --input-file %T/report.json
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: FileCheck %s --input-file %T/report.json
// The qualifiers that are inferred for it.
// RUN: %rtc paq -T lib_6_6 %s | FileCheck %s --check-prefix=INFERRED
// INFERRED: uint count : read(caller) : write(caller, closesthit);
// CHECK: {{^\[?}}5,
// CHECK-NEXT: {{^\[?}}70,
// CHECK-NEXT: {{^\[?}}71,
// CHECK-NEXT: {{^\[?}}0,
// CHECK-NEXT: {{^\[?}}41,
// CHECK-NEXT: {{^\[?}}0,
// CHECK-NEXT: {{^\[?}}0,
// CHECK-NEXT: {{^\[?}}0,
struct P { uint2 pair; uint count; };
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Report : register(u1);
RaytracingShaderConfig Sizes = { 64, 8 };
RaytracingPipelineConfig Depth = { 1 };
TriangleHitGroup Group = { "", "Hit" };
[shader("callable")] void Call(inout P p) { p.pair = Report.Load2(56) + uint2(70, 71); }
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a)
{
    P given = (P)0;
    CallShader(0, given);
    p.pair = given.pair;
    p.count = 5;
}
[shader("raygeneration")] void Main()
{
    uint at = DispatchRaysIndex().x;
    RayDesc ray = { float3(at * 9, 0, -1), 0, float3(0, 0, 1), 9 };
    P p;
    p.pair = 0;
    p.count = 41;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, p);
    Report.Store4(at * 16, uint4(p.count, p.pair, 0));
}
