// PrimitiveIndex counts triangles in the order of their indices: two for each cell of a square.
// rtc -T lib_6_3
// scene: Inputs/grid.toml
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T lib_6_3 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/dxr.hlsli"

struct Payload { uint primitive; };
[shader("closesthit")] void Closest(inout Payload p, in Triangle a) { p.primitive = PrimitiveIndex(); }
[shader("miss")] void Miss(inout Payload p) { p.primitive = 999; }
TriangleHitGroup Group = { "", "Closest" };

[shader("raygeneration")] void Main()
{
    for (uint z = 0; z < 8; ++z)
    {
        uint x = thread() & 7, second = thread() >> 3;
        // The first triangle of a cell is towards +z, the second towards +x.
        float3 at = float3(x - 4.0 + (second ? 0.75 : 0.25), 1, z - 4.0 + (second ? 0.25 : 0.75));
        Payload p = { 0 };
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 0, 0, ray(at, float3(0, -1, 0)), p);
        IS(p.primitive, (z * 8 + x) * 2 + second);
    }
    done(8);
}
