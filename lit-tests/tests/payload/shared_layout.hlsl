// Two libraries that are compiled apart and run as one pipeline: the same picture with payloads as declared, packed by the declaration
// alone, and packed by a layout file that both share. Where one is packed and the other is not, or otherwise, they are not run at all.
// rtc -T lib_6_7
// scene: ../../../samples/hello/scene.toml
// RUN: %rtc -T lib_6_7 -spirv -D HITS %s -Fo %t.plain.rtp
// RUN: %rtc-run %s -o %T/plain --with %t.plain.rtp --
// RUN: %rtc -T lib_6_7 -spirv -D HITS -payload-layout=packed %s -Fo %t.packed.rtp
// RUN: %rtc-run %s -o %T/packed --with %t.packed.rtp -- -payload-layout=packed
// RUN: cmp %T/plain/hello.png %T/packed/hello.png
// RUN: cp %s %t.hits.hlsl
// RUN: %rtc paq -T lib_6_7 -D BOTH %s %t.hits.hlsl -layout=%t.both.toml
// RUN: %rtc paq -T lib_6_7 -D HITS %t.hits.hlsl -layout=%t.hits.toml
// RUN: FileCheck --check-prefix=FILE %s < %t.both.toml
// RUN: %rtc -T lib_6_7 -spirv -D HITS -payload-layout-file=%t.both.toml %s -Fo %t.shared.rtp
// RUN: %rtc-run %s -o %T/shared --with %t.shared.rtp -- -payload-layout-file=%t.both.toml
// RUN: cmp %T/plain/hello.png %T/shared/hello.png
// RUN: %rtc -T lib_6_7 -spirv -Od -D HITS -payload-layout=packed -payload-layout-file=%t.both.toml %s -Fo %t.od.rtp
// RUN: %rtc-run %s -o %T/od --with %t.od.rtp -- -payload-layout-file=%t.both.toml -Od
// RUN: cmp %T/plain/hello.png %T/od/hello.png
// RUN: %rtc dis %t.shared.rtp | FileCheck --check-prefix=DIS %s
// RUN: %rtc reflect %t.shared.rtp | FileCheck --check-prefix=REFLECT %s
// RUN: %rtc dis %t.plain.rtp | FileCheck --check-prefix=PLAIN %s

// One is packed and the other is not, in both directions; the layouts differ.
// RUN: not %rtc-run %s -o %T/no --with %t.plain.rtp -- -payload-layout=packed 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: not %rtc-run %s -o %T/no --with %t.packed.rtp -- 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: not %rtc-run %s -o %T/no --with %t.shared.rtp -- -payload-layout=packed 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: not %rtc-run %s -o %T/no --with %t.plain.rtp -- -D WIDER 2>&1 | FileCheck --check-prefix=WIDER %s
// A layout that knows only some of the shaders.
// RUN: not %rtc -T lib_6_7 -spirv -payload-layout-file=%t.hits.toml %s -Fo %t.rtp -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not %rtc -T lib_6_7 -spirv -D WIDER -payload-layout-file=%t.both.toml %s -Fo %t.rtp -fdiagnostics-format=rich 2>&1 | FileCheck --check-prefix=DECLARED %s
// ONE: the payload `Payload` is packed into 72 bytes in `{{.*}}shared_layout.hlsl` and laid out as declared, in 112 bytes in `{{.*}}.plain.rtp`
// ONE: note: compile all libraries of the pipeline with -payload-layout=packed
// OTHER: the payload `Payload` is laid out as declared, in 112 bytes in `{{.*}}shared_layout.hlsl` and packed into 72 bytes in `{{.*}}.packed.rtp`
// TWO: different access qualifiers, or was laid out for different shaders, in `{{.*}}shared_layout.hlsl` and `{{.*}}.shared.rtp`
// WIDER: the payload `Payload` is declared differently: `float more` in `{{.*}}shared_layout.hlsl`, no further field in `{{.*}}.plain.rtp`
// MISSING: error[E0721]: the payload `Payload` does not match the layout file: this library has miss shaders with it, which the file does not list
// MISSING: name = "Payload"
// MISSING: in the layout file
// DECLARED: error[E0721]: the payload `Payload` does not match the layout file: `float more` is not in the file
// FILE: name = "Payload"
// FILE-NEXT: declared = 112
// FILE-NEXT: packed = 72
// FILE-NEXT: stages = ["caller", "anyhit", "closesthit", "miss"]
// FILE-NEXT: hit_objects = false
// FILE-NEXT: fields = [
// FILE-NEXT: { name = "warp", type = "column_major float4x3", read = ["anyhit"], write = ["caller"], bits = 384, at = 0 },
// FILE: { name = "weights", type = "Weights { float[4] list; }", read = ["caller"], write = ["closesthit", "miss"], bits = 128, at = 0 },
// FILE: { name = "unused", type = "int", read = [], write = [], bits = 32 },
// FILE: { name = "path.first", type = "bool", read = ["closesthit", "miss"], write = ["caller"], bits = 1, at = 545 },
// DIS: ; payload Payload: 112 bytes declared, 72 bytes packed
// DIS-NEXT: column_major float4x3 warp: word 0 bit 0, 384 bits; read(anyhit) write(caller); alive caller->anyhit anyhit->anyhit
// DIS: int unused: no storage; read() write(); alive never
// DIS: bool path.first: word 17 bit 1; read(closesthit, miss) write(caller); alive caller->anyhit caller->closesthit caller->miss anyhit->anyhit anyhit->closesthit anyhit->miss
// DIS: taken by Cut, Show
// DIS-NEXT: SPIR-V
// PLAIN: ; payload Payload: 112 bytes declared, 112 bytes as declared
// PLAIN-NEXT: column_major float4x3 warp: word 0 bit 0, 384 bits
// PLAIN-NEXT: float3 alpha: word 12 bit 0, 96 bits
// REFLECT: "payloads": [
// REFLECT: "bytes": 72,
// REFLECT-NEXT: "declaredBytes": 112,
// REFLECT: "name": "Payload",
// REFLECT-NEXT: "packed": true,
// REFLECT-NEXT: "takenBy": [
// REFLECT-NEXT: "Cut",
// REFLECT-NEXT: "Show"
#ifdef BOTH
#define HITS
#endif
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
#ifdef WIDER
    float more : write(caller) : read(closesthit);
#endif
};


#if defined(BOTH) || !defined(HITS)
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);
GlobalRootSignature Globals = { "SRV(t0), DescriptorTable(UAV(u0))" };
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
#endif

#ifdef HITS
TriangleHitGroup Triangle = { "Cut", "Show" };

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
#endif
