// RUN: %rtc -T lib_6_9 %s -WX -Fo %t.dxil
// RUN: %rtc -T lib_6_9 %s -WX -Od -Fo %t.dxil

// A UAV that is coherent across reorder points, with the barrier on the right side: no warning.

RaytracingAccelerationStructure scene;
reordercoherent RWStructuredBuffer<uint> buffer;
struct [raypayload] P { uint n : read(caller) : write(caller, closesthit, miss); };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    buffer[0] = 1;
    Barrier(UAV_MEMORY, REORDER_SCOPE);
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    buffer[1] = buffer[0] + p.n;
}

