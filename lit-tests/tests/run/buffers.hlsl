// Byte-address loads and stores of every width, at offsets of four, typed.
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
#include "Inputs/out.hlsli"

struct P { float a; uint2 b; float3 c; };
RWByteAddressBuffer Raw : register(u4);
RWStructuredBuffer<uint> Words : register(u6);
[shader("raygeneration")]
void Main()
{
    uint o = Thread() * 256;
    putU2(In.Load2(o + 4)); putU3(In.Load3(o + 12)); putU4(In.Load4(o + 20)); putU4(In.Load4(o + 4 * (inU(3) & 7)));
    P p = In.Load<P>(2048 + o + 8);
    putF(p.a); putU2(p.b); putF3(p.c);
    putF(In.Load<float>(2048 + o)); putF2(In.Load<float2>(2048 + o + 4)); putI(In.Load<int>(o));
    Raw.Store(o, inU(0)); Raw.Store2(o + 4, uint2(1, 2)); Raw.Store3(o + 12, uint3(3, 4, 5)); Raw.Store4(o + 24, inU(0) + uint4(6, 7, 8, 9));
    for (uint i = 0; i < 10; ++i) putU(Raw.Load(o + i * 4));
    Raw.Store<P>(o + 44, p);
    P q = Raw.Load<P>(o + 44);
    putF(q.a); putU2(q.b); putF3(q.c);
    Raw.Store<float3>(o + 100, float3(inF(0), 2, 3));
    putF3(asfloat(Raw.Load3(o + 100)));
    Raw.Store<int>(o + 112, -5);
    putI(Raw.Load(o + 112) + 1);
    uint was;
    Raw.Store(o + 116, 40);
    Raw.InterlockedAdd(o + 116, 5, was); putU(was);
    Raw.InterlockedMax(o + 116, 100u, was); putU(was);
    Raw.InterlockedMin(o + 116, 60u, was); putU(was);
    Raw.InterlockedAnd(o + 116, 0x3c, was); putU(was);
    Raw.InterlockedOr(o + 116, 3, was); putU(was);
    Raw.InterlockedXor(o + 116, 0xff, was); putU(was);
    Raw.InterlockedExchange(o + 116, 7, was); putU(was);
    Raw.InterlockedCompareExchange(o + 116, 7, 8, was); putU(was);
    Raw.InterlockedCompareExchange(o + 116, 7, 9, was); putU(was);
    Raw.InterlockedAdd(o + 116, 1);
    putU(Raw.Load(o + 116));
    uint w = Thread() * 4;
    Words[w] = 10;
    InterlockedAdd(Words[w], 5u, was); putU(was);
    InterlockedMax(Words[w], 12u); putU(Words[w]);
    InterlockedExchange(Words[w], 3u, was); putU(was);
    InterlockedCompareExchange(Words[w], 3u, 99u, was); putU(was);
    InterlockedOr(Words[w], 0x100u, was); putU(was); putU(Words[w]);
    Words[w + 1] = Words[w]++ + 1;
    Words[w + 1] += 3; Words[w + 1] <<= 2;
    putU(Words[w]); putU(Words[w + 1]);
    uint size, stride;
    Words.GetDimensions(size, stride); putU(stride); putB(size > 8);
    In.GetDimensions(size); putU(size);
}
