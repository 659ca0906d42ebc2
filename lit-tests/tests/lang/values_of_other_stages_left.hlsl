// Functions of other stages and later models in code that is not executed are no errors, at any level: the rules count for what is left.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv -fspv-target-env=vulkan1.2 %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_0 -E Compute -validator-version 1.6 %s -Fo %t.cs.dxil
// RUN: %dxil-val %t.cs.dxil
// RUN: %rtc -T cs_6_0 -E Compute -Od -validator-version 1.6 %s -Fo %t.cs.od.dxil
// RUN: %dxil-val %t.cs.od.dxil
// RUN: not %rtc -T lib_6_3 -D LEFT %s 2>&1 | FileCheck %s
// RUN: not %rtc -T cs_6_0 -E Compute -D LEFT %s 2>&1 | FileCheck %s --check-prefix=COMPUTE
// CHECK-DAG: `RayTCurrent` cannot be used in the raygeneration shader `Main` [E0602]
// CHECK-DAG: `ObjectToWorld3x4` cannot be used in the raygeneration shader `Main` [E0602]
// COMPUTE-DAG: `DispatchRaysIndex` cannot be used in the compute shader `Compute` [E0602]
// COMPUTE-DAG: `WaveMatch` requires shader model 6.5
// COMPUTE-DAG: `InterlockedAdd64` requires shader model 6.6
RWByteAddressBuffer O : register(u0);
#ifdef LEFT
static const bool Yes = true;
#else
static const bool Yes = false;
#endif
struct P { float4 v; };

float distance_of(bool hit)
{
    if (hit) return RayTCurrent() + PrimitiveIndex() + InstanceID() + HitKind() + ObjectToWorld3x4()[1].x + WorldRayOrigin().y;
    return 1;
}
uint index_of(bool rays)
{
    if (rays)
    {
        uint old = WaveMatch(O.Load(4)).x;
        O.InterlockedAdd64(8, old);
        return DispatchRaysIndex().x;
    }
    return 2;
}
[shader("raygeneration")] void Main() { O.Store(0, asuint(distance_of(Yes))); }
[shader("closesthit")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.v = distance_of(true); }
[numthreads(1, 1, 1)] void Compute() { uint unused = DispatchRaysIndex().y; O.Store(0, index_of(Yes)); }
