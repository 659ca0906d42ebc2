// Cooperative vectors in ray-tracing shaders, next to groupshared memory, coherent buffers and images, whose accesses say what they are in the memory
// model of Vulkan; and of a matrix that control flow selects between two layouts.
// RUN: %rtc -T lib_6_10 -enable-16bit-types -no-warnings -spirv -fspv-linalg=nv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_10 -enable-16bit-types -no-warnings -spirv -fspv-linalg=nv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_10 -enable-16bit-types -no-warnings -fspv-linalg=nv %s -spirv -Fo %t.rtp
// RUN: %rtc -T lib_6_10 -enable-16bit-types -no-warnings -spirv -fspv-linalg=nv %s -Fc - | FileCheck %s
// CHECK-NOT: OpDecorate {{.*}} Coherent
// CHECK-NOT: OpDecorate {{.*}} Volatile
// CHECK: OpFunction
#include <dx/linalg.h>
using namespace dx::linalg;
ByteAddressBuffer In : register(t0);
globallycoherent RWByteAddressBuffer Out : register(u0);
globallycoherent RWTexture2D<float> Image : register(u1);
RaytracingAccelerationStructure Scene : register(t1);
groupshared uint Shared[64];
typedef Matrix<ComponentType::F16, 4, 8, MatrixUse::A, MatrixScope::Thread> M;
struct [raypayload] Payload { float16_t4 y : read(caller) : write(caller, closesthit, miss); };
vector<float16_t, 4> times(uint n)
{
    vector<float16_t, 8> x = (vector<float16_t, 8>)(float16_t)n;
    M m = M::Load<MatrixLayout::RowMajor>(In, 0, 16);
    if (n > 3) m = M::Load<MatrixLayout::MulOptimalTranspose>(In, 128 + n * 64, 0);
    return Multiply<float16_t>(m, x);
}
[shader("raygeneration")] void Gen()
{
    Payload p = { times(DispatchRaysIndex().x) };
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    TraceRay(Scene, 0, 0xff, 0, 1, 0, r, p);
    Out.Store(WaveGetLaneIndex() * 8, p.y);
    Image[uint2(0, 0)] = Image[uint2(1, 0)] + p.y.x;
}
[shader("closesthit")] void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.y = times(PrimitiveIndex()); }
[shader("miss")] void Miss(inout Payload p) { p.y = times(5); }
[shader("callable")] void Call(inout Payload p) { p.y = times(p.y.x); }
// CHECK: OpLoad {{.*}} %SubgroupLocalInvocationId Volatile
// CHECK: OpStore {{.*}} MakePointerAvailable|NonPrivatePointer
// CHECK: OpImageRead {{.*}} MakeTexelVisible|NonPrivateTexel
// CHECK: OpImageWrite {{.*}} MakeTexelAvailable|NonPrivateTexel
// CHECK: %Hit = OpFunction
// CHECK: OpCooperativeVectorMatrixMulNV {{.*}} %uint_0 %false
// CHECK: OpCooperativeVectorMatrixMulNV {{.*}} %uint_2 %true
[shader("compute")][numthreads(64, 1, 1)] void Main(uint n : SV_GroupIndex)
{
    Shared[n] = Out.Load(n * 4);
    GroupMemoryBarrierWithGroupSync();
    Out.Store(n * 8, times(Shared[63 - n]));
}
// CHECK: %Main = OpFunction
// CHECK: OpStore {{%[0-9]+}} {{%[0-9]+}} NonPrivatePointer
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_24840
// CHECK: OpLoad %uint {{%[0-9]+}} NonPrivatePointer
