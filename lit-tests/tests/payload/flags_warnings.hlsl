// Flags decide on which paths a field is written and a trace runs again: booleans, numbers for states, members of structures, results of functions.
// RUN: %rtc -T lib_6_7 -Wno-payload-access-perf %s -Fo %t.dxil 2>&1 | FileCheck %s
// CHECK-NOT: warning
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
struct [raypayload] P { float c : read(caller) : write(closesthit, miss); float t : read(miss, closesthit) : write(caller); };
void trace(inout P p) { TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p); }
struct State { bool done; float sum; };

[shader("raygeneration")] void While()
{
    P p; p.t = 1; float s = 0; bool done = false;
    while (!done) { trace(p); s += p.c; if (s > 3) done = true; else p.t = s; }
    Out[0] = s;
}
[shader("raygeneration")] void Apart()
{
    P p; p.t = 1; float s = 0; bool done = false;
    for (uint i = 0; i < 9 && !done; ++i)
    {
        trace(p); s += p.c;
        if (s > 3) done = true;
        if (!done) p.t = s;
    }
    Out[0] = s;
}
[shader("raygeneration")] void Do()
{
    P p; p.t = 1; float s = 0; bool more;
    do { more = false; trace(p); s += p.c; if (s < 3) { more = true; p.t = s; } } while (more);
    Out[0] = s;
}
[shader("raygeneration")] void Numbers()
{
    P p; p.t = 1; float s = 0; uint state = 0;
    while (state != 2) { trace(p); s += p.c; if (s < 3) { state = 1; p.t = s; } else state = 2; }
    Out[0] = s;
}
[shader("raygeneration")] void Members()
{
    P p; p.t = 1; State state = { false, 0 };
    while (!state.done) { trace(p); state.sum += p.c; if (state.sum > 3) state.done = true; else p.t = state.sum; }
    Out[0] = state.sum;
}
bool further(inout P p, inout float s)
{
    trace(p); s += p.c;
    if (s > 3) return false;
    p.t = s;
    return true;
}
[shader("raygeneration")] void Results()
{
    P p; p.t = 1; float s = 0;
    while (further(p, s)) { }
    Out[0] = s;
}
[shader("raygeneration")] void First()
{
    P p; float s = 0; bool first = true;
    for (uint i = 0; i < 5; ++i) { if (first) p.t = 1; else p.t = s; first = false; trace(p); s += p.c; }
    Out[0] = s;
}

[shader("raygeneration")] void Mistake()
{
    P p; p.t = 1; float s = 0; bool done = false;
    // CHECK: flags_warnings.hlsl:[[@LINE-61]]:{{.*}} warning: `t` is undefined when it is passed to this trace in the next iteration {{.*}} [W0714]
    while (!done) { trace(p); s += p.c; if (s > 3) done = true; }
    Out[0] = s;
}
[shader("raygeneration")] void Other()
{
    P p; p.t = 1; float s = 0; bool done = false;
    // The flag is right, and set on the other path.
    while (!done) { TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p); s += p.c; if (s > 3) { done = true; p.t = s; } }
    // CHECK: flags_warnings.hlsl:[[@LINE-1]]:{{.*}} warning: `t` is undefined when it is passed to this trace in the next iteration {{.*}} [W0714]
    Out[0] = s;
}
// CHECK-NOT: warning
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.c = p.t; }
[shader("miss")] void Sky(inout P p) { bool written = false; if (p.t > 1) { p.c = 2; written = true; } if (!written) p.c = 0; }
