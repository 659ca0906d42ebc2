// Gathers with four offsets: component n is that of a gather at offset n.
// reference: no, it makes one SPIR-V gather of them, which picks the same texel of each footprint
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

Texture2D<uint4> U2 : register(t14);
Texture2DArray<uint> U2A : register(t15);
Texture2D<float> Depth : register(t17);
SamplerState PointClamp : register(s21);
SamplerComparisonState CmpClamp : register(s24);

void four(uint4 x, uint4 a, uint4 b, uint4 c, uint4 d)
{
    expect(int(x.x), int(a.x));
    expect(int(x.y), int(b.y));
    expect(int(x.z), int(c.z));
    expect(int(x.w), int(d.w));
}

[shader("raygeneration")]
void Main()
{
    float2 at = float2(inF(0), inF(1)) / 16 + 0.013;
    int2 a = int2(1, 2), b = int2(-3, 4), c = int2(5, -6), d = int2(-7, -8);
    // Constants that every device has; at the limit; computed ones.
    four(U2.GatherGreen(PointClamp, at, a, b, c, d), U2.GatherGreen(PointClamp, at, a), U2.GatherGreen(PointClamp, at, b),
        U2.GatherGreen(PointClamp, at, c), U2.GatherGreen(PointClamp, at, d));
    int2 e = int2(7, 7);
    four(U2.GatherBlue(PointClamp, at, e, b, c, d), U2.GatherBlue(PointClamp, at, e), U2.GatherBlue(PointClamp, at, b),
        U2.GatherBlue(PointClamp, at, c), U2.GatherBlue(PointClamp, at, d));
    int2 f = int2(inI(2), inI(3)) & 3;
    float3 slice = float3(at, Thread() % 3);
    four(U2A.Gather(PointClamp, slice, f, b, -f, d), U2A.Gather(PointClamp, slice, f), U2A.Gather(PointClamp, slice, b),
        U2A.Gather(PointClamp, slice, -f), U2A.Gather(PointClamp, slice, d));
    four(asuint(Depth.GatherCmp(CmpClamp, at, 0.5, a, b, c, d)), asuint(Depth.GatherCmp(CmpClamp, at, 0.5, a)),
        asuint(Depth.GatherCmp(CmpClamp, at, 0.5, b)), asuint(Depth.GatherCmp(CmpClamp, at, 0.5, c)),
        asuint(Depth.GatherCmp(CmpClamp, at, 0.5, d)));
}
