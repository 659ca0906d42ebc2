// System values in intersection shaders; RayTCurrent is TMax as long as nothing was hit.
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
[shader("intersection")] void Intersect()
{
    Values v = values();
    HitValues h = hitValues();
    uint at = DispatchRaysIndex().x * 256;
    Memory.Store3(at, asuint(v.origin)); Memory.Store3(at + 12, asuint(v.direction)); Memory.Store3(at + 24, uint3(asuint(v.begin), asuint(v.t), v.flags));
    Memory.Store3(at + 36, v.at); Memory.Store3(at + 48, v.of);
    Memory.Store3(at + 60, asuint(h.origin)); Memory.Store3(at + 72, asuint(h.direction)); Memory.Store4(at + 84, uint4(h.index, h.id, h.geometry, h.primitive));
}
[shader("miss")] void Miss(inout Payload p) { p.hit = 1; }
TriangleHitGroup Group1 = { "", "" };
ProceduralPrimitiveHitGroup Group2 = { "", "", "Intersect" };

[shader("raygeneration")] void Main()
{
    uint flags = thread() & 1 ? RAY_FLAG_SKIP_TRIANGLES : RAY_FLAG_CULL_FRONT_FACING_TRIANGLES, at = thread() * 256;
    Payload p = { 0 };
    TraceRay(Scene, flags, 0xff, 0, 0, 0, toMoved(3, 40 + thread()), p);
    DeviceMemoryBarrier();
    Values v;
    HitValues h;
    v.origin = asfloat(Memory.Load3(at)); v.direction = asfloat(Memory.Load3(at + 12)); v.begin = asfloat(Memory.Load(at + 24));
    v.t = asfloat(Memory.Load(at + 28)); v.flags = Memory.Load(at + 32); v.at = Memory.Load3(at + 36); v.of = Memory.Load3(at + 48);
    h.origin = asfloat(Memory.Load3(at + 60)); h.direction = asfloat(Memory.Load3(at + 72));
    h.index = Memory.Load(at + 84); h.id = Memory.Load(at + 88); h.geometry = Memory.Load(at + 92); h.primitive = Memory.Load(at + 96);
    check(v, 3, 40 + thread(), flags); check(h, 3); IS(p.hit, 1);
    done(29);
}
