// Ray queries in a geometry shader: how many vertices it makes depends on what is hit.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// reference: no, since lavapipe crashes in its module.
//> [targets.Color]
//> size = [4, 2]
//> format = "r32_uint"
//> expect = [{ at = [0, 0], is = 100 }, { at = [0, 1], is = 0 }, { at = [1, 0], is = 101 }, { at = [1, 1], is = 101 }, { at = [2, 0], is = 0 }, { at = [3, 1], is = 103 }]
//> [meshes.quad]
//> triangles = { positions = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], indices = [0, 1, 2, 0, 2, 3] }
//> [accel.Scene]
//> instances = [{ mesh = "quad", id = 1, transform = { scale = 0.25, translate = [0.5, 0, 0] } }, { mesh = "quad", id = 2, transform = { scale = 0.25, translate = [1.5, 0, 0] } }, { mesh = "quad", id = 7, mask = 2, transform = { scale = 0.25, translate = [2.5, 0, 0] } }, { mesh = "quad", id = 2, transform = { scale = 0.25, translate = [3.5, 0, 0] } }]
//> [[draw]]
//> topology = "points"
//> geometry = "Gs"
//> count = 4
RaytracingAccelerationStructure Scene : register(t0);
struct V { uint n : N; };
struct G { float4 at : SV_Position; nointerpolation uint c : C; };
[shader("vertex")] V Vs(uint i : SV_VertexID) { V v; v.n = i; return v; }
[shader("geometry")] [maxvertexcount(4)]
void Gs(point V v[1], inout PointStream<G> s)
{
    RayDesc r = { float3(v[0].n + 0.5625, 0.125, -1), 0, float3(0, 0, 1), 10 };
    RayQuery<RAY_FLAG_CULL_BACK_FACING_TRIANGLES & 0> q;
    q.TraceRayInline(Scene, RAY_FLAG_FORCE_OPAQUE, 1, r);
    q.Proceed();
    uint count = q.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? q.CommittedInstanceID() : 0;
    for (uint i = 0; i < count; ++i)
    {
        G g; g.at = float4((v[0].n + 0.5) / 2 - 1, 0.5 - i, 0.5, 1); g.c = 100 + v[0].n;
        s.Append(g);
    }
}
[shader("pixel")] uint Ps(G g) : SV_Target { return g.c; }
