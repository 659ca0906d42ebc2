// Multisampled textures: every sample is written and read, operator[] is the first one; positions and sizes.
// reference: no, it does not know that multisampled textures can be written
// options: -T lib_6_7
// RUN: %rtc -T lib_6_7 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_7 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T lib_6_7 -HV 2021 -no-warnings %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
#include "Inputs/out.hlsli"

RWTexture2DMS<float4> Colour : register(u8);
RWTexture2DMSArray<uint, 4> Ids : register(u9);

[shader("raygeneration")]
void Main()
{
    uint2 at = uint2(Thread(), inU(0) & 7);
    uint slice = inU(1) % 3;
    for (uint s = 0; s < 4; ++s)
    {
        Colour.sample[s][at] = float4(s, Thread(), 3, 4);
        Ids.sample[s][uint3(at, slice)] = 10 * s + Thread();
    }
    Colour.sample[2][at].y += 0.5;
    Ids.sample[3][uint3(at, slice)] += 100;
    Ids[uint3(at, slice)]++;
    for (uint k = 0; k < 4; ++k)
    {
        expect(int(Colour.Load(at, k).x), int(k));
        expect(int(Colour.sample[k][at].y * 2), int(Thread() * 2 + (k == 2 ? 1 : 0)));
        expect(int(Ids.Load(int3(at, slice), k)), int(10 * k + Thread() + (k == 3 ? 100 : 0) + (k == 0 ? 1 : 0)));
    }
    expect(int(Colour[at].w), 4);
    uint w, h, n, d;
    Colour.GetDimensions(w, h, n);
    expect(int(w * 100 + h * 10 + n), 884);
    Ids.GetDimensions(w, h, d, n);
    expect(int(w * 100 + d * 10 + n), 834);
    // The standard positions of four samples.
    expect(int(Colour.GetSamplePosition(0).y * 16), -6);
    expect(int(Colour.GetSamplePosition(1).x * 16), 6);
    expect(int(Colour.GetSamplePosition(3).x * 16), 2);
    expect(int(Colour.GetSamplePosition(4).x * 16), 0);
}
