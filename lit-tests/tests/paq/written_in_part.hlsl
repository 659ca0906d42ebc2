// Parts of a field that no shader reads need no value: what `rtc paq -fix` writes compiles without warnings where callers set the other parts. What a shader
// reads, and a field that is not set at all, is reported.
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_6 -fix %t.hlsl
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.hlsl
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: %rtc -T lib_6_7 -D READ %t.hlsl -Fo %t.read.dxil 2>&1 | FileCheck %s
// RUN: %rtc -T lib_6_7 -D LOST %t.hlsl -Fo %t.lost.dxil 2>&1 | FileCheck --check-prefix=LOST %s
struct Inner { float x; float y; };
struct P { Inner inner; float list[3]; float4 v; float2x2 m; float c; };
// FIXED: struct [raypayload] P { Inner inner : read(miss) : write(caller); float list[3] : read(miss) : write(caller); float4 v : read(miss) : write(caller); float2x2 m : read(miss) : write(caller); float c : read(caller) : write(miss); };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    P p;
    p.inner.x = 1;
    p.list[1] = 2;
    p.v.yz = 3;
    p.m[0] = 4;
    // CHECK: warning: `list` is passed to this trace uninitialised
    // CHECK: warning: `v` is passed to this trace uninitialised
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p);
    Out[0] = p.c;
#ifdef LOST
    p.inner.x = 2;
    p.list[1] = 3;
    p.m[0] = 4;
    // LOST-NOT: warning
    // LOST: warning: `v` is undefined when it is passed to this trace
    // LOST-NOT: warning
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray(), p);
    Out[1] = p.c;
#endif
}
[shader("miss")] void Sky(inout P p)
{
    p.c = p.inner.x + p.list[1] + p.v.z + p.m[0][1];
#ifdef READ
    p.c += p.list[DispatchRaysIndex().x % 3] + p.v.w;
#endif
}
