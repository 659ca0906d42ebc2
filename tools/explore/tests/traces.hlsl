// rtc -T lib_6_9
struct [raypayload] Payload { float3 color : read(caller) : write(miss); };
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0, space1);
[shader("miss")] void Sky(inout Payload p) { p.color = 0.25; }
float scale(uint n)
{
    return n * 3.5 + 1;
}
[shader("raygeneration")] void Start()
{
    float kept = scale(DispatchRaysIndex().x);
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1000 };
    Payload p;
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 0, 0, ray, p);
    Output[DispatchRaysIndex().xy] = float4(p.color, kept);
}
