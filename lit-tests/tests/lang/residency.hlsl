// The residency status of everything that has one, kept in variables, arrays and structures.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_6 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: not %rtc -T lib_6_3 -spirv %s -Fo %t.spv 2>&1 | FileCheck %s
// CHECK: Vulkan has no residency status of structured and raw buffers
// RUN: %rtc -T lib_6_3 -spirv -DTEXELS %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -DTEXELS %s | FileCheck %s --check-prefix=SPV
// SPV: OpCapability SparseResidency
// SPV: OpImageSparseFetch
// SPV: OpImageSparseRead
struct B { float a[3]; uint2 c; };
struct Kept { uint status[2]; };
StructuredBuffer<B> Structs : register(t0);
ByteAddressBuffer Bytes : register(t1);
Buffer<float4> Typed : register(t2);
RWBuffer<uint> Written : register(u1);
Texture2D<float4> Image : register(t3);
Texture2DArray<float4> Images : register(t4);
SamplerState Smp : register(s0);
RWStructuredBuffer<float4> Out : register(u0);
[shader("raygeneration")]
void Main()
{
    uint3 id = DispatchRaysIndex();
    Kept k = (Kept)0;
    uint st;
    float4 r = Image.SampleLevel(Smp, float2(id.xy), 0, int2(1, 2), k.status[0]);
    if (id.z > 2)
        r += Images.GatherAlpha(Smp, float3(id), int2(1, 2), int2(2, 3), int2(id.xy & 3), int2(4, 5), k.status[1]);
    for (uint i = 0; i < 2; ++i)
        r.x += CheckAccessFullyMapped(k.status[i]);
#ifndef TEXELS
    B b = Structs.Load(id.x, st);
    r.x += b.a[1] + b.c.y + CheckAccessFullyMapped(st);
    r += Bytes.Load4(id.x * 16, st);
    r.x += CheckAccessFullyMapped(st) ? 1 : 2;
#endif
    r += Typed.Load(id.x, st);
    r.y += CheckAccessFullyMapped(st);
    r.z += Written.Load(id.x, st);
    r.w += CheckAccessFullyMapped(st);
    Out[id.x] = r;
}
