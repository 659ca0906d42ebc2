// Payloads that are not whole groupshared variables: a local variable, a member of a groupshared one, an element of a buffer, a result. Mesh shaders get that of the first thread.
// reference: no, its SPIR-V passes groupshared variables alone.
// rtc -T lib_6_5
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run %s -o %T -- -no-warnings -Od
// RUN: %rtc -T as_6_5 -E Local %s -validator-version 1.6 -no-warnings -Fo %t.local.dxil
// RUN: %dxil-val %t.local.dxil
// RUN: %rtc -T as_6_5 -E Member %s -validator-version 1.6 -no-warnings -Od -Fo %t.member.dxil
// RUN: %dxil-val %t.member.dxil
// RUN: %rtc -T lib_6_5 %s -validator-version 1.6 -no-warnings -Fo %t.lib.dxil
// RUN: %rtc validate %t.lib.dxil
// RUN: %rtc -spirv -T as_6_5 -E Element %s -no-warnings -Fo %t.spv
// RUN: %spirv-val %t.spv
//> [targets.Color]
//> size = [4, 4]
//> clear = [0, 0, 0, 1]
//> expect = [{ at = [0, 0], size = [1, 1], is = [0.25, 0, 0, 1] }, { at = [1, 0], size = [1, 1], is = [0.5, 0, 0, 1] }, { at = [2, 0], size = [1, 1], is = [0.75, 0, 0, 1] }, { at = [3, 0], size = [1, 1], is = [1, 0, 0, 1] }, { at = [0, 1], size = [4, 3], is = [0, 0, 0, 1] }]
//> [buffers.Sent]
//> size = 64
//> layout = ["uint", "float"]
//> expect = [[0, 0], [2, 0.75]]
//> [[draw]]
//> amplification = "Local"
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [1, 1, 1]
//> [[draw]]
//> amplification = "Member"
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [1, 1, 1]
//> [[draw]]
//> amplification = "Element"
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [1, 1, 1]
//> [[draw]]
//> amplification = "Result"
//> mesh = "Ms"
//> pixel = "Ps"
//> groups = [1, 1, 1]
struct Payload { uint x; float red; };
struct Both { uint before[3]; Payload second; };
groupshared Both both;
RWStructuredBuffer<Payload> Sent : register(u0);

[shader("amplification")] [numthreads(4, 1, 1)]
void Local(uint i : SV_GroupIndex) { Payload p; p.x = i; p.red = 0.25 + i; DispatchMesh(1, 1, 1, p); }

[shader("amplification")] [numthreads(4, 1, 1)]
void Member(uint i : SV_GroupIndex)
{
    // Another thread than the one that copies.
    if (i == 3) { both.second.x = 1; both.second.red = 0.5; }
    both.before[min(i, 2)] = 7;
    DispatchMesh(1, 1, 1, both.second);
}

[shader("amplification")] [numthreads(1, 1, 1)]
void Element()
{
    Sent[1].x = 2; Sent[1].red = 0.75;
    DispatchMesh(1, 1, 1, Sent[1]);
}

Payload made(uint x) { Payload p = { x, 1 }; return p; }
[shader("amplification")] [numthreads(2, 1, 1)]
void Result(uint i : SV_GroupIndex) { DispatchMesh(1, 1, 1, made(3 + i)); }

struct V { float4 at : SV_Position; float red : RED; };
[shader("mesh")] [numthreads(3, 1, 1)] [outputtopology("triangle")]
void Ms(uint i : SV_GroupThreadID, in payload Payload p, out indices uint3 t[1], out vertices V v[3])
{
    SetMeshOutputCounts(3, 1);
    // The left upper half of one pixel twice as large, so the triangle covers its centre alone.
    v[i].at = float4(-1 + 0.5 * p.x + (i == 1 ? 0.7 : 0), 1 - (i == 2 ? 0.7 : 0), 0.5, 1);
    v[i].red = p.red;
    if (i == 0) t[0] = uint3(0, 1, 2);
}
[shader("pixel")] float4 Ps(V v) : SV_Target { return float4(v.red, 0, 0, 1); }
