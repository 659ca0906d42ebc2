// Packed payloads: fields of every size, some of which share words, through traces, both halves of traces, traces within traces, and early
// ends of any-hit shaders.
// rtc -T lib_6_9 -enable-16bit-types
// scene: Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -enable-16bit-types -no-warnings %s -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -enable-16bit-types -payload-layout=packed -no-warnings %s -Fo %t.nv.spv
// RUN: %spirv-val %t.nv.spv
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -enable-16bit-types -payload-layout=packed -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc -spirv -fspv-ser=lower -Od -T lib_6_9 -enable-16bit-types -payload-layout=packed -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_9 -enable-16bit-types -payload-layout=packed -emit-ir -no-warnings %s | FileCheck %s
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -payload-layout=packed
// RUN: %rtc-run %s -o %T -- -no-warnings -fspv-ser=lower -payload-layout=packed -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#define OWN_PAYLOAD
#define OWN_ANY_HIT
#define OWN_ANY_BOX_HIT
#define OWN_CLOSEST_A
#define OWN_CLOSEST_B
#define OWN_CLOSEST_BOX
#define OWN_MISS_A
#define OWN_MISS_B
#define OWN_SIZES
#define DEPTH 2
#include "Inputs/ser.hlsli"
RaytracingShaderConfig Sizes = { 128, 16 };

// CHECK: struct {{.*}} "Ray.packed" {
// CHECK-COUNT-12: i32
// CHECK-NEXT: }
struct Steps { uint16_t2 at; bool last; };
struct [raypayload] Inner
{
    int16_t small : write(caller) : read(anyhit, closesthit, miss);
    half weight : write(caller, anyhit) : read(caller, anyhit, closesthit, miss);
    Steps steps[2] : write(closesthit, miss) : read(caller);
};
struct [raypayload] Ray
{
    uint hint[4] : write(caller) : read(anyhit);
    // The caller and any-hit shaders write it on the same way as what only the latter read.
    uint tint : write(caller, anyhit) : read(closesthit);
    uint64_t seen : write(caller, anyhit) : read(anyhit, closesthit, miss);
    float3 color : write(closesthit, miss) : read(caller);
    uint16_t4 words : write(closesthit) : read(caller);
    double exact : write(caller, closesthit) : read(caller, closesthit);
    bool first : write(caller, anyhit) : read(caller, anyhit);
    bool nested : write(caller) : read(closesthit);
    float3 never : write() : read();
    Inner inner;
    uint big : write(caller, closesthit, miss) : read(caller, closesthit, miss);
};

Ray start(uint i, bool nested)
{
    Ray p;
    [unroll] for (uint n = 0; n < 4; ++n)
        p.hint[n] = 1000 * n + i;
    p.tint = 300 + i;
    p.seen = uint64_t(i + 1) << 33;
    p.exact = 1.0L / 3;
    p.first = (i & 1) != 0;
    p.nested = nested;
    p.inner.small = int16_t(-5 - int(i));
    p.inner.weight = half(0.5);
    p.big = 0xfffffff0u + i;
    return p;
}

void anyhit(inout Ray p)
{
    // Which of the two comes first is up to the device.
    bool second = uint(p.seen) != 0;
    p.seen += p.hint[PrimitiveIndex()];
    p.first = !p.first;
    p.tint = 77;
    p.inner.weight += half(0.25) * half(p.inner.small);
    if (PrimitiveIndex() == 0)
        IgnoreHit();
    p.seen |= uint64_t(1) << 60;
    if (second)
        AcceptHitAndEndSearch();
}
[shader("anyhit")] void AnyHit(inout Ray p, in BuiltInTriangleIntersectionAttributes a) { anyhit(p); }
[shader("anyhit")] void AnyBoxHit(inout Ray p, in BoxAttributes a) { anyhit(p); }

void hit(inout Ray p, uint who)
{
    p.color = float3(p.inner.weight, p.inner.small, uint(p.seen >> 32));
    [unroll] for (uint n = 0; n < 2; ++n)
    {
        p.inner.steps[n].at = uint16_t2(who, 0xff00 + n);
        p.inner.steps[n].last = n == 1;
    }
    p.words = uint16_t4(uint(p.seen) & 0xffff, 65535, who, p.tint);
    p.exact = p.exact * 3 + who;
    p.big += who;
}
[shader("closesthit")] void ClosestA(inout Ray p, in BuiltInTriangleIntersectionAttributes a) { hit(p, 1); }
[shader("closesthit")] void ClosestB(inout Ray p, in BuiltInTriangleIntersectionAttributes a) { hit(p, 2); }
[shader("closesthit")] void ClosestBox(inout Ray p, in BoxAttributes a)
{
    hit(p, 3);
    if (p.nested)
    {
        // The ray of another shader than the caller's, in the middle of this one. One shader does it: each that traces is a state
        // machine more for what translates the pipeline.
        Ray q = start(2, false);
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, to(VEIL), q);
        p.big += q.big + q.inner.steps[1].at.x + q.words.x + uint(q.color.y + 100) + (q.first ? 0x10000 : 0);
        p.exact += q.exact;
    }
}
void missed(inout Ray p, uint who)
{
    p.color = float3(p.inner.weight, p.inner.small, who);
    p.inner.steps = (Steps[2])0;
    p.inner.steps[who & 1].at.y = uint16_t(who);
    p.big -= uint(p.seen >> 32);
}
[shader("miss")] void MissA(inout Ray p) { missed(p, 11); }
[shader("miss")] void MissB(inout Ray p) { missed(p, 12); }

[shader("raygeneration")] void Main()
{
    uint i = thread() % 9;
    // Half of the threads trace at once, half of them in two steps, in which the caller sees what any-hit shaders left.
    bool nested = thread() >= 12 && (i == BOXES || i == SOFT_BOXES);
    bool soft = i == VEIL || i == SOFT_BOXES || i == SOFT_ALONE;
    Ray p = start(i, nested);
    float weight = 0.5 + (soft ? 2 * 0.25 * (-5.0 - i) : 0);
    if (thread() & 1)
        TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, to(i), p);
    else
    {
        dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, to(i), p);
        ISF(p.inner.weight, weight);
        IS(uint(p.seen >> 32), 2 * (i + 1) | (soft ? 1u << 28 : 0));
        dx::HitObject::Invoke(h, p);
    }
    bool last = i == NOTHING, shaded = i != SOFT_ALONE;
    uint who = WHO[i];
    ISF(p.inner.weight, weight);
    IS(p.first, (i & 1) != 0);
    IS(p.exact > 0.33, 1);
    if (shaded)
    {
        ISF(p.color.x, weight); ISF(p.color.y, -5.0 - i); ISF(p.color.z, last ? 11.0 : float(2 * (i + 1) | (soft ? 1u << 28 : 0)));
        IS(p.inner.steps[1].at.y, last ? 11 : 0xff01); IS(p.inner.steps[0].last, 0); IS(p.inner.steps[1].last, !last);
        uint low = soft ? i + 1000 + i : 0;
        if (!last)
        {
            IS(p.words.x, low); IS(p.words.y, 65535); IS(p.words.z, who); IS(p.words.w, soft ? 77 : 300 + i);
            IS(p.exact == 1.0L + who + (nested ? 2 : 0), 1);
        }
        uint more = nested ? 0xfffffff3u + 1 + 1004 + 93 : 0;
        IS(p.big, last ? 0xfffffff0u + i - 2 * (i + 1) : 0xfffffff0u + i + who + more);
    }
    done(3 + (thread() & 1 ? 0 : 2) + (shaded ? last ? 7 : 12 : 0));
}
