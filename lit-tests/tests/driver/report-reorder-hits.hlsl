// RUN: %rtc -T lib_6_9 %s -report reorder | FileCheck %s
// RUN: %rtc -T lib_6_9 %s -Od -report reorder | FileCheck %s --check-prefix=OD
// RUN: %rtc -T lib_6_9 %s -report reorder=json | FileCheck %s --check-prefix=JSON
// RUN: %rtc -T lib_6_9 -spirv -fspv-ser=lower %s -report reorder -Fo %t.spv | FileCheck %s

// Reorder points of hit objects: what belongs together, and what keeps it apart.

RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Output : register(u0);

struct [raypayload] Payload
{
    float3 color : read(caller) : write(caller, closesthit, miss);
    uint seed : read(caller, closesthit) : write(caller, closesthit);
};

RayDesc Ray(float x)
{
    RayDesc ray = { float3(x, 0, 0), 0, float3(0, 0, 1), 100 };
    return ray;
}

// CHECK: report-reorder-hits.hlsl: 7 reorder points in 1 function
[shader("raygeneration")]
void Camera()
{
    uint at = DispatchRaysIndex().x;
    Payload p;
    p.color = 0;
    p.seed = at;
    // CHECK: 1. HitObject::TraceRay at {{.*}}:[[#@LINE+2]]:
    // CHECK-NEXT: live: {{.*}} bytes; passes 16 bytes
    dx::HitObject close = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, Ray(at), p);
    // CHECK: 2. MaybeReorderThread at {{.*}}:[[#@LINE+4]]:
    // CHECK-NEXT: live:
    // CHECK-DAG: ? dx::HitObject close -- hit object; declared in line [[#@LINE-3]]
    // CHECK-DAG: 4 uint p.seed -- payload; declared in line 28
    dx::MaybeReorderThread(close);
    // CHECK: 3. HitObject::Invoke at {{.*}}:[[#@LINE+1]]:
    dx::HitObject::Invoke(close, p);

    // A ray query is live across the point and read after it.
    RayQuery<RAY_FLAG_NONE> query;
    query.TraceRayInline(Scene, 0, 0xff, Ray(1));
    while (query.Proceed())
        ;
    // CHECK: 4. HitObject::TraceRay at {{.*}}:[[#@LINE+5]]:
    // CHECK-NEXT: live:
    // CHECK-DAG: ? RayQuery{{.*}} query -- ray query
    // CHECK-DAG: 12 float3 p.color -- payload
    Payload q = p;
    dx::HitObject apart = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, Ray(2), q);
    Output[at] = q.seed;
    dx::MaybeReorderThread(apart, q.seed, 16);
    if (query.CommittedStatus() == COMMITTED_TRIANGLE_HIT)
        dx::HitObject::Invoke(apart, q);

    // CHECK: 7. MaybeReorderThread at {{.*}}:[[#@LINE+1]]:
    dx::MaybeReorderThread(at, 8);
    Output[at + 1] = float4(p.color + q.color, p.seed);
    // CHECK: pays if a wave of 32 saves {{[0-9]+}} instructions where hardware reorders, {{[0-9]+}} where rays are sorted
    // CHECK: 1, 2, 3 are back to back: one reorder point
    // CHECK: 4, 5 use one hit object and are separated by
    // CHECK-NEXT: a write to memory (`buf_store`) at {{.*}}:53:
    // CHECK: 4, 6 use one hit object and are separated by
    // CHECK-NEXT: control flow at {{.*}}:{{55|56}}:
}

// OD: 1. HitObject::TraceRay
// OD: 1, 2, 3 are back to back: one reorder point

// JSON: "backToBack": true
// JSON: "brokenBy": []
// JSON: "backToBack": false
// JSON: "what": "a write to memory (`buf_store`)"
// JSON: "what": "hit object"
// JSON: "paysAbove": {
// JSON-NEXT: "hardware": {{[0-9]+}}
