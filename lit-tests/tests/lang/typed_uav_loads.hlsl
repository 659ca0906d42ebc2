// Loads of several components from arrays of UAVs: what libraries before 6.6 say of them is what their validators find.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.3.dxil
// RUN: %rtc reflect %t.3.dxil | FileCheck %s --check-prefix=OLD
// RUN: %rtc -T lib_6_6 -validator-version 1.6 %s -Fo %t.6.dxil
// RUN: %rtc reflect %t.6.dxil | FileCheck %s --check-prefix=NEW
// RUN: %dxil-val %t.3.dxil
// RUN: %dxil-val %t.6.dxil

// OLD: "features": "0x0"
// NEW: "features": "0x800"

RWTexture2D<float4> Images[2] : register(u0);
RWBuffer<uint4> Buffers[4] : register(u2);
RWTexture2D<float> Out : register(u8);

[shader("raygeneration")]
void Main()
{
    uint2 i = DispatchRaysIndex().xy;
    Out[i] = Images[i.x & 1][i].y + Images[0][i].z + Buffers[NonUniformResourceIndex(i.y)][3].w;
}
