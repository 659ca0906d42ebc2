// Payloads and parameters of many members that are all 32-bit scalars: a driver loses such a variable, so it is a structure with that one alone.
// Where a member is more than that, or few are there, the variable is of the type itself.
// rtc -T lib_6_7
// scene: ../../ser/Inputs/scene.toml
// RUN: %rtc -T lib_6_9 -D OBJECTS -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -spirv -fspv-ser=nv -T lib_6_9 -D OBJECTS -no-warnings %s -Fo %t.nv.spv -Fc %t.txt
// RUN: %spirv-val %t.nv.spv
// RUN: FileCheck %s < %t.txt
// RUN: %rtc -spirv -fspv-ser=ext -T lib_6_9 -D OBJECTS -no-warnings %s -Fo %t.ext.spv
// RUN: %spirv-val %t.ext.spv
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -D OBJECTS -no-warnings -Zi %s -Fo %t.zi.spv
// RUN: %spirv-val %t.zi.spv
// RUN: %rtc -spirv -fspv-ser=lower -T lib_6_9 -D OBJECTS -no-warnings -fspv-debug=vulkan-with-source -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -spirv -fspv-ser=lower -payload-layout=packed -T lib_6_9 -D OBJECTS -no-warnings %s -Fo %t.packed.spv
// RUN: %spirv-val %t.packed.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
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
#define DEPTH 3
#include "../../ser/Inputs/ser.hlsli"
RaytracingShaderConfig Sizes = { 256, 16 };
#define ALL : read(caller, anyhit, closesthit, miss) : write(caller, anyhit, closesthit, miss)

// CHECK-DAG: OpName [[MANY:%[0-9A-Za-z_]+]] "Many"
// CHECK-DAG: [[IN_MANY:%[0-9A-Za-z_]+]] = OpTypeStruct [[MANY]]{{$}}
// CHECK-DAG: [[MANY_OUT:%[0-9A-Za-z_]+]] = OpTypePointer RayPayloadKHR [[IN_MANY]]
// CHECK-DAG: [[MANY_IN:%[0-9A-Za-z_]+]] = OpTypePointer IncomingRayPayloadKHR [[IN_MANY]]
// CHECK-DAG: OpVariable [[MANY_OUT]] RayPayloadKHR
// CHECK-DAG: OpVariable [[MANY_IN]] IncomingRayPayloadKHR
// CHECK-DAG: OpName [[FEW:%[0-9A-Za-z_]+]] "Few"
// CHECK-DAG: [[FEW_IN:%[0-9A-Za-z_]+]] = OpTypePointer IncomingRayPayloadKHR [[FEW]]
// CHECK-DAG: OpVariable [[FEW_IN]] IncomingRayPayloadKHR
// CHECK-DAG: OpName [[MIXED:%[0-9A-Za-z_]+]] "Mixed"
// CHECK-DAG: [[MIXED_IN:%[0-9A-Za-z_]+]] = OpTypePointer IncomingRayPayloadKHR [[MIXED]]
// CHECK-DAG: OpVariable [[MIXED_IN]] IncomingRayPayloadKHR
// CHECK-DAG: OpName [[PARAMETER:%[0-9A-Za-z_]+]] "Parameter"
// CHECK-DAG: [[IN_PARAMETER:%[0-9A-Za-z_]+]] = OpTypeStruct [[PARAMETER]]{{$}}
// CHECK-DAG: [[PARAMETER_OUT:%[0-9A-Za-z_]+]] = OpTypePointer CallableDataKHR [[IN_PARAMETER]]
// CHECK-DAG: [[PARAMETER_IN:%[0-9A-Za-z_]+]] = OpTypePointer IncomingCallableDataKHR [[IN_PARAMETER]]
// CHECK-DAG: OpVariable [[PARAMETER_OUT]] CallableDataKHR
// CHECK-DAG: OpVariable [[PARAMETER_IN]] IncomingCallableDataKHR
struct [raypayload] Many
{
    bool flag ALL; int i ALL; uint depth ALL; float f ALL;
    uint a0 ALL; uint a1 ALL; uint a2 ALL; uint a3 ALL; uint a4 ALL; uint a5 ALL; uint a6 ALL; uint a7 ALL; uint a8 ALL;
    uint a9 ALL; uint a10 ALL; uint a11 ALL; uint a12 ALL; uint a13 ALL; uint a14 ALL; uint a15 ALL; uint a16 ALL; uint a17 ALL;
    uint a18 ALL; uint a19 ALL; uint a20 ALL; uint a21 ALL; uint a22 ALL; uint a23 ALL; uint a24 ALL; uint a25 ALL; uint a26 ALL;
};
struct [raypayload] Few
{
    uint a0 ALL; uint a1 ALL; uint a2 ALL; uint a3 ALL; uint a4 ALL; uint a5 ALL; uint a6 ALL; uint a7 ALL; uint a8 ALL; uint a9 ALL;
    uint a10 ALL; uint a11 ALL; uint a12 ALL; uint a13 ALL; uint a14 ALL; uint a15 ALL; uint a16 ALL; uint a17 ALL; uint a18 ALL; uint a19 ALL;
    uint a20 ALL; uint a21 ALL; uint a22 ALL; uint a23 ALL; uint a24 ALL; uint a25 ALL; uint a26 ALL; uint a27 ALL; uint a28 ALL; uint a29 ALL;
};
struct [raypayload] Mixed
{
    uint one[1] ALL;
    uint a0 ALL; uint a1 ALL; uint a2 ALL; uint a3 ALL; uint a4 ALL; uint a5 ALL; uint a6 ALL; uint a7 ALL; uint a8 ALL; uint a9 ALL;
    uint a10 ALL; uint a11 ALL; uint a12 ALL; uint a13 ALL; uint a14 ALL; uint a15 ALL; uint a16 ALL; uint a17 ALL; uint a18 ALL; uint a19 ALL;
    uint a20 ALL; uint a21 ALL; uint a22 ALL; uint a23 ALL; uint a24 ALL; uint a25 ALL; uint a26 ALL; uint a27 ALL; uint a28 ALL; uint a29 ALL;
    uint a30 ALL; uint a31 ALL; uint a32 ALL; uint a33 ALL; uint a34 ALL; uint a35 ALL; uint a36 ALL; uint a37 ALL; uint a38 ALL; uint a39 ALL;
};
struct Parameter
{
    bool flag; float f; uint depth;
    uint a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29;
};

#define SUM26(p) (1 * p.a0 + 2 * p.a1 + 3 * p.a2 + 4 * p.a3 + 5 * p.a4 + 6 * p.a5 + 7 * p.a6 + 8 * p.a7 + 9 * p.a8 + \
    10 * p.a9 + 11 * p.a10 + 12 * p.a11 + 13 * p.a12 + 14 * p.a13 + 15 * p.a14 + 16 * p.a15 + 17 * p.a16 + 18 * p.a17 + \
    19 * p.a18 + 20 * p.a19 + 21 * p.a20 + 22 * p.a21 + 23 * p.a22 + 24 * p.a23 + 25 * p.a24 + 26 * p.a25 + 27 * p.a26)

// One more in each of them.
void more(inout Many p)
{
    ++p.a0; ++p.a1; ++p.a2; ++p.a3; ++p.a4; ++p.a5; ++p.a6; ++p.a7; ++p.a8; ++p.a9; ++p.a10; ++p.a11; ++p.a12; ++p.a13; ++p.a14; ++p.a15; ++p.a16; ++p.a17; ++p.a18; ++p.a19; ++p.a20; ++p.a21; ++p.a22; ++p.a23; ++p.a24; ++p.a25; ++p.a26;
    p.f *= 2; p.i -= 5; p.flag = !p.flag;
}
[shader("anyhit")] void AnyHit(inout Few p, in BuiltInTriangleIntersectionAttributes a) { p.a29 += p.a0; p.a0 = 3; }
[shader("anyhit")] void AnyBoxHit(inout Mixed p, in BoxAttributes a) { p.a39 += p.one[0]; p.a38 = 5; }
[shader("closesthit")] void ClosestA(inout Many p, in BuiltInTriangleIntersectionAttributes a)
{
    more(p);
    if (p.depth == 0) return;
    // On from here with a copy.
    Many q = p;
    --q.depth;
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, to(p.depth == 2 ? TRIANGLE : NOTHING), q);
    p.a3 += q.a3; p.a26 = q.a26; p.f += q.f;
}
[shader("closesthit")] void ClosestB(inout Many p, in BuiltInTriangleIntersectionAttributes a) { p.a26 = SUM26(p); p.flag = true; }
[shader("closesthit")] void ClosestBox(inout Mixed p, in BoxAttributes a) { p.a37 = p.a38 + p.a39; }
[shader("miss")] void MissA(inout Few p) { p.a28 = p.a29 + p.a0; }
[shader("miss")] void MissB(inout Many p) { more(p); more(p); }
[shader("callable")] void Call(inout Parameter p)
{
    p.a0 += p.a29; p.a29 = p.a1 + p.a28; p.f += 0.5; p.flag = !p.flag;
    if (p.depth > 0) { Parameter q = p; --q.depth; CallShader(0, q); p.a2 = q.a29; p.flag = q.flag; }
}

Many made(uint depth)
{
    Many p;
    p.flag = false; p.i = -1; p.depth = depth; p.f = 1.5;
    p.a0 = 0 + thread(); p.a1 = 1 + thread(); p.a2 = 2 + thread(); p.a3 = 3 + thread(); p.a4 = 4 + thread(); p.a5 = 5 + thread(); p.a6 = 6 + thread(); p.a7 = 7 + thread(); p.a8 = 8 + thread(); p.a9 = 9 + thread(); p.a10 = 10 + thread(); p.a11 = 11 + thread(); p.a12 = 12 + thread(); p.a13 = 13 + thread();
    p.a14 = 14 + thread(); p.a15 = 15 + thread(); p.a16 = 16 + thread(); p.a17 = 17 + thread(); p.a18 = 18 + thread(); p.a19 = 19 + thread(); p.a20 = 20 + thread(); p.a21 = 21 + thread(); p.a22 = 22 + thread(); p.a23 = 23 + thread(); p.a24 = 24 + thread(); p.a25 = 25 + thread(); p.a26 = 26 + thread();
    return p;
}
static const uint SQUARES = 6552, NUMBERS = 378;

[shader("raygeneration")] void Main()
{
    uint t = thread();
    Many p;
    [loop] for (uint i = 0; i < 3; ++i)
    {
        p = made(0);
        TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, to(i == 0 ? TRIANGLE : i == 1 ? NOTHING : TURNED), p);
        // One more in each, two more, the sum in the last.
        IS(i == 2 ? p.a26 : SUM26(p), SQUARES + NUMBERS * (t + (i == 2 ? 0 : i + 1)));
        ISF(p.f, i == 0 ? 3 : i == 1 ? 6 : 1.5); IS(p.i, uint(i == 0 ? -6 : i == 1 ? -11 : -1)); IS(p.flag, i != 1); IS(p.depth, 0);
    }
    // The closest-hit shader traces, and what it traces does.
    p = made(2);
    TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, to(TRIANGLE), p);
    IS(p.a3, 3 * (3 + t) + 7); IS(p.a26, 26 + t + 4); ISF(p.f, 3 + 6 + 24); IS(p.a0, t + 1); IS(p.a25, 26 + t);
#ifdef OBJECTS
    p = made(0);
    dx::HitObject h = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 0xff, 0, 1, 1, to(TRIANGLE), p);
    dx::MaybeReorderThread(h);
    p.a3 = 100;
    dx::HitObject::Invoke(h, p);
    IS(p.a3, 101); IS(p.a26, 27 + t); IS(p.flag, 1);
#endif
    // Types that stay as they are.
    Few f = (Few)0;
    f.a0 = 1; f.a29 = 10 + t;
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0x80, 0, 1, 0, to(SOFT_ALONE), f);
    IS(f.a0, 3); IS(f.a29, 11 + t);
    Mixed m = (Mixed)0;
    m.one[0] = 7; m.a39 = t;
    TraceRay(Scene, RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH, 0xff, 0, 1, 0, to(SOFT_BOXES), m);
    IS(m.a37, 5 + 7 + t);
    // Parameters.
    Parameter c = (Parameter)0;
    c.a29 = 4; c.a1 = 6; c.a28 = 8; c.depth = 1; c.f = t;
    CallShader(0, c);
    IS(c.a0, 4); IS(c.a29, 14); IS(c.a2, 14); ISF(c.f, t + 0.5); IS(c.flag, 0);
#ifdef OBJECTS
    done(31);
#else
    done(28);
#endif
}
