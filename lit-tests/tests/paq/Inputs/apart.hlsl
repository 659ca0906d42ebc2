struct R { float c; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
[shader("raygeneration")] void OfR()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    R p;
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    Out[0] = p.c;
}
[shader("miss")] void MissR(inout R p) { p.c = 1; }
