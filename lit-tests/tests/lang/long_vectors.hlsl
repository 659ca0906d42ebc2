// Long vectors where they meet others: exported functions, atomics, precise, the longest one.
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_9 -no-warnings -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_9 -no-warnings -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_9 -no-warnings -spirv %s -Fc - | FileCheck %s
// Components are decorated one by one, and no vector has more than four.
// CHECK-COUNT-16: NoContraction
// CHECK-NOT: NoContraction
// CHECK-NOT: OpTypeVector {{.*}} {{[5-9]|[1-9][0-9]+$}}
// CHECK: OpFunction
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer B : register(u0);

struct [raypayload] Payload
{
    float a[6] : read(caller, closesthit) : write(caller, closesthit);
    int n : read(caller, closesthit) : write(caller, closesthit);
};
vector<float, 6> of(Payload p) { vector<float, 6> v; for (int i = 0; i < 6; ++i) v[i] = p.a[i]; return v; }
groupshared vector<uint, 8> Shared;

export vector<float, 9> twice(vector<float, 9> v) { return v * 2; }
export float pick(vector<float, 9> v, int i) { return v[i]; }

[shader("raygeneration")]
void Rays()
{
    Payload p = { (float[6])1, 2 };
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    B.Store(0, p.a[p.n % 6]);
    B.Store(32, of(p) + 1);
}
[shader("closesthit")]
void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    vector<float, 6> v = of(p);
    v[p.n % 6] = 4;
    v = v * 2;
    for (int i = 0; i < 6; ++i) p.a[i] = v[i];
    p.n = 1;
}
[shader("compute")]
[numthreads(8, 1, 1)]
void Group(uint i : SV_GroupIndex)
{
    Shared[i] = i;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(Shared[(i + 1) % 8], 2);
    InterlockedMax(Shared[6], 9);
    GroupMemoryBarrierWithGroupSync();
    B.Store(0, Shared);
    vector<float, 8> v = B.Load<vector<float, 8> >(64);
    precise vector<float, 8> w = v * v + v;
    B.Store(64, w);
    B.Store(128, twice(vector<float, 9>(w, pick(vector<float, 9>(v, 1), i))));
}
[shader("compute")]
[numthreads(1, 1, 1)]
void Longest(uint i : SV_GroupIndex)
{
    vector<float, 1024> v = B.Load<vector<float, 1024> >(0);
    for (uint k = 0; k < 10; ++k) v[i * k] += v[k];
    B.Store(4096, v * v);
}
