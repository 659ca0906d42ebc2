// Loops of different lengths in the threads of a wave, with a wave operation in each, and one before a `break`.
// rtc -T lib_6_3
// scene: Inputs/scene.toml
#include "Inputs/bench.hlsli"

struct Payload
{
    float3 color;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "CBV(b0), SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Shade" };
RaytracingShaderConfig Sizes = { 12, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

[shader("raygeneration")]
void Render()
{
    uint state = Seed(1);
    uint seen = 0;
    for (uint turn = 0; turn < 32 * Samples; ++turn)
    {
        uint active = 0;
        for (uint i = 0; i < (state & 7); ++i)
            active += WaveActiveCountBits(true) != 0;
        for (uint k = 0; k < 8; ++k)
        {
            if (((state >> k) & 3) == 3)
            {
                active += 100 * uint(WaveActiveCountBits(true) != 0);
                break;
            }
            active += WaveActiveCountBits(true) != 0;
        }
        seen += active;
        state = state * 1664525u + 1013904223u + active;
    }
    Payload p;
    p.color = 0;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 0, CameraRay(), p);
    Output[DispatchRaysIndex().xy] = float4(p.color * ((seen & 255) / 255.0), 1);
}

[shader("miss")]
void Missed(inout Payload p)
{
    p.color = Sky(WorldRayDirection());
}

[shader("closesthit")]
void Shade(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes)
{
    p.color = Albedo(InstanceID());
}
