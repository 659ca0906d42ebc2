// Ray queries in the patch constant function, the hull and the domain shader.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
//> [targets.Color]
//> size = [8, 8]
//> format = "rgba32_float"
//> expect = [{ at = [1, 1], is = [2, 5, 3, 1] }, { at = [6, 6], is = [2, 5, 3, 1] }]
//> [meshes.quad]
//> triangles = { positions = [[-4, -4, 5], [4, -4, 5], [4, 4, 5], [-4, 4, 5]], indices = [0, 1, 2, 0, 2, 3] }
//> [accel.Scene]
//> instances = [{ mesh = "quad" }]
//> [[draw]]
//> patch_control_points = 4
//> hull = "Hs"
//> domain = "Ds"
//> vertices = { POSITION = { float2 = [[-1, -1], [1, -1], [-1, 1], [1, 1]] } }
RaytracingAccelerationStructure Scene : register(t0);
struct C { float2 at : POSITION; float t : T; };
struct K { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; float t : DISTANCE; };
struct O { float4 at : SV_Position; nointerpolation float3 t : T; };
float distance_from(float3 origin)
{
    RayDesc r = { origin, 0, float3(0, 0, 1), 100 };
    RayQuery<RAY_FLAG_FORCE_OPAQUE> q;
    q.TraceRayInline(Scene, 0, 255, r);
    q.Proceed();
    return q.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? q.CommittedRayT() : -1;
}
struct P { float2 at : POSITION; };
[shader("vertex")] P Vs(P v) { return v; }
K constants(InputPatch<P, 4> p, OutputPatch<C, 4> q)
{
    K k;
    k.edges[0] = k.edges[1] = k.edges[2] = k.edges[3] = 2; k.inside[0] = k.inside[1] = 2;
    k.t = distance_from(float3(p[0].at, 3));
    return k;
}
[shader("hull")] [domain("quad")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(4)] [patchconstantfunc("constants")]
C Hs(InputPatch<P, 4> p, uint i : SV_OutputControlPointID) { C c; c.at = p[i].at; c.t = distance_from(float3(p[i].at, 0)); return c; }
[shader("domain")] [domain("quad")]
O Ds(K k, float2 uv : SV_DomainLocation, const OutputPatch<C, 4> p)
{
    O o; float2 at = lerp(lerp(p[0].at, p[1].at, uv.x), lerp(p[2].at, p[3].at, uv.x), uv.y);
    o.at = float4(at, 0.5, 1);
    o.t = float3(k.t, (p[0].t + p[1].t + p[2].t + p[3].t) / 4, distance_from(float3(at.x * 0.9, at.y * 0.8, 2)));
    return o;
}
[shader("pixel")] float4 Ps(O o) : SV_Target { return float4(o.t, 1); }
