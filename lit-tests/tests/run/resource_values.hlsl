// Resources as parameters, local names and buffers of every element type.
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

struct V { float4 v; uint n; };
RWByteAddressBuffer Raw : register(u4);
RWStructuredBuffer<V> Vs : register(u6);
StructuredBuffer<float4> Four : register(t3);
StructuredBuffer<uint2> Two : register(t5);
RWStructuredBuffer<float> Fs : register(u7);
uint load(ByteAddressBuffer b, uint i) { return b.Load(i * 4); }
void store(RWByteAddressBuffer b, uint i, uint v) { b.Store(i * 4, v); }
void bump(RWStructuredBuffer<V> b, uint i, inout V by) { b[i].v += by.v; by.v = b[i].v; b[i].n++; by.n = b[i].n; }
void slot(inout float f, float by) { f = f * 2 + by; }
float total(StructuredBuffer<float4> b, uint from) { float t = 0; for (uint i = 0; i < 4; ++i) t += dot(b[from + i], float4(1, 2, 3, 4)); return t; }
[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    putU(load(In, t + 2));
    store(Raw, t, inU(3)); putU(Raw.Load(t * 4));
    RWByteAddressBuffer alias = Raw;
    alias.Store(t * 4, 5); putU(Raw.Load(t * 4));
    V v; v.v = float4(1, 2, 3, inF(0)); v.n = 9;
    Vs[t] = v;
    bump(Vs, t, v);
    putF4(v.v); putU(v.n); putF4(Vs[t].v); putU(Vs[t].n);
    putF(total(Four, t)); putF2(Four[t].yw); putU2(Two[t]); putU(Two[t + 1].y);
    Fs[t] = 3; slot(Fs[t], inF(1)); putF(Fs[t]); slot(Vs[t].v.z, 1); putF4(Vs[t].v);
    slot(Vs[t].v[inU(1) & 3], 1); putF4(Vs[t].v);
    Vs[t].v.wx = Vs[t].v.xw; putF4(Vs[t].v);
    V copies[2] = { Vs[t], v }; copies[inU(2) & 1].n = 1; putU(copies[0].n); putU(copies[1].n); Vs[t] = copies[1]; putU(Vs[t].n);
}
