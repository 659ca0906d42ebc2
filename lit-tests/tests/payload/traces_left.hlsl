// Payloads without qualifiers in functions that no shader reaches, as in files that compute shaders and ray tracing share: they compile.
// RUN: %rtc -T cs_6_7 -E Main %s -Fo %t.cs
// RUN: %rtc -T lib_6_7 -DLIBRARY %s -Fo %t.lib
// RUN: %rtc -T cs_6_7 -E Main -spirv %s -Fo %t.spv
// RUN: not %rtc -T lib_6_7 -DLIBRARY -DREACHED -fdiagnostics-format=short %s 2>&1 | FileCheck %s
struct Payload { float distance; };
struct [raypayload] Parts { float a : write(caller) : read(miss); float b; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u0);
float Trace(RayDesc ray)
{
    Payload payload = { 0 };
    // CHECK: traces_left.hlsl:[[@LINE+1]]:55: error: `Payload` is used as a payload but not declared `[raypayload]` [E0706]
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 1, 0, ray, payload);
    Parts parts;
    // CHECK: traces_left.hlsl:7:73: error: `b` of the payload `Parts` has no access qualifiers [E0606]
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 1, 0, ray, parts);
    return payload.distance;
}
#ifdef LIBRARY
[shader("raygeneration")] void Main()
{
#ifdef REACHED
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    Out[1] = Trace(ray);
#endif
    Out[0] = 1;
}
#else
[numthreads(1, 1, 1)] void Main() { Out[0] = 1; }
#endif
