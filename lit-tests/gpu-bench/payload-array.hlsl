// A payload of 64 numbers: the closest-hit shader changes those that are chosen at run time, the miss shader all of them in a loop.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float numbers[64];
    uint rounds;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 260, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

[shader("raygeneration")]
void Render()
{
    RayDesc ray = CameraRay();
    Payload p;
    uint seed = Seed(1);
    for (uint i = 0; i < 64; ++i)
        p.numbers[i] = Random(seed);
    p.rounds = 16 * Samples;
    float sum = 0;
    for (uint n = 0; n < Samples; ++n)
    {
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, ray, p);
        sum += p.numbers[n];
    }
    Output[DispatchRaysIndex().xy] = float4(frac(sum), frac(sum * 4), frac(sum * 16), 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
    for (uint i = 0; i < p.rounds; ++i)
        p.numbers[i & 63] = p.numbers[i & 63] * 0.5 + 0.25;
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    uint state = Hash(InstanceID() + 1);
    for (uint i = 0; i < p.rounds; ++i)
    {
        state = state * 1664525u + 1013904223u;
        p.numbers[state >> 26] = p.numbers[(state >> 20) & 63] * 0.75 + 0.125;
    }
}
