// A library that is all that there is packs its payloads by what its shaders store: a flag, a mode of two bits, a signed step, one of two factors, what is always the
// same, the index of the ray, what no shader reads. The payload has no qualifiers. The picture is that of the declared layout.
// rtc -T lib_6_6
// scene: ../../../samples/hello/scene.toml
// RUN: %rtc-run %s -o %T -- -payload-layout=whole
// RUN: %rtc-run %s -o %T/plain --
// RUN: cmp %T/hello.png %T/plain/hello.png
// RUN: %rtc-run %s -o %T -- -payload-layout=whole -Od
// RUN: cmp %T/hello.png %T/plain/hello.png
// RUN: %rtc-run %s -o %T -- -payload-layout=whole -fspv-wavefront -fspv-ser=wavefront
// RUN: cmp %T/hello.png %T/plain/hello.png
// RUN: %rtc -spirv -payload-layout=whole -T lib_6_6 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -payload-layout=whole -T lib_6_6 %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck %s
// RUN: not %rtc -payload-layout=whole -T lib_6_6 %s 2>&1 | FileCheck -check-prefix=DXIL %s
// RUN: %rtc -spirv -payload-layout=whole -T lib_6_6 %s -DOPEN -Fo %t.open.spv 2>&1 | FileCheck -check-prefix=OPEN %s
// DXIL: -payload-layout=whole is for SPIR-V
// OPEN: warning: the payload `Payload` keeps its declared layout: it is not known what other libraries do with it

// CHECK: payload Payload: 56 bytes declared, 16 bytes packed
// CHECK: float color.x: word
// CHECK: uint (2 bits) mode: word {{[0-9]}} bit {{[0-9]+}}, 2 bits
// CHECK: int (3 signed bits) step:
// CHECK: float (1.5 or -0.0) factor:
// CHECK: uint (always 3) version:
// CHECK: int (always component 0 of DispatchRaysIndex) pixel.x:
// CHECK: int (always component 1 of DispatchRaysIndex) pixel.y:
// CHECK: unused[3]: no storage
// CHECK: bool hit:
struct Payload
{
    float3 color;
    uint mode;
    int step;
    float factor;
    uint version;
    uint2 pixel;
    float unused[4];
    bool hit;
};

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);

GlobalRootSignature Globals = { "SRV(t0), DescriptorTable(UAV(u0))" };
TriangleHitGroup Triangle = { "", "Show" };
RaytracingShaderConfig Sizes = { 64, 8 };
RaytracingPipelineConfig Depth = { 1 };

#ifdef OPEN
export void change(inout Payload p) { p.mode = 77; }
#endif

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
    Payload payload = (Payload)0;
    payload.mode = pixel.x & 3;
    payload.step = int(pixel.y % 5) - 2;
    payload.version = 3;
    payload.pixel = pixel;
    payload.factor = 1.5;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
    float3 color = payload.color * payload.factor + 0.02 * payload.step + 0.01 * payload.mode + 0.001 * payload.version;
    Output[pixel] = float4(payload.hit ? color : color.bgr, 1);
}

[shader("miss")]
void Sky(inout Payload payload)
{
    payload.color = float3(0.1, 0.2, 0.3) * (payload.mode + 1) * (1 - 0.25 * ((payload.pixel.x + payload.pixel.y) & 1));
    payload.factor = (payload.mode & 1) != 0 ? 1.5 : -0.0;
    payload.step = payload.step < 0 ? -payload.step : payload.step;
}

[shader("closesthit")]
void Show(inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes)
{
    float2 b = attributes.barycentrics;
    payload.color = float3(1 - b.x - b.y, b.x, b.y) * (payload.mode == 2 ? 0.5 : 1) * payload.version;
    payload.factor = 1.5;
    payload.hit = true;
}
