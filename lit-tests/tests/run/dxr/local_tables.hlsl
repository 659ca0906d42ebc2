// Descriptor tables of records: each begins at its own place of the heap.
// rtc -T lib_6_3
// scene: Inputs/local_tables.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

ByteAddressBuffer Own[3] : register(t0, space1);
struct Payload { uint at; uint found[3]; };
void take(inout Payload p)
{
    for (uint i = 0; i < 3; ++i)
        p.found[i] = Own[NonUniformResourceIndex((i + p.at) % 3)].Load(4);
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { take(p); }
[shader("miss")] void Miss(inout Payload p) { take(p); }
TriangleHitGroup Group = { "", "Closest" };
LocalRootSignature Local = { "DescriptorTable(SRV(t0, numDescriptors = 3, space = 1))" };
SubobjectToExportsAssociation OfRecords = { "Local", "Group;Miss" };

[shader("raygeneration")] void Main()
{
    uint n = thread() % 3, begin = n < 2 ? n + 1 : 3;
    Payload p = (Payload)0;
    p.at = thread() & 3;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(n < 2 ? n : 8), p);
    for (uint i = 0; i < 3; ++i)
        IS(p.found[i], (begin + (i + p.at) % 3) * 100 + 1);
    done(3);
}
