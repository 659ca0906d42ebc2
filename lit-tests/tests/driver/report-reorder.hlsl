// RUN: %rtc -T lib_6_6 %s -report reorder | FileCheck %s
// RUN: %rtc -T lib_6_6 %s -report reorder=json | FileCheck %s --check-prefix=JSON
// RUN: %rtc -T lib_6_6 -spirv %s --report=reorder,%t.html -Fo %t.spv
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
// RUN: %rtc -T lib_6_6 %s -Fo %t.1.dxil
// RUN: %rtc -T lib_6_6 %s -report reorder,%t.txt -Fo %t.2.dxil
// RUN: cmp %t.1.dxil %t.2.dxil
// RUN: %rtc -T lib_6_6 %s -Od -report reorder | FileCheck %s --check-prefix=OD
// RUN: not %rtc -T lib_6_6 %s -report liveness 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// The report on reorder points: what is live across each by name, type, bytes and line, through calls.

// UNKNOWN: unknown report `liveness`; expected reorder or paq

RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);
StructuredBuffer<float3> Colors : register(t1);

struct Payload
{
    float3 color;
    float distance;
};

float3 Trace(RayDesc ray, float3 tint)
{
    Payload payload;
    payload.color = 0;
    payload.distance = -1;
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, payload);
    return payload.color * tint;
}

// CHECK: report-reorder.hlsl: 3 reorder points in 2 functions; live across all of them:
// CHECK: Camera (raygen) at {{.*}}report-reorder.hlsl:[[#@LINE+2]]:
[shader("raygeneration")]
void Camera()
{
    uint2 pixel = DispatchRaysIndex().xy;
    float3 tint = Colors[pixel.x];
    float3 sky = Colors[pixel.y];
    bool left = Colors[pixel.x + 1].x > 0.5;
    bool dark = Colors[pixel.x + 1].y < 0.1;
    RayDesc ray = { sky, 0, float3(0, 0, 1), 100 };
    // CHECK: 1. TraceRay at {{.*}}report-reorder.hlsl:30:5
    // CHECK-NEXT: in Trace, called at {{.*}}report-reorder.hlsl:61:18
    // CHECK-NEXT: live: {{.*}} bytes; passes 16 bytes
    // CHECK-DAG: 12 float3 tint -- declared in line 40
    // CHECK-DAG: 4 bool left -- declared in line 42
    // CHECK: no longer live:
    // CHECK-NEXT: 8 uint2 pixel -- declared in line 39; recomputable: 1 operation
    // OD: 8 uint2 pixel -- declared in line 39
    // OD: could: recompute pixel after the point: 1 operation instead of 8 bytes
    // CHECK: could: tint is loaded before the point and used only after it
    // CHECK: could: pack the flags left, dark into bits of one number
    // CHECK: 2. TraceRay at {{.*}}report-reorder.hlsl:30:5
    // CHECK-NEXT: in Trace, called at
    // CHECK-NEXT: live:
    // CHECK-DAG: 12 float3 sum -- {{.*}}declared in line 61
    // CHECK: stack frame: about
    float3 sum = Trace(ray, tint);
    ray.Direction = sum;
    if (left)
        sum += Trace(ray, 1) * (dark ? 2 : 3);
    Output[pixel] = float4(sum, 1);
}

// CHECK: Hit (closesthit)
[shader("closesthit")]
void Hit(inout Payload payload, in BuiltInTriangleIntersectionAttributes attr)
{
    // The incoming payload has to survive, except what is overwritten afterwards.
    // CHECK: 1. TraceRay
    // CHECK-NEXT: live: 16 bytes; passes 16 bytes
    // CHECK-DAG: 4 float payload.distance -- payload; declared in line 70
    // CHECK-DAG: 12 float3 color -- declared in line 77
    float3 color = Colors[PrimitiveIndex()];
    Payload inner;
    inner.color = 0;
    inner.distance = 0;
    RayDesc ray = { WorldRayOrigin(), 0, WorldRayDirection(), 1 };
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, inner);
    payload.color = color * inner.color;
}

// JSON: "name": "tint"
// JSON: "liveBytes": {{[0-9]+}},
// JSON: "maxTraceRecursionDepth": 3
// JSON: "report": "reorder"

// HTML: <title>Reorder points of
// HTML: <tr class="hot" id="f0l30"><td class="m">{{[0-9]+}} B<span class="bar"
// HTML: <summary>Camera 1: TraceRay, {{[0-9]+}} bytes live (before shrinking {{[0-9]+}})</summary>
// HTML: <tr class="kept" id="f0l40">{{.*}}live across {{1|2}} point

RaytracingPipelineConfig Config = { 3 };
// CHECK: pipeline stack with these frames, for a recursion depth of 3: about [[#]] bytes
