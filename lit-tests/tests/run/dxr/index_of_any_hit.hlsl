// Any-hit shaders get the record of their hit.
// rtc -T lib_6_3
// scene: Inputs/tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_GROUPS
#include "Inputs/tables.hlsli"
TriangleHitGroup GroupA = { "AnyA", "" };
TriangleHitGroup GroupB = { "AnyB", "" };
[shader("anyhit")] void AnyA(inout Payload p, in Triangle a) { p.tag = Rec.tag; p.who = CLOSEST_A; }
[shader("anyhit")] void AnyB(inout Payload p, in Triangle a) { p.tag = Rec.tag; p.who = CLOSEST_B; }

[shader("raygeneration")] void Main()
{
    for (uint n = 0; n < 9; ++n)
    {
        Payload p = { 0, 0 };
        TraceRay(Scene, 0, 0xff, thread(), 3, 2, to(n / 3, n % 3), p);
        check(p, thread() + 3 * (n % 3) + n / 3 * 8);
    }
    done(18);
}
