// Payload writes made in a helper before IgnoreHit or AcceptHitAndEndSearch survive.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
struct P { float3 color; uint hits; };

void Reject(inout P p, float limit)
{
    p.hits += 1;
    if (p.color.x > limit)
    {
        p.color.y = 7;
        IgnoreHit();
    }
    p.color.z = 9;
}

void Deeper(inout P p) { p.hits |= 0x100; Reject(p, 0.5); p.hits |= 0x200; AcceptHitAndEndSearch(); }

[shader("anyhit")]
void Any(inout P p, in BuiltInTriangleIntersectionAttributes a)
{
    if (a.barycentrics.x > 0.25)
        Deeper(p);
    Reject(p, 2);
}

// RUN: %rtc -T lib_6_3 -spirv %s | FileCheck %s
// The count is stored before each terminator, in the same block or one that dominates it.
// CHECK: OpEntryPoint AnyHitKHR
// CHECK: OpStore
// CHECK: OpIgnoreIntersectionKHR
