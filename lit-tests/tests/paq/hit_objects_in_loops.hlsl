// A loop that traces and invokes, in a library that does not say what its hit groups are: what comes back from a trace is no reason for the caller to write
// it, for it has no value in the first iteration. What the caller sets, or a shader reads, is.
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_9 -fix %t.hlsl | FileCheck %s
// RUN: %rtc -T lib_6_9 -WX %t.hlsl -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: cp %t.hlsl %t.again.hlsl
// RUN: %rtc paq -T lib_6_9 -fix %t.again.hlsl
// RUN: cmp %t.hlsl %t.again.hlsl
// CHECK: float3 color : read(caller) : write(closesthit, miss);
// CHECK: float kept {{ *}}: read(caller) : write(caller, closesthit);
// CHECK: float sum {{ *}}: read(caller, closesthit) : write(caller, closesthit);
// CHECK: float input {{ *}}: read(miss) : write(caller);
struct P { float3 color; float kept; float sum; float input; };
RaytracingAccelerationStructure Scene : register(t0); RWTexture2D<float4> Out : register(u0);
[shader("raygeneration")] void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 100 };
    float3 all = 0;
    P p;
    p.kept = 1;
    p.sum = 0;
    for (uint i = 0; i < 3; ++i)
    {
        p.input = i;
        dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, p);
        dx::HitObject::Invoke(h, p);
        all += p.color;
    }
    Out[DispatchRaysIndex().xy] = float4(all, p.kept + p.sum);
}
[shader("closesthit")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.color = 1; p.kept = 2; p.sum += 1; }
[shader("miss")] void Sky(inout P p) { p.color = p.input; }
