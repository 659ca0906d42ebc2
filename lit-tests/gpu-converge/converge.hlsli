// What the kernels of divergent traces share: rays that half of the lanes of each wave have, and arithmetic that follows them. `NO_TRACE` replaces each trace by
// arithmetic: what a kernel costs where a wave does not stay split. `ROUNDS` is how much follows.

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<uint4> Output : register(u0);

#ifndef ROUNDS
#define ROUNDS 2000
#endif

struct Payload
{
    uint hit;
};

#ifndef NO_SUBOBJECTS
GlobalRootSignature Globals = { "SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Solid = { "", "Hit" };
RaytracingShaderConfig Sizes = { 4, 8 };
RaytracingPipelineConfig Recursion = { 1 };
#endif

uint Hash(uint x)
{
    x = (x ^ (x >> 16)) * 0x7feb352d;
    x = (x ^ (x >> 15)) * 0x846ca68b;
    return x ^ (x >> 16);
}

uint Seed()
{
    uint2 pixel = DispatchRaysIndex().xy;
    return Hash(pixel.x + Hash(pixel.y));
}

// 1 if something is hit: x below 0. What is found with mask 0 counts for nothing.
uint TraceIf(uint state, uint miss, uint mask)
{
    // Never 0, where the edge is.
    float2 at = (float2(state & 0xffff, state >> 16) + 0.5) / 65536 - 0.5;
#ifdef NO_TRACE
    return at.x < 0 ? 1 : miss + 2;
#else
    RayDesc ray;
    ray.Origin = float3(at, -1);
#ifdef IDLE_RAY
    if (mask == 0) ray.Origin = 0;
#endif
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload p = { 0 };
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, mask, 0, 1, miss, ray, p);
    return p.hit;
#endif
}

uint Trace(uint state, uint miss) { return TraceIf(state, miss, 0xff); }

uint Work(uint x)
{
    [loop] for (uint k = 0; k < ROUNDS; ++k)
    {
        x = x * 1664525 + 1013904223;
        x ^= x >> 13;
    }
    return x;
}

uint4 Kernel(uint state);

[shader("raygeneration")] void Render() { Output[DispatchRaysIndex().xy] = Kernel(Seed()); }
[shader("miss")] void Missed(inout Payload p) { p.hit = 2; }
[shader("miss")] void Unshadowed(inout Payload p) { p.hit = 3; }
[shader("miss")] void Nothing(inout Payload p) {}
[shader("closesthit")] void Hit(inout Payload p, in BuiltInTriangleIntersectionAttributes attributes) { p.hit = 1; }
