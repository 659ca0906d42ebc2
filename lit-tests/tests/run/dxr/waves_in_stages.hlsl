// Wave operations in every stage: what holds however threads are packed.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint right; };
struct Attributes { uint right; };
// One if the operations agree among themselves.
uint agrees(uint n)
{
    uint active = WaveActiveCountBits(true), before = WavePrefixCountBits(true);
    bool fine = active >= 1 && active <= WaveGetLaneCount() && WaveGetLaneIndex() < WaveGetLaneCount() && before < active;
    fine = fine && WaveActiveSum(1u) == active && WaveReadLaneAt(n, WaveGetLaneIndex()) == n && WaveActiveMin(n) <= n && WaveActiveMax(n) >= n;
    fine = fine && WaveIsFirstLane() == (before == 0) && WaveActiveAnyTrue(WaveReadLaneFirst(n) == n) && WaveActiveAllTrue(true);
    return fine;
}
[shader("callable")] void Call(inout Payload c) { c.right |= agrees(thread()); }
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.right |= agrees(thread()) << 1; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.right |= agrees(thread()) << 2; }
[shader("intersection")] void Intersect() { Attributes a = { agrees(thread()) }; ReportHit(9, 0, a); }
[shader("closesthit")] void ClosestBox(inout Payload p, in Attributes a) { p.right |= a.right << 3; }
[shader("miss")] void Miss(inout Payload p) { p.right |= agrees(thread()) << 4; }
TriangleHitGroup Group1 = { "Any", "Closest" };
ProceduralPrimitiveHitGroup Group2 = { "", "ClosestBox", "Intersect" };

[shader("raygeneration")] void Main()
{
    Payload p = { 0 };
    CallShader(0, p);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() % 3 == 0 ? 20 : 1), p);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(thread() % 2 == 0 ? 20 : 13), p);
    uint must = 1;
    must |= thread() % 3 == 0 ? 16 : 6;
    must |= thread() % 2 == 0 ? 16 : 8;
    IS(p.right, must); IS(agrees(thread()), 1);
    done(2);
}
