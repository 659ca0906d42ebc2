// Any-hit shaders that call functions of another library: what those leave unwritten is no error of linking, and a function that ends the shader does
// not move what comes before it to another reorder point.
// RUN: cp %S/Inputs/soft.toml %T/soft.toml
// RUN: %rtc -T lib_6_9 -no-warnings -D FIRST %s -Fo %t.first.dxil
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fo %t.second.dxil
// RUN: %rtc link -T lib_6_9 %t.first.dxil %t.second.dxil -Fo %T/reference.dxil
// RUN: %rtc-run-cpu %T/soft.toml -o %T
// RUN: %rtc -T lib_6_9 -no-warnings -Od -D FIRST %s -Fo %t.first.dxil
// RUN: %rtc -T lib_6_9 -no-warnings -Od %s -Fo %t.second.dxil
// RUN: %rtc link -T lib_6_9 %t.first.dxil %t.second.dxil -Fo %T/reference.dxil
// RUN: %rtc-run-cpu %T/soft.toml -o %T
struct Wide { uint first; uint2 second; float third; };
#ifdef FIRST
RaytracingAccelerationStructure Scene : register(t0);
uint thread() { return 0; }
#include "../../ser/Inputs/report.hlsli"
GlobalRootSignature Globals = { "SRV(t0), UAV(u0)" };
RaytracingShaderConfig Sizes = { 128, 8 };
RaytracingPipelineConfig Pipeline = { 1 };
TriangleHitGroup Group = { "Any", "Hit" };

struct [raypayload] Payload
{
    uint count : read(caller, anyhit, closesthit) : write(caller, anyhit, closesthit);
    uint early : read(caller, anyhit, closesthit) : write(caller, anyhit, closesthit);
};

uint part(uint x, out Wide w);
void next(inout uint x);

void end(inout Payload p)
{
    if (p.count == 5) { p.early = 7; AcceptHitAndEndSearch(); }
}

[shader("anyhit")] void Any(inout Payload p, BuiltInTriangleIntersectionAttributes a)
{
    Wide w;
    uint x = part(p.count, w);
    // What is unwritten counts for nothing.
    p.count = x + w.second.y + ((w.first + w.second.x + uint(w.third)) & 0);
    if (p.count > 4) end(p);
    next(p.count);
}

[shader("closesthit")] void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a) { p.count += 100; }
[shader("miss")] void Sky(inout Payload p) { p.count = 1000; }

[shader("raygeneration")] void Main()
{
    RayDesc ray = { float3(0, 0, -1), 0, float3(0, 0, 1), 9 };
    for (uint i = 0; i < 2; ++i)
    {
        Payload p = { 2 - i, 0 };
        dx::HitObject hit = dx::HitObject::TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, p);
        dx::MaybeReorderThread(hit);
        dx::HitObject::Invoke(hit, p);
        // 2 + 3 ends early; 1 + 3 is doubled.
        IS(p.count, i == 0 ? 105u : 108u);
        IS(p.early, i == 0 ? 7u : 0u);
    }
    done(4);
}
#else
export uint part(uint x, out Wide w) { w.second.y = 3; return x; }
export void next(inout uint x) { x *= 2; }
#endif
