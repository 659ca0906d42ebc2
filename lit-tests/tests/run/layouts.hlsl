// Layouts of constant, structured and byte-address buffers, in each of Vulkan's ways.
// options: -T lib_6_3 -enable-16bit-types -fvk-use-vulkan-layout
// options: -T lib_6_3 -enable-16bit-types -fvk-use-gl-layout
// options: -T lib_6_3 -enable-16bit-types -fvk-use-scalar-layout
// RUN: %rtc -T lib_6_3 -enable-16bit-types -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T lib_6_3 -enable-16bit-types -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -enable-16bit-types -spirv -Od -fvk-use-scalar-layout -no-warnings %s -Fo %t.s.spv
// RUN: %spirv-val %t.s.spv
#include "Inputs/out.hlsli"

struct Inner { float3 v; };
struct Deep { Inner a[2]; float b; row_major float2x3 rm; };
struct S
{
    float a; float3 b; Inner i; float2x3 m; row_major float2x3 rm; float arr[3]; float2 arr2[2]; float tail; Inner j;
    float tail2; float3 c[2]; float z; float16_t h; float16_t3 h3; float w; float4x4 mm; float3x3 m3[2]; float y;
    Deep d[2]; uint2 u; float3 v3; float2 v2; float16_t h2; Deep e; float last;
};
ConstantBuffer<S> C : register(b2);
StructuredBuffer<S> B : register(t3);
ByteAddressBuffer R : register(t4);
cbuffer Block : register(b5) { float b0; float3 b1; float2 b2[3]; float b3; Inner b4; float b5; float2x2 b6; float3 b7; float b8; }
void in3(Inner x) { putF3(x.v); }
void deep(Deep d) { in3(d.a[0]); in3(d.a[1]); putF(d.b); putF3(d.rm[1]); }
void all(S s)
{
    putF(s.a); putF3(s.b); in3(s.i); putF3(s.m[0]); putF3(s.m[1]); putF3(s.rm[1]); putF(s.arr[0]); putF(s.arr[2]);
    putF2(s.arr2[1]); putF(s.tail); in3(s.j); putF(s.tail2); putF3(s.c[1]); putF(s.z); putF(s.w); putF4(s.mm[2]);
    putF3(s.m3[1][2]); putF(s.y); deep(s.d[1]); putF(float(s.u.y)); putF3(s.v3); putF2(s.v2); deep(s.e); putF(s.last);
}
[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    all(C);
    all(B[t & 3]);
    putF(C.arr[t % 3]); putF2(C.arr2[t & 1]); putF3(C.d[t & 1].a[(t >> 1) & 1].v); putF3(B[1].d[t & 1].a[(t >> 1) & 1].v);
    putF(C.mm[t & 3].y); putF(B[2].m3[t & 1][1].z); putF(C.c[t & 1][t % 3]); putF3(C.rm[t & 1]);
    putU(f32tof16(float(C.h)) & 0x7fff); putU(f32tof16(float(B[1].h2)) & 0x7fff);
    putF(b0); putF3(b1); putF2(b2[t % 3]); putF(b3); in3(b4); putF(b5); putF2(b6[1]); putF3(b7); putF(b8);
    Inner inner = R.Load<Inner>(t * 4); in3(inner);
}
