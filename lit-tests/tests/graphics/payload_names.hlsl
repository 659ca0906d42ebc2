// The structure of a payload of mesh shaders keeps its name where it has no vectors, which are arrays there.
// RUN: %rtc -T ms_6_5 -E mesh %s | FileCheck %s --check-prefix=PLAIN
// RUN: %rtc -T ms_6_5 -E mesh -DVECTOR %s | FileCheck %s --check-prefix=VECTOR
// PLAIN: call %struct.Payload* @dx.op.getMeshPayload.struct.Payload(i32 170)
// VECTOR: call %struct.Payload.0* @dx.op.getMeshPayload.struct.Payload.0(i32 170)
struct Part { float x[3]; bool y; };
struct Payload
{
    Part parts[2];
#ifdef VECTOR
    float2 v;
#endif
};
struct Vertex { float4 p : SV_Position; };
[outputtopology("triangle")] [numthreads(3, 1, 1)]
void mesh(uint i : SV_GroupIndex, in payload Payload p, out vertices Vertex v[3], out indices uint3 t[1])
{
    SetMeshOutputCounts(3, 1);
    t[0] = uint3(0, 1, 2);
    v[i].p = p.parts[1].y ? p.parts[i & 1].x[i] : 0;
#ifdef VECTOR
    v[i].p.x = p.v.y;
#endif
}
