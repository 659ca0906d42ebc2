// Ray queries in a vertex shader: a height that a ray finds, and one that misses.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [4, 1]
//> format = "r32_float"
//> expect = [{ at = [0, 0], is = 3 }, { at = [1, 0], is = 3 }, { at = [2, 0], is = -1 }, { at = [3, 0], is = -1 }]
//> [meshes.floor]
//> triangles = { positions = [[-9, 2, -9], [0, 2, -9], [0, 2, 9], [-9, 2, 9]], indices = [0, 1, 2, 0, 2, 3] }
//> [accel.Scene]
//> instances = [{ mesh = "floor" }]
//> [[draw]]
//> topology = "points"
//> count = 4
RaytracingAccelerationStructure Scene : register(t0);
struct V { float4 at : SV_Position; nointerpolation float t : T; };
[shader("vertex")] V Vs(uint i : SV_VertexID)
{
    V v;
    float x = (i + 0.5) / 2 - 1;
    v.at = float4(x, 0, 0.5, 1);
    RayDesc r = { float3(x, 5, 0.125), 0, float3(0, -1, 0), 100 };
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(Scene, 0, 255, r);
    q.Proceed();
    v.t = q.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? q.CommittedRayT() : -1;
    return v;
}
[shader("pixel")] float Ps(V v) : SV_Target { return v.t; }
