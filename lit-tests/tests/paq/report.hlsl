// The payload report: the live bytes of each transition between stages, without qualifiers, with the declared and with the tightest
// ones, and a layout in which fields that never are alive together share storage. `alpha` and `didHit` are the specification's.
// RUN: %rtc -T lib_6_7 -report paq %s | FileCheck %s
// RUN: %rtc -T lib_6_7 -report paq=json %s | FileCheck --check-prefix=JSON %s
// RUN: %rtc -T lib_6_7 -report paq,%t.svg -Fo %t.dxil %s
// RUN: FileCheck --check-prefix=SVG %s < %t.svg
// RUN: %rtc -T lib_6_7 -report paq,%t.html %s
// RUN: FileCheck --check-prefix=HTML %s < %t.html
// RUN: not %rtc -T lib_6_7 -report reorder=svg %s 2>&1 | FileCheck --check-prefix=NOCHART %s
// RUN: %rtc -T lib_6_7 -D ALONE -report paq %s | FileCheck --check-prefix=ALONE %s
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct [raypayload] Payload
{
    float alpha : write(caller, anyhit) : read(closesthit, anyhit);
    bool didHit : write(closesthit, miss) : read(caller);
    double wide : read(caller) : write(caller, closesthit);
    float3 idle : read(caller, closesthit) : write(caller);
};
#ifndef ALONE
[shader("raygeneration")] void Rg()
{
    Payload p;
    p.alpha = 1; p.wide = 2; p.idle = 3;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    Out.Store(0, p.didHit ? asuint(float(p.wide)) : 0);
}
#endif
[shader("anyhit")] void Ah(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.alpha *= 0.5; }
[shader("closesthit")] void Ch(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.didHit = p.alpha > 0.5; p.wide = 3; }
[shader("miss")] void Ms(inout Payload p) { p.didHit = false; }
// CHECK: payload Payload ({{.*}}report.hlsl:13:21): 32 bytes
// CHECK: as declared: at most 24 bytes live, 24 bytes packed
// CHECK: float alpha at 20 read(anyhit, closesthit) write(caller, anyhit), shares with didHit
// CHECK: tightest: at most 12 bytes live, 12 bytes packed
// CHECK: float alpha at 8 read(anyhit, closesthit) write(caller, anyhit), shares with didHit
// CHECK-NEXT: bool didHit at 8 read(caller) write(closesthit, miss), shares with alpha
// CHECK-NEXT: double wide at 0 read(caller) write(caller, closesthit)
// CHECK-NEXT: float3 idle at - read() write()
// CHECK-NEXT: bytes live plain declared tightest
// CHECK-NEXT: caller -> anyhit 32 24 12
// CHECK-NEXT: caller -> closesthit 32 16 4
// CHECK-NEXT: caller -> miss 32 20 8
// CHECK-NEXT: caller -> caller 32 20 8
// CHECK-NEXT: anyhit -> anyhit 32 24 12
// CHECK-NEXT: anyhit -> closesthit 32 16 4
// CHECK-NEXT: anyhit -> miss 32 20 8
// CHECK-NEXT: anyhit -> caller 32 20 8
// CHECK-NEXT: closesthit -> caller 32 24 12
// CHECK-NEXT: miss -> caller 32 24 12
// JSON: "declared": {
// JSON: "anyhit -> anyhit": 24,
// JSON: "packedBytes": 24,
// JSON: "tightest": {
// JSON: "packedBytes": 12,
// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG: Payload: 32 bytes, packed 12 (tightest qualifiers)
// SVG: float alpha (4)
// SVG: fill="hsl([[HUE:[0-9]+]], 55%, 62%)"
// SVG: bool didHit (4)
// SVG: fill="hsl([[HUE]], 55%, 62%)"
// SVG: no storage
// SVG: </svg>
// HTML: <svg
// HTML: bytes live
// NOCHART: the report `reorder` has no chart
// ALONE: not inferred: no trace with it is in the libraries
// ALONE: as declared: at most 24 bytes live
