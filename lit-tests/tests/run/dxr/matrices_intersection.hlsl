// The four matrices in intersection shaders.
// rtc -T lib_6_5
// scene: Inputs/matrices.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/values.hlsli"

struct Payload { uint hit; };
void put(uint at, float3x4 m) { for (uint i = 0; i < 3; ++i) Memory.Store4(at + i * 16, asuint(m[i])); }
float3x4 got(uint at) { return float3x4(asfloat(Memory.Load4(at)), asfloat(Memory.Load4(at + 16)), asfloat(Memory.Load4(at + 32))); }
[shader("intersection")] void Intersect()
{
    Matrices m = matrices();
    uint at = DispatchRaysIndex().x * 256;
    put(at, m.toWorld); put(at + 48, transpose(m.toWorldT)); put(at + 96, m.toObject); put(at + 144, transpose(m.toObjectT));
}
[shader("miss")] void Miss(inout Payload p) { p.hit = 1; }
TriangleHitGroup Group1 = { "", "" };
ProceduralPrimitiveHitGroup Group2 = { "", "", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint at = thread() * 256;
    Payload p = { 0 };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, toMoved(3), p);
    DeviceMemoryBarrier();
    Matrices m;
    m.toWorld = got(at); m.toWorldT = transpose(got(at + 48)); m.toObject = got(at + 96); m.toObjectT = transpose(got(at + 144));
    check(m, 3);
    IS(p.hit, 1);
    done(49);
}
