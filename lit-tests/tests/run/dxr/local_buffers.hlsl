// Root descriptors of records, with offsets, next to a constant: each record its own buffers.
// rtc -T lib_6_3
// scene: Inputs/local_buffers.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Four { float4 a; };
struct One { uint n; };
ConstantBuffer<Four> Own : register(b0, space1);
ConstantBuffer<One> Number : register(b1, space1);
StructuredBuffer<uint4> Elements : register(t0, space1);
RWByteAddressBuffer Out : register(u0, space1);
struct Payload { float4 a; uint4 e; uint n; uint before; };
void take(inout Payload p)
{
    p.a = Own.a;
    p.e = Elements[0];
    p.n = Number.n;
    Out.InterlockedAdd(0, 1, p.before);
    Out.Store(16, p.n);
}
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { take(p); }
[shader("miss")] void Miss(inout Payload p) { take(p); }
TriangleHitGroup Group = { "", "Closest" };
LocalRootSignature Local = { "CBV(b0, space = 1), SRV(t0, space = 1), UAV(u0, space = 1), RootConstants(num32BitConstants = 1, b1, space = 1)" };
SubobjectToExportsAssociation OfRecords = { "Local", "Group;Miss" };

[shader("raygeneration")] void Main()
{
    // Which record: two of hits, two of misses.
    uint n = thread() & 3;
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, n & 1, to(n < 2 ? n : 8), p);
    float scale = n & 1 ? 10 : 1;
    IS3(p.a.xyz, float3(1, 2, 3) * scale); ISF(p.a.w, 4 * scale); IS(p.n, n);
    IS(p.e.x, n * 100); IS(p.e.y, n * 100 + 1); IS(p.e.z, n * 100 + 2); IS(p.e.w, n * 100 + 3);
    // Four threads count in each record's buffer.
    IS(p.before < 4, 1);
    done(10);
}
