// Packed payloads make the same picture as declared ones: fields of all kinds, some of which are never alive together, written and
// read in every stage, in helpers, with dynamic indices and at early ends of any-hit shaders.
// rtc -T lib_6_7
// scene: ../../../samples/hello/scene.toml
// RUN: %rtc-run %s -o %T -- -payload-layout=packed
// RUN: %rtc-run %s -o %T/plain --
// RUN: cmp %T/hello.png %T/plain/hello.png
// RUN: %rtc -spirv -payload-layout=packed -T lib_6_7 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -payload-layout=packed -Od -T lib_6_7 %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -payload-layout=packed -emit-ir -T lib_6_7 %s | FileCheck %s
// RUN: not %rtc -payload-layout=packed -T lib_6_7 %s 2>&1 | FileCheck -check-prefix=DXIL %s
// DXIL: -payload-layout=packed is for SPIR-V

// 128 bytes as declared; 18 words are enough: what the caller gives, 71 bytes, over which results go.
// CHECK: struct {{.*}} "Payload.packed" {
// CHECK-COUNT-18: i32
// CHECK-NEXT: }
struct Weights { float list[4]; };
struct [raypayload] Path
{
    uint64_t id : write(caller) : read(anyhit, closesthit, miss, caller);
    bool first : write(caller) : read(closesthit, miss);
    bool second : write(caller, anyhit) : read(anyhit, closesthit);
};
struct [raypayload] Payload
{
    // Input of any-hit shaders, over when they are.
    float4x3 warp : write(caller) : read(anyhit);
    // Any-hit to closest-hit.
    float3 alpha : write(caller, anyhit) : read(anyhit, closesthit);
    // Output.
    float3 color : write(closesthit, miss) : read(caller);
    Weights weights : write(closesthit, miss) : read(caller);
    bool hit : write(caller, closesthit) : read(caller);
    int unused : write() : read();
    Path path;
};

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

GlobalRootSignature Globals = { "SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Triangle = { "Cut", "Show" };
RaytracingShaderConfig Sizes = { 256, 8 };
RaytracingPipelineConfig Depth = { 1 };

void start(out Payload p, uint2 pixel)
{
    p = (Payload)0;
    p.warp = float4x3(1, 0, 0, 0, 0.5, 0, 0, 0, 0.25, 0.125, 0.25, 0.5);
    p.alpha = 0.5;
    p.path.id = (uint64_t(pixel.x) << 40) | pixel.y;
    p.path.first = (pixel.x & 8) != 0;
    p.path.second = false;
    p.hit = false;
}

[shader("raygeneration")]
void Camera()
{
    uint2 pixel = DispatchRaysIndex().xy;
    float2 size = float2(DispatchRaysDimensions().xy);
    float2 at = (float2(pixel) + 0.5) / size * 2 - 1;
    RayDesc ray;
    ray.Origin = float3(at.x * size.x / size.y, -at.y, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    Payload payload;
    start(payload, pixel);
    TraceRay(Scene, RAY_FLAG_FORCE_NON_OPAQUE, 0xff, 0, 1, 0, ray, payload);
    float w = 0;
    for (uint i = 0; i < 4; i++)
        w += payload.weights.list[i] * (i + 1);
    uint x = uint(payload.path.id >> 40), y = uint(payload.path.id);
    bool kept = x == pixel.x && y == pixel.y;
    Output[pixel] = float4(payload.color * (payload.hit ? 1 : 0.75) + w * 0.05, kept ? 1 : 0);
}

[shader("miss")]
void Sky(inout Payload payload)
{
    float height = float(uint(payload.path.id)) / DispatchRaysDimensions().y;
    payload.color = lerp(float3(0.12, 0.16, 0.28), float3(0.55, 0.70, 0.90), 1 - height);
    if (payload.path.first)
        payload.color *= 0.9;
    for (uint i = 0; i < 4; i++)
        payload.weights.list[i] = i & 1;
}

[shader("anyhit")]
void Cut(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    float2 b = attributes.barycentrics;
    payload.alpha += mul(float4(b, 1, 0), payload.warp);
    payload.path.second = !payload.path.second;
    if (b.x > 0.4 && b.x < 0.5)
        IgnoreHit();
    if (b.y > 0.6)
        AcceptHitAndEndSearch();
    payload.alpha.x = 0.25;
}

[shader("closesthit")]
void Show(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    float2 b = attributes.barycentrics;
    payload.color = float3(1 - b.x - b.y, b.x, b.y) * payload.alpha * (payload.path.second ? 1 : 0.5);
    payload.weights.list[0] = payload.path.first ? 1 : 0;
    payload.weights.list[1] = b.x;
    payload.weights.list[2] = b.y;
    payload.weights.list[3] = float(uint(payload.path.id) & 15) / 16;
    payload.hit = true;
}
