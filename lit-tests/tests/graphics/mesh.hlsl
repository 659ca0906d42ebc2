// Mesh and amplification shaders: payloads, arrays of vertices, indices and primitives, system values of both.
// RUN: %rtc -T ms_6_5 -E made %s -Fo %t.dxil
// RUN: %dxv %t.dxil
// RUN: %rtc -T ms_6_5 -E made %s -validator-version 1.6 -Fo %t.16.dxil
// RUN: %dxil-val %t.16.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T ms_6_5 -E made %s -Od -Fo %t.od.dxil
// RUN: %dxv %t.od.dxil
// RUN: %rtc -spirv -T ms_6_5 -E made %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -spirv -T ms_6_5 -E made %s -Od -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -T ms_6_5 -E made %s | FileCheck %s --check-prefix=SPV
// RUN: %rtc -T ms_6_5 -E lines %s -Fo %t.lines.dxil
// RUN: %dxv %t.lines.dxil
// RUN: %rtc -spirv -T ms_6_5 -E lines %s -Fo %t.lines.spv
// RUN: %spirv-val %t.lines.spv
// RUN: %rtc -T ms_6_5 -E helped %s -validator-version 1.6 -Fo %t.helped.dxil
// RUN: %dxil-val %t.helped.dxil
// RUN: %rtc dis %t.helped.dxil | FileCheck %s --check-prefix=HELPER
// RUN: %rtc -spirv -T ms_6_5 -E helped %s -Od -Fo %t.helped.spv
// RUN: %spirv-val %t.helped.spv
// RUN: %rtc -T as_6_5 -E sent %s -Fo %t.as.dxil
// RUN: %dxv %t.as.dxil
// RUN: %rtc -T as_6_5 -E sent %s -validator-version 1.6 -Fo %t.as16.dxil
// RUN: %dxil-val %t.as16.dxil
// RUN: %rtc dis %t.as.dxil | FileCheck %s --check-prefix=AS
// RUN: %rtc -T as_6_5 -E sent %s -Od -Fo %t.asod.dxil
// RUN: %dxv %t.asod.dxil
// RUN: %rtc -spirv -T as_6_5 -E sent %s -Fo %t.as.spv
// RUN: %spirv-val %t.as.spv
// RUN: %rtc -spirv -T as_6_5 -E sent %s | FileCheck %s --check-prefix=TASK
// RUN: %rtc -T lib_6_6 %s -Fo %t.lib.dxil
// RUN: %dxv %t.lib.dxil

struct Inner { float2 uv; row_major float2x3 rows; column_major float2x3 columns; bool flag; };
struct Payload { uint first; Inner inner[2]; uint ids[8]; };
groupshared Payload sending;
groupshared uint count;
RWStructuredBuffer<uint> Out : register(u0);

// AS: %struct.Payload.0 = type { i32, [2 x %struct.Inner.0], [8 x i32] }
// AS: call void @dx.op.dispatchMesh.struct.Payload.0(i32 173,
// AS: ret void
// TASK: OpControlBarrier
// TASK: OpEmitMeshTasksEXT
void send(uint n) { DispatchMesh(n, 1, 1, sending); }

[shader("amplification")] [numthreads(8, 1, 1)]
void sent(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID)
{
    if (i == 0) { count = 0; sending.first = id.x; }
    sending.inner[i & 1].uv = id.xy;
    sending.inner[i & 1].rows[i % 2] = float3(1, 2, i);
    sending.inner[0].columns[i % 2][1] = i;
    sending.inner[1].flag = i > 3;
    GroupMemoryBarrierWithGroupSync();
    uint at;
    InterlockedAdd(count, 1, at);
    sending.ids[at] = id.x;
    InterlockedMax(sending.first, at);
    GroupMemoryBarrierWithGroupSync();
    send(count);
    Out[id.x] = at;
}

struct Vertex { float4 at : SV_Position; float2 uv[2] : UV; float3x2 m : M; uint2 name : NAME; float far : SV_ClipDistance; };
struct Primitive { uint id : SV_PrimitiveID; bool cull : SV_CullPrimitive; float3 colour : COLOUR; };

// CHECK: call %struct.Payload.0* @dx.op.getMeshPayload.struct.Payload.0(i32 170)
// CHECK: call void @dx.op.setMeshOutputCounts(i32 168, i32 8, i32 4)
// CHECK: call void @dx.op.emitIndices(i32 169
// CHECK: call void @dx.op.storePrimitiveOutput.i32(i32 172, i32 1
// SPV: OpExecutionMode {{.*}} OutputTriangles
// SPV: OpDecorate {{.*}} BuiltIn CullPrimitiveEXT
// SPV: OpSetMeshOutputsEXT
[shader("mesh")] [outputtopology("triangle")] [numthreads(8, 1, 1)]
void made(uint i : SV_GroupIndex, uint3 g : SV_GroupID, in payload Payload p, out indices uint3 t[4], out vertices Vertex v[8], out primitives Primitive q[4])
{
    SetMeshOutputCounts(8, 4);
    Vertex whole = (Vertex)0;
    whole.at = float4(p.inner[i & 1].uv, p.ids[i], 1);
    v[i] = whole;
    v[i].uv[i & 1] = p.inner[0].rows[1].xy;
    v[i].uv[1].y = 2;
    v[i].m[1] = p.inner[1].columns[i & 1].zy;
    v[i].far = p.inner[1].flag ? 1 : -1;
    if (i < 4)
    {
        t[i] = uint3(0, i, i + 1);
        q[i].id = p.first + g.x;
        q[i].cull = (i & 1) != 0;
        q[i].colour.zx = float2(i, 0.5);
        q[i].colour.y = 0;
    }
}

struct Point { float4 at : SV_Position; };
// Helper functions write to the arrays of the shader: each store is one of the thread's own vertex. A dynamic component is stored to under a
// condition for each.
// HELPER-COUNT-8: call void @dx.op.storeVertexOutput.f32(
// HELPER-NOT: call void @dx.op.storeVertexOutput.f32(
void put(out vertices Point v[4], uint n) { v[n].at = n; v[n].at[n] = 1; }
void both(out indices uint2 t[3], out vertices Point v[4], uint n) { put(v, n); if (n < 3) t[n] = uint2(n, n + 1); }
[shader("mesh")] [outputtopology("line")] [numthreads(4, 1, 1)]
void helped(uint n : SV_GroupIndex, out vertices Point v[4], out indices uint2 t[3]) { SetMeshOutputCounts(4, 3); both(t, v, n); }

[shader("mesh")] [outputtopology("line")] [numthreads(2, 2, 1)]
void lines(uint2 i : SV_GroupThreadID, out vertices Point v[4], out indices uint2 t[3])
{
    SetMeshOutputCounts(4, 3);
    uint n = i.y * 2 + i.x;
    v[n].at = n;
    if (n < 3) t[n] = uint2(n, n + 1);
}
