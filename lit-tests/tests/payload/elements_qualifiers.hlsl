// A field that is an array of payloads: each element has the qualifiers of the payload's own fields, also in arrays of arrays and in long ones.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
struct [raypayload] Q { float a : read(caller) : write(caller, miss); float b : read(miss) : write(caller); };
struct [raypayload] P { Q q[2]; };
struct [raypayload] Deep { Q q[2][2]; float last : read(caller) : write(miss); };
struct [raypayload] Long { Q q[40]; };

[shader("raygeneration")] void Right()
{
    P p; for (int k = 0; k < 2; k++) { p.q[k].a = 0; p.q[k].b = 1; }
    TraceRay(Scene, 0, 255, 0, 1, 0, ray(), p);
    Out[0] = p.q[0].a + p.q[1].a;
}
[shader("raygeneration")] void Wrong()
{
    P p; p.q[0].a = p.q[1].a = p.q[0].b = 1;
    // CHECK: elements_qualifiers.hlsl:[[@LINE+1]]:{{.*}} warning: `q[1].b` is passed to this trace uninitialised {{.*}} [W0715]
    TraceRay(Scene, 0, 255, 0, 1, 0, ray(), p);
    // CHECK: elements_qualifiers.hlsl:[[@LINE+1]]:{{.*}} warning: `p.q[0].b` is undefined when it is read {{.*}} [W0711]
    Out[0] = p.q[0].a + p.q[0].b;
}
[shader("raygeneration")] void InDeep()
{
    Deep p; for (int k = 0; k < 2; k++) p.q[0][k].a = p.q[0][k].b = p.q[1][k].a = p.q[1][k].b = k;
    TraceRay(Scene, 0, 255, 0, 1, 1, ray(), p);
    // CHECK: elements_qualifiers.hlsl:[[@LINE+1]]:{{.*}} warning: `p.q[1][0].b` is undefined when it is read {{.*}} [W0711]
    Out[0] = p.q[1][0].a + p.q[1][0].b + p.last;
}
[shader("raygeneration")] void InLong()
{
    Long p; for (int k = 0; k < 40; k++) p.q[k].a = p.q[k].b = k;
    TraceRay(Scene, 0, 255, 0, 1, 2, ray(), p);
    // CHECK: elements_qualifiers.hlsl:[[@LINE+1]]:{{.*}} warning: `p.q[7].b` is undefined when it is read {{.*}} [W0711]
    Out[0] = p.q[7].b;
}
[shader("miss")] void Sky(inout P p)
{
    p.q[0].a = p.q[1].b;
    // CHECK: elements_qualifiers.hlsl:[[@LINE+1]]:{{.*}} warning: the value written to `p.q[0].b` is lost when `Sky` ends {{.*}} [W0712]
    p.q[0].b = 1;
    p.q[1].a = DispatchRaysIndex().x > 3 ? 1 : 2;
}
// CHECK-NOT: warning
[shader("miss")] void SkyOfDeep(inout Deep p) { p.last = 1; for (int k = 0; k < 2; k++) p.q[k][0].a = p.q[k][1].a = 1; }
[shader("miss")] void SkyOfLong(inout Long p) { for (int k = 0; k < 40; k++) p.q[k].a = p.q[k].b; }
