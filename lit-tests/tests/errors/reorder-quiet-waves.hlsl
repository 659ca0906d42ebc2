// RUN: %rtc -T lib_6_6 %s -WX -Fo %t.dxil
// RUN: %rtc -T lib_6_6 %s -WX -Od -Fo %t.dxil

// Results of wave operations that are used as plain numbers after a trace: no warning.

RaytracingAccelerationStructure scene;
RWStructuredBuffer<uint> buffer;
struct P { uint n; };
[shader("raygeneration")]
void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
    P p = { 1 };
    uint total = WaveActiveSum(1u), slot = 0;
    if (WaveIsFirstLane())
        InterlockedAdd(buffer[0], total, slot);
    slot = WaveReadLaneFirst(slot) + WavePrefixSum(1u);
    TraceRay(scene, 0, 255, 0, 1, 0, ray, p);
    // The place that was taken stays ours.
    buffer[slot] = p.n;
    if (WaveActiveAnyTrue(p.n > 1))
        buffer[slot + 1] = WaveGetLaneIndex();
}

