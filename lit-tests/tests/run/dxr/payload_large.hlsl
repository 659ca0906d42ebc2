// A payload of 1 KiB, indexed with what no compiler knows.
// rtc -T lib_6_3
// scene: Inputs/yard.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define PAYLOAD_BYTES 1024
#include "Inputs/dxr.hlsli"

struct Payload { uint a[128]; float4 b[31]; uint4 last; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    for (uint i = 0; i < 125; i += 5)
        p.a[(i + number(3)) & 127] = i;
    p.b[number(7)] = float4(1, 2, 3, PrimitiveIndex());
    p.last.w = 9;
}
[shader("miss")] void Miss(inout Payload p) { p.a[127] = 1; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p;
    for (uint i = 0; i < 128; ++i)
        p.a[i] = 1000 + i + thread();
    for (uint k = 0; k < 31; ++k)
        p.b[k] = k;
    p.last = uint4(5, 6, 7, 8);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    uint wrong = 0;
    for (uint j = 0; j < 128; ++j)
        wrong += p.a[j] != (j >= 3 && (j - 3) % 5 == 0 ? j - 3 : 1000 + j + thread());
    IS(wrong, 0); IS3(p.b[7].xyz, float3(1, 2, 3)); ISF(p.b[6].x, 6); ISF(p.b[8].w, 8); ISF(p.b[30].z, 30); IS(p.last.w, 9); IS(p.last.x, 5);
    done(9);
}
