// Shaders of every stage read the index and the size of the dispatch, whichever launch of sorted rays runs them.
// rtc -T lib_6_9
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -Od -T lib_6_9 -no-warnings %s -Fo %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc -spirv -fspv-ser=wavefront -Zi -fspv-debug=vulkan-with-source -T lib_6_9 -no-warnings %s -Fo %t.zi.spv
// RUN: %spirv-val %t.zi.spv
// RUN: %rtc -spirv -fspv-ser=wavefront -WX -T lib_6_9 %s -Fo %t.rtp
// RUN: %rtc dis %t.rtp | FileCheck %s
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=wavefront
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=wavefront -Od
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-wavefront
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
// CHECK: OpEntryPoint RayGenerationKHR %{{[0-9A-Za-z_]+}} "Main.resume2"
#define OWN_CLOSEST_A
#define OWN_CLOSEST_BOX
#define OWN_INTERSECT_BOX
#define OWN_ANY_HIT
#define OWN_MISS_A
#include "Inputs/ser.hlsli"

struct Args { uint3 index, dimensions; };
[shader("callable")] void Asked(inout Args a)
{
    a.index = DispatchRaysIndex();
    a.dimensions = DispatchRaysDimensions();
}

// A number of the index and the size, from here and from a callable shader.
uint own() { return DispatchRaysIndex().x + 100 * DispatchRaysIndex().y + 1000 * DispatchRaysDimensions().x; }
uint asked()
{
    Args a = (Args)0;
    CallShader(0, a);
    return a.index.x + 100 * a.index.y + 1000 * a.dimensions.x;
}

[shader("closesthit")] void ClosestA(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    TELL(CLOSEST_A);
    p.ids = uint3(own(), asked(), PrimitiveIndex());
}
[shader("closesthit")] void ClosestBox(inout Payload p, in BoxAttributes a)
{
    TELL(CLOSEST_BOX);
    p.ids = uint3(own(), asked(), a.marker);
}
[shader("miss")] void MissA(inout Payload p)
{
    TELL(MISS_A);
    p.ids = uint3(own(), asked(), 0);
}
// The hit is nearer for each second ray.
void box()
{
    BoxAttributes a = { 0.xx, own() };
    ReportHit(DispatchRaysIndex().x & 1 ? 5 : 9, 10, a);
}
[shader("intersection")] void IntersectBox() { box(); }
[shader("intersection")] void IntersectSoftBox() { box(); }
[shader("anyhit")] void AnyHit(inout Payload p, in BuiltInTriangleIntersectionAttributes a)
{
    if (PrimitiveIndex() == 0 && (DispatchRaysIndex().x & 2))
        IgnoreHit();
}

[shader("raygeneration")] void Main()
{
    static const uint TO[4] = { TRIANGLE, VEIL, BOXES, NOTHING };
    uint3 count = 0;
    [loop] for (uint round = 0; round < 5; ++round)
    {
        uint k = (thread() * 7 + round) % 4;
        Payload p = fresh();
        dx::HitObject h = trace(to(TO[k]), p);
        if (round == 3)
            dx::MaybeReorderThread(~thread(), 4);
        else if ((thread() ^ round) & 1)
            dx::MaybeReorderThread(h, 15 - thread(), 4);
        else
            dx::MaybeReorderThread(h);
        dx::HitObject::Invoke(h, p);
        uint expected = thread() + 16000;
        IS(p.ids.x, expected); IS(p.ids.y, expected);
        IS(p.ids.z, k == 1 ? (thread() >> 1 & 1) : k == 2 ? expected : 0);
        if (k == 2) ISF(p.t, thread() & 1 ? 5 : 9);
        // A trace of this launch without a point of its own.
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, to(TO[(k + 1) % 4]), p);
        IS(p.ids.x, expected);
        ++count[round % 3];
    }
    IS(dot(count, 1), 5);
    done(4 * 5 + 1 + (thread() * 7 % 4 == 2 ? 2 : 1));
}
