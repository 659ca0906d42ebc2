// Comparisons of floating-point numbers that exclude each other, and what is no number or infinite: no path on which both hold is reported.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf -fdiagnostics-format=short %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
struct [raypayload] P { float v : read(closesthit, caller) : write(caller, closesthit); float u : read(caller) : write(closesthit, miss); };
typedef BuiltInTriangleIntersectionAttributes A;
[shader("closesthit")] void Nan(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (v > 0) p.u = 3;
        if (v <= 0 || isnan(v)) p.u = 4;
        Out[i] = p.u;
    }
    p.v = 1; p.u = 2;
}
[shader("closesthit")] void NanBefore(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (isnan(v)) continue;
        if (v > 0) p.u = 3;
        if (v <= 0) p.u = 4;
        Out[i] = p.u;
    }
    p.v = 1; p.u = 2;
}
[shader("closesthit")] void Skipped(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (v > 0) p.u = 3;
        if (v <= 0) continue;
        if (v != v) continue;
        Out[i] = p.u;
    }
    p.v = 1; p.u = 2;
}
[shader("closesthit")] void Finite(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (!isfinite(v)) p.u = 1;
        if (v >= 0) p.u = 3;
        if (v < 0 && !isinf(v)) p.u = 2;
        Out[i] = p.u;
    }
    p.v = 1; p.u = 2;
}
[shader("closesthit")] void Infinite(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (isinf(v)) { p.u = 4; }
        if (v < asfloat(0x7f800000)) p.u = 3; else if (!(v >= asfloat(0x7f800000))) p.u = 1;
        Out[i] = p.u;
    }
    p.v = 1; p.u = 2;
}
[shader("closesthit")] void NanIsLeft(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (v > 0) p.u = 3;
        if (v <= 0) p.u = 4;
        // CHECK: classes_of_numbers.hlsl:[[@LINE+1]]:{{.*}} warning: `p.u` is undefined when it is read {{.*}} [W0710]
        Out[i] = p.u;
        // CHECK-NOT: warning
    }
    p.v = 1; p.u = 2;
}
[shader("closesthit")] void InfinityIsLeft(inout P p, A a)
{
    for (uint i = 0; i < (uint)Out[1]; ++i)
    {
        const float v = Out[i + 4];
        if (isfinite(v) || isnan(v)) p.u = 1;
        if (v > 0) p.u = 3;
        // CHECK: classes_of_numbers.hlsl:[[@LINE+1]]:{{.*}} warning: `p.u` is undefined when it is read {{.*}} [W0710]
        Out[i] = p.u;
        // CHECK-NOT: warning
    }
    p.v = 1; p.u = 2;
}
