// Loads: levels, slices, offsets, operator[] and mips, typed buffers, sizes.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

Texture1D<float4> T1 : register(t10);
Texture1DArray<uint2> T1A : register(t11);
Texture2D<float4> T2 : register(t12);
Texture2DArray<int3> T2A : register(t13);
Texture3D<unorm float4> T3 : register(t14);
TextureCube<float4> TC : register(t15);
TextureCubeArray<float> TCA : register(t16);
Buffer<float4> B4 : register(t17);
Buffer<uint> B1 : register(t18);
Buffer<int4> BI : register(t19);
RWBuffer<float4> W4 : register(u20);
RWBuffer<uint> W1 : register(u21);
RWTexture1D<float> R1 : register(u22);
RWTexture1DArray<uint> R1A : register(u23);
RWTexture2DArray<float4> R2A : register(u24);
RWTexture3D<int4> R3 : register(u25);

[shader("raygeneration")]
void Main()
{
    int3 at = int3(Thread(), inI(0) & 7, inI(1) & 3);
    putF4(T1.Load(int2(at.x, 0))); putF4(T1[at.y]); putF4(T1.mips[1][at.z]); putF4(T1.Load(int2(at.z, 1), 1));
    putU2(T1A.Load(int3(at.x, 1, 0))); putU2(T1A[int2(at.y, 2)]); putU2(T1A.mips[1][int2(at.z, 1)]); putU2(T1A.Load(int3(0, 1, 0), 5));
    putF4(T2.Load(int3(at.xy, 0))); putF4(T2[at.xy]); putF4(T2.mips[2][at.xz & 1]); putF4(T2.Load(int3(at.z, at.z, 1), int2(-1, 1)));
    putF(T2[at.yx].z); putF2(T2.Load(at.zzz & 1).wy);
    putI3(T2A.Load(int4(at.xy, 2, 0))); putI3(T2A[int3(at.xy, 1)]); putI3(T2A.mips[1][int3(at.zz, 2)]); putI3(T2A.Load(int4(1, 1, 0, 1), int2(1, 2)));
    putF4(T3.Load(int4(at, 0))); putF4(T3[at.yxz]); putF4(T3.mips[1][at.zzz]); putF4(T3.Load(int4(1, 1, 1, 0), int3(1, 2, 3)));
    putF4(B4[at.x]); putF4(B4.Load(at.y)); putU(B1[at.y + 3]); putI4(BI.Load(at.x)); putI(BI[at.z].y);
    W4[at.x] = float4(at, 0.5); W4[at.x].yz += 2; W4[at.x].w *= 3; putF4(W4[at.x]); putF4(W4.Load(at.x));
    W1[at.x] = 17; W1[at.x] += at.y; W1[at.x]++; putU(W1[at.x]);
    R1[at.x] = at.y; R1[at.x] -= 0.25; putF(R1[at.x]); putF(R1.Load(at.x));
    R1A[int2(at.x, 2)] = at.z; R1A[int2(at.x, 2)] |= 64; putU(R1A[int2(at.x, 2)]);
    R2A[uint3(at.x, 1, 2)] = float4(at, 9); R2A[uint3(at.x, 1, 2)].x += 1; R2A[uint3(at.x, 1, 2)].wy = float2(4, 5); putF4(R2A[uint3(at.x, 1, 2)]);
    R3[at.xxx] = int4(at, -1); R3[at.xxx].y <<= 2; putI4(R3[at.xxx]); putI4(R3.Load(at.xxx));

    uint w, h, d, n; float fw, fh, fd, fn; int iw, ih;
    T1.GetDimensions(w); putU(w); T1.GetDimensions(1, w, n); putU(w); putU(n);
    T1A.GetDimensions(w, d); putU(w); putU(d); T1A.GetDimensions(2, fw, fd, fn); putF3(float3(fw, fd, fn));
    T2.GetDimensions(w, h); putU(w + h * 100); T2.GetDimensions(1, w, h, n); putU3(uint3(w, h, n)); T2.GetDimensions(fw, fh); putF2(float2(fw, fh));
    T2.GetDimensions(iw, ih); putI(iw); putI(ih);
    T2A.GetDimensions(1, w, h, d, n); putU4(uint4(w, h, d, n)); T2A.GetDimensions(fw, fh, fd); putF3(float3(fw, fh, fd));
    T3.GetDimensions(2, w, h, d, n); putU4(uint4(w, h, d, n)); T3.GetDimensions(w, h, d); putU3(uint3(w, h, d));
    TC.GetDimensions(w, h); putU2(uint2(w, h)); TC.GetDimensions(1, w, h, n); putU3(uint3(w, h, n));
    TCA.GetDimensions(w, h, d); putU2(uint2(w, h)); TCA.GetDimensions(2, fw, fh, fd, fn); putF2(float2(fw, fn));
    R1.GetDimensions(w); putU(w); R1A.GetDimensions(w, d); putU2(uint2(w, d)); R2A.GetDimensions(w, h, d); putU3(uint3(w, h, d));
    R3.GetDimensions(fw, fh, fd); putF3(float3(fw, fh, fd));
    B4.GetDimensions(w); putU(w); W1.GetDimensions(w); putU(w);
}
