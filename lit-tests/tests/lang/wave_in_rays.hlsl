// Wave operations in every ray-tracing stage, and in functions that a library exports; group barriers and quads are not for them.
// RUN: %rtc -T lib_6_5 -validator-version 1.6 -DWAVE %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_5 -DWAVE -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s --check-prefix=SPIRV
// RUN: not %rtc -T lib_6_5 %s -Fo %t.dxil -fdiagnostics-format=rich 2>&1 | FileCheck %s --check-prefix=NOT
RWStructuredBuffer<uint> U : register(u0);
RaytracingAccelerationStructure Scene : register(t0);
struct P { uint n; };
struct A { float2 b; };
#ifdef WAVE
// What says where a thread is may change when a ray is traced: the variable is volatile.
// SPIRV-DAG: OpDecorate [[LANE:%[0-9A-Za-z_]+]] BuiltIn SubgroupLocalInvocationId
// SPIRV-DAG: OpDecorate [[LANE]] Volatile
uint all(uint x)
{
    uint4 m = WaveMatch(x & 3);
    return WaveActiveSum(x) + WavePrefixSum(x) + WaveReadLaneFirst(x) + WaveGetLaneIndex() + WaveGetLaneCount() + m.x
        + WaveMultiPrefixSum(x, m) + WaveActiveCountBits(x > 2) + WaveReadLaneAt(x, 0) + WaveActiveBallot(x == 1).y;
}
[shader("raygeneration")]
void R()
{
    P p = { DispatchRaysIndex().x };
    // The lane index is read again after the trace, and sums are not shared across it.
    // CHECK-LABEL: define void @{{.*}}R@
    // CHECK: dx.op.waveActiveOp
    // CHECK: dx.op.traceRay
    // CHECK: dx.op.waveActiveOp
    uint n = WaveActiveSum(p.n) + WaveGetLaneIndex();
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 10 };
    uint before = p.n;
    TraceRay(Scene, 0, 255, 0, 1, 0, r, p);
    U[0] = n + WaveActiveSum(before) + WaveGetLaneIndex() + all(p.n);
}
[shader("miss")] void M(inout P p) { p.n += all(p.n); }
[shader("closesthit")] void C(inout P p, in A a) { p.n += all(p.n); }
[shader("anyhit")] void H(inout P p, in A a) { p.n += all(p.n); }
[shader("callable")] void L(inout P p) { p.n += all(p.n); }
[shader("intersection")] void I() { A a = { float2(0, 0) }; ReportHit(all(PrimitiveIndex()), 0, a); }
export uint exported(uint x) { return WaveActiveMax(x); }
#else
[shader("raygeneration")]
void R()
{
    // NOT: error[E0602]: `GroupMemoryBarrierWithGroupSync` cannot be used
    // NOT: [[#@LINE+1]]:5
    GroupMemoryBarrierWithGroupSync();
    // The rule of quads counts for what is left of the program.
    // NOT: error[E0602]: `QuadReadAcrossX` cannot be used
    // NOT: [[#@LINE+1]]:12
    U[0] = QuadReadAcrossX(U[1]);
}
#endif
