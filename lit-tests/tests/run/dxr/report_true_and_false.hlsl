// What ReportHit returns: true for a hit in the interval that the any-hit shader does not ignore, else false.
// rtc -T lib_6_3
// scene: Inputs/boxes.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define ATTRIBUTE_BYTES 8
#include "Inputs/dxr.hlsli"

struct Payload { uint ignore; uint ran; float t; };
struct Attributes { float t; };
// Each thread has its own word; redundant runs of the intersection shader set the same bits again.
void told(uint bit, bool was) { Memory.InterlockedOr(thread() * 4, (was ? 2u : 1u) << bit * 2); }
bool report(float t) { Attributes a = { t }; return ReportHit(t, 0, a); }
[shader("intersection")] void Intersect()
{
    told(0, report(0.5)); told(1, report(60)); told(2, report(12)); told(3, report(30)); told(4, report(9));
}
[shader("anyhit")] void Any(inout Payload p, in Attributes a)
{
    ++p.ran;
    if (p.ignore)
        IgnoreHit();
}
[shader("closesthit")] void Closest(inout Payload p, in Attributes a) { p.t = RayTCurrent(); }
[shader("miss")] void Miss(inout Payload p) { p.t = -1; }
ProceduralPrimitiveHitGroup Group = { "Any", "Closest", "Intersect" };

[shader("raygeneration")] void Main()
{
    bool ignore = thread() & 1;
    Payload p = { ignore, 0, 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0, 1, 50), p);
    // 0.5 and 60 are outside; 12 is taken; 30 is farther; 9 is nearer. The 12 may have been taken once or never.
    if (ignore) ISF(p.t, -1); else ISF(p.t, 9);
    IS(p.ran >= (ignore ? 3 : 2), 1);
    uint all = Memory.Load(thread() * 4);
    IS(all & 0xf, 5); IS(all >> 4 & 3, ignore ? 1 : 2); IS(all >> 6 & 3, 1); IS(all >> 8 & 3, ignore ? 1 : 2);
    done(6);
}
